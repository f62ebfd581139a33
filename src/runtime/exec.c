/* SPDX-License-Identifier: Apache-2.0
 * exec.c - runs the steps of a plan, and plans within plans. */
#include "base/system.h"
#include "ops/kit/layout.h"
#include "runtime/session.h"
#include "runtime/sized.h"

#include <ocellus_model.h>

/* ---- values in NCHW16c ---- */

/* Brings the value of a slot into NCHW, for this reader and all later ones. */
static oc_status to_nchw(oc_session *s, oc_value *v)
{
    oc_value planes;
    if (!v->nchw16c || !v->data)
        return OC_OK;
    OC_TRY(oc_value_new_tensor(&s->pool, v->type, &v->dims, &planes, s->services.error));
    const oc_work all = {&s->services.parallel, s->services.threads, 0, &s->watch};
    oc_layout_copy(&planes, v, s->services.cpu, &all);
    oc_value_unref(v);
    *v = planes;
    return OC_OK;
}

static oc_status places_to_nchw(oc_session *s, const oc_run_frame *f, const int *place, int n)
{
    for (int i = 0; i < n; i++)
        if (oc_place_is_slot(place[i]))
            OC_TRY(to_nchw(s, &f->slot[place[i]]));
    return OC_OK;
}

/* Brings the inputs that a step does not take in NCHW16c into NCHW, and all that graphs within it
 * may read. */
static oc_status inputs_to_nchw(oc_session *s, const oc_run_frame *f, const oc_step *step)
{
    for (int i = 0; i < step->n_in; i++)
        if (!oc_sig_port_at(step->sig->in, step->sig->n_in, i)->nchw16c)
            OC_TRY(places_to_nchw(s, f, &step->in[i], 1));
    for (int a = 0; a < step->sig->n_attr; a++)
        for (int k = 0; step->graph[a] && k < step->graph[a]->n_capture; k++)
            OC_TRY(places_to_nchw(s, f, &step->graph[a]->capture[k].outer, 1));
    return OC_OK;
}

/* ---- one step ---- */

/* The call of a step. Its operands are listed in in and out. */
static oc_call make_call(oc_session *s, const oc_run_frame *f, const oc_step *step,
                         const oc_value **in, oc_value **out)
{
    for (int i = 0; i < step->n_in; i++)
        in[i] = oc_frame_at(s->plan, f, step->in[i]);
    for (int i = 0; i < step->n_out; i++)
        out[i] = step->out[i] == OC_NOWHERE ? NULL : &f->slot[step->out[i]];
    oc_call c = oc_step_call(step, in, out, &s->services);
    c.fused_away = step->consumer != NULL;
    return c;
}

static void report(const oc_session *s, const oc_run_frame *f, const oc_step *step, bool begin,
                   int64_t sequence, uint64_t nanoseconds)
{
    const bool values = s->options.observer.view != OC_VIEW_NONE;
    const struct {
        oc_node_event event;
        char later[OC_SIZED_ROOM];
    } told = {.event = {.begin = begin,
                        .depth = f->graph->depth,
                        .sequence = sequence,
                        .name = step->node->name,
                        .domain = step->node->domain,
                        .op_type = step->node->op_type,
                        .since = step->op->since,
                        .n_in = step->n_in,
                        .n_out = step->n_out,
                        .in = values ? f->in : NULL,
                        .out = values ? (const oc_value *const *)f->out : NULL,
                        .out_name = step->node->out,
                        .nanoseconds = (int64_t)nanoseconds,
                        .fused_into = step->consumer ? step->consumer->node->op_type : NULL}};
    s->options.observer.on_node(s->options.observer.on_node_ctx, &told.event);
}

/* Runs the last step of an epilogue, and with it the others. */
static oc_status run_epilogue(oc_session *s, const oc_run_frame *f, const oc_step *step, oc_call *c)
{
    const oc_value **in = f->epilogue_in;
    oc_value **out = f->epilogue_out;
    for (int i = 0; i + 1 < step->n_epilogue; i++) {
        const oc_step *part = step->epilogue[i];
        f->epilogue[i] = make_call(s, f, part, in, out);
        f->epilogue_calls[i] = &f->epilogue[i];
        in += part->n_in;
        out += part->n_out;
    }
    f->epilogue_calls[step->n_epilogue - 1] = c;
    c->epilogue_calls = f->epilogue_calls;
    c->n_epilogue_calls = step->n_epilogue;
    return oc_call_run(c);
}

static oc_status run_call(oc_session *s, const oc_run_frame *f, const oc_step *step, oc_call *c)
{
    if (step->folded) {
        for (int i = 0; i < step->n_out; i++)
            if (c->out[i])
                *c->out[i] = step->folded[i];
        return OC_OK;
    }
    if (step->epilogue)
        return run_epilogue(s, f, step, c);
    if (!step->fusion)
        return oc_call_run(c);
    const oc_call producer =
        make_call(s, f, step->producer, f->in + f->graph->max_in, f->out + f->graph->max_out);
    c->fusion = step->fusion;
    c->producer = &producer;
    const oc_status status = oc_call_run(c);
    c->producer = NULL;
    return status;
}

/* A run whose session a callback has freed goes on no further. */
static oc_status check_wanted(const oc_session *s)
{
    if (atomic_load_explicit(&s->state, memory_order_relaxed) & OC_SESSION_FREED)
        return oc_error_set(s->services.error, OC_CANCELLED, "a callback has freed the session");
    return OC_OK;
}

