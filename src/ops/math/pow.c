/* SPDX-License-Identifier: Apache-2.0
 * pow.c - Pow: a base of one type, an exponent of another, a result of the base's type.
 *
 * An integer with an integer exponent is multiplied out and wraps. The result of a negative
 * exponent is truncated toward zero, so it is 0 for all bases but 1 and -1. Everything else is
 * computed in double and converted once. */
#include "ops/kit/elementwise.h"

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
OC_ROW2(pow_u64, uint64_t, uint64_t, power_u(a, b)) /* an exponent beyond int64 */

OC_ROW1(square, float, float, (x * x))

/* Are floats raised to one exponent, 2? Their squares are exact in double, so that the general way,
 * rounded once, has the same bits as a product of floats. */
static bool is_square(const oc_value *base, const oc_value *exponent)
{
    return base->type == OC_F32 && oc_value_n(exponent) == 1 &&
           oc_element_f64(exponent->type, exponent->data, 0) == 2;
}

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
    if (is_square(base, exponent)) {
        oc_call_map(c, z, &base, 1, square, NULL);
        return OC_OK;
    }
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

static oc_status pow_shape(oc_call *c)
{
    return oc_broadcast_shape(c, oc_in(c, 0)->type);
}

static oc_status pow_run(oc_call *c)
{
    return power(c, &oc_in(c, 1)->dims);
}

static oc_status pow_legacy(oc_call *c)
{
    oc_value exponent;
    OC_TRY(oc_legacy_b(c, &exponent));
    return power(c, &exponent.dims);
}

/* clang-format off */
#define SIG(base, exponent) "Pow (T X, T1 Y) => (T Z) | T: " base " int32 int64; T1: " exponent
const oc_op oc_ops_pow[] = {
    {15, SIG("float_ir4", "numeric_ir4"), pow_shape, pow_run},
    {13, SIG("float_ir4", "numeric"),     pow_shape, pow_run},
    {12, SIG("ieee", "numeric"),          pow_shape, pow_run},
    { 7, "Pow (T X, T Y) => (T Z) | T: ieee; " OC_LEGACY_CHANGE,   pow_shape, pow_run},
    { 1, "Pow <" OC_LEGACY_ATTRS "> (T X, T Y) => (T Z) | T: ieee", oc_legacy_shape, pow_legacy},
    {0}
};
/* clang-format on */
