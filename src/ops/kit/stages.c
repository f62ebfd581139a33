/* SPDX-License-Identifier: Apache-2.0
 * stages.c - makes the stages of a group, and runs them on tiles and strips. */
#include "ops/kit/stages.h"

#include "base/int.h"
#include "base/share.h"
#include "ops/kit/call.h"
#include "ops/kit/layout.h"
#include "ops/kit/stage_operand.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    BLOCK = OC_VALUE_BLOCK,
    STRIP = OC_STRIP,
    UNIT = 4096, /* elements that threads share */
    SPARE = 3    /* values that wait beside the tile */
};

/* A stage with the elements that it computes from. */
typedef struct placed {
    oc_stage stage;
    oc_stage_operand x[OC_MAP_OPERANDS];
    int to;      /* where its value goes: 0 is the tile, i spare buffer i - 1 */
    bool limits; /* operand 0, which is not rounded to a half before */
    oc_half_bounds limit;
} placed;

struct oc_epilogue {
    oc_call *const *call; /* in order: the producer first, if there is one */
    int n, n_stage, buffers;
    bool produced;               /* true: call[0] makes the tile; false: all calls are stages */
    const oc_half_variant *half; /* rounds each value, where they are halves; else NULL */
    /* The last `left` stages only clamp or round: they are not run, as rounding to half obeys these
     * bounds instead. NULL when left is 0. */
    const oc_half_bounds *bounds;
    int left;
    oc_half_bounds instead;
    /* Halves whose product with a factor of each channel is all that there is; or NULL. */
    const oc_stage_operand *scaled, *factors;
    /* The first `finished` stages, as tiles run them. */
    oc_tile_finish finish;
    int finished;
    bool as_it_is[OC_MAX_STAGES +
                  1];        /* true: a value stays a float, as its reader rounds it itself */
    int64_t elements, block; /* of the result; of a block of 16 channels, or of all in NCHW */
    placed stage[OC_MAX_STAGES];
    _Alignas(OC_ALIGN) float rows[OC_STAGE_BUFFERS][2 * STRIP]; /* of operands */
    int at[OC_MAX_STAGES + 1]; /* of each value: where it is, as placed.to */
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

/* The number of the group's value that v is, which is that of its call; -1: it is none. */
static int value_of(const oc_epilogue *t, const oc_value *v)
{
    for (int i = 0; i < t->n_stage + t->produced; i++)
        if (t->call[i]->out[0] == v)
            return i;
    return -1;
}

/* Makes the next stage, of call c. *good: is there one, and can it read all operands? */
static oc_status add_stage(oc_epilogue *t, oc_call *c, bool *good)
{
    placed *p = &t->stage[t->n_stage];
    OC_TRY(make_stage(c, &p->stage));
    *good = p->stage.channels || (p->stage.row && p->stage.type == OC_F32);
    for (int i = 0; i < p->stage.n_x && *good; i++) {
        const oc_value *v = p->stage.x[i];
        p->x[i] = (oc_stage_operand){.kind = OC_OF_GROUP, .value = value_of(t, v), .buffer = -1};
        if (p->x[i].value < 0)
            OC_TRY(oc_stage_operand_find(c, v, &t->buffers, t->rows, &p->x[i], good));
        if (p->x[i].kind == OC_OF_ONE && p->stage.channels) /* it reads a block */
            *good = false;
    }
    t->n_stage += *good;
    return OC_OK;
}

/* A half that is limited need not be made before, where nobody else reads it. */
static void find_limits(oc_epilogue *t, oc_type type)
{
    int readers[OC_MAX_STAGES + 1] = {0};
    for (int s = 0; s < t->n_stage; s++)
        for (int i = 0; i < t->stage[s].stage.n_x; i++)
            if (t->stage[s].x[i].kind == OC_OF_GROUP)
                readers[t->stage[s].x[i].value]++;
    for (int s = 0; s < t->n_stage; s++) {
        placed *p = &t->stage[s];
        const oc_stage *g = &p->stage;
        p->limits = g->clamps && !(g->least > g->greatest) && g->greatest != 0 &&
                    p->x[0].kind == OC_OF_GROUP && readers[p->x[0].value] == 1;
        if (!p->limits)
            continue;
        p->limit = oc_half_bounds_of(type, g->least, g->greatest);
        t->as_it_is[p->x[0].value] = true;
    }
    const placed *last = &t->stage[t->n_stage - 1];
    if (last->limits && t->at[last->x[0].value] == 0) {
        t->bounds = &last->limit;
        t->left = 1;
    }
}

/* Is x what the group has in the tile? */
static bool is_in_tile(const oc_epilogue *t, const oc_stage_operand *x)
{
    return x->kind == OC_OF_GROUP && t->at[x->value] == 0;
}

/* Leaves the last stages to the rounding, which rounds their operand x. */
static void leave(oc_epilogue *t, int stages, oc_narrow_limited_fn *fn, const oc_stage_operand *x)
{
    t->left = stages;
    t->instead.instead = fn;
    t->bounds = &t->instead;
    t->as_it_is[x->value] = true;
}

/* Does the group end with a sum of what is in the tile and of halves, which may be limited? */
static void find_sum(oc_epilogue *t, const oc_value *y)
{
    if (t->left == t->n_stage)
        return;
    const placed *p = &t->stage[t->n_stage - 1 - t->left];
    if (p->stage.kind != OC_STAGE_Add)
        return;
    const int own = p->x[0].kind != OC_OF_GROUP;
    const oc_stage_operand *other = &p->x[!own];
    if (!is_in_tile(t, &p->x[own]) || other->kind != OC_OF_PLACES || !other->half)
        return;
    t->instead = t->bounds ? *t->bounds : (oc_half_bounds){OC_HALF_UNLIMITED};
    t->instead.first = y->data;
    t->instead.other = other->data;
    leave(t, t->left + 1, t->half->add_limited, &p->x[own]);
}

/* Is a half's product with a factor of its channel all that there is to do? */
static void find_scale(oc_epilogue *t)
{
    const placed *p = &t->stage[0];
    const int x = p->x[0].kind != OC_OF_PLACES;
    if (t->produced || t->n_stage > 1 || p->stage.kind != OC_STAGE_Mul ||
        p->x[x].kind != OC_OF_PLACES || !p->x[x].half || p->x[!x].kind != OC_OF_CHANNEL)
        return;
    t->scaled = &p->x[x];
    t->factors = &p->x[!x];
}

/* Float16: does it end with a stage, or its product with what the stage reads, that one function
 * makes of floats? */
static void find_function(oc_epilogue *t)
{
    const int n = t->n_stage;
    const placed *last = &t->stage[n - 1], *before = last - (n > 1);
    const oc_stage_operand *x = last->x;
    if (last->stage.of_floats && !last->stage.times && is_in_tile(t, x))
        leave(t, 1, last->stage.of_floats, x);
    if (!before->stage.times || last->stage.kind != OC_STAGE_Mul)
        return;
    x += x[0].kind == OC_OF_GROUP && x[0].value == n - 2 + t->produced; /* what `before` made */
    if (is_in_tile(t, x) && before->x[0].kind == OC_OF_GROUP && before->x[0].value == x->value)
        leave(t, 2, before->stage.of_floats, x);
}

/* Finds a place for each value: the tile's own where nobody reads what is there any more. False:
 * too many values wait. */
static bool place_values(oc_epilogue *t)
{
    int last_use[OC_MAX_STAGES + 1] = {0}, in[1 + SPARE] = {-1, -1, -1, -1}; /* values in places */
    for (int s = 0; s < t->n_stage; s++)
        for (int i = 0; i < t->stage[s].stage.n_x; i++)
            if (t->stage[s].x[i].kind == OC_OF_GROUP)
                last_use[t->stage[s].x[i].value] = s;
    if (t->produced)
        in[0] = t->at[0] = 0;
    for (int s = 0; s < t->n_stage; s++) {
        const int value = s + t->produced;
        int to = 0;
        while (to <= SPARE && in[to] >= 0 && last_use[in[to]] > s)
            to++;
        if (to > SPARE || (s + 1 == t->n_stage && to != 0))
            return false;
        in[to] = value;
        t->stage[s].to = t->at[value] = to;
    }
    return true;
}

/* Does the stage make of the tile alone what nobody reads but the one behind it? */
static bool is_of_tile(const oc_epilogue *t, int s)
{
    const placed *p = &t->stage[s];
    return s < t->n_stage && p->x[0].kind == OC_OF_GROUP && p->x[0].value == s && p->to == 0;
}

/* Finds the first stages that are what tiles of floats can do. */
static void find_finish(oc_epilogue *t)
{
    const oc_stage *g = &t->stage[0].stage;
    t->finish = (oc_tile_finish){.least = -INFINITY, .greatest = INFINITY};
    t->finished = 0;
    if (!OC_TILE_FINISHES || !t->produced || t->half || !is_of_tile(t, 0))
        return;
    if (g->channels && g->factor) {
        t->finish.center = g->center;
        t->finish.factor = g->factor;
        t->finish.offset = g->offset;
        t->finished++;
        g = &t->stage[1].stage;
    }
    if (is_of_tile(t, t->finished) && g->row && g->clamps) {
        t->finish.least = g->least;
        t->finish.greatest = g->greatest;
        t->finished++;
    }
}

/* Tiles hold floats, which may become halves when they are stored: no bool of a comparison. */
static bool fits_tile(oc_type type)
{
    return type == OC_F32 || oc_type_is_half(type);
}

/* The stages of n calls, without the first if that is a producer; y is the last result. *good: can
 * they run together? */
static oc_status make_epilogue(oc_epilogue *t, oc_call *const call[], int n, bool produced,
                               bool *good)
{
    const oc_value *y = call[n - 1]->out[0];
    t->call = call;
    t->n = n;
    t->produced = produced;
    t->n_stage = t->buffers = 0;
    t->half = oc_type_is_half(y->type) ? oc_half_pick(y->type, oc_call_cpu(call[0])) : NULL;
    t->elements = t->block = oc_value_n(y);
    if (y->nchw16c) {
        const oc_dims d = oc_value_block_dims(&y->dims);
        t->elements = oc_dims_count(&d);
        t->block = oc_dims_product(&d, 2, d.rank);
    }
    *good = fits_tile(y->type);
    for (int i = produced; i < n && *good; i++)
        OC_TRY(add_stage(t, call[i], good));
    *good = *good && place_values(t);
    for (int i = 0; i <= OC_MAX_STAGES; i++)
        t->as_it_is[i] = false;
    for (int s = 0; s < t->n_stage; s++)
        t->stage[s].limits = false;
    t->bounds = NULL;
    t->left = 0;
    t->scaled = NULL;
    if (t->half && *good)
        find_limits(t, y->type);
    if (*good)
        find_finish(t);
    /* In NCHW, and where size is asked for, all stages of halves run. */
    if (!OC_TILE_FINISHES || !t->half || !*good || !y->nchw16c)
        return OC_OK;
    find_scale(t);
    find_sum(t, y);
    if (!t->bounds && y->type == OC_F16)
        find_function(t);
    return OC_OK;
}

/* ---- tiles ---- */

/* As many elements as all stages can compute at once. */
static int64_t reach(const oc_epilogue *t, int64_t at, int64_t n)
{
    n = oc_min(n, STRIP);
    for (int s = 0; s < t->n_stage; s++)
        for (int i = 0; i < t->stage[s].stage.n_x; i++)
            n = oc_stage_operand_reach(&t->stage[s].x[i], at, n);
    return n;
}

/* The values of a group of halves are rounded to them; the last is when it is stored. */
static void round_value(const oc_epilogue *t, int value, float *x, int64_t n)
{
    if (t->half && value + 1 < t->n && !t->as_it_is[value])
        t->half->round(x, n);
}

/* Runs stages on n elements from number `first` of a block on, which are at y. */
static void run_some(const oc_epilogue *t, oc_span stages, float *y, int64_t block, int64_t first,
                     int64_t n)
{
    _Alignas(OC_ALIGN) float spare[SPARE][STRIP], buffer[OC_STAGE_BUFFERS][STRIP];
    for (int64_t s = stages.first; s < stages.end; s++)
        for (int i = 0; i < t->stage[s].stage.n_x; i++)
            if (t->stage[s].x[i].kind == OC_OF_CHANNEL)
                oc_stage_operand_repeat(&t->stage[s].x[i], block, oc_min(n, STRIP),
                                        buffer[t->stage[s].x[i].buffer]);
    for (int64_t done = 0, some; done < n; done += some) {
        const int64_t at = block * t->block + first + done;
        float *place[1 + SPARE] = {y + done, spare[0], spare[1], spare[2]};
        some = reach(t, at, n - done);
        if (t->produced)
            round_value(t, 0, place[0], some);
        for (int64_t s = stages.first; s < stages.end; s++) {
            const placed *p = &t->stage[s];
            const oc_stage *g = &p->stage;
            const void *x[OC_MAP_OPERANDS];
            int64_t step[OC_MAP_OPERANDS];
            for (int i = 0; i < g->n_x; i++) {
                const oc_stage_operand *o = &p->x[i];
                float *own = o->buffer >= 0 ? buffer[o->buffer] : NULL;
                step[i] = 1;
                x[i] = o->kind == OC_OF_GROUP ? place[t->at[o->value]]
                                              : oc_stage_operand_at(o, at, some, own, &step[i]);
            }
            if (p->limits)
                t->half->limit(place[p->to], x[0], some, &p->limit);
            else if (g->row)
                g->row(place[p->to], x, step, some, g->ctx);
            else
                g->channels(g->ctx, place[p->to], x[0], block, some / BLOCK);
            round_value(t, (int)s + t->produced, place[p->to], some);
        }
    }
}

/* All stages, or with `open` those before one that is left to who rounds. */
static void run_elements(const oc_epilogue *t, bool open, float *y, int64_t block, int64_t first,
                         int64_t n)
{
    const int stages = t->n_stage - (open ? t->left : 0);
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
    run_some(t, (oc_span){t->finished, t->n_stage}, y, block, first * BLOCK, n * BLOCK);
}

const oc_tile_finish *oc_epilogue_finish(const oc_epilogue *t)
{
    return t->finished ? &t->finish : NULL;
}

oc_tile_epilogue_fn *oc_epilogue_rest(const oc_epilogue *t)
{
    return t->finished < t->n_stage ? run_rest : NULL;
}

const oc_half_bounds *oc_epilogue_bounds(const oc_epilogue *t, bool *only)
{
    *only = t->left == t->n_stage;
    return t->bounds;
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
    const int64_t block = i / t->block;
    if (t->scaled) {
        const float *factor = (const float *)t->factors->data + block % t->factors->blocks * BLOCK;
        t->half->scale((uint16_t *)(void *)y + i, (const uint16_t *)t->scaled->data + i, factor, n);
        return;
    }
    run_elements(t, true, t->half ? made : y + i, block, i - block * t->block, n);
    if (t->half)
        t->half->narrow_limited((uint16_t *)(void *)y + i, made, n, t->bounds);
}

static void run_units(void *arg, int task, int64_t first, int64_t end)
{
    const oc_epilogue *t = arg;
    (void)task;
    int64_t i = first * UNIT;
    const int64_t last = oc_min(end * UNIT, t->elements);
    for (int64_t n; i < last; i += n) {
        n = oc_min(last - i, (i / t->block + 1) * t->block - i);
        n = oc_min(n, t->half && !t->scaled ? STRIP : UNIT);
        store_elements(t, i, n);
    }
}

static void run_stages(oc_epilogue *t)
{
    const double cost = (double)t->elements * OC_ELEMENT * t->n_stage;
    const oc_work w = oc_call_work(t->call[t->n - 1], cost);
    oc_work_run(&w, oc_div_up(t->elements, UNIT), run_units, t);
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
    oc_stage *s = &t.stage[0].stage;
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
    const bool produced = call[0]->op->sig->out[0].tiled;
    const oc_layouts l = produced ? oc_call_layouts(call[0]) : (oc_layouts){0};
    *done = is_uniform(call, n) && n - produced <= OC_MAX_STAGES &&
            (!produced || makes_tiles(call[0], &l, call[n - 1]->out[0]->nchw16c));
    if (!*done)
        return OC_OK;
    set_layouts(call, n);
    OC_TRY(make_epilogue(&t, call, n, produced, done));
    if (!*done)
        return OC_OK;
    if (produced)
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