static oc_status run_step(oc_session *s, const oc_run_frame *f, const oc_step *step)
{
    OC_TRY(oc_watch_step(&s->watch, s->services.error));
    OC_TRY(check_wanted(s));
    OC_TRY(inputs_to_nchw(s, f, step));
    const int64_t sequence = s->watch.steps - 1;
    oc_call c = make_call(s, f, step, f->in, f->out);
    if (!s->options.observer.on_node) {
        OC_TRY(run_call(s, f, step, &c));
        return oc_stored_check_step(s, f, step);
    }
    report(s, f, step, true, sequence, 0);
    const uint64_t start = oc_clock();
    OC_TRY(run_call(s, f, step, &c));
    const uint64_t time = oc_clock() - start;
    if (s->options.observer.view != OC_VIEW_NONE) /* a host that looks at values sees planes */
        OC_TRY(places_to_nchw(s, f, step->out, step->n_out));
    for (int i = 0; i < step->n_out; i++)
        if (!*step->node->out[i])
            f->out[i] = NULL; /* the host is shown no output without a name */
    report(s, f, step, false, sequence, time);
    return oc_stored_check_step(s, f, step);
}

/* Runs the steps of a graph whose inputs are in its frame. */
static oc_status run_steps(oc_session *s, const oc_run_frame *f)
{
    for (int i = 0; i < f->graph->n_step; i++) {
        const oc_step *step = &f->graph->step[i];
        OC_TRY(run_step(s, f, step));
        for (int k = 0; k < step->n_release; k++)
            oc_value_unref(&f->slot[step->release[k]]);
    }
    const oc_graph *g = f->graph->graph;
    OC_TRY(places_to_nchw(s, f, f->graph->output, g->n_output));
    for (int i = 0; i < g->n_output; i++)
        OC_TRY(oc_stored_check_port(s, f, "output", &g->output[i],
                                    oc_frame_at(s->plan, f, f->graph->output[i])));
    return OC_OK;
}

/* ---- the main graph ---- */

oc_status oc_exec_run(oc_session *s)
{
    oc_frame_clear(s->frame);
    oc_arena_free(&s->strings);
    s->has_run = s->own.listed = false;
    oc_watch_begin(&s->watch, "the run", &s->options.limits);
    s->memory.watch = &s->watch;
    oc_status status = oc_session_load_inputs(s);
    if (status == OC_OK)
        status = oc_output_bindings_begin(s);
    if (status == OC_OK) {
        oc_threads_begin(s->threads, &s->watch);
        status = run_steps(s, s->frame);
        oc_threads_end(s->threads);
    }
    if (status == OC_OK)
        status = oc_output_bindings_fill(s);
    if (status == OC_OK)
        status = oc_outputs_own(s);
    if (status == OC_OK) /* a callback may have made calls with the error of oc_run */
        status = s->services.error->code;
    if (status == OC_OK) /* outputs that were on their way to planes may not have got there */
        status = oc_watch_check(&s->watch, s->services.error);
    s->memory.watch = NULL;
    if (status != OC_OK)
        oc_frame_clear(s->frame);
    s->has_run = status == OC_OK;
    return status;
}

/* ---- graphs within: the bodies of If, Loop, Scan ---- */

/* Gives an input of a graph its value. Where the graph declares an optional, a tensor or sequence
 * becomes one that holds it. */
static oc_status put_input(oc_session *s, const oc_run_frame *f, int i, const oc_value *v)
{
    oc_value *slot = &f->slot[f->graph->input[i]];
    OC_TRY(oc_stored_check_port(s, f, "input", &f->graph->graph->input[i], v));
    if (f->graph->graph->input[i].type.kind != OC_TYPE_OPTIONAL || v->kind == OC_OPTIONAL) {
        *slot = oc_value_ref(v);
        return OC_OK;
    }
    OC_TRY(oc_value_new_list(&s->pool, OC_OPTIONAL, v->type, 1, slot, s->services.error));
    oc_value_items(slot)[0] = oc_value_ref(v);
    return OC_OK;
}

static oc_status enter(oc_session *s, const oc_run_frame *f, const oc_value *in, int n_in)
{
    const oc_graph_plan *g = f->graph;
    for (int i = 0; i < g->n_capture; i++)
        f->slot[g->capture[i].inner] = oc_value_ref(&f->outer->slot[g->capture[i].outer]);
    for (int i = 0; i < n_in; i++)
        OC_TRY(put_input(s, f, i, &in[i]));
    return OC_OK;
}

oc_status oc_exec_graph(void *session, const oc_call *c, int attr, const oc_value *in, int n_in,
                        oc_value *out, int n_out)
{
    oc_session *s = session;
    const oc_step *step = c->step;
    oc_run_frame *f = &s->frame[step->graph[attr]->id];
    oc_status status = enter(s, f, in, n_in);
    /* A graph without nodes counts as one, so that a loop around it ends too. */
    if (status == OC_OK && f->graph->n_step == 0)
        status = oc_watch_step(&s->watch, s->services.error);
    if (status == OC_OK)
        status = run_steps(s, f);
    for (int i = 0; status == OC_OK && i < n_out; i++)
        out[i] = oc_value_ref(oc_frame_at(s->plan, f, f->graph->output[i]));
    oc_frame_clear(f);
    return status;
}
