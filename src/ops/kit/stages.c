/* SPDX-License-Identifier: Apache-2.0
 * stages.c - makes the stages of a group, and runs them on tiles and strips. */
#include "ops/kit/stages.h"

#include "base/int.h"
#include "base/share.h"
#include "ops/kit/call.h"
#include "ops/kit/layout.h"
#include "ops/kit/stage_plan.h"

#include <assert.h>
#include <string.h>

enum {
    BLOCK = OC_VALUE_BLOCK,
    STRIP = OC_STRIP,
    UNIT = 4096 /* elements that threads share */
};

struct oc_epilogue {
    oc_call *const *call;    /* in order: the producer first, if there is one */
    int n, buffers;          /* calls; operands that are repeated, or converted strip by strip */
    int64_t elements, block; /* of the result; of a block of 16 channels, or of all in NCHW */
    oc_stage_list list;
    oc_stage_plan plan;
};

const oc_epilogue *oc_call_epilogue(const oc_call *c)
{
    return c->epilogue;
}

const oc_stage *oc_call_source(const oc_call *c)
{
    return c->source;
}

/* ---- making stages ---- */

void *oc_stage_room(oc_stage *s, size_t size)
{
    assert(size <= OC_STAGE_ROOM);
    (void)size;
    s->ctx = s->room;
    return s->room;
}

void oc_stage_context(oc_stage *s, const void *ctx, size_t size)
{
    memcpy(oc_stage_room(s, size), ctx, size);
}

static bool is_stage(const oc_stage *s)
{
    return s->row || s->channels || s->positions;
}

/* Calls the version's function. What it does not set is 0, but for the memory of contexts. */
static oc_status make_stage(oc_call *c, oc_stage *s)
{
    const oc_traits *traits = oc_call_traits(c);
    s->row = NULL;
    s->channels = NULL;
    s->factor = NULL;
    s->positions = NULL;
    s->type = OC_UNDEFINED;
    s->clamps = s->times = false;
    s->of_floats = NULL;
    s->kind = OC_STAGE_ANY;
    s->ctx = NULL;
    s->n_x = 0;
    return traits && traits->stage ? traits->stage(c, s) : OC_OK;
}

/* The number of the group's value that v is; -1: it is none. */
static int value_of(const oc_epilogue *t, const oc_value *v)
{
    for (int i = 0; i < t->list.n + t->list.has_producer; i++)
        if (t->call[i]->out[0] == v)
            return i;
    return -1;
}

/* Makes the next stage, of call c. *good: there is one, and it can read all its operands. */
static oc_status add_stage(oc_epilogue *t, oc_call *c, bool *good)
{
    oc_placed_stage *p = &t->list.at[t->list.n];
    OC_TRY(make_stage(c, &p->stage));
    *good = p->stage.channels || (p->stage.row && p->stage.type == OC_F32);
    for (int i = 0; i < p->stage.n_x && *good; i++) {
        const oc_value *v = p->stage.x[i];
        p->x[i] = (oc_stage_operand){.kind = OC_OF_GROUP, .value = value_of(t, v), .buffer = -1};
        if (p->x[i].value < 0)
            OC_TRY(oc_stage_operand_find(c, v, &t->buffers, &p->x[i], good));
        if (p->x[i].kind == OC_OF_ONE && p->stage.channels) /* it reads a block */
            *good = false;
    }
    t->list.n += *good;
    return OC_OK;
}

/* Tiles hold floats, which may become halves when they are stored: no bool of a comparison. */
static bool fits_tile(oc_type type)
{
    return type == OC_F32 || oc_type_is_half(type);
}

