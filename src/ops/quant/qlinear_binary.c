/* SPDX-License-Identifier: Apache-2.0
 * qlinear_binary.c - QLinearAdd and QLinearMul of com.microsoft, with the bits of DequantizeLinear,
 * the operator and QuantizeLinear, strip by strip. */
#include "kernels/elementwise/plain.h"
#include "kernels/elementwise/qlinear.h"
#include "kernels/elementwise/quantize.h"
#include "ops/kit/layout.h"

enum { A, A_SCALE, A_ZERO, B, B_SCALE, B_ZERO, C_SCALE, C_ZERO };
enum { STRIP = 1024 };

static oc_status pair_shape(oc_call *c)
{
    for (int i = A_SCALE; i <= C_ZERO; i++)
        if (i != B)
            OC_TRY(oc_expect_one(c, i));
    oc_dims y = oc_in(c, A)->dims;
    char a[OC_DIMS_TEXT], b[OC_DIMS_TEXT];
    if (!oc_dims_broadcast(&y, &oc_in(c, B)->dims))
        return oc_fail(c, OC_SHAPE, "A is %s and B is %s, which do not broadcast",
                       oc_dims_text(&oc_in(c, A)->dims, a), oc_dims_text(&oc_in(c, B)->dims, b));
    return oc_set_out(c, 0, oc_in(c, A)->type, &y);
}

/* Operands with the dims of the result are in NCHW16c, other operands in either layout. */
static void pair_layouts(oc_call *c, oc_layouts *l)
{
    const oc_value *y = oc_out(c, 0);
    if (!oc_nchw16c_fits(y->type, &y->dims))
        return;
    for (int i = A; i <= B; i += B - A) {
        const oc_dims *x = &oc_in(c, i)->dims;
        if (oc_dims_equal(x, &y->dims))
            l->blocked |= UINT64_C(1) << i;
        else if (x->rank == y->dims.rank && x->n[1] == y->dims.n[1])
            l->either |= UINT64_C(1) << i;
    }
    l->out = l->blocked != 0;
}

/* Codes as numbers: with flip, all count from 0, as do their zeros. */
typedef struct operand {
    uint8_t flip;
    float zero, scale;
} operand;

typedef struct pair {
    operand x[2];
    oc_codes y;
    float y_scale, y_zero;
    oc_plain_fn *fn;
    const oc_quantize_variant *kernel;
    oc_qlinear q;
    oc_qlinear_fn *fast; /* NULL: a number may be NaN */
} pair;

static float scale_of(const oc_call *c, int i)
{
    return *(const float *)oc_in(c, i)->data;
}

static void pair_row(void *y_, const void *const x_[], const int64_t step[], int64_t n,
                     const void *ctx)
{
    const pair *t = ctx;
    _Alignas(64) float x[2][STRIP];
    const void *rows[2] = {x[0], x[1]};
    uint8_t *y = y_;
    if (t->fast && step[0] && step[1]) {
        t->fast(y, x_[0], x_[1], &t->q, n);
        return;
    }
    for (int64_t i = 0; i < n; i += STRIP) {
        const int64_t part = oc_min(n - i, STRIP);
        for (int k = 0; k < 2; k++)
            if (step[k] || i == 0)
                t->kernel->from_8(x[k], (const uint8_t *)x_[k] + i * step[k], t->x[k].flip,
                                  t->x[k].zero, t->x[k].scale, step[k] ? part : 1);
        float *to = step[0] ? x[0] : x[1];
        t->fn(to, rows, step, part, NULL);
        t->kernel->to_8(y + i, to, &t->y, part);
    }
}

/* ---- an operand with one number for each channel, in NCHW16c */

typedef struct blocks {
    const pair *t;
    uint8_t *y;
    const uint8_t *each, *channels; /* codes of the operand with all pixels; codes of the other,
                                     * number k */
    int k;
    int64_t pixels, n_channels; /* pixels of a block; blocks of `channels` */
} blocks;

static void combine_block(const blocks *b, int64_t block)
{
    static const int64_t step[2] = {1, 1};
    const pair *t = b->t;
    _Alignas(64) float x[2][STRIP];
    const void *rows[2] = {x[0], x[1]};
    const operand *of[2] = {&t->x[b->k], &t->x[!b->k]};
    float *same = x[b->k], *other = x[!b->k];
    const int64_t n = b->pixels * OC_VALUE_BLOCK, at = block * n;
    t->kernel->from_8(same, b->channels + block % b->n_channels * OC_VALUE_BLOCK, of[0]->flip,
                      of[0]->zero, of[0]->scale, OC_VALUE_BLOCK);
    for (int i = OC_VALUE_BLOCK; i < STRIP; i++)
        same[i] = same[i - OC_VALUE_BLOCK];
    for (int64_t i = 0; i < n; i += STRIP) {
        const int64_t part = oc_min(n - i, STRIP);
        t->kernel->from_8(other, b->each + at + i, of[1]->flip, of[1]->zero, of[1]->scale, part);
        t->fn(other, rows, step, part, NULL);
        t->kernel->to_8(b->y + at + i, other, &t->y, part);
    }
}

