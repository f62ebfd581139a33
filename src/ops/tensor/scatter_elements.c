/* SPDX-License-Identifier: Apache-2.0
 * scatter_elements.c - ScatterElements, and Scatter, its older name: one element is written for
 * each index, at the same place on all axes but one. */
#include "ops/tensor/scatter.h"

enum { CHUNK = 512 }; /* elements whose places are computed at a time */

static oc_status scatter_elements_shape(oc_call *c)
{
    const oc_dims *x = &oc_in(c, 0)->dims, *index = &oc_in(c, 1)->dims;
    char limit[OC_DIMS_TEXT];
    int axis;
    OC_TRY(oc_expect_rank(c, 0, 1, OC_MAX_RANK));
    OC_TRY(oc_attr_axis(c, "axis", x->rank, &axis));
    bool fits = index->rank == x->rank;
    for (int a = 0; fits && a < x->rank; a++)
        fits = a == axis || index->n[a] <= x->n[a];
    if (!fits)
        return oc_fail_dims(c, 1, "expected at most %s outside axis %d", oc_dims_text(x, limit),
                            axis);
    OC_TRY(oc_expect_dims(c, 2, index, " as input 1"));
    OC_TRY(oc_scatter_check(c));
    return oc_same_shape(c);
}

/* Writes the n elements at u along the last axis. Their places are start + k * step + index[k] *
 * axis_step. */
static void put_row(const oc_scatter *s, const oc_work *w, const char *u, const int64_t *index,
                    int64_t start, int64_t step, int64_t axis_step, int64_t n)
{
    const size_t elem = oc_type_size(s->type);
    int64_t at[CHUNK];
    OC_PIECES (w, p, n, CHUNK)
        for (int64_t done = p.first; done < p.end; done += CHUNK) {
            const int64_t part = oc_min(p.end - done, CHUNK);
            for (int64_t k = 0; k < part; k++)
                at[k] = start + (done + k) * step + index[done + k] * axis_step;
            s->put(s->y, u + elem * (size_t)done, &(oc_scatter_part){at, part, 1, 0, 1}, elem);
        }
}

static void put_all(oc_call *c, const oc_scatter *s, const int64_t *index, int axis)
{
    const oc_dims *x = &oc_in(c, 0)->dims, *box = &oc_in(c, 1)->dims;
    const int last = box->rank - 1;
    const size_t elem = oc_type_size(s->type);
    const int64_t n = box->n[last], rows = oc_dims_product(box, 0, last);
    int64_t step[OC_MAX_RANK], at[OC_MAX_RANK] = {0};
    const char *u = s->updates;
    const oc_work w = oc_call_work(c, 0);
    oc_dims_strides(x, step);
    OC_CALL_LOOP (c, row, rows, 16) {
        int64_t start = 0;
        for (int a = 0; a < last; a++)
            start += a == axis ? 0 : at[a] * step[a];
        put_row(s, &w, u, index, start, axis == last ? 0 : 1, step[axis], n);
        for (int a = last - 1; a >= 0 && ++at[a] == box->n[a]; a--)
            at[a] = 0;
        u += elem * (size_t)n;
        index += n;
    }
}

static oc_status scatter_elements_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    const int64_t *index;
    oc_scatter s;
    int axis;
    OC_TRY(oc_attr_axis(c, "axis", x->dims.rank, &axis));
    OC_TRY(oc_in_indices(c, 1, x->dims.n[axis], &index));
    OC_TRY(oc_scatter_begin(c, &s));
    if (oc_value_n(oc_in(c, 1)))
        put_all(c, &s, index, axis);
    oc_scatter_end(c, &s);
    return OC_OK;
}

/* clang-format off */
#define ROW(since, op, attrs, set) {since, op " <int axis = 0" attrs                               \
    "> (T data, Tind indices, T updates) => (T output) | T: " set "; Tind: index",                 \
    scatter_elements_shape, scatter_elements_run}
#define REDUCTION ", string reduction+ = \"none\""
const oc_op oc_ops_scatter_elements[] = {
    ROW(18, "ScatterElements", REDUCTION, "all_ir4"), /* + max, min */
    ROW(16, "ScatterElements", REDUCTION, "all_ir4"),
    ROW(13, "ScatterElements", "",        "all_ir4"),
    ROW(11, "ScatterElements", "",        "all"),
    ROW( 9, "Scatter",         "",        "all"),
    {0}
};