/* The stages of n calls, without the first if that is a producer. *good: they can run together. */
static oc_status make_epilogue(oc_epilogue *t, oc_call *const call[], int n, bool has_producer,
                               bool *good)
{
    const oc_value *y = call[n - 1]->out[0];
    t->call = call;
    t->n = n;
    t->buffers = 0;
    t->list.n = 0;
    t->list.has_producer = has_producer;
    t->list.nchw16c = y->nchw16c;
    t->list.type = y->type;
    t->list.cpu = oc_call_cpu(call[0]);
    t->elements = t->block = oc_value_n(y);
    if (y->nchw16c) {
        const oc_dims d = oc_value_block_dims(&y->dims);
        t->elements = oc_dims_count(&d);
        t->block = oc_dims_product(&d, 2, d.rank);
    }
    *good = fits_tile(y->type);
    for (int i = has_producer; i < n && *good; i++)
        OC_TRY(add_stage(t, call[i], good));
    *good = *good && oc_stages_plan(&t->list, &t->plan);
    if (*good && t->plan.added) {
        t->plan.bounds.first = y->data;
        t->plan.bounds.other = t->plan.added->data;
    }
    return OC_OK;
}

/* ---- tiles ---- */

/* As many elements as all stages can compute at once. */
static int64_t reach(const oc_epilogue *t, int64_t at, int64_t n)
{
    n = oc_min(n, STRIP);
    for (int s = 0; s < t->list.n; s++)
        for (int i = 0; i < t->list.at[s].stage.n_x; i++)
            n = oc_stage_operand_reach(&t->list.at[s].x[i], at, n);
    return n;
}

/* The values of a group of halves are rounded to them; the last is when it is stored. */
static void round_value(const oc_epilogue *t, int value, float *x, int64_t n)
{
    const oc_stage_plan *c = &t->plan;
    if (c->half && value + 1 < t->n && !c->unrounded[value])
        c->half->round(x, n);
}

/* Runs stages on n elements from number `first` of a block on, which are at y. */
static void run_some(const oc_epilogue *t, oc_span stages, float *y, int64_t block, int64_t first,
                     int64_t n)
{
    const oc_stage_plan *plan = &t->plan;
    _Alignas(OC_ALIGN) float spare[OC_STAGE_SPARE][STRIP], buffer[OC_STAGE_BUFFERS][STRIP];
    for (int64_t s = stages.first; s < stages.end; s++)
        for (int i = 0; i < t->list.at[s].stage.n_x; i++) {
            const oc_stage_operand *o = &t->list.at[s].x[i];
            if (o->kind == OC_OF_CHANNEL)
                oc_stage_operand_repeat(o, block, oc_min(n, STRIP), buffer[o->buffer]);
        }
    for (int64_t done = 0, some; done < n; done += some) {
        const int64_t at = block * t->block + first + done;
        float *place[1 + OC_STAGE_SPARE] = {y + done, spare[0], spare[1], spare[2]};
        some = reach(t, at, n - done);
        if (t->list.has_producer)
            round_value(t, 0, place[0], some);
        for (int64_t s = stages.first; s < stages.end; s++) {
            const oc_placed_stage *p = &t->list.at[s];
            const oc_stage *g = &p->stage;
            const int value = (int)s + t->list.has_producer;
            float *y_strip = place[plan->place[value]];
            const void *x[OC_MAP_OPERANDS];
            int64_t step[OC_MAP_OPERANDS];
            for (int i = 0; i < g->n_x; i++) {
                const oc_stage_operand *o = &p->x[i];
                float *own = o->buffer >= 0 ? buffer[o->buffer] : NULL;
                step[i] = 1;
                x[i] = o->kind == OC_OF_GROUP ? place[plan->place[o->value]]
                                              : oc_stage_operand_at(o, at, some, own, &step[i]);
            }
            if (plan->limits[s])
                plan->half->limit(y_strip, x[0], some, &plan->limit[s]);
            else if (g->row)
                g->row(y_strip, x, step, some, g->ctx);
            else
                g->channels(g->ctx, y_strip, x[0], block, some / BLOCK);
            round_value(t, value, y_strip, some);
        }
    }
}

/* All stages, or with `open` those before one that is left to who rounds. */
static void run_elements(const oc_epilogue *t, bool open, float *y, int64_t block, int64_t first,
                         int64_t n)
{
    const int stages = t->list.n - (open ? t->plan.left : 0);
    if (stages > 0)
        run_some(t, (oc_span){0, stages}, y, block, first, n);
}

