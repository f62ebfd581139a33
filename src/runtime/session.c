/* SPDX-License-Identifier: Apache-2.0
 * session.c - makes and frees sessions, and examines models. */
#include "runtime/session.h"

#include "base/cpu.h"
#include "graph/build.h"
#include "runtime/options.h"
#include "runtime/plans.h"
#include "runtime/sized.h"

#include <ocellus_model.h>
#include <stdlib.h>

static oc_status choose_cpu(oc_session *s, oc_error *e)
{
    int known;
    const char *name = s->options.cpu ? s->options.cpu : getenv("OCELLUS_CPU");
    s->services.cpu = oc_cpu_detect() & oc_cpu_mask(name, &known);
    if (!known)
        return oc_error_set(
            e, OC_ARGUMENT,
            "cpu '%s' is unknown, expected native, scalar, v128, avx2, avx512 or neon", name);
    if (s->options.unfused && !oc_cpu_fuses(s->services.cpu))
        s->services.cpu |= OC_CPU_FAST;
    return OC_OK;
}

static oc_status start_threads(oc_session *s, oc_error *e)
{
    s->services.threads = s->options.threads > 0 ? s->options.threads : 1;
    s->services.parallel = s->options.parallel;
    if (s->options.parallel.run || s->options.threads == 1)
        return OC_OK;
    OC_TRY(oc_threads_new(&s->memory, s->options.threads, &s->threads, e));
    s->services.threads = oc_threads_count(s->threads);
    s->services.parallel = oc_threads_parallel(s->threads);
    return OC_OK;
}

static void set_services(oc_session *s, oc_error *e)
{
    s->services.pool = &s->pool;
    s->services.strings = &s->strings;
    s->services.kept = &s->kept;
    s->services.error = e;
    s->services.watch = &s->watch;
    s->services.options = &s->options;
    s->services.runtime = s;
    s->services.run_graph = oc_exec_graph;
    s->services.graph_ports = oc_plan_graph_ports;
    s->services.graph_port = oc_plan_graph_port;
    s->services.graph_shapes = oc_exec_shapes;
    s->services.attr_type = oc_plan_attr_type;
    s->services.remark = oc_session_remark;
}

/* Takes the plan. The session's own memory is capped at what the plan leaves of the cap. */
static oc_status take_plan(oc_session *s, oc_error *e)
{
    OC_TRY(oc_plans_take(s->model, &s->options, &s->services, &s->plan, e));
    const size_t cap = s->options.limits.memory_cap, taken = oc_plan_bytes(s->plan);
    if (!cap)
        return OC_OK;
    if (taken + s->memory.live >= cap)
        return oc_error_set(e, OC_LIMIT, "memory cap: the plan takes %zu of %zu bytes", taken, cap);
    s->memory.cap = cap - taken;
    return OC_OK;
}

static oc_status make_frames(oc_session *s, oc_error *e)
{
    const int n_input = oc_session_graph(s)->n_input;
    s->bound = oc_arena_array(&s->arena, (size_t)n_input, sizeof *s->bound);
    OC_TRY(oc_arena_check(&s->arena, e));
    for (int i = 0; i < n_input; i++)
        s->bound[i].dims.rank = -1;
    return oc_frames_new(s->plan, &s->arena, &s->frame, e);
}

static void log_plan(const oc_session *s)
{
    char line[200];
    if (!s->options.observer.log)
        return;
    snprintf(line, sizeof line,
             "plan: %d nodes%s, %d of them fused into others, %d computed already, %d threads, "
             "instructions: %s, products: %s, %d weights copied for their alignment",
             oc_session_graph(s)->n_step, s->plan->expanded ? " with function bodies inlined" : "",
             s->plan->n_fused, s->plan->n_folded, s->services.threads, oc_cpu_name(s->services.cpu),
             oc_cpu_products(s->services.cpu), s->plan->n_unaligned);
    s->options.observer.log(s->options.observer.log_ctx, line);
    for (int i = 0; i < s->model->n_remark; i++)
        s->options.observer.log(s->options.observer.log_ctx, s->model->remark[i]);
    for (int i = 0; i < s->plan->n_remark; i++)
        s->options.observer.log(s->options.observer.log_ctx, s->plan->remark[i]);
}

