/* SPDX-License-Identifier: Apache-2.0
 * api_session.c - the host's calls on a session: bind, run, fetch, describe and free. One call
 * is at work at a time. */
#include "base/cpu.h"
#include "graph/ports.h"
#include "runtime/plans.h"
#include "runtime/session.h"
#include "runtime/sized.h"

#include <ocellus_model.h>

/* ---- one call at a time ---- */

static void refuse_busy(const char *call, oc_error *e)
{
    oc_error_set(e, OC_ARGUMENT,
                 "%s: the session is at work in another call, whose callback or another thread "
                 "makes this one",
                 call);
}

/* Reads the session's state. The read and a later write are not one atomic operation, because a
 * session belongs to one thread at a time; it would make a run of one small node 5 % slower. */
static unsigned state_of(const oc_session *s)
{
    return atomic_load_explicit(&s->state, memory_order_relaxed);
}

static void set_state(oc_session *s, unsigned state)
{
    atomic_store_explicit(&s->state, state, memory_order_relaxed);
}

/* May the call begin? If so the session is busy until end is called. */
static bool begin(oc_session *s, const char *call, oc_error *e)
{
    if (!oc_error_is_clear(e))
        return false;
    if (!s)
        oc_error_set(e, OC_ARGUMENT, "%s: there is no session", call);
    else if (state_of(s) != 0)
        refuse_busy(call, e);
    else
        set_state(s, OC_SESSION_BUSY);
    return e->code == OC_OK;
}

static void end(oc_session *s, oc_error *e)
{
    if (state_of(s) == OC_SESSION_BUSY) {
        set_state(s, 0);
        return;
    }
    oc_error_set(e, OC_CANCELLED, "a callback has freed the session");
    oc_session_destroy(s);
}

/* The session stays busy while it is freed, because that calls the allocator. */
void oc_session_free(oc_session *s)
{
    const unsigned before = s ? state_of(s) : OC_SESSION_FREED;
    if (s)
        set_state(s, OC_SESSION_BUSY | OC_SESSION_FREED);
    if (before == 0)
        oc_session_destroy(s);
}

/* ---- inputs ---- */

static void bind_at(oc_session *s, int input, const oc_value *value, oc_error *e)
{
    const int n = oc_session_graph(s)->n_input;
    if (input < 0 || input >= n)
        oc_error_set(e, OC_ARGUMENT, "oc_bind: input %d of a model with %d inputs", input, n);
    else if (!value)
        oc_error_set(e, OC_ARGUMENT, "oc_bind: there is no value for input %d", input);
    else
        oc_session_bind(s, input, value, e);
}

static void bind(oc_session *s, const char *input, const oc_value *value, oc_error *e)
{
    const int i = input ? oc_model_find_input(s->model, input) : -1;
    if (i < 0)
        oc_error_set(e, OC_ARGUMENT, "oc_bind: the model has no input '%s'", input ? input : "");
    else
        bind_at(s, i, value, e);
}

void oc_bind_value_at(oc_session *s, int input, const oc_value *value, oc_error *e)
{
    if (!begin(s, "oc_bind_value_at", e))
        return;
    bind_at(s, input, value, e);
    end(s, e);
}

void oc_bind_value(oc_session *s, const char *input, const oc_value *value, oc_error *e)
{
    if (!begin(s, "oc_bind_value", e))
        return;
    bind(s, input, value, e);
    end(s, e);
}

/* Fills *v with a tensor over the host's elements. */
static oc_status borrow(const char *input, oc_type type, int rank, const int64_t *dim,
                        const void *data, oc_value *v, oc_error *e)
{
    static const _Alignas(OC_ALIGN) char nothing[OC_ALIGN];
    oc_dims dims = {.rank = rank};
    int64_t count;
    size_t bytes;
    bool good = rank >= 0 && rank <= OC_MAX_RANK && (dim || !rank) && oc_type_is_listed(type);
    for (int i = 0; good && i < rank; i++)
        dims.n[i] = dim[i];
    good = good && oc_dims_bytes(&dims, oc_type_size(type), &count, &bytes) && (data || !count);
    if (!good)
        return oc_error_set(e, OC_ARGUMENT,
                            "oc_bind: input '%s' needs a type, a rank from 0 to %d, dims >= 0 "
                            "and data",
                            input ? input : "", OC_MAX_RANK);
    *v = oc_value_borrow(type, dims, count ? data : nothing);
    if (oc_value_is_aligned(v))
        return OC_OK;
    return oc_error_set(e, OC_ARGUMENT,
                        "oc_bind: the data of input '%s' is not aligned to %zu bytes, as %s needs",
                        input ? input : "", oc_type_align(type), oc_type_name(type));
}

