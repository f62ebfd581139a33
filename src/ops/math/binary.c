/* SPDX-License-Identifier: Apache-2.0
 * binary.c - Add, Sub, Mul, Div and Mod: two operands of one type, with broadcasting.
 *
 * Integers wrap (two's complement). Integer division truncates toward zero. An integer divided by 0
 * gives 0, and the least integer divided by -1 gives itself: no input can trap. The result of Mod
 * has the sign of the divisor, or with fmod = 1 that of the dividend; modulo zero is 0 for
 * integers, NaN for floats. */
#include "ops/kit/elementwise.h"

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
#define WRAPPING(X)                                                                                \
    X(Add, a + b, (uint64_t)a + b)                                                                 \
    X(Sub, a - b, (uint64_t)a - b)                                                                 \
    X(Mul, a * b, (uint64_t)a * b)
/* clang-format on */

#define X(op, f64, bits)                                                                           \
    OC_ROW2(op##_f64, double, double, f64)                                                         \
    OC_BITS_ROWS(OC_ROW2, op, OC_SAME, bits)
WRAPPING(X)
#undef X
OC_ROW2(Div_f64, double, double, a / b)

OC_SMALL_LOOPS
OC_INTEGER_ROWS2(OC_SHORT_ROW2, Div, OC_SAME, div_i(a, b), div_u(a, b))
OC_INTEGER_ROWS2(OC_SHORT_ROW2, Mod, OC_SAME, mod_i(a, b), mod_u(a, b))
OC_INTEGER_ROWS2(OC_SHORT_ROW2, Fmod, OC_SAME, fmod_i(a, b), mod_u(a, b))
OC_SHORT_ROW2(Fmod_f32, float, float, fmod((double)a, (double)b))
OC_SHORT_ROW2(Fmod_f64, double, double, fmod(a, b))
OC_SMALL_LOOPS_END

static const oc_rows Fmod_rows = {OC_FLOAT_ENTRIES(Fmod), OC_INTEGER_ENTRIES(Fmod)};
static const oc_rows Mod_rows = {OC_INTEGER_ENTRIES(Mod)};

/* Defines op_stage and op_legacy by a function of kernels/elementwise/plain.h, for float, and rows
 * above for double and integers. */
#define STAGES(op, function, integers)                                                             \
    STAGE(op##_stage, oc_stage_binary, op, function, integers)                                     \
    STAGE(op##_legacy, oc_stage_binary_legacy, op, function, integers)
#define STAGE(name, by, op, function, integers)                                                    \
    static oc_status name(oc_call *c, oc_stage *s)                                                 \
    {                                                                                              \
        const oc_rows rows = {OC_PLAIN_ENTRIES(c, function, op), integers(op)};                    \
        s->kind = OC_STAGE_##op;                                                                   \
        return by(c, s, rows);                                                                     \
    }
STAGES(Add, add, OC_BITS_ENTRIES)
STAGES(Div, div, OC_INTEGER_ENTRIES)
STAGES(Mul, mul, OC_BITS_ENTRIES)
STAGES(Sub, sub, OC_BITS_ENTRIES)

OC_CALL_FN(binary_shape, oc_broadcast_shape(c, oc_in(c, 0)->type))

static oc_status mod_shape(oc_call *c)
{
    const oc_type type = oc_in(c, 0)->type;
    if (!oc_attr_int(c, "fmod") && oc_type_in(type, OC_SET_FLOAT))
        return oc_fail(c, OC_VALUE, "attribute 'fmod' is 0, expected 1 for %s", oc_type_name(type));
    return binary_shape(c);
}

static oc_status mod_stage(oc_call *c, oc_stage *s)
{
    return oc_stage_binary(c, s, oc_attr_int(c, "fmod") ? Fmod_rows : Mod_rows);
}

#define ON_CODES(op)                                                                               \
    static const oc_on_codes op##_codes = {"com.microsoft", "QLinear" #op, "0x0s0z1x1s1zysyz",     \
                                           .exact = true};
ON_CODES(Add)
ON_CODES(Mul)

/* clang-format off */
#define SIG(op, attrs, set) #op attrs " (T A*, T B*) => (T C) | T: " set
#define BINARY(op, codes)                                                                          \
    binary_shape, oc_run_stage, OC_TRAITS(.stage = op##_stage, .on_codes = codes)
#define ROWS(op, codes)                                                                            \
    {14, SIG(op, "", "numeric_ir4"),                       BINARY(op, codes)},                     \
    {13, SIG(op, "", "high_precision_ir4"),                BINARY(op, codes)},                     \
    { 7, SIG(op, "", "high_precision; " OC_LEGACY_CHANGE), BINARY(op, codes)},                     \
    { 6, SIG(op, " <" OC_LEGACY_ATTRS ">", "high_precision"), oc_legacy_shape, OC_STAGE(op##_legacy)},   \
    { 1, SIG(op, " <" OC_LEGACY_ATTRS ", ints consumed_inputs?>", "ieee"), oc_legacy_shape,        \
         OC_STAGE(op##_legacy)}
const oc_op oc_ops_binary[] = {
    ROWS(Add, &Add_codes),
    ROWS(Div, NULL),
    {13, SIG(Mod, " <int fmod = 0>", "numeric_ir4"), mod_shape, OC_STAGE(mod_stage)},
    {10, SIG(Mod, " <int fmod = 0>", "numeric"),     mod_shape, OC_STAGE(mod_stage)},
    ROWS(Mul, &Mul_codes),
    ROWS(Sub, NULL),
    {0}
};