void oc_epilogue_run_tile(const void *epilogue, float *y, int64_t block, int64_t first, int64_t n)
{
    run_elements(epilogue, true, y, block, first * BLOCK, n * BLOCK);
}

static void run_rest(const void *epilogue, float *y, int64_t block, int64_t first, int64_t n)
{
    const oc_epilogue *t = epilogue;
    run_some(t, (oc_span){t->plan.finished, t->list.n}, y, block, first * BLOCK, n * BLOCK);
}

const oc_tile_finish *oc_epilogue_finish(const oc_epilogue *t)
{
    return t->plan.finished ? &t->plan.finish : NULL;
}

oc_tile_epilogue_fn *oc_epilogue_rest(const oc_epilogue *t)
{
    return t->plan.finished < t->list.n ? run_rest : NULL;
}

const oc_half_bounds *oc_epilogue_bounds(const oc_epilogue *t, bool *only)
{
    *only = t->plan.left == t->list.n;
    return t->plan.left ? &t->plan.bounds : NULL;
}

void oc_epilogue_run_elements(const void *epilogue, float *y, int64_t first, int64_t n)
{
    run_elements(epilogue, false, y, 0, first, n);
}

/* ---- without a producer: strips of the result, shared by threads ---- */

/* n elements of the result, floats or halves, from number i on: all of one block. */
static void store_elements(const oc_epilogue *t, int64_t i, int64_t n)
{
    float made[STRIP], *y = t->call[t->n - 1]->out[0]->data;
    const oc_stage_plan *c = &t->plan;
    const int64_t block = i / t->block;
    if (c->scaled) {
        const float *factor = (const float *)c->factors->data + block % c->factors->blocks * BLOCK;
        c->half->scale((uint16_t *)(void *)y + i, (const uint16_t *)c->scaled->data + i, factor, n);
        return;
    }
    run_elements(t, true, c->half ? made : y + i, block, i - block * t->block, n);
    if (c->half)
        c->half->narrow_limited((uint16_t *)(void *)y + i, made, n, c->left ? &c->bounds : NULL);
}

static void run_strips(void *arg, int task, int64_t first, int64_t end)
{
    const oc_epilogue *t = arg;
    (void)task;
    int64_t i = first * UNIT;
    const int64_t last = oc_min(end * UNIT, t->elements);
    for (int64_t n; i < last; i += n) {
        n = oc_min(last - i, (i / t->block + 1) * t->block - i);
        n = oc_min(n, t->plan.half && !t->plan.scaled ? STRIP : UNIT);
        store_elements(t, i, n);
    }
}

static void run_stages(oc_epilogue *t)
{
    const double cost = (double)t->elements * OC_ELEMENT * t->list.n;
    const oc_work w = oc_call_work(t->call[t->n - 1], cost);
    oc_work_run(&w, oc_div_up(t->elements, UNIT), run_strips, t);
}

/* ---- one operator by itself ---- */

/* By the row of a stage, with broadcasting. */
static oc_status map_stage(oc_call *c, const oc_stage *s)
{
    oc_value y = *oc_out(c, 0), x[OC_MAP_OPERANDS];
    const oc_value *operand[OC_MAP_OPERANDS];
    for (int i = 0; i < s->n_x; i++) {
        operand[i] = s->x[i];
        if (!y.nchw16c && !s->x[i]->nchw16c)
            continue;
        OC_TRY(oc_in_form(c, &y, s->x[i], &x[i]));
        operand[i] = &x[i];
    }
    if (y.nchw16c)
        y = oc_value_in_memory(&y);
    const oc_wide wide = {s->type, oc_convert_fast, oc_call_cpu(c)};
    if (operand[0]->type == s->type)
        oc_call_map(c, &y, operand, s->n_x, s->row, s->ctx);
    else
        oc_call_map_wide(c, &y, operand, s->n_x, s->row, s->ctx, &wide);
    return OC_OK;
}

/* Has the stage an operand that is repeated? */
static bool is_mixed(const oc_stage *s, const oc_value *y)
{
    for (int i = 0; i < s->n_x; i++)
        if (oc_value_n(s->x[i]) > 1 && !oc_dims_equal(&s->x[i]->dims, &y->dims))
            return true;
    return false;
}

