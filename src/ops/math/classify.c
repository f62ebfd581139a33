/* SPDX-License-Identifier: Apache-2.0
 * classify.c - IsInf and IsNaN: which elements are infinities, or NaN? */
#include "ops/kit/elementwise.h"

#define ROWS(name, expr)                                                                           \
    OC_ROW1(name##_f32, float, uint8_t, expr)                                                      \
    OC_ROW1(name##_f64, double, uint8_t, expr)                                                     \
    static const oc_rows name##_rows = {OC_FLOAT_ENTRIES(name)};
ROWS(no_inf, 0 * x > 0)
ROWS(positive_inf, x > 0 && isinf(x))
ROWS(negative_inf, x < 0 && isinf(x))
ROWS(any_inf, isinf(x) != 0)
ROWS(nan, x != x)

/* A float8 has 256 codes; the context is the list of their results. */
enum { CODES = 256 };
OC_ROW1(code, uint8_t, uint8_t, ((const uint8_t *)ctx)[x])

static oc_status stage(oc_call *c, oc_stage *s, const oc_rows rows)
{
    const oc_type type = oc_in(c, 0)->type;
    static const oc_rows code_rows = {
        [OC_F8E4M3FN] = code, [OC_F8E4M3FNUZ] = code, [OC_F8E5M2] = code, [OC_F8E5M2FNUZ] = code};
    if (!oc_type_in(type, OC_SET_F8))
        return oc_stage_unary(c, s, rows, NULL, 0);
    float x[CODES];
    uint8_t *y = oc_stage_room(s, CODES);
    for (int i = 0; i < CODES; i++)
        x[i] = oc_f8_to_f32(type, (uint8_t)i);
    rows[OC_F32](y, (const void *[]){x}, (int64_t[]){1}, CODES, NULL);
    return oc_stage_unary(c, s, code_rows, y, 0);
}

static oc_status is_inf_stage(oc_call *c, oc_stage *s)
{
    const bool negative = oc_attr_int(c, "detect_negative") != 0;
    const bool positive = oc_attr_int(c, "detect_positive") != 0;
    return stage(c, s,
                 negative && positive ? any_inf_rows
                 : negative           ? negative_inf_rows
                 : positive           ? positive_inf_rows
                                      : no_inf_rows);
}

static oc_status is_nan_stage(oc_call *c, oc_stage *s)
{
    return stage(c, s, nan_rows);
}

OC_CALL_FN(bool_shape, oc_set_out(c, 0, OC_BOOL, &oc_in(c, 0)->dims))

/* clang-format off */
#define INF(set)                                                                                   \
    "IsInf <int detect_negative = 1, int detect_positive = 1> (T1 X) => (bool Y) | T1: " set,      \
    bool_shape, OC_STAGE(is_inf_stage)
#define NOT_A_NUMBER(set) "IsNaN (T1 X) => (bool Y) | T1: " set, bool_shape, OC_STAGE(is_nan_stage)
const oc_op oc_ops_classify[] = {
    {20, INF("float_ir4 float8")},
    {10, INF("float double")},
    {20, NOT_A_NUMBER("float_ir4 float8")},
    {13, NOT_A_NUMBER("float_ir4")},
    { 9, NOT_A_NUMBER("ieee")},
    {0}
};
