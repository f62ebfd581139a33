/* SPDX-License-Identifier: Apache-2.0
 * binary.c - Add, Sub, Mul, Div and Mod: two operands of one type, with broadcasting.
 *
 * Integers wrap (two's complement). Integer division truncates toward zero. An integer divided by 0
 * gives 0, and the least integer divided by -1 gives itself: no input can trap. The result of Mod
 * has the sign of the divisor, or with fmod = 1 that of the dividend; modulo zero is 0 for
 * integers, NaN for floats. */
#include "ops/kit/elementwise.h"

#include <math.h>

static int64_t div_i(int64_t a, int64_t b)
{
    return b == 0 ? 0 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static uint64_t div_u(uint64_t a, uint64_t b)
{
    return b == 0 ? 0 : a / b;
}

static int64_t fmod_i(int64_t a, int64_t b)
{
    return b == 0 || b == -1 ? 0 : a % b;
}

static int64_t mod_i(int64_t a, int64_t b)
{
    const int64_t r = fmod_i(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static uint64_t mod_u(uint64_t a, uint64_t b)
{
    return b == 0 ? 0 : a % b;
}

/* clang-format off */

/*    name  floats    signed integers                unsigned integers */
#define WRAPPING(X)                                                                                \
    X(Add,  a + b,    (uint64_t)a + (uint64_t)b,     (uint64_t)a + b)                              \
    X(Sub,  a - b,    (uint64_t)a - (uint64_t)b,     (uint64_t)a - b)                              \
    X(Mul,  a * b,    (uint64_t)a * (uint64_t)b,     (uint64_t)a * b)
#define DIVIDING(X)                                                                                \
    X(Div,  a / b,    div_i(a, b),                   div_u(a, b))
/* clang-format on */

#define X(op, f, i, u) OC_FLOAT_ROWS2(op, OC_SAME, f)
WRAPPING(X)
DIVIDING(X)
#undef X

#define X(op, f, i, u) OC_INTEGER_ROWS2(OC_ROW2, op, OC_SAME, i, u)
WRAPPING(X)
#undef X

OC_SMALL_LOOPS
#define X(op, f, i, u) OC_INTEGER_ROWS2(OC_SHORT_ROW2, op, OC_SAME, i, u)
DIVIDING(X)
#undef X
OC_INTEGER_ROWS2(OC_SHORT_ROW2, Mod, OC_SAME, mod_i(a, b), mod_u(a, b))
OC_INTEGER_ROWS2(OC_SHORT_ROW2, Fmod, OC_SAME, fmod_i(a, b), mod_u(a, b))
OC_SHORT_ROW2(Fmod_f32, float, float, fmod((double)a, (double)b))
OC_SHORT_ROW2(Fmod_f64, double, double, fmod(a, b))
OC_SMALL_LOOPS_END

#define X(op, f, i, u)                                                                             \
    static const oc_rows op##_rows = {OC_FLOAT_ENTRIES(op), OC_INTEGER_ENTRIES(op)};
WRAPPING(X)
DIVIDING(X)
X(Fmod, , , )
#undef X
static const oc_rows Mod_rows = {OC_INTEGER_ENTRIES(Mod)};

OC_BINARY_RUN(Add)
OC_BINARY_LEGACY(Add)
OC_BINARY_RUN(Sub)
OC_BINARY_LEGACY(Sub)
OC_BINARY_RUN(Mul)
OC_BINARY_LEGACY(Mul)
OC_BINARY_RUN(Div)
OC_BINARY_LEGACY(Div)

static oc_status binary_shape(oc_call *c)
{
    return oc_broadcast_shape(c, oc_in(c, 0)->type);
}

static oc_status mod_shape(oc_call *c)
{
    const oc_type type = oc_in(c, 0)->type;
    if (!oc_attr_int(c, "fmod") && oc_type_in(type, OC_SET_FLOAT))
        return oc_fail(c, OC_VALUE, "attribute 'fmod' is 0, expected 1 for %s", oc_type_name(type));
    return binary_shape(c);
}

static oc_status mod_run(oc_call *c)
{
    return oc_run_binary(c, oc_attr_int(c, "fmod") ? Fmod_rows : Mod_rows);
}

/* clang-format off */
#define SIG(op, attrs, set) #op attrs " (T A^*, T B^*) => (T C) | T: " set
#define ROWS(op)                                                                                   \
    {14, SIG(op, "", "numeric_ir4"),                       binary_shape, op##_run},                \
    {13, SIG(op, "", "high_precision_ir4"),                binary_shape, op##_run},                \
    { 7, SIG(op, "", "high_precision; " OC_LEGACY_CHANGE), binary_shape, op##_run},                \
    { 6, SIG(op, " <" OC_LEGACY_ATTRS ">", "high_precision"), oc_legacy_shape, op##_legacy},       \
    { 1, SIG(op, " <" OC_LEGACY_ATTRS ", ints consumed_inputs?>", "ieee"), oc_legacy_shape, op##_legacy}
const oc_op oc_ops_binary[] = {
    ROWS(Add),
    ROWS(Div),
    {13, SIG(Mod, " <int fmod = 0>", "numeric_ir4"), mod_shape, mod_run},
    {10, SIG(Mod, " <int fmod = 0>", "numeric"),     mod_shape, mod_run},
    ROWS(Mul),
    ROWS(Sub),
    {0}
};
/* clang-format on */
