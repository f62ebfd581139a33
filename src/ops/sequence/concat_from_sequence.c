/* SPDX-License-Identifier: Apache-2.0
 * concat_from_sequence.c - ConcatFromSequence: a sequence's items joined along one axis, which may
 * be a new one. */
#include "ops/kit/op.h"

/* The dims of an item with the new axis, if one is wanted. */
static oc_dims joined_dims(const oc_dims *item, int axis, bool stack)
{
    oc_dims y = *item;
    if (!stack)
        return y;
    y.rank++;
    y.n[axis] = 1;
    for (int a = axis + 1; a < y.rank; a++)
        y.n[a] = item->n[a - 1];
    return y;
}

static oc_status find_axis(oc_call *c, const oc_dims *item, bool stack, int *axis)
{
    if (stack && item->rank == OC_MAX_RANK)
        return oc_fail(c, OC_LIMIT, "the result would have rank %d, the most is %d",
                       OC_MAX_RANK + 1, OC_MAX_RANK);
    return oc_attr_axis(c, "axis", item->rank + stack, axis);
}

static oc_status result_dims(oc_call *c, int axis, bool stack, oc_dims *y)
{
    const oc_value *x = oc_in(c, 0), *items = oc_value_items(x);
    *y = joined_dims(&items[0].dims, axis, stack);
    OC_CALL_LOOP (c, k, oc_value_n(x) - 1, 64) {
        const int64_t i = k + 1;
        const oc_dims item = joined_dims(&items[i].dims, axis, stack);
        char have[OC_DIMS_TEXT], want[OC_DIMS_TEXT];
        if (!oc_dims_same_but(y, &item, axis))
            return oc_fail(c, OC_SHAPE, "item %" PRId64 " is %s, expected %s%s", i,
                           oc_dims_text(&items[i].dims, have), oc_dims_text(&items[0].dims, want),
                           stack ? "" : " outside the axis");
        if (!oc_i64_add(y->n[axis], item.n[axis], &y->n[axis]))
            return oc_fail(c, OC_SHAPE, "axis %d of the result is too large", axis);
    }
    return OC_OK;
}

static oc_status concat_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *items = oc_value_items(x);
    const bool stack = oc_attr_int(c, "new_axis") != 0;
    oc_dims dims;
    int axis;
    if (oc_value_n(x) == 0)
        return oc_fail(c, OC_VALUE, "input 0 is an empty sequence, expected one item at least");
    OC_TRY(find_axis(c, &items[0].dims, stack, &axis));
    OC_TRY(result_dims(c, axis, stack, &dims));
    OC_TRY(oc_set_out(c, 0, items[0].type, &dims));
    OC_TRY(oc_alloc_out(c, 0));
    oc_value *y = oc_out(c, 0);
    if (!y || !oc_value_n(y))
        return OC_OK;
    const size_t elem = oc_type_size(y->type);
    const int64_t rows = oc_dims_product(&dims, 0, axis);
    const size_t step = elem * (size_t)oc_dims_product(&dims, axis, dims.rank);
    char *dst = y->data;
    OC_CALL_LOOP (c, i, oc_value_n(x), 16) {
        const size_t part = oc_value_bytes(&items[i]) / (size_t)rows;
        oc_call_copy_rows(c, dst, step, items[i].data, part, part, rows);
        dst += part;
    }
    return OC_OK;
}

static oc_status concat_outline(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    const bool stack = oc_attr_int(c, "new_axis") != 0;
    int axis;
    if (x->dims.rank < 0)
        return OC_OK;
    OC_TRY(find_axis(c, &x->dims, stack, &axis));
    oc_dims dims = joined_dims(&x->dims, axis, stack);
    dims.n[axis] = -1;
    return oc_outline(c, 0, x->type, &dims);
}

/* clang-format off */
const oc_op oc_ops_concat_from_sequence[] = {
    {11, "ConcatFromSequence <int axis, int new_axis = 0> (S input_sequence) => (T concat_result)"
         " | S: seq(all); T: all", NULL, concat_run, OC_TRAITS(.outline = concat_outline)},
    {0}
};
