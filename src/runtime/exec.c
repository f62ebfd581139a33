/* SPDX-License-Identifier: Apache-2.0
 * exec.c - runs the steps of a plan, and plans within plans. */
#include "base/system.h"
#include "ops/kit/call_run.h"
#include "runtime/session.h"

/* ---- one step ---- */

/* Makes the call of a step. The step's operands are listed in `in` and `out`. */
static void make_call(oc_session *s, const oc_frame *f, const oc_step *step, const oc_value **in,
                      oc_value **out, oc_call *c)
{
    for (int i = 0; i < step->op.n_in; i++)
        in[i] = oc_frame_at(s->plan, f, step->in[i]);
    for (int i = 0; i < step->op.n_out; i++)
        out[i] = oc_frame_out(s->plan, f, step->out[i]);
    *c = (oc_call){0}; /* field by field after that: a copy of a struct waits for its parts */
    c->op = &step->op;
    c->in = in;
    c->out = out;
    c->services = &s->services;
    if (f->seen && step->op.by_dims && !step->op.planned)
        c->seen = &f->seen[step->id];
}

/* Runs the last step of a group, which computes the group's other steps too. */
static oc_status run_group(oc_session *s, const oc_frame *f, const oc_step *step, oc_call *c)
{
    const oc_group *group = step->group;
    const oc_value **in = f->group_in;
    oc_value **out = f->group_out;
    for (int i = 0; i + 1 < group->n; i++) {
        const oc_step *part = group->step[i];
        make_call(s, f, part, in, out, &f->group_call[i]);
        f->group[i] = &f->group_call[i];
        if (group->gathers && !s->options.observer.on_node) {
            OC_TRY(oc_call_check(f->group[i]));
            OC_TRY(oc_stored_check_step(s, f, part));
        }
        in += part->op.n_in;
        out += part->op.n_out;
    }
    f->group[group->n - 1] = c;
    return oc_call_run_group(f->group, group->n);
}

static oc_status run_call(oc_session *s, const oc_frame *f, const oc_step *step, oc_call *c)
{
    return step->computed ? OC_OK
           : step->last   ? oc_call_check(c)
           : step->group  ? run_group(s, f, step, c)
                          : oc_call_run(c);
}

/* Ends a run whose session a callback has freed. */
static oc_status check_wanted(const oc_session *s)
{
    if (atomic_load_explicit(&s->state, memory_order_relaxed) & OC_SESSION_FREED)
        return oc_error_set(s->services.error, OC_CANCELLED, "a callback has freed the session");
    return OC_OK;
}

static oc_status run_step(oc_session *s, const oc_frame *f, const oc_step *step)
{
    OC_TRY(oc_watch_step(&s->watch, s->services.error));
    OC_TRY(check_wanted(s));
    const int64_t sequence = s->watch.steps - 1;
    oc_call c;
    make_call(s, f, step, f->in, f->out, &c);
    if (!s->options.observer.on_node) {
        OC_TRY(run_call(s, f, step, &c));
        /* The plan has already compared declarations with what it knew. */
        return c.as_planned && step->op.planned ? OC_OK : oc_stored_check_step(s, f, step);
    }
    OC_TRY(oc_report_step(s, f, step, true, sequence, 0));
    const uint64_t start = oc_clock();
    OC_TRY(run_call(s, f, step, &c));
    const uint64_t time = oc_clock() - start;
    for (int i = 0; i < step->op.n_out; i++)
        if (!*step->node->out[i])
            f->out[i] = NULL; /* the host is shown only outputs that have a name */
    OC_TRY(oc_report_step(s, f, step, false, sequence, time));
    return oc_stored_check_step(s, f, step);
}

/* Runs the steps of a graph whose inputs are in its frame. */
static oc_status run_steps(oc_session *s, const oc_frame *f)
{
    const bool all = s->options.observer.on_node;
    const int n = all ? f->graph->n_step : f->graph->n_run;
    OC_TRY(oc_watch_count(&s->watch, f->graph->n_step - n, s->services.error));
    for (int i = 0; i < n; i++) {
        const oc_step *step = all ? f->graph->step[i] : f->graph->run[i];
        OC_TRY(run_step(s, f, step));
        for (int k = 0; k < step->n_release; k++)
            oc_value_unref(&f->slot[step->release[k]]);
    }
    const oc_graph *g = f->graph->graph;
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
    oc_frames_keep(s->plan, &s->kept, s->frame);
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
    if (status == OC_OK) /* a callback may have used the error of oc_run for calls of its own */
        status = s->services.error->code;
    s->memory.watch = NULL;
    if (status != OC_OK)
        oc_frame_clear(s->frame);
    s->has_run = status == OC_OK;
    return status;
}

/* ---- graphs within: the bodies of If, Loop, Scan ---- */

/* Gives an input of a graph its value. Where the graph declares an optional, a tensor or
 * sequence is put into an optional. */
static oc_status put_input(oc_session *s, const oc_frame *f, int i, const oc_value *v)
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

static oc_status enter(oc_session *s, const oc_frame *f, const oc_value *in, int n_in)
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
    const oc_step *step = oc_step_of(c);
    oc_frame *f = &s->frame[step->graph[attr]->id];
    oc_status status = enter(s, f, in, n_in);
    /* A graph without nodes counts as one step, so that a limit also ends a loop around it. */
    if (status == OC_OK && f->graph->n_step == 0)
        status = oc_watch_count(&s->watch, 1, s->services.error);
    if (status == OC_OK && f->graph->n_run == 0)
        status = oc_watch_check(&s->watch, s->services.error);
    if (status == OC_OK)
        status = run_steps(s, f);
    for (int i = 0; status == OC_OK && i < n_out; i++)
        out[i] = oc_value_ref(oc_frame_at(s->plan, f, f->graph->output[i]));
    oc_frame_clear(f);
    return status;
}