oc_status oc_run_stage(oc_call *c)
{
    oc_epilogue t;
    oc_call *const alone[] = {c};
    bool good = false;
    oc_stage *s = &t.list.at[0].stage;
    const oc_value *y = oc_out(c, 0);
    OC_TRY(make_stage(c, s));
    if (!is_stage(s))
        return oc_fail(c, OC_UNSUPPORTED, "the operator has no stage");
    if (y->nchw16c || is_mixed(s, y))
        OC_TRY(make_epilogue(&t, alone, 1, false, &good));
    if (!good || (s->row && s->n_x == 1) || (!y->nchw16c && !t.buffers))
        return map_stage(c, s);
    run_stages(&t);
    return oc_call_error(c)->code;
}

/* ---- groups ---- */

/* Have all results the same dims and type, and does a tile hold them? */
static bool is_uniform(oc_call *const call[], int n)
{
    const oc_value *y = call[n - 1]->out[0];
    if (!fits_tile(y->type))
        return false;
    for (int i = 0; i < n; i++) {
        const oc_value *v = call[i]->out[0];
        if (v->type != y->type || !oc_dims_equal(&v->dims, &y->dims))
            return false;
    }
    return oc_value_n(y) > 0;
}

/* Does the producer make tiles of a result in this layout? One that knows NCHW16c makes them in
 * that alone. */
static bool makes_tiles(const oc_call *c, const oc_layouts *l, bool nchw16c)
{
    const oc_traits *traits = oc_call_traits(c);
    return traits && traits->layouts ? nchw16c && l->out : !nchw16c;
}

/* The tiles of the producer are made where the last result is. */
static oc_status run_producer(oc_call *c, const oc_layouts *l, const oc_epilogue *t)
{
    const oc_value own = *c->out[0], *y = t->call[t->n - 1]->out[0];
    OC_TRY(oc_call_arrange(c, l, y->nchw16c));
    c->out[0]->data = y->data;
    c->out[0]->nchw16c = y->nchw16c;
    c->epilogue = t;
    const oc_status status = c->op->version->run(c);
    c->epilogue = NULL;
    *c->out[0] = own;
    return status;
}

/* Gives the values between the layout of the result. */
static void set_layouts(oc_call *const call[], int n)
{
    for (int i = 0; i + 1 < n; i++)
        call[i]->out[0]->nchw16c = call[n - 1]->out[0]->nchw16c;
}

static oc_status run_together(oc_call *const call[], int n, bool *done)
{
    oc_epilogue t;
    const bool has_producer = call[0]->op->sig->out[0].tiled;
    const oc_layouts l = has_producer ? oc_call_layouts(call[0]) : (oc_layouts){0};
    *done = is_uniform(call, n) && n - has_producer <= OC_MAX_STAGES &&
            (!has_producer || makes_tiles(call[0], &l, call[n - 1]->out[0]->nchw16c));
    if (!*done)
        return OC_OK;
    set_layouts(call, n);
    OC_TRY(make_epilogue(&t, call, n, has_producer, done));
    if (!*done)
        return OC_OK;
    if (has_producer)
        return run_producer(call[0], &l, &t);
    run_stages(&t);
    return oc_call_error(call[0])->code;
}

/* The last operator reads what the one before makes, tile by tile. */
static oc_status run_from_source(oc_call *const call[], int n, bool *done)
{
    oc_stage source;
    *done = n == 2;
    if (!*done)
        return OC_OK;
    OC_TRY(make_stage(call[0], &source));
    *done = source.positions != NULL;
    if (!*done)
        return OC_OK;
    call[1]->source = &source;
    const oc_status status = call[1]->op->version->run(call[1]);
    call[1]->source = NULL;
    return status;
}

oc_status oc_group_run(oc_call *const call[], int n, bool *done)
{
    const oc_traits *last = oc_call_traits(call[n - 1]);
    const oc_status status = (last && last->stage ? run_together : run_from_source)(call, n, done);
    for (int i = 0; i + 1 < n; i++)
        oc_call_release(call[i]);
    return status;
}
