/* SPDX-License-Identifier: Apache-2.0
 * epilogue.c - gathers the operators of an epilogue, and runs them on tiles. */
#include "ops/kit/epilogue.h"

#include "kernels/common/share.h"
#include "ops/kit/call.h"
#include "ops/kit/epilogue_operand.h"

#include <string.h>

enum {
    LANES = OC_VALUE_BLOCK,
    STRIP = OC_STRIP,
    UNIT = 4096, /* elements that threads share */
    SPARE = 3    /* values that wait beside the tile */
};

typedef struct stage {
    oc_row_fn *row; /* NULL: fn */
    oc_epilogue_fn *fn;
    const void *ctx;
    oc_epilogue_operand x[OC_MAP_OPERANDS];
    int n_x;
    int to; /* where its value goes: 0 is the tile, i spare buffer i - 1 */
} stage;

struct oc_epilogue {
    oc_call **call; /* in order: the head first, if there is one */
    int n, n_stage, buffers;
    bool headed;             /* else the first call is a stage as the others are */
    bool done;               /* has all been computed? */
    int64_t elements, block; /* of the result; of a block of 16 channels, or of all in NCHW */
    stage stage[OC_EPILOGUE_STAGES];
    int at[OC_EPILOGUE_STAGES + 1]; /* of each value: where it is, as stage.to */
};

bool oc_epilogue_gathers(const oc_call *c)
{
    return c->epilogue != NULL && !(c->epilogue->headed && c == c->epilogue->call[0]);
}

const oc_epilogue *oc_call_epilogue(const oc_call *c)
{
    return c->epilogue;
}

/* ---- gathering ---- */

static oc_status next(oc_epilogue *t);

/* The number of the epilogue's value that v is, which is that of its call; -1: it is none. */
static int value_of(const oc_epilogue *t, const oc_value *v)
{
    for (int i = 0; i < t->n_stage + t->headed; i++)
        if (t->call[i]->out[0] == v)
            return i;
    return -1;
}

/* *good: is there a form in which the stage can read v? */
static oc_status find_operand(oc_call *c, const oc_value *v, oc_epilogue_operand *x, bool *good)
{
    oc_epilogue *t = c->epilogue;
    *good = true;
    *x = (oc_epilogue_operand){.kind = OC_OF_EPILOGUE, .value = value_of(t, v), .buffer = -1};
    return x->value >= 0 ? OC_OK : oc_epilogue_operand_find(c, v, &t->buffers, x, good);
}

/* Makes the next stage. *good: can it read all operands? */
static oc_status make_stage(oc_call *c, const stage *given, const oc_value *const x[], bool *good)
{
    oc_epilogue *t = c->epilogue;
    stage *s = &t->stage[t->n_stage];
    *s = *given;
    *good = true;
    for (int i = 0; i < s->n_x && *good; i++) {
        OC_TRY(find_operand(c, x[i], &s->x[i], good));
        *good = *good && !(s->fn && s->x[i].kind == OC_OF_ONE); /* fn reads a strip */
    }
    t->n_stage += *good;
    return OC_OK;
}

/* If it cannot, the epilogue is not done. */
static oc_status add(oc_call *c, const stage *given, const oc_value *const x[])
{
    bool good;
    OC_TRY(make_stage(c, given, x, &good));
    return good ? next(c->epilogue) : OC_OK;
}

oc_status oc_epilogue_add_rows(oc_call *c, oc_row_fn *row, const void *ctx,
                               const oc_value *const x[], int n_x)
{
    return add(c, &(stage){.row = row, .ctx = ctx, .n_x = n_x}, x);
}

oc_status oc_epilogue_add(oc_call *c, oc_epilogue_fn *fn, const void *ctx)
{
    const oc_value *x = oc_in(c, 0);
    return add(c, &(stage){.fn = fn, .ctx = ctx, .n_x = 1}, &x);
}

/* Finds a place for each value: the tile's own where nobody reads what is there any more. False:
 * too many values wait. */
