/* SPDX-License-Identifier: Apache-2.0
 * stages.c - makes the stages of a group, and runs them on tiles and strips. */
#include "ops/kit/stages.h"

#include "base/share.h"
#include "ops/kit/call.h"
#include "ops/kit/layout.h"
#include "ops/kit/stage_plan.h"

#include <assert.h>

enum {
    BLOCK = OC_VALUE_BLOCK,
    STRIP = OC_STRIP,
    UNIT = 4096 /* elements that threads share */
};

struct oc_epilogue {
    oc_call *const *call;    /* in order: the producer first, if there is one */
    int n;                   /* calls */
    int64_t elements, block; /* of the result; of a block of 16 channels, or of all in NCHW */
    const oc_stage_plan *plan;
    oc_layouts layouts;    /* of the producer, if there is one */
    oc_placed_stage *at;   /* one for each stage */
    oc_tile_finish finish; /* set where plan->finished > 0 */
    oc_half_bounds bounds; /* set where plan->left > 0 */
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

void *oc_stage_room(oc_stage *s, OC_UNUSED size_t size)
{
    assert(size <= OC_STAGE_ROOM);
    s->ctx = s->room;
    return s->room;
}

void oc_stage_context(oc_stage *s, const void *ctx, size_t size)
{
    memcpy(oc_stage_room(s, size), ctx, size);
}

static const oc_stage_operand *operand(const oc_epilogue *t, int number)
{
    return &t->at[number / OC_MAP_OPERANDS].x[number % OC_MAP_OPERANDS];
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

/* Tiles hold floats, which may become halves when they are stored: no bool of a comparison. */
static bool fits_tile(oc_type type)
{
    return type == OC_F32 || oc_type_is_half(type);
}

/* Has the model's plan decided how calls with such inputs run, in this layout? Then the plan of
 * these n is *plan; NULL: they cannot run together. */
static bool is_decided(oc_call *const call[], int n, const oc_stage_plan **plan)
{
    const oc_stage_plan *p = call[n - 1]->op->stages;
    bool decided = p && p->nchw16c == call[n - 1]->out[0]->nchw16c;
    for (int i = 0; i < n && decided; i++)
        decided = call[i]->as_planned;
    *plan = decided && p->n > 0 && p->n + p->has_producer == n ? p : NULL;
    return decided;
}

/* Decides in the call how n calls run whose stages are made, the first without one if it is a
 * producer. */
static oc_status decide(oc_epilogue *t, oc_call *const call[], int n, bool has_producer)
{
    const oc_stage_list list = {call, n - has_producer, has_producer, t->at};
    void *room;
    if (!fits_tile(call[n - 1]->out[0]->type))
        return OC_OK;
    OC_TRY(OC_SCRATCH_OF(call[n - 1], room, 1, oc_stage_plan_size(list.n)));
    if (oc_stages_decide(&list, room))
        t->plan = room;
    return OC_OK;
}

/* Sets what rounding or a tile does instead of stages, by the numbers of this call. */
static void set_bounds(oc_epilogue *t)
{
    const oc_stage_plan *p = t->plan;
    t->finish = (oc_tile_finish){.least = -INFINITY, .greatest = INFINITY};
    if (p->scales) {
        t->finish.center = t->at[0].stage.center;
        t->finish.factor = t->at[0].stage.factor;
        t->finish.offset = t->at[0].stage.offset;
    }
    if (p->clamps) {
        t->finish.least = t->at[p->scales].stage.least;
        t->finish.greatest = t->at[p->scales].stage.greatest;
    }
    t->bounds = (oc_half_bounds){OC_HALF_UNLIMITED};
    if (p->left && p->limits[p->n - 1])
        t->bounds = t->at[p->n - 1].limit;
    t->bounds.instead = p->instead;
    if (p->added >= 0) {
        t->bounds.first = t->call[t->n - 1]->out[0]->data;
        t->bounds.other = operand(t, p->added)->data;
    }
}

/* Finds the elements of all operands. *good: false, one has none. */
static oc_status fill_epilogue(oc_epilogue *t, bool *good)
{
    const oc_value *y = t->call[t->n - 1]->out[0];
    const oc_stage_plan *p = t->plan;
    t->elements = t->block = oc_value_n(y);
    if (oc_is_nchw16c(y)) {
        const oc_dims d = oc_value_block_dims(&y->dims);
        t->elements = oc_dims_count(&d);
        t->block = oc_dims_product(&d, 2, d.rank);
    }
    *good = true;
    for (int s = 0; s < p->n; s++) {
        const oc_stage *g = &t->at[s].stage;
        for (int i = 0; i < g->n_x && *good; i++) {
            oc_stage_operand *x = &t->at[s].x[i];
            *x = p->x[s][i];
            *good = x->kind == OC_OF_GROUP || g->x[i]->data;
            if (x->kind != OC_OF_GROUP && *good)
                OC_TRY(oc_stage_operand_fill(t->call[s + p->has_producer], g->x[i], x));
        }
        if (p->limits[s])
            t->at[s].limit = oc_half_bounds_of(y->type, g->least, g->greatest);
    }
    if (*good)
        set_bounds(t);
    return OC_OK;
}

/* ---- tiles ---- */

/* As many elements as all stages can compute at once. */
static int64_t reach(const oc_epilogue *t, int64_t at, int64_t n)
{
    n = oc_min(n, STRIP);
    for (int s = 0; s < t->plan->n; s++)
        for (int i = 0; i < t->at[s].stage.n_x; i++)
            n = oc_stage_operand_reach(&t->at[s].x[i], at, n);
    return n;
}

/* The values of a group of halves are rounded to them; the last is when it is stored. */
static void round_value(const oc_epilogue *t, int value, float *x, int64_t n)
{
    const oc_stage_plan *c = t->plan;
    if (c->half && value + 1 < t->n && !c->unrounded[value])
        c->half->round(x, n);
}

/* Runs stages on n elements from number `first` of a block on, which are at y. */
static void run_some(const oc_epilogue *t, oc_span stages, float *y, int64_t block, int64_t first,
                     int64_t n)
{
    const oc_stage_plan *plan = t->plan;
    _Alignas(OC_ALIGN) float spare[OC_STAGE_SPARE][STRIP], buffer[OC_STAGE_BUFFERS][STRIP];
    for (int64_t s = stages.first; s < stages.end; s++)
        for (int i = 0; i < t->at[s].stage.n_x; i++) {
            const oc_stage_operand *o = &t->at[s].x[i];
            if (o->kind == OC_OF_CHANNEL)
                oc_stage_operand_repeat(o, block, oc_min(n, STRIP), buffer[o->buffer]);
        }
    for (int64_t done = 0, some; done < n; done += some) {
        const int64_t at = block * t->block + first + done;
        float *place[1 + OC_STAGE_SPARE] = {y + done, spare[0], spare[1], spare[2]};
        some = reach(t, at, n - done);
        if (plan->has_producer)
            round_value(t, 0, place[0], some);
        for (int64_t s = stages.first; s < stages.end; s++) {
            const oc_placed_stage *p = &t->at[s];
            const oc_stage *g = &p->stage;
            const int value = (int)s + plan->has_producer;
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
                plan->half->limit(y_strip, x[0], some, &p->limit);
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
    const int stages = t->plan->n - (open ? t->plan->left : 0);
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
    run_some(t, (oc_span){t->plan->finished, t->plan->n}, y, block, first * BLOCK, n * BLOCK);
}

const oc_tile_finish *oc_epilogue_finish(const oc_epilogue *t)
{
    return t->plan->finished ? &t->finish : NULL;
}

oc_tile_epilogue_fn *oc_epilogue_rest(const oc_epilogue *t)
{
    return t->plan->finished < t->plan->n ? run_rest : NULL;
}

const oc_half_bounds *oc_epilogue_bounds(const oc_epilogue *t, bool *only)
{
    *only = t->plan->left == t->plan->n;
    return t->plan->left ? &t->bounds : NULL;
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
    const oc_stage_plan *c = t->plan;
    const int64_t block = i / t->block;
    if (c->scaled >= 0) {
        const oc_stage_operand *f = operand(t, c->factors);
        const uint16_t *x = operand(t, c->scaled)->data;
        const float *factor = (const float *)f->data + block % f->blocks * BLOCK;
        c->half->scale((uint16_t *)(void *)y + i, x + i, factor, n);
        return;
    }
    run_elements(t, true, c->half ? made : y + i, block, i - block * t->block, n);
    if (c->half)
        c->half->narrow_limited((uint16_t *)(void *)y + i, made, n, c->left ? &t->bounds : NULL);
}

static void run_strips(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const oc_epilogue *t = arg;
    int64_t i = first * UNIT;
    const int64_t last = oc_min(end * UNIT, t->elements);
    for (int64_t n; i < last; i += n) {
        n = oc_min(last - i, (i / t->block + 1) * t->block - i);
        n = oc_min(n, t->plan->half && t->plan->scaled < 0 ? STRIP : UNIT);
        store_elements(t, i, n);
    }
}

static oc_status run_stages(oc_epilogue *t)
{
    const double cost = (double)t->elements * OC_ELEMENT * t->plan->n;
    const oc_work w = oc_call_work(t->call[t->n - 1], cost);
    oc_work_run(&w, oc_div_up(t->elements, UNIT), run_strips, t);
    return oc_call_error(t->call[t->n - 1])->code;
}

/* ---- one operator by itself ---- */

/* By the row of a stage, with broadcasting. */
static oc_status map_stage(oc_call *c, const oc_stage *s)
{
    oc_value y = *oc_out(c, 0), x[OC_MAP_OPERANDS];
    const oc_value *operand[OC_MAP_OPERANDS];
    for (int i = 0; i < s->n_x; i++) {
        operand[i] = s->x[i];
        if (!oc_is_nchw16c(&y) && !oc_is_nchw16c(s->x[i]))
            continue;
        OC_TRY(oc_in_form(c, &y, s->x[i], &x[i]));
        operand[i] = &x[i];
    }
    if (oc_is_nchw16c(&y))
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

/* Is the stage of one call worth a plan? One of a row alone is not. */
static bool wants_plan(const oc_stage *s, const oc_value *y)
{
    return !(s->row && s->n_x == 1) && (oc_is_nchw16c(y) || is_mixed(s, y));
}

oc_status oc_run_stage(oc_call *c)
{
    oc_placed_stage own;
    oc_call *const alone[] = {c};
    oc_epilogue t = {.call = alone, .n = 1, .at = &own};
    bool good = false;
    const oc_value *y = oc_out(c, 0);
    OC_TRY(make_stage(c, &own.stage));
    if (!is_stage(&own.stage))
        return oc_fail(c, OC_UNSUPPORTED, "the operator has no stage");
    if (wants_plan(&own.stage, y) && !is_decided(alone, 1, &t.plan))
        OC_TRY(decide(&t, alone, 1, false));
    if (t.plan && (oc_is_nchw16c(y) || t.plan->buffers))
        OC_TRY(fill_epilogue(&t, &good));
    return good ? run_stages(&t) : map_stage(c, &own.stage);
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
static oc_status run_producer(const oc_epilogue *t)
{
    oc_call *c = t->call[0];
    const oc_value own = *c->out[0], *y = t->call[t->n - 1]->out[0];
    OC_TRY(oc_call_arrange(c, &t->layouts, y->nchw16c));
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

static bool has_producer(oc_call *const call[], int n)
{
    return n > 1 && call[0]->op->sig->out[0].tiled;
}

/* Makes the stages of the calls, in memory of the last, and finds their plan. It is NULL where they
 * cannot run together. */
static oc_status plan_together(oc_epilogue *t, oc_call *const call[], int n)
{
    const bool first = has_producer(call, n), decided = is_decided(call, n, &t->plan);
    t->call = call;
    t->n = n;
    if (first)
        t->layouts = oc_call_layouts(call[0]);
    if (decided ? !t->plan
                : !is_uniform(call, n) || n - first > OC_MAX_STAGES ||
                      (first && !makes_tiles(call[0], &t->layouts, call[n - 1]->out[0]->nchw16c)))
        return OC_OK;
    set_layouts(call, n);
    OC_TRY(OC_SCRATCH(call[n - 1], t->at, n - first));
    for (int i = first; i < n; i++)
        OC_TRY(make_stage(call[i], &t->at[i - first].stage));
    return decided ? OC_OK : decide(t, call, n, first);
}

static oc_status run_together(oc_call *const call[], int n, bool *done)
{
    oc_epilogue t = {.plan = NULL};
    OC_TRY(plan_together(&t, call, n));
    *done = t.plan;
    if (t.plan)
        OC_TRY(fill_epilogue(&t, done));
    if (!*done)
        return OC_OK;
    return t.plan->has_producer ? run_producer(&t) : run_stages(&t);
}

oc_status oc_stages_plan(oc_call *const call[], int n, oc_arena *arena, const oc_stage_plan **plan)
{
    static const oc_stage_plan none = {.nchw16c = false}, none_nchw16c = {.nchw16c = true};
    oc_epilogue t = {.plan = NULL};
    OC_TRY(plan_together(&t, call, n));
    *plan = call[n - 1]->out[0]->nchw16c ? &none_nchw16c : &none;
    if (!t.plan || (n == 1 && !wants_plan(&t.at->stage, call[0]->out[0])))
        return OC_OK;
    const size_t size = oc_stage_plan_size(t.plan->n);
    void *kept = oc_arena_alloc(arena, size);
    OC_TRY(oc_arena_check(arena, oc_call_error(call[0])));
    *plan = memcpy(kept, t.plan, size);
    return OC_OK;
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
