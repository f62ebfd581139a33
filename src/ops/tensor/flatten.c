/* SPDX-License-Identifier: Apache-2.0
 * flatten.c - Flatten: a matrix; its rows are the axes before one axis, its columns the axes from
 * it on. */
#include "ops/kit/op.h"

static oc_status flatten_from(oc_call *c, bool negative)
{
    const oc_value *x = oc_in(c, 0);
    const int rank = x->dims.rank;
    int64_t axis = oc_attr_int(c, "axis");
    if (axis < (negative ? -rank : 0) || axis > rank)
        return oc_fail(c, OC_VALUE, "attribute 'axis' is %" PRId64 ", expected a value in [%d, %d]",
                       axis, negative ? -rank : 0, rank);
    axis += axis < 0 ? rank : 0;
    const oc_dims y = {
        2, {oc_dims_product(&x->dims, 0, (int)axis), oc_dims_product(&x->dims, (int)axis, rank)}};
    return oc_set_out(c, 0, x->type, &y);
}

OC_CALL_FN(flatten_shape, flatten_from(c, true))
OC_CALL_FN(flatten_shape_1, flatten_from(c, false))

/* clang-format off */
#define SIG(set) "Flatten <int axis = 1> (T input) => (T output) | T: " set
#define FLATTEN flatten_shape, oc_alias, OC_TRAITS(.moves = oc_moves_first)
const oc_op oc_ops_flatten[] = {
    {25, SIG("all_ir13"), FLATTEN},
    {24, SIG("all_ir12"), FLATTEN},
    {23, SIG("all_ir11"), FLATTEN},
    {21, SIG("all_ir10"), FLATTEN},
    {13, SIG("all_ir4"),  FLATTEN},
    {11, SIG("all; change nothing"), FLATTEN}, /* negative axis */
    { 9, SIG("all"),      flatten_shape_1, oc_alias},
    { 1, SIG("ieee"),     flatten_shape_1, oc_alias},
    {0}
};
