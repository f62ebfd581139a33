/* SPDX-License-Identifier: Apache-2.0
 * center_crop_pad.c - CenterCropPad: the middle of a tensor, or zeros around it.
 *
 * If the difference is odd, the smaller half of it is cut off or added on the left. Strings are
 * padded with empty ones. */
#include "ops/kit/op.h"

/* *y becomes the dims of the result: those of input 0, with the wanted ones on the axes. */
static oc_status read_target(oc_call *c, oc_dims *y)
{
    const int rank = oc_in(c, 0)->dims.rank;
    const oc_ints axes = oc_attr_ints(c, "axes");
    const bool has_axes = oc_attr_has(c, "axes");
    bool seen[OC_MAX_RANK];
    oc_dims target;
    *y = oc_in(c, 0)->dims;
    OC_TRY(oc_in_dims(c, 1, &target));
    OC_TRY(oc_axes(c, "attribute 'axes'", axes, rank, seen));
    const int n = has_axes ? axes.n : rank;
    if (target.rank != n)
        return oc_fail(c, OC_SHAPE, "input 1 has %d elements, expected %d, one for each axis",
                       target.rank, n);
    for (int i = 0; i < n; i++) {
        int axis = i;
        if (has_axes)
            oc_dims_axis(axes.v[i], rank, &axis);
        y->n[axis] = target.n[i];
    }
    return OC_OK;
}

static oc_status center_shape(oc_call *c)
{
    oc_dims y;
    OC_TRY(read_target(c, &y));
    return oc_set_out(c, 0, oc_in(c, 0)->type, &y);
}

static void fill_padding(oc_call *c, const oc_value *y)
{
    static const oc_string empty = {"", 0};
    static const uint64_t zeros[2] = {0, 0};
    const void *one = y->type == OC_STRING ? (const void *)&empty : zeros;
    oc_call_fill(c, y->data, oc_value_n(y), one, oc_type_size(y->type));
}

static oc_status center_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    const size_t elem = oc_type_size(x->type);
    int64_t dst[OC_MAX_RANK], src[OC_MAX_RANK], to = 0, from = 0;
    oc_dims box = x->dims;
    oc_dims_strides(&y->dims, dst);
    oc_dims_strides(&x->dims, src);
    bool padded = false;
    for (int a = 0; a < box.rank; a++) {
        const int64_t more = y->dims.n[a] - x->dims.n[a];
        if (more > 0) {
            to += more / 2 * dst[a];
            padded = true;
        } else {
            from += -more / 2 * src[a];
            box.n[a] = y->dims.n[a];
        }
    }
    if (padded)
        fill_padding(c, y);
    if (oc_dims_count(&box))
        oc_call_move(c, (char *)y->data + elem * (size_t)to, dst,
                     (const char *)x->data + elem * (size_t)from, src, &box, elem);
    return OC_OK;
}

const oc_op oc_ops_center_crop_pad[] = {
    {18,
     "CenterCropPad <ints axes?> (T input_data, Tind shape!) => (T output_data)"
     " | T: all_ir4; Tind: index",
     center_shape, center_run},
    {0},
};
