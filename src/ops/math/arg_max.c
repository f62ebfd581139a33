/* SPDX-License-Identifier: Apache-2.0
 * arg_max.c - ArgMax and ArgMin: the index of the greatest or least element along an axis.
 *
 * A NaN is greater and less than any number, as in NumPy. */
#include "kernels/reduce/extreme.h"
#include "ops/kit/op.h"

static oc_status arg_shape(oc_call *c)
{
    const oc_dims *x = &oc_in(c, 0)->dims;
    const bool keep = oc_attr_int(c, "keepdims") != 0;
    int axis;
    OC_TRY(oc_attr_axis(c, "axis", x->rank, &axis));
    if (x->n[axis] == 0)
        return oc_fail_dims(c, 0, "expected at least one element along axis %d", axis);
    oc_dims y = {.rank = 0};
    for (int a = 0; a < x->rank; a++)
        if (a != axis || keep)
            y.n[y.rank++] = a == axis ? 1 : x->n[a];
    return oc_set_out(c, 0, OC_I64, &y);
}

static oc_status find(oc_call *c, bool least)
{
    const oc_value *x = oc_in(c, 0);
    int axis;
    OC_TRY(oc_attr_axis(c, "axis", x->dims.rank, &axis));
    const oc_extreme e = {
        .x = x->data,
        .type = x->type,
        .outer = oc_dims_product(&x->dims, 0, axis),
        .n = x->dims.n[axis],
        .inner = oc_dims_product(&x->dims, axis + 1, x->dims.rank),
        .least = least,
        .last = oc_call_since(c) >= 12 && oc_attr_int(c, "select_last_index") != 0,
        .y = oc_out(c, 0)->data,
        .work = oc_call_work(c, (double)oc_value_n(x) * OC_ELEMENT),
    };
    oc_extreme_run(&e);
    return OC_OK;
}

OC_CALL_FN(ArgMax_run, find(c, false))
OC_CALL_FN(ArgMin_run, find(c, true))

/* clang-format off */
#define ROW(since, op, attrs, set)                                                                 \
    {since, #op " <int axis = 0, int keepdims = 1" attrs "> (T data) => (int64 reduced) | T: " set,\
     arg_shape, op##_run}
#define LAST ", int select_last_index+ = 0"
#define ROWS(op)                                                                                   \
    ROW(13, op, LAST, "numeric_ir4"),                                                              \
    ROW(12, op, LAST, "numeric"),                                                                  \
    ROW(11, op, "",   "numeric"), /* negative axes */                                              \
    ROW( 1, op, "",   "numeric")
const oc_op oc_ops_arg_max[] = {
    ROWS(ArgMax),
    ROWS(ArgMin),
    {0}
};
