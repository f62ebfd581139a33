/* SPDX-License-Identifier: Apache-2.0
 * gather.c - Gather: slabs of a tensor, picked by index along one axis. */
#include "ops/kit/op.h"

static oc_status gather_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *index = oc_in(c, 1);
    int axis;
    OC_TRY(oc_attr_axis(c, "axis", x->dims.rank, &axis));
    oc_dims y = {.rank = x->dims.rank - 1 + index->dims.rank};
    if (y.rank > OC_MAX_RANK)
        return oc_fail(c, OC_LIMIT, "the output has rank %d, the most is %d", y.rank, OC_MAX_RANK);
    int at = 0;
    for (int a = 0; a < axis; a++)
        y.n[at++] = x->dims.n[a];
    for (int a = 0; a < index->dims.rank; a++)
        y.n[at++] = index->dims.n[a];
    for (int a = axis + 1; a < x->dims.rank; a++)
        y.n[at++] = x->dims.n[a];
    return oc_set_out(c, 0, x->type, y);
}

/* Slab k of each block of the output is slab index[k] of the same block of the input. */
static oc_status gather_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    const int64_t *index, n = oc_value_n(oc_in(c, 1));
    int axis;
    OC_TRY(oc_attr_axis(c, "axis", x->dims.rank, &axis));
    OC_TRY(oc_in_indices(c, 1, x->dims.n[axis], &index));

    const int64_t blocks = oc_dims_product(&x->dims, 0, axis);
    const int64_t slab = oc_dims_product(&x->dims, axis + 1, x->dims.rank);
    const size_t size = oc_type_size(x->type) * (size_t)slab;
    const size_t src_step = size * (size_t)x->dims.n[axis], dst_step = size * (size_t)n;
    for (int64_t k = 0; k < n; k++)
        oc_copy_rows((char *)y->data + size * (size_t)k, dst_step,
                     (const char *)x->data + size * (size_t)index[k], src_step, size, blocks);
    return OC_OK;
}

/* clang-format off */
#define SIG(set) "Gather <int axis = 0> (T data, TIND indices) => (T output) | T: " set "; TIND: index"
const oc_op oc_ops_gather[] = {
    {13, SIG("all_ir4"), gather_shape, gather_run},
    {11, SIG("all"),     gather_shape, gather_run}, /* negative indices */
    { 1, SIG("all"),     gather_shape, gather_run},
    {0}
};
/* clang-format on */