static bool place_values(oc_epilogue *t)
{
    int last_use[OC_EPILOGUE_STAGES + 1] = {0},
                                      in[1 + SPARE] = {-1, -1, -1, -1}; /* values in places */
    for (int s = 0; s < t->n_stage; s++)
        for (int i = 0; i < t->stage[s].n_x; i++)
            if (t->stage[s].x[i].kind == OC_OF_EPILOGUE)
                last_use[t->stage[s].x[i].value] = s;
    if (t->headed)
        in[0] = t->at[0] = 0;
    for (int s = 0; s < t->n_stage; s++) {
        const int value = s + t->headed;
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

static void run_stages(oc_epilogue *t);

/* Runs the next operator's run function, which adds its stage and comes back here; at the end the
 * head's. */
static oc_status next(oc_epilogue *t)
{
    if (t->n_stage + t->headed < t->n) {
        oc_call *c = t->call[t->n_stage + t->headed];
        return c->op->run(c);
    }
    if (!place_values(t))
        return OC_OK;
    t->done = true;
    oc_call *head = t->call[0];
    if (!t->headed) {
        run_stages(t);
        return oc_call_error(head)->code;
    }
    const oc_value own = *head->out[0];
    head->out[0]->data = t->call[t->n - 1]->out[0]->data;
    const oc_status status = head->op->run(head);
    *head->out[0] = own;
    return status;
}

/* ---- tiles ---- */

/* As many elements as all stages can compute at once. */
static int64_t reach(const oc_epilogue *t, int64_t at, int64_t n)
{
    n = n < STRIP ? n : STRIP;
    for (int s = 0; s < t->n_stage; s++)
        for (int i = 0; i < t->stage[s].n_x; i++)
            n = oc_epilogue_operand_reach(&t->stage[s].x[i], at, n);
    return n;
}

/* Runs the stages on n elements from number `first` of a block on, which are at y. */
static void run_elements(const oc_epilogue *t, float *y, int64_t block, int64_t first, int64_t n)
{
    _Alignas(OC_ALIGN) float spare[SPARE][STRIP], buffer[OC_EPILOGUE_BUFFERS][2 * STRIP];
    for (int s = 0; s < t->n_stage; s++)
        for (int i = 0; i < t->stage[s].n_x; i++)
            if (t->stage[s].x[i].buffer >= 0)
                oc_epilogue_operand_repeat(&t->stage[s].x[i], block, n < STRIP ? n : STRIP,
                                           buffer[t->stage[s].x[i].buffer]);
    for (int64_t done = 0, some; done < n; done += some) {
        const int64_t at = block * t->block + first + done;
        float *place[1 + SPARE] = {y + done, spare[0], spare[1], spare[2]};
        some = reach(t, at, n - done);
        for (int s = 0; s < t->n_stage; s++) {
            const stage *g = &t->stage[s];
            const void *x[OC_MAP_OPERANDS];
            int64_t step[OC_MAP_OPERANDS];
            for (int i = 0; i < g->n_x; i++) {
                const oc_epilogue_operand *o = &g->x[i];
                const float *own = o->buffer >= 0 ? buffer[o->buffer] : NULL;
                step[i] = 1;
                x[i] = o->kind == OC_OF_EPILOGUE ? place[t->at[o->value]]
                                                 : oc_epilogue_operand_at(o, at, own, &step[i]);
            }
            if (g->row)
                g->row(place[g->to], x, step, some, g->ctx);
            else
                g->fn(g->ctx, place[g->to], x[0], block, some / LANES);
        }
    }
}

void oc_epilogue_run_tile(const void *epilogue, float *y, int64_t block, int64_t first, int64_t n)
{
    run_elements(epilogue, y, block, first * LANES, n * LANES);
}

/* ---- without a head: strips of the result, shared by threads ---- */

static void run_units(void *arg, int task, int64_t first, int64_t last)
{
    const oc_epilogue *t = arg;
    float *y = t->call[t->n - 1]->out[0]->data;
    const int64_t end = last * UNIT < t->elements ? last * UNIT : t->elements;
    (void)task;
    for (int64_t i = first * UNIT, n; i < end; i += n) {
        const int64_t block = i / t->block, left = (block + 1) * t->block - i;
        n = end - i < left ? end - i : left;
        run_elements(t, y + i, block, i - block * t->block, n);
    }
}

static void run_stages(oc_epilogue *t)
{
    oc_call *c = t->call[t->n - 1];
    const oc_work w = oc_call_work(c, (double)t->elements * OC_ELEMENT * t->n_stage);
    oc_work_run(&w, (t->elements + UNIT - 1) / UNIT, run_units, t);
}

/* ---- the whole ---- */

/* Have all results the same form and dims, that in which tiles are made if there is a head? */
static bool is_uniform(oc_call *const call[], int n, bool headed)
{
    const oc_value *y = call[n - 1]->out[0];
    for (int i = 0; i < n; i++) {
        const oc_value *v = call[i]->out[0];
        if (v->type != OC_F32 || v->nchw16c != y->nchw16c || !oc_dims_equal(&v->dims, &y->dims))
            return false;
    }
    return (y->nchw16c || !headed) && n - headed <= OC_EPILOGUE_STAGES;
}

/* All operators but the last store their results. */
static oc_status run_each(oc_call *call[], int n)
{
    for (int i = 0; i + 1 < n; i++) {
        call[i]->fused_away = false;
        *call[i]->out[0] = (oc_value){0};
        OC_TRY(oc_call_run(call[i]));
    }
    return call[n - 1]->op->run(call[n - 1]);
}

/* A epilogue of n calls, of whose results y is the last. */
static oc_epilogue new_epilogue(oc_call *call[], int n, bool headed, const oc_value *y)
{
    oc_epilogue t = {.call = call, .n = n, .headed = headed, .elements = oc_value_n(y)};
    t.block = t.elements;
    if (y->nchw16c) {
        const oc_dims d = oc_value_block_dims(&y->dims);
        t.elements = oc_dims_count(&d);
        t.block = oc_dims_product(&d, 2, d.rank);
    }
    return t;
}

oc_status oc_epilogue_run(oc_call *call[], int n)
{
    const oc_value *y = call[n - 1]->out[0];
    const bool headed = call[0]->sig->out[0].tiled;
    if (!is_uniform(call, n, headed) || oc_value_n(y) == 0)
        return run_each(call, n);
    oc_epilogue t = new_epilogue(call, n, headed, y);
    for (int i = 0; i < n; i++)
        call[i]->epilogue = &t;
    const oc_status status = next(&t);
    for (int i = 0; i < n; i++) {
        call[i]->epilogue = NULL;
        if (i + 1 < n)
            oc_call_release(call[i]);
    }
    return status == OC_OK && !t.done ? run_each(call, n) : status;
}

oc_status oc_epilogue_run_alone(oc_call *c, oc_row_fn *row, const void *ctx,
                                const oc_value *const x[], int n_x, bool *done)
{
    oc_epilogue t = new_epilogue(&c, 1, false, c->out[0]);
    c->epilogue = &t;
    const stage s = {.row = row, .ctx = ctx, .n_x = n_x};
    oc_status status = make_stage(c, &s, x, done);
    if (status == OC_OK && *done) {
        place_values(&t);
        run_stages(&t);
        status = oc_call_error(c)->code;
    }
    c->epilogue = NULL;
    return status;
}
