/* SPDX-License-Identifier: Apache-2.0
 * compare.c - Equal, Greater, Less and the like: two operands of one type, a bool result. */
#include "ops/kit/elementwise.h"
#include "ops/kit/strings.h"

/* Greater and GreaterOrEqual are these with their operands exchanged. */
#define ORDERS(X)                                                                                  \
    X(Less, a < b)                                                                                 \
    X(LessOrEqual, a <= b)

OC_ROW2(Equal_bool, uint8_t, uint8_t, !a == !b)

/* ctx: the oc_work of strings, as one string may have many bytes. */
static void Equal_string(void *y_, const void *const x[], const int64_t step[], int64_t n,
                         const void *ctx)
{
    const oc_string *a = x[0], *b = x[1];
    uint8_t *y = y_;
    for (int64_t i = 0; i < n; i++)
        y[i] = oc_same_string(ctx, a[i * step[0]], b[i * step[1]]);
}

OC_FLOAT_ROWS2(Equal, OC_TO_BOOL, a == b)
OC_BITS_ROWS(OC_ROW2, Equal, OC_TO_BOOL, a == b)
static const oc_rows Equal_rows = {
    OC_FLOAT_ENTRIES(Equal),
    OC_BITS_ENTRIES(Equal), [OC_BOOL] = Equal_bool, [OC_STRING] = Equal_string};

#define X(op, expr)                                                                                \
    OC_FLOAT_ROWS2(op, OC_TO_BOOL, expr)                                                           \
    OC_ROW2(op##_i64, int64_t, uint8_t, expr)                                                      \
    OC_ROW2(op##_u64, uint64_t, uint8_t, expr)
ORDERS(X)
#undef X

static oc_status Equal_stage(oc_call *c, oc_stage *s)
{
    const oc_value *x[] = {oc_in(c, 0), oc_in(c, 1)};
    const oc_work w = oc_call_work(c, 0);
    return oc_stage_rows(c, s, Equal_rows, x, 2, &w, x[0]->type == OC_STRING ? sizeof w : 0);
}

#define STAGE(op, reverse)                                                                         \
    static oc_status op##_stage(oc_call *c, oc_stage *s)                                           \
    {                                                                                              \
        oc_integers_fn *const *row = oc_integers_pick(oc_call_cpu(c))->before;                     \
        const oc_rows rows = {OC_FLOAT_ENTRIES(op),                                                \
                              OC_SHORT_ENTRIES(row), [OC_I64] = op##_i64, [OC_U64] = op##_u64};    \
        return oc_stage_order(c, s, rows, reverse);                                                \
    }
STAGE(Less, false)
STAGE(LessOrEqual, true)

static oc_status Less_legacy(oc_call *c, oc_stage *s)
{
    static const oc_rows rows = {OC_FLOAT_ENTRIES(Less)};
    return oc_stage_binary_legacy(c, s, rows);
}
OC_BINARY_LEGACY(Equal)

/* Turns the stage for a op b into one for b op a. */
static void exchange(oc_stage *s)
{
    const oc_value *a = s->x[0];
    s->x[0] = s->x[1];
    s->x[1] = a;
}

#define EXCHANGED(op, by)                                                                          \
    static oc_status op(oc_call *c, oc_stage *s)                                                   \
    {                                                                                              \
        OC_TRY(by(c, s));                                                                          \
        exchange(s);                                                                               \
        return OC_OK;                                                                              \
    }
EXCHANGED(Greater_stage, Less_stage)
EXCHANGED(GreaterOrEqual_stage, LessOrEqual_stage)
EXCHANGED(Greater_legacy, Less_legacy)

OC_CALL_FN(compare_shape, oc_broadcast_shape(c, OC_BOOL))

static oc_status legacy_shape(oc_call *c)
{
    oc_value b;
    OC_TRY(oc_legacy_b(c, &b));
    return oc_set_out(c, 0, OC_BOOL, &oc_in(c, 0)->dims);
}

/* clang-format off */
#define ROW(since, op, set)                                                                        \
    {since, #op " (T A, T B) => (bool C) | T: " set, compare_shape, OC_STAGE(op##_stage)}
#define LEGACY(op, set)                                                                            \
    {1, #op " <" OC_LEGACY_ATTRS "> (T A, T B) => (bool C) | T: " set, legacy_shape,       \
     OC_STAGE(op##_legacy)}
const oc_op oc_ops_compare[] = {
    ROW(19, Equal, "real_ir4"),
    ROW(13, Equal, "numeric_ir4 bool"),
    ROW(11, Equal, "numeric bool"),
    ROW( 7, Equal, "index bool; " OC_LEGACY_CHANGE),
    LEGACY( Equal, "index bool"),
    ROW(13, Greater, "numeric_ir4"),
    ROW( 9, Greater, "numeric"),
    ROW( 7, Greater, "ieee; " OC_LEGACY_CHANGE),
    LEGACY( Greater, "ieee"),
    ROW(16, GreaterOrEqual, "numeric_ir4"),
    ROW(12, GreaterOrEqual, "numeric"),
    ROW(13, Less, "numeric_ir4"),
    ROW( 9, Less, "numeric"),
    ROW( 7, Less, "ieee; " OC_LEGACY_CHANGE),
    LEGACY( Less, "ieee"),
    ROW(16, LessOrEqual, "numeric_ir4"),
    ROW(12, LessOrEqual, "numeric"),
    {0}
};