static void combine_blocks(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    for (int64_t i = first; i < end; i++)
        combine_block(arg, i);
}

/* Has the operand, in NCHW16c, one pixel for each channel of y? */
static bool is_of_channels(const oc_value *y, const oc_value *x)
{
    const int last = y->dims.rank - 1;
    if (x->dims.rank != y->dims.rank || oc_dims_product(&x->dims, 2, last) != 1 ||
        oc_dims_product(&y->dims, 2, last) == 1 || x->dims.n[last] != OC_VALUE_BLOCK ||
        x->dims.n[1] != y->dims.n[1])
        return false;
    return x->dims.n[0] == 1 || x->dims.n[0] == y->dims.n[0];
}

static oc_status run_by_channels(oc_call *c, const pair *t, oc_value *y, const oc_value x[2], int k)
{
    const int last = y->dims.rank - 1;
    blocks b = {.t = t,
                .y = y->data,
                .each = x[!k].data,
                .channels = x[k].data,
                .k = k,
                .pixels = oc_dims_product(&y->dims, 2, last),
                .n_channels = x[k].dims.n[0] * x[k].dims.n[1]};
    return oc_call_units(c, (double)oc_value_n(y) * OC_ELEMENT, y->dims.n[0] * y->dims.n[1],
                         combine_blocks, &b);
}

/* Does so by the kernel that has both operands in registers. */
static void set_fast(pair *t, oc_qlinear_fn *fast)
{
    t->q = (oc_qlinear){.scale = t->y_scale,
                        .zero = (int32_t)t->y_zero,
                        .low = (int32_t)t->y.low,
                        .high = (int32_t)t->y.high};
    for (int k = 0; k < 2; k++)
        t->q.x[k] = (oc_qlinear_operand){t->x[k].flip, t->x[k].zero, t->x[k].scale};
    t->fast = oc_qlinear_suits(&t->q) ? fast : NULL;
}

static oc_status pair_run(oc_call *c, const oc_plain *const formula[], oc_qlinear_fn *fast)
{
    oc_value y = *oc_out(c, 0), x[2];
    pair t = {.y_scale = scale_of(c, C_SCALE),
              .y_zero = oc_in_zero(c, C_ZERO),
              .fn = oc_plain_pick(formula, oc_call_cpu(c)),
              .kernel = oc_quantize_pick(oc_call_cpu(c))};
    t.y = (oc_codes){.scale = &t.y_scale, .zero = &t.y_zero};
    oc_call_code_limits(c, y.type, &t.y.low, &t.y.high);
    for (int k = 0; k < 2; k++) {
        const int i = k ? B : A;
        const uint8_t flip = oc_in(c, i)->type == OC_I8 ? 128 : 0;
        t.x[k] = (operand){flip, oc_in_zero(c, i + A_ZERO) + (float)flip, scale_of(c, i + A_SCALE)};
        OC_TRY(oc_in_form(c, &y, oc_in(c, i), &x[k]));
    }
    set_fast(&t, fast);
    if (y.nchw16c)
        y = oc_value_in_memory(&y);
    for (int k = 0; k < 2; k++)
        if (oc_out(c, 0)->nchw16c && is_of_channels(&y, &x[k]) &&
            oc_dims_equal(&x[!k].dims, &y.dims))
            return run_by_channels(c, &t, &y, x, k);
    oc_call_map(c, &y, (const oc_value *const[]){&x[0], &x[1]}, 2, pair_row, &t);
    return OC_OK;
}

OC_CALL_FN(add_run, pair_run(c, oc_plain_add, oc_qlinear_pick(oc_call_cpu(c))->add))
OC_CALL_FN(mul_run, pair_run(c, oc_plain_mul, oc_qlinear_pick(oc_call_cpu(c))->mul))

/* clang-format off */
#define SIG(op) "com.microsoft::" op " (T A, float A_scale, T A_zero_point?, T B, float B_scale, "  \
                "T B_zero_point?, float C_scale, T C_zero_point?) => (T C) | T: int8 uint8"
#define PAIR OC_TRAITS(.layouts = pair_layouts, .codes = OC_MAKES_CODES)
const oc_op oc_ops_qlinear_binary[] = {
    {1, SIG("QLinearAdd"), pair_shape, add_run, PAIR},
    {1, SIG("QLinearMul"), pair_shape, mul_run, PAIR},
    {0}
};