void oc_session_destroy(oc_session *s)
{
    const oc_model *model = s->model;
    for (int i = 0; s->bound && i < oc_session_graph(s)->n_input; i++)
        oc_value_unref(&s->bound[i]);
    for (int i = 0; s->frame && i < s->plan->n_graph; i++)
        oc_frame_clear(&s->frame[i]);
    oc_pool_trim(&s->pool);
    oc_memory_free(&s->memory, s->own.at, 2 * s->own.room * sizeof *s->own.at);
    oc_arena_free(&s->strings);
    oc_arena_free(&s->kept);
    oc_arena_free(&s->arena);
    oc_threads_free(s->threads);
    oc_plans_release(model, s->plan);
    oc_memory owner = s->memory;
    oc_memory_free(&owner, s, sizeof *s);
    oc_model_drop(model);
}

static oc_status init_session(oc_session *s, oc_error *e)
{
    set_services(s, e);
    OC_TRY(choose_cpu(s, e));
    OC_TRY(start_threads(s, e));
    oc_threads_begin(s->threads, &s->watch);
    const oc_status taken = take_plan(s, e);
    oc_threads_end(s->threads);
    OC_TRY(taken);
    OC_TRY(make_frames(s, e));
    log_plan(s);
    /* The host may free its texts after the call. */
    if (s->options.op_options)
        s->options.op_options =
            oc_arena_text(&s->arena, s->options.op_options, strlen(s->options.op_options));
    s->options.cpu = s->options.bodies.only = NULL;
    s->options.bodies.own = NULL;
    return oc_arena_check(&s->arena, e);
}

static oc_session *make_session(const oc_model *model, const oc_session_options *options,
                                size_t options_size, oc_error *e)
{
    oc_session_options o;
    if (oc_sized_read(&o, sizeof o, "oc_session_options", options, options_size, e) != OC_OK ||
        oc_session_options_check(&o, e) != OC_OK)
        return NULL;
    oc_memory memory = oc_memory_beside(&model->memory, 0, NULL);
    oc_session *s = oc_memory_alloc(&memory, sizeof *s);
    if (!s) {
        oc_memory_error(&memory, sizeof *s, e);
        return NULL;
    }
    memset(s, 0, sizeof *s);
    s->options = o;
    oc_watch_begin(&s->watch, "making the session", &s->options.limits);
    s->memory = oc_memory_beside(&model->memory, s->options.limits.memory_cap, &s->watch);
    s->memory.live = memory.live; /* the session itself was allocated from `memory` */
    s->arena = oc_arena_new(&s->memory);
    s->strings = oc_arena_new(&s->memory);
    s->kept = oc_arena_new(&s->memory);
    s->told = oc_names_new(&s->arena);
    s->pool = oc_pool_new(&s->memory);
    s->pool.no_reuse = s->options.no_reuse;
    s->model = oc_model_hold(model);
    const oc_status status = init_session(s, e);
    s->memory.watch = NULL;
    if (status == OC_OK && e->code == OC_OK) /* a callback may have set e */
        return s;
    oc_session_destroy(s);
    return NULL;
}

oc_session *oc_session_new_sized(const oc_model *model, const oc_session_options *options,
                                 size_t options_size, oc_error *e)
{
    if (!oc_error_is_clear(e))
        return NULL;
    if (!model) {
        oc_error_set(e, OC_ARGUMENT, "oc_session_new: there is no model");
        return NULL;
    }
    oc_model_hold(model); /* held because the host's allocator, too, may free it */
    oc_session *s = make_session(model, options, options_size, e);
    oc_model_drop(model);
    return s;
}

void oc_session_examine(const oc_model *model, const oc_port *inputs, const oc_listener *listener,
                        oc_error *e)
{
    oc_session s = {
        .model = model,
        .options = {
            .exact_quant = true, .no_fusion = true, .no_nchw16c = true, .no_folding = true}};
    oc_watch_begin(&s.watch, "the examination", &model->options.limits);
    s.memory = oc_memory_beside(&model->memory, 0, &s.watch);
    set_services(&s, e);
    s.services.threads = 1;
    if (choose_cpu(&s, e) == OC_OK)
        oc_plans_examine(model, &s.options, inputs, &s.services, listener, e);
}

void oc_model_examine(const oc_model *model,
                      void (*tell)(void *ctx, oc_status code, const char *text), void *ctx,
                      oc_error *e)
{
    if (!oc_error_is_clear(e))
        return;
    if (!model || !tell) {
        oc_error_set(e, OC_ARGUMENT, "oc_model_examine: there is no model or nobody to tell");
        return;
    }
    oc_model_hold(model);
    oc_session_examine(model, NULL, &(oc_listener){.tell = tell, .ctx = ctx}, e);
    for (int i = 0; e->code == OC_OK && i < model->n_remark; i++)
        tell(ctx, OC_OK, model->remark[i]);
    oc_model_drop(model);
}
