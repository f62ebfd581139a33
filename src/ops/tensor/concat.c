/* SPDX-License-Identifier: Apache-2.0
 * concat.c - Concat: joins tensors along one axis. Data movement only: no per-type code. */
#include "ops/kit/op.h"

static oc_status concat_shape(oc_call *c)
{
    const oc_value *first = oc_in(c, 0);
    oc_dims y = first->dims;
    int axis;
    OC_TRY(oc_attr_axis(c, "axis", y.rank, &axis));

    for (int i = 1; i < oc_n_in(c); i++) {
        const oc_dims *x = &oc_in(c, i)->dims;
        char want[OC_DIMS_TEXT];
        if (!oc_dims_same_but(&first->dims, x, axis))
            return oc_fail_dims(c, i, "expected %s outside axis %d",
                                oc_dims_text(&first->dims, want), axis);
        if (!oc_i64_add(y.n[axis], x->n[axis], &y.n[axis]))
            return oc_fail(c, OC_SHAPE, "axis %d of the result is too large", axis);
    }
    return oc_set_out(c, 0, first->type, y);
}

static oc_status concat_run(oc_call *c)
{
    const oc_value *y = oc_out(c, 0);
    int axis;
    OC_TRY(oc_attr_axis(c, "axis", y->dims.rank, &axis));

    const size_t elem = oc_type_size(y->type);
    const int64_t rows = oc_dims_product(&y->dims, 0, axis);
    const size_t step = elem * (size_t)oc_dims_product(&y->dims, axis, y->dims.rank);
    char *dst = y->data;
    for (int i = 0; i < oc_n_in(c); i++) {
        const oc_value *x = oc_in(c, i);
        const size_t part = elem * (size_t)oc_dims_product(&x->dims, axis, x->dims.rank);
        oc_copy_rows(dst, step, x->data, part, part, rows);
        dst += part;
    }
    return OC_OK;
}

/* clang-format off */
#define SIG(axis, set) "Concat <int axis" axis "> (T inputs...) => (T concat_result) | T: " set
const oc_op oc_ops_concat[] = {
    {13, SIG("",     "all_ir4"),              concat_shape, concat_run}, /* + bfloat16 */
    {11, SIG("",     "all"),                  concat_shape, concat_run}, /* negative axis */
    { 4, SIG("",     "all"),                  concat_shape, concat_run}, /* axis is required */
    { 1, SIG(" = 1", "float16 float double"), concat_shape, concat_run},
    {0}
};
/* clang-format on */
