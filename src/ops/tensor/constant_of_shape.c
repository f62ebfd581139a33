/* SPDX-License-Identifier: Apache-2.0
 * constant_of_shape.c - ConstantOfShape: a tensor of one repeated value. */
#include "ops/kit/op.h"

static const float zero = 0;

static oc_status repeated(oc_call *c, oc_value *one)
{
    const oc_attr *a = oc_attr_get(c, "value");
    char text[OC_VALUE_TEXT];
    *one = a ? a->u.t->value : oc_value_borrow(OC_F32, oc_dims_1d(1), &zero);
    if (oc_value_n(one) != 1)
        return oc_fail(c, OC_SHAPE, "attribute 'value' is %s, expected one element",
                       oc_value_text(one, text));
    return OC_OK;
}

static oc_status constant_of_shape_shape(oc_call *c)
{
    oc_dims y;
    oc_value one;
    OC_TRY(oc_in_dims(c, 0, &y));
    OC_TRY(repeated(c, &one));
    return oc_set_out(c, 0, one.type, &y);
}

static oc_status constant_of_shape_run(oc_call *c)
{
    const oc_value *y = oc_out(c, 0);
    oc_value one;
    OC_TRY(repeated(c, &one));
    oc_call_fill(c, y->data, oc_value_n(y), one.data, oc_type_size(one.type));
    return OC_OK;
}

/* clang-format off */
#define SIG(set) "ConstantOfShape <tensor value:T2?> (int64 input!) => (T2 output) | T2: bool " set " = float"
#define ROW(since, set) {since, SIG(set), constant_of_shape_shape, constant_of_shape_run}
const oc_op oc_ops_constant_of_shape[] = {
    ROW(25, "numeric_ir4 float8 uint4 int4 float4e2m1 float8e8m0 uint2 int2"),
    ROW(24, "numeric_ir4 float8 uint4 int4 float4e2m1 float8e8m0"),
    ROW(23, "numeric_ir4 float8 uint4 int4 float4e2m1"),
    ROW(21, "numeric_ir4 float8 uint4 int4"),
    ROW(20, "numeric_ir4 float8"),
    ROW( 9, "numeric"),
    {0}
};