void oc_bind(oc_session *s, const char *input, oc_type type, int rank, const int64_t *dim,
             const void *data, oc_error *e)
{
    oc_value v;
    if (!begin(s, "oc_bind", e))
        return;
    if (borrow(input, type, rank, dim, data, &v, e) == OC_OK)
        bind(s, input, &v, e);
    end(s, e);
}

/* ---- outputs ---- */

static void bind_output(oc_session *s, const char *output, const oc_value *want, void *data,
                        size_t size, oc_error *e)
{
    const int i = output ? oc_model_find_output(s->model, output) : -1;
    if (i < 0)
        oc_error_set(e, OC_ARGUMENT, "oc_bind_output: the model has no output '%s'",
                     output ? output : "");
    else
        oc_output_bind(s, i, want, data, size, e);
}

void oc_bind_output(oc_session *s, const char *output, oc_type type, int rank, const int64_t *dim,
                    void *data, size_t size, oc_error *e)
{
    oc_value want = {.type = type, .dims = {.rank = rank}};
    if (!begin(s, "oc_bind_output", e))
        return;
    if (rank < -1 || rank > OC_MAX_RANK || (rank > 0 && !dim))
        oc_error_set(e, OC_ARGUMENT,
                     "oc_bind_output: output '%s' has rank %d%s, expected -1 to %d and dims",
                     output ? output : "", rank, dim ? "" : " without dims", OC_MAX_RANK);
    for (int i = 0; e->code == OC_OK && i < rank; i++)
        want.dims.n[i] = dim[i];
    if (e->code == OC_OK)
        bind_output(s, output, &want, data, size, e);
    end(s, e);
}

/* ---- running and fetching ---- */

void oc_run(oc_session *s, oc_error *e)
{
    if (!begin(s, "oc_run", e))
        return;
    s->services.error = e;
    oc_exec_run(s);
    end(s, e);
}

/* May an output of the session be fetched now? */
static bool can_fetch(const oc_session *s, oc_error *e)
{
    if (!oc_error_is_clear(e))
        return false;
    if (!s)
        oc_error_set(e, OC_ARGUMENT, "oc_fetch: there is no session");
    else if (state_of(s) != 0)
        refuse_busy("oc_fetch", e);
    else if (!s->has_run)
        oc_error_set(e, OC_ARGUMENT,
                     "oc_fetch: there are no outputs, expected a call after a run without error");
    return e->code == OC_OK;
}

const oc_value *oc_fetch_value_at(const oc_session *s, int output, oc_error *e)
{
    if (!can_fetch(s, e))
        return NULL;
    const oc_graph_plan *g = oc_session_graph(s);
    if (output < 0 || output >= g->n_output)
        oc_error_set(e, OC_ARGUMENT, "oc_fetch: output %d of a model with %d outputs", output,
                     g->n_output);
    else if (s->binding && s->binding[output].stale)
        oc_error_set(e, OC_ARGUMENT,
                     "oc_fetch: output '%s' was bound after the run, expected another run first",
                     g->graph->output[output].name);
    else
        return oc_output_is_bound(s, output) ? &s->binding[output].value
                                             : oc_frame_at(s->plan, s->frame, g->output[output]);
    return NULL;
}

