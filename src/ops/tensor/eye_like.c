/* SPDX-License-Identifier: Apache-2.0
 * eye_like.c - EyeLike: ones on one diagonal of a matrix of zeros. */
#include "ops/kit/op.h"

static oc_status eye_like_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    const int64_t type = oc_attr_has(c, "dtype") ? oc_attr_int(c, "dtype") : (int64_t)x->type;
    OC_TRY(oc_expect_rank(c, 0, 2, 2));
    if (!oc_type_is_listed(type))
        return oc_fail(c, OC_VALUE,
                       "attribute 'dtype' is %" PRId64 ", expected a data type's number", type);
    return oc_set_out(c, 0, (oc_type)type, &x->dims);
}

static oc_status eye_like_run(oc_call *c)
{
    const oc_value *y = oc_out(c, 0);
    const int64_t rows = y->dims.n[0], columns = y->dims.n[1], k = oc_attr_int(c, "k");
    const size_t size = oc_type_size(y->type);
    const double one = 1;
    oc_call_zero(c, y->data, oc_value_bytes(y));
    if (k <= -rows || k >= columns)
        return OC_OK;
    int64_t i = k < 0 ? -k : 0, j = oc_max(k, 0);
    for (; i < rows && j < columns; i++, j++)
        oc_convert((char *)y->data + (size_t)(i * columns + j) * size, y->type, &one, OC_F64, 1,
                   false);
    return OC_OK;
}

/* clang-format off */
#define SIG(set) "EyeLike <int dtype@T2?, int k = 0> (T1 input) => (T2 output) | T1: bool " set "; T2: bool " set " = T1"
const oc_op oc_ops_eye_like[] = {
    {22, SIG("numeric_ir4"), eye_like_shape, eye_like_run},
    { 9, SIG("numeric"),     eye_like_shape, eye_like_run},
    {0}
};
