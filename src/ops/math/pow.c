/* SPDX-License-Identifier: Apache-2.0
 * pow.c - Pow: a base of one type, an exponent of another, a result of the base's type.
 *
 * An integer with an integer exponent is multiplied out and wraps. The result of a negative
 * exponent is truncated toward zero, so it is 0 for all bases but 1 and -1. Everything else is
 * computed in double and converted once. Floats raised to floats, or to one number, are a stage,
 * and so are squares of float16, which are exact in float. */
#include "ops/kit/elementwise.h"
#include "ops/kit/layout.h"

static uint64_t power_u(uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;
    for (uint64_t square = base; exponent; exponent >>= 1, square *= square)
        if (exponent & 1)
            result *= square;
    return result;
}

static int64_t power_i(int64_t base, int64_t exponent)
{
    if (exponent < 0)
        return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
    return (int64_t)power_u((uint64_t)base, (uint64_t)exponent);
}

OC_ROW2(pow_i64, int64_t, int64_t, power_i(a, b))
OC_ROW2(pow_u64, uint64_t, uint64_t, power_u(a, b)) /* the exponent passes int64 */

/* ---- powers of floats, as a stage ---- */

/* Squares of floats are exact in double, so that the general way, rounded once, has the same bits
 * as a product of floats. */
OC_ROW1(square, float, float, (x * x))

typedef struct exponents {
    oc_elementary_pow_fn *pow;
    oc_elementary_near_fn *near;
    oc_elementary_easy_fn *easy; /* NULL: no kernel serves the exponent */
    double one;                  /* the exponent of all elements, if it is one */
} exponents;

enum { BLOCK = OC_ELEMENTARY_BLOCK };

/* Computes at most a block. If `by` is NULL, all exponents are the one of e. */
static void raise_block(float *y, const float *x, int64_t x_step, const float *by, int64_t by_step,
                        int64_t n, const exponents *e)
{
    double base[BLOCK], exponent[BLOCK], result[BLOCK];
    float to[BLOCK];
    for (int i = 0; i < BLOCK; i++) {
        base[i] = i < n ? (double)x[i * x_step] : 1;
        exponent[i] = by && i < n ? (double)by[i * by_step] : e->one;
    }
    if (!e->near(to, base, exponent)) {
        e->pow(result, base, exponent);
        for (int i = 0; i < BLOCK; i++)
            to[i] = (float)result[i];
    }
    memcpy(y, to, (size_t)n * sizeof *y);
}

/* Computes powers with an easy exponent. */
static void raise_block_easily(float *y, const float *x, int64_t n, const exponents *e)
{
    float padded[BLOCK], to[BLOCK];
    const float *from = x;
    if (n < BLOCK) {
        for (int i = 0; i < BLOCK; i++)
            padded[i] = i < n ? x[i] : 1;
        from = padded;
    }
    if (e->easy(to, from, e->one))
        memcpy(y, to, (size_t)n * sizeof *y);
    else
        raise_block(y, x, 1, NULL, 0, n, e);
}

OC_ROW(raise_to_one)
{
    const exponents *e = ctx;
    const float *x = x_[0];
    float *y = y_;
    (void)step;
    for (int64_t i = 0; i < n; i += BLOCK)
        if (e->easy)
            raise_block_easily(y + i, x + i, oc_min(n - i, BLOCK), e);
        else
            raise_block(y + i, x + i, 1, NULL, 0, oc_min(n - i, BLOCK), e);
}

OC_ROW(raise_to_each)
{
    const float *x = x_[0], *by = x_[1];
    for (int64_t i = 0; i < n; i += BLOCK)
        raise_block((float *)y_ + i, x + i * step[0], step[0], by + i * step[1], step[1],
                    oc_min(n - i, BLOCK), ctx);
}

static bool has_stage(const oc_call *c)
{
    const oc_value *base = oc_in(c, 0), *exponent = oc_in(c, 1);
    return base->type == OC_F32 && (exponent->type == OC_F32 || oc_value_n(exponent) == 1);
}

