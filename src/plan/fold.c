/* SPDX-License-Identifier: Apache-2.0
 * fold.c - computes what depends on constants alone once, when the plan is made. */
#include "ops/kit/call_run.h"
#include "base/int.h"
#include "plan/planner.h"

#include <assert.h>
#include <string.h>

enum {
    SMALL = 4096,    /* outputs of up to this size are always computed: shapes may depend on them */
    MOVED = 1 << 16, /* bytes of a result that keeps its buffer: a copy would take longer */
    LEAST_ROOM = 1 << 20,    /* bytes that the plan may hold however small its constants are */
    LARGEST_WEIGHT = 1 << 30 /* bytes of a result that only a prepare function reads */
};

/* Is it one of ONNX's own operators, and does it give the same result each time? One that the host
 * defines may have a state. */
static bool may_fold(const oc_step *s)
{
    return strcmp(s->op.sig->domain, "") == 0 && !s->op.sig->random && !s->op.hosts;
}

static size_t output_bytes(const oc_call *c)
{
    size_t total = 0;
    for (int i = 0; i < c->op->n_out; i++)
        if (c->out[i])
            total += oc_value_bytes(c->out[i]);
    return total;
}

size_t oc_plan_fold_room(const oc_planner *p)
{
    size_t room = 0;
    for (int i = 0; i < p->plan->n_constant; i++)
        room += oc_value_bytes(&p->plan->constant[i]);
    return oc_max(room, LEAST_ROOM);
}

/* Bytes that the memory cap leaves to the plan, which may take half of it: the rest is for runs. */
static size_t capped_room(const oc_planner *p)
{
    const size_t half = p->options->memory_cap / 2, live = p->plan->arena.memory->live;
    return !half ? SIZE_MAX : live < half ? half - live : 0;
}

/* A node without inputs whose elements are the model's is a weight as an initializer is. */
static void count_weight(oc_planner *p, const oc_step *s, const oc_call *c)
{
    for (int i = 0; s->op.n_in == 0 && i < c->op->n_out; i++)
        if (c->out[i] && c->out[i]->data && !c->out[i]->buffer)
            p->fold_room += oc_value_bytes(c->out[i]);
}

/* Leaves what the shape rule set of the outputs: no elements are known. */
static void forget(const oc_call *c)
{
    for (int i = 0; i < c->op->n_out; i++)
        if (c->out[i]) {
            const oc_value shape = *c->out[i];
            oc_value_unref(c->out[i]);
            *c->out[i] = (oc_value){.kind = shape.kind, .type = shape.type, .dims = shape.dims};
        }
}

/* ---- keeping */

/* Elements without a buffer are the model's, or the plan's already. */
static oc_status keep_value(oc_planner *p, oc_value *v)
{
    const size_t size = oc_value_bytes(v);
    if (!v->buffer)
        return OC_OK;
    if (size >= MOVED && oc_value_move(v, &p->plan->arena)) {
        p->fold_room -= size;
        return OC_OK;
    }
    void *data = oc_arena_room(&p->plan->arena, size, OC_ALIGN);
    OC_TRY(oc_arena_check(&p->plan->arena, p->e));
    OC_TRY(oc_watch_copy(p->services.watch, data, v->data, size, p->e));
    const oc_value own = oc_value_borrow(v->type, v->dims, data);
    oc_value_unref(v);
    if (p->options->memory_cap) /* what lies idle would leave too little of it */
        oc_pool_trim(p->services.pool);
    *v = own;
    p->fold_room -= size;
    return OC_OK;
}

/* Lists are not kept, nor strings: their characters may be in memory that ends with planning. */
static bool can_keep(const oc_call *c)
{
    for (int i = 0; i < c->op->n_out; i++)
        if (c->out[i] && (c->out[i]->kind != OC_TENSOR || c->out[i]->type == OC_STRING))
            return false;
    return true;
}

static oc_status keep(oc_planner *p, oc_step *s, const oc_call *c)
{
    oc_value *folded = oc_arena_array(&p->plan->arena, (size_t)c->op->n_out, sizeof *folded);
    OC_TRY(oc_arena_check(&p->plan->arena, p->e));
    for (int i = 0; i < c->op->n_out; i++)
        if (c->out[i]) {
            OC_TRY(keep_value(p, c->out[i]));
            folded[i] = *c->out[i];
        }
    s->folded = folded;
    p->plan->n_folded++;
    return OC_OK;
}