const oc_value *oc_fetch_value(const oc_session *s, const char *output, oc_error *e)
{
    if (!can_fetch(s, e))
        return NULL;
    const int i = output ? oc_model_find_output(s->model, output) : -1;
    if (i >= 0)
        return oc_fetch_value_at(s, i, e);
    oc_error_set(e, OC_ARGUMENT, "oc_fetch: the model has no output '%s'", output ? output : "");
    return NULL;
}

const void *oc_fetch(const oc_session *s, const char *output, size_t *count, oc_error *e)
{
    char text[OC_VALUE_TEXT];
    const oc_value *v = oc_fetch_value(s, output, e);
    if (count)
        *count = 0;
    if (!v)
        return NULL;
    if (v->kind != OC_TENSOR) {
        oc_error_set(e, OC_TYPE, "oc_fetch: output '%s' is %s, expected a tensor", output,
                     oc_value_text(v, text));
        return NULL;
    }
    if (count)
        *count = (size_t)oc_value_n(v);
    return v->data;
}

static oc_session_stats describe(const oc_session *s)
{
    if (!s)
        return (oc_session_stats){.cpu = "", .products = ""};
    return (oc_session_stats){.live_bytes = s->pool.live,
                              .peak_bytes = s->pool.peak,
                              .own_bytes = s->memory.live,
                              .plan_bytes = oc_plan_bytes(s->plan),
                              .steps = s->watch.steps,
                              .n_steps = oc_session_graph(s)->n_step,
                              .n_fused = s->plan->n_fused,
                              .n_folded = s->plan->n_folded,
                              .cpu = oc_cpu_name(s->services.cpu),
                              .products = oc_cpu_products(s->services.cpu)};
}

static oc_plan_step show_step(const oc_step *step)
{
    const oc_node *n = step->node;
    return (oc_plan_step){.name = n->name,
                          .domain = n->domain,
                          .op_type = n->op_type,
                          .output = n->n_out ? n->out[0] : "",
                          .fused_into = step->last ? step->last->node->op_type : NULL,
                          .runs = step->group ? step->group->name : n->op_type,
                          .folded = step->computed,
                          .nchw16c = step->op.nchw16c && step->op.version != oc_to_nchw};
}

bool oc_session_step_at(const oc_session *s, int i, oc_plan_step *out)
{
    if (!s || !out || i < 0 || i >= oc_session_graph(s)->n_step)
        return false;
    *out = show_step(oc_session_graph(s)->step[i]);
    return true;
}

/* ---- passes */

typedef struct told_passes {
    void (*tell)(void *ctx, const oc_plan_pass *pass);
    void *ctx;
    oc_memory *memory;
    oc_error *e;
} told_passes;

static void tell_pass(void *ctx, const char *name, const char *then, const oc_plan *plan)
{
    const told_passes *t = ctx;
    const oc_graph_plan *g = plan->graph[0];
    oc_arena scratch = oc_arena_new(t->memory);
    oc_plan_step *step = oc_arena_array(&scratch, (size_t)g->n_step, sizeof *step);
    int n = 0;
    if (oc_arena_check(&scratch, t->e) == OC_OK) {
        for (const oc_step *s = g->first; s; s = s->after)
            step[n++] = show_step(s);
        t->tell(t->ctx, &(oc_plan_pass){name, then, step, n});
    }
    oc_arena_free(&scratch);
}

void oc_session_passes(oc_session *s, void (*tell)(void *ctx, const oc_plan_pass *pass), void *ctx,
                       oc_error *e)
{
    if (!begin(s, "oc_session_passes", e))
        return;
    told_passes t = {tell, ctx, &s->memory, e};
    oc_services services = s->services;
    services.error = e;
    oc_watch_begin(&s->watch, "making a plan", &s->options.limits);
    if (!tell)
        oc_error_set(e, OC_ARGUMENT, "oc_session_passes: there is nobody to tell");
    else
        oc_plans_tell_passes(s->plan, &s->options, &services, &(oc_pass_listener){tell_pass, &t},
                             e);
    end(s, e);
}

void oc_session_describe_sized(const oc_session *s, oc_session_stats *out, size_t out_size)
{
    const oc_session_stats stats = describe(s);
    oc_sized_write(out, out_size, &stats, sizeof stats);
}
