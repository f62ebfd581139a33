/* SPDX-License-Identifier: Apache-2.0
 * constants.c - computes what depends on constants alone once, when the plan is made. */
#include "ops/kit/call_run.h"
#include "plan/ahead.h"
#include "plan/passes.h"

#include <assert.h>

enum {
    SMALL = 4096,    /* outputs of up to this size are always computed: shapes may depend on them */
    MOVED = 1 << 16, /* bytes of a result that keeps its buffer: a copy would take longer */
    LEAST_ROOM = 1 << 20,    /* bytes that the plan may hold however small its constants are */
    LARGEST_WEIGHT = 1 << 30 /* bytes of a result that only a prepare function reads */
};

static uint64_t output_bytes(const oc_call *c)
{
    uint64_t total = 0;
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
    const size_t half = p->options->limits.memory_cap / 2, live = p->plan->arena.memory->live;
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
    if (p->options->limits.memory_cap) /* what lies idle would leave too little of it */
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

/* The step does not run: readers of its output i are to read a constant. */
static oc_status add_constant(oc_walk *w, oc_step *s, int i, const oc_value *v)
{
    s->computed = true;
    return oc_plan_add_constant(w->p, v, &w->g->slot[s->out[i]].constant);
}

static oc_status keep(oc_walk *w, oc_step *s)
{
    for (int i = 0; i < s->op.n_out; i++)
        if (w->out[i]) {
            OC_TRY(keep_value(w->p, w->out[i]));
            OC_TRY(add_constant(w, s, i, w->out[i]));
        }
    s->layouts = (oc_layouts){0}; /* constants are in NCHW */
    w->p->plan->n_folded++;
    return OC_OK;
}

oc_status oc_plan_forget_weight(oc_walk *w, oc_step *s, const void *prepared)
{
    oc_value *v = &w->g->slot[s->out[0]].value;
    const oc_value dims = {.kind = v->kind, .type = v->type, .dims = v->dims};
    if (v->data == prepared) {
        const bool stays = oc_value_move(v, &w->p->plan->arena);
        assert(stays);
        (void)stays;
    }
    OC_TRY(add_constant(w, s, 0, &dims));
    oc_value_unref(v);
    *v = dims;
    w->p->plan->n_folded++;
    return OC_OK;
}

OC_STEP_PASS(oc_plan_compute)
{
    oc_planner *p = w->p;
    if (w->is_found)
        return !p->options->no_folding && !s->last ? keep(w, s) : OC_OK;
    if (!w->has_run || !w->has_values)
        return OC_OK;
    count_weight(p, s, &w->call);
    const uint64_t size = oc_ahead_may(s) ? output_bytes(&w->call) : UINT64_MAX;
    /* A step that is fused into another does not run, so its results would be held for nothing. */
    const size_t left = !p->options->no_folding ? capped_room(p) : 0;
    const bool fits = !p->options->no_folding && !s->last && size <= p->fold_room && size <= left;
    /* What prepare makes of it is as large, and may be there at the same time. */
    const bool passes = oc_walk_is_weight(w, s) && size <= LARGEST_WEIGHT && size <= left / 2;
    if (size > SMALL && !fits && !passes)
        return OC_OK;
    OC_TRY(oc_watch_step(p->services.watch, p->e));
    const oc_status status = oc_call_run(&w->call);
    /* A large result can wait for the run. */
    if (status != OC_OK && status != OC_CANCELLED && status != OC_DEADLINE && size > SMALL) {
        *p->e = (oc_error){.code = OC_OK};
        forget(&w->call);
        return OC_OK;
    }
    OC_TRY(status);
    return fits && can_keep(&w->call) ? keep(w, s) : OC_OK;
}

/* ---- places */

/* A step that does not run gives constants, and reads no value of a run: but a session that looks
 * at all values looks at what the step reads, too. */
static void settle(const oc_planner *p, oc_graph_plan *g, oc_step *s)
{
    for (int i = 0; i < s->op.n_out; i++)
        if (oc_place_is_slot(s->out[i]))
            s->out[i] = g->slot[s->out[i]].constant;
    for (int i = 0; i < s->op.n_in && !p->options->no_fusion; i++)
        if (oc_place_is_slot(s->in[i]))
            oc_edit_read(g, &s->in[i], OC_NOWHERE);
}

OC_PASS(oc_plan_place_constants)
{
    int *to = oc_arena_array(p->services.strings, (size_t)g->n_slot, sizeof *to);
    OC_TRY(oc_arena_check(p->services.strings, p->e));
    for (int i = 0; i < g->n_slot; i++)
        to[i] = g->slot[i].constant == OC_NOWHERE ? i : g->slot[i].constant;
    OC_TRY(oc_edit_redirect(p, g, to));
    for (oc_step *s = g->first; s; s = s->after) {
        if (s->computed)
            settle(p, g, s);
        s->op.wants_snapshot = oc_plan_wants_snapshot(p->plan, s);
    }
    return OC_OK;
}