oc_status oc_plan_forget_weight(oc_planner *p, oc_step *s, oc_value *v, const void *prepared)
{
    const oc_value dims = {.kind = v->kind, .type = v->type, .dims = v->dims};
    if (v->data == prepared) {
        const bool stays = oc_value_move(v, &p->plan->arena);
        assert(stays);
        (void)stays;
    }
    oc_value *folded = oc_arena_array(&p->plan->arena, 1, sizeof *folded);
    OC_TRY(oc_arena_check(&p->plan->arena, p->e));
    oc_value_unref(v);
    *v = *folded = dims;
    s->folded = folded;
    p->plan->n_folded++;
    return OC_OK;
}

oc_status oc_plan_fold(oc_planner *p, oc_step *s, oc_call *c, bool for_prepare)
{
    count_weight(p, s, c);
    const size_t size = may_fold(s) ? output_bytes(c) : SIZE_MAX;
    /* A step that is fused into another does not run, so its results would be held for nothing. */
    const size_t left = p->options->fold ? capped_room(p) : 0;
    const bool fits = p->options->fold && !s->last && size <= p->fold_room && size <= left;
    /* What prepare makes of it is as large, and may be there at the same time. */
    const bool passes = for_prepare && size <= LARGEST_WEIGHT && size <= left / 2;
    if (size > SMALL && !fits && !passes)
        return OC_OK;
    OC_TRY(oc_watch_step(p->services.watch, p->e));
    const oc_status status = oc_call_run(c);
    /* A large result can wait for the run. */
    if (status != OC_OK && status != OC_CANCELLED && status != OC_DEADLINE && size > SMALL) {
        *p->e = (oc_error){.code = OC_OK};
        forget(c);
        return OC_OK;
    }
    OC_TRY(status);
    return fits && can_keep(c) ? keep(p, s, c) : OC_OK;
}

/* ---- places */

/* The places of values by their slots: a constant of the plan, or the slot itself. */
static void replace_places(const int *constant, int *places, int n)
{
    for (int i = 0; i < n; i++)
        if (oc_place_is_slot(places[i]))
            places[i] = constant[places[i]];
}

static oc_status place_outputs(oc_planner *p, const oc_step *s, int *constant)
{
    for (int i = 0; i < s->op.n_out; i++)
        if (oc_place_is_slot(s->out[i]))
            OC_TRY(oc_plan_add_constant(p, &s->folded[i], &constant[s->out[i]]));
    return OC_OK;
}

/* What graphs within a step capture of constants is captured no more. */
static void place_captures(oc_graph_plan *inner, const int *outer_constant, int *constant)
{
    int n = 0;
    for (int i = 0; i < inner->n_capture; i++) {
        const oc_capture c = inner->capture[i];
        if (oc_place_is_slot(outer_constant[c.outer]))
            inner->capture[n++] = c;
        else
            constant[c.inner] = outer_constant[c.outer];
    }
    inner->n_capture = n;
}

/* outer: of the graph around, NULL if there is none. */
static oc_status place_graph(oc_planner *p, oc_graph_plan *g, const int *outer, int *constant)
{
    for (int i = 0; i < g->n_slot; i++)
        constant[i] = i;
    if (outer)
        place_captures(g, outer, constant);
    for (int i = 0; i < g->n_step; i++) {
        oc_step *s = &g->step[i];
        if (s->folded)
            OC_TRY(place_outputs(p, s, constant));
        replace_places(constant, s->in, s->op.n_in);
        s->op.wants_snapshot = oc_plan_wants_snapshot(p->plan, s);
    }
    replace_places(constant, g->output, g->n_output);
    return OC_OK;
}

oc_status oc_plan_place_folded(oc_planner *p)
{
    const oc_plan *plan = p->plan;
    oc_arena scratch = oc_arena_new(&p->plan->memory);
    int **constant = oc_arena_array(&scratch, (size_t)plan->n_graph, sizeof *constant);
    oc_status status = oc_arena_check(&scratch, p->e);
    for (int i = 0; i < plan->n_graph && status == OC_OK; i++) {
        oc_graph_plan *g = plan->graph[i];
        constant[i] = oc_arena_array(&scratch, (size_t)g->n_slot, sizeof **constant);
        status = oc_arena_check(&scratch, p->e);
        if (status == OC_OK)
            status = place_graph(p, g, g->outer ? constant[g->outer->id] : NULL, constant[i]);
    }
    oc_arena_free(&scratch);
    return status;
}