/* In a run, which knows the exponent: is it a square of float16? */
static bool is_half_square(const oc_call *c)
{
    const oc_value *base = oc_in(c, 0), *exponent = oc_in(c, 1);
    return base->type == OC_F16 && oc_value_n(exponent) == 1 && !exponent->nchw16c &&
           oc_dims_equal(&base->dims, &oc_out(c, 0)->dims) &&
           oc_element_f64(exponent->type, exponent->data, 0) == 2;
}

static oc_status pow_stage(oc_call *c, oc_stage *s)
{
    const oc_value *exponent = oc_in(c, 1);
    if (!has_stage(c) && !is_half_square(c))
        return OC_OK;
    const bool one = oc_value_n(exponent) == 1;
    exponents *e = oc_stage_room(s, sizeof *e);
    const oc_elementary *functions = oc_elementary_pick(oc_call_cpu(c));
    *e = (exponents){.pow = functions->pow, .near = functions->near_pow};
    s->type = OC_F32;
    s->x[0] = oc_in(c, 0);
    s->x[1] = exponent;
    s->n_x = one ? 1 : 2;
    if (one)
        e->one = oc_element_f64(exponent->type, exponent->data, 0);
    if (one && oc_power_is_easy(e->one))
        e->easy = functions->easy_pow;
    s->row = !one ? raise_to_each : e->one == 2 ? square : raise_to_one;
    return OC_OK;
}

static void pow_layouts(oc_call *c, oc_layouts *l)
{
    if (has_stage(c))
        oc_elementwise_layouts(c, l);
}

/* ---- all others ---- */

/* The exponent may have other dims than input 1: see oc_legacy_b. */
static oc_status power(oc_call *c, const oc_dims *exponent_dims)
{
    const oc_type_mask integers = OC_SET_SIGNED | OC_SET_UNSIGNED;
    const oc_value *base = oc_in(c, 0), *exponent = oc_in(c, 1);
    oc_value *z = oc_out(c, 0);
    const bool whole = oc_type_in(base->type, integers) && oc_type_in(exponent->type, integers);
    const oc_type type = whole ? OC_I64 : OC_F64;
    const void *a_data, *b_data;
    void *result;
    OC_TRY(oc_in_as(c, 0, type, &a_data));
    OC_TRY(oc_in_as(c, 1, type, &b_data));
    OC_TRY(oc_out_as(c, 0, type, oc_value_n(z), &result));
    const oc_value a = oc_value_borrow(type, base->dims, a_data);
    const oc_value b = oc_value_borrow(type, *exponent_dims, b_data);
    const oc_value *x[] = {&a, &b};
    oc_value wide = oc_value_borrow(type, z->dims, result);
    oc_elementary_pow_fn *const fn = oc_elementary_pick(oc_call_cpu(c))->pow;
    oc_row_fn *row = !whole ? oc_elementary_row_pow : exponent->type == OC_U64 ? pow_u64 : pow_i64;
    oc_call_map(c, &wide, x, 2, row, &fn);
    oc_out_from(c, 0, type, result);
    return OC_OK;
}

OC_CALL_FN(pow_shape, oc_broadcast_shape(c, oc_in(c, 0)->type))
OC_CALL_FN(pow_run,
           has_stage(c) || is_half_square(c) ? oc_run_stage(c) : power(c, &oc_in(c, 1)->dims))

static oc_status pow_legacy(oc_call *c)
{
    oc_value exponent;
    OC_TRY(oc_legacy_b(c, &exponent));
    return power(c, &exponent.dims);
}

/* clang-format off */
#define POW pow_shape, pow_run, OC_TRAITS(.stage = pow_stage, .layouts = pow_layouts)
#define SIG(base, exponent) "Pow (T X*, T1 Y) => (T Z) | T: " base " int32 int64; T1: " exponent
const oc_op oc_ops_pow[] = {
    {15, SIG("float_ir4", "numeric_ir4"), POW},
    {13, SIG("float_ir4", "numeric"),     POW},
    {12, SIG("ieee", "numeric"),          POW},
    { 7, "Pow (T X*, T Y) => (T Z) | T: ieee; " OC_LEGACY_CHANGE,   POW},
    { 1, "Pow <" OC_LEGACY_ATTRS "> (T X, T Y) => (T Z) | T: ieee", oc_legacy_shape, pow_legacy},
    {0}
};
