/* SPDX-License-Identifier: Apache-2.0
 * gather_elements.c - GatherElements: one element for each index, from the same place on all axes
 * but one. */
#include "ops/kit/op.h"

static oc_status gather_elements_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *index = oc_in(c, 1);
    char limit[OC_DIMS_TEXT];
    int axis;
    OC_TRY(oc_attr_axis(c, "axis", x->dims.rank, &axis));
    bool fits = index->dims.rank == x->dims.rank;
    for (int a = 0; fits && a < x->dims.rank; a++)
        fits = a == axis || index->dims.n[a] <= x->dims.n[a];
    if (!fits)
        return oc_fail_dims(c, 1, "expected at most %s outside axis %d",
                            oc_dims_text(&x->dims, limit), axis);
    return oc_set_out(c, 0, x->type, &index->dims);
}

/* Gathers a row of n outputs along the last axis: output k is element src + k * src_step + index[k]
 * * axis_step. */
#define ROW(size)                                                                                  \
    case size:                                                                                     \
        for (int64_t k = 0; k < n; k++)                                                            \
            memcpy(dst + k * (size), src + (k * src_step + index[k] * axis_step) * (size), size);  \
        break;

static void pick_row(char *dst, const char *src, const int64_t *index, int64_t src_step,
                     int64_t axis_step, int64_t n, size_t elem)
{
    switch (elem) {
        ROW(1)
        ROW(2)
        ROW(4)
        ROW(8)
        ROW(16)
    }
}
#undef ROW

static void pick_all(oc_call *c, const int64_t *index, int axis)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    const oc_dims *box = &y->dims;
    const int last = box->rank - 1;
    const size_t elem = oc_type_size(x->type);
    const int64_t n = box->n[last], rows = oc_dims_product(box, 0, last);
    int64_t step[OC_MAX_RANK], at[OC_MAX_RANK] = {0};
    const oc_work w = oc_call_work(c, 0);
    oc_dims_strides(&x->dims, step);
    const int64_t src_step = axis == last ? 0 : 1;
    char *dst = y->data;
    OC_CALL_LOOP (c, row, rows, 16) {
        int64_t start = 0;
        for (int a = 0; a < last; a++)
            start += a == axis ? 0 : at[a] * step[a];
        OC_PIECES (&w, q, n, 1024)
            pick_row(dst + elem * (size_t)q.first,
                     (const char *)x->data + elem * (size_t)(start + q.first * src_step),
                     index + q.first, src_step, step[axis], q.end - q.first, elem);
        for (int a = last - 1; a >= 0 && ++at[a] == box->n[a]; a--)
            at[a] = 0;
        dst += elem * (size_t)n;
        index += n;
    }
}

static oc_status gather_elements_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    const int64_t *index;
    int axis;
    OC_TRY(oc_attr_axis(c, "axis", x->dims.rank, &axis));
    OC_TRY(oc_in_indices(c, 1, x->dims.n[axis], &index));
    if (oc_value_n(y))
        pick_all(c, index, axis);
    return OC_OK;
}

/* clang-format off */
#define SIG(set) \
    "GatherElements <int axis = 0> (T data, TIND indices) => (T output) | T: " set "; TIND: index"
#define GATHER gather_elements_shape, gather_elements_run, OC_TRAITS(.moves = oc_moves_first)
const oc_op oc_ops_gather_elements[] = {
    {13, SIG("all_ir4"), GATHER},
    {11, SIG("all"),     GATHER},
    {0}
};
