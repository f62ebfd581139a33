/* SPDX-License-Identifier: Apache-2.0
 * split.c - Split: a tensor cut into consecutive parts along one axis. */
#include "ops/kit/op.h"

/* Makes parts of equal size. If ragged, each is ceil(size / n) long, until the axis ends. */
static oc_status equal_parts(oc_call *c, int64_t size, int n, bool ragged, int64_t part[])
{
    if (!ragged && size % n != 0)
        return oc_fail(c, OC_SHAPE, "the axis has %" PRId64 " elements, expected a multiple of %d",
                       size, n);
    const int64_t chunk = size / n + (size % n != 0);
    for (int i = 0; i < n; i++) {
        part[i] = oc_min(size, chunk);
        size -= part[i];
    }
    return OC_OK;
}

static oc_status listed_parts(oc_call *c, oc_ints list, int64_t size, int64_t part[])
{
    int64_t rest = size;
    if (list.n != oc_n_out(c))
        return oc_fail(c, OC_SHAPE, "split has %d elements, but the node has %d outputs", list.n,
                       oc_n_out(c));
    for (int i = 0; i < list.n; i++) {
        part[i] = list.v[i];
        if (part[i] < 0 || part[i] > rest)
            return oc_fail(c, OC_VALUE,
                           "split has %" PRId64 " at [%d], expected a value in [0, %" PRId64 "]",
                           part[i], i, rest);
        rest -= part[i];
    }
    if (rest)
        return oc_fail(c, OC_SHAPE, "split covers %" PRId64 " of the axis' %" PRId64 " elements",
                       size - rest, size);
    return OC_OK;
}

/* Reads the lengths from an input of Split-1, which may have the data's own float type. */
static oc_status float_lengths(oc_call *c, const oc_value *v, oc_ints *list)
{
    const int64_t n = oc_value_n(v);
    int64_t *length = NULL;
    if (n == oc_n_out(c))
        OC_TRY(OC_SCRATCH(c, length, n));
    for (int64_t i = 0; length && i < n; i++) {
        const double x = oc_element_f64(v->type, v->data, i);
        if (!(x >= 0 && x < 9e15) || x != (double)(int64_t)x)
            return oc_fail(c, OC_VALUE, "split has %g at [%" PRId64 "], expected a whole number", x,
                           i);
        length[i] = (int64_t)x;
    }
    *list = (oc_ints){length, n > INT32_MAX ? INT32_MAX : (int)n};
    return OC_OK;
}

/* Reads the lengths that the node gives; *given tells whether it gives any. */
static oc_status read_lengths(oc_call *c, oc_ints *list, bool *given)
{
    *given = true;
    const oc_value *split = oc_in_or_null(c, 1);
    if (split && oc_call_since(c) == 1)
        return float_lengths(c, split, list);
    if (split)
        return oc_in_ints(c, 1, list);
    *given = oc_attr_has(c, "split");
    *list = oc_attr_ints(c, "split");
    return OC_OK;
}

typedef struct geometry {
    int axis;
    int64_t *part; /* the length of each output on the axis */
} geometry;

static oc_status read_geometry(oc_call *c, geometry *g)
{
    const oc_dims *x = &oc_in(c, 0)->dims;
    const int n = oc_n_out(c);
    oc_ints list;
    bool given;
    OC_TRY(oc_attr_axis(c, "axis", x->rank, &g->axis));
    OC_TRY(OC_SCRATCH(c, g->part, n));
    OC_TRY(read_lengths(c, &list, &given));
    const bool counted = oc_attr_has(c, "num_outputs");
    if (given && counted)
        return oc_fail(c, OC_MODEL, "input 1 and attribute 'num_outputs' are given, expected one");
    if (given)
        return listed_parts(c, list, x->n[g->axis], g->part);
    if (counted && oc_attr_int(c, "num_outputs") != n)
        return oc_fail(c, OC_MODEL,
                       "attribute 'num_outputs' is %" PRId64 ", but the node has %d "
                       "outputs",
                       oc_attr_int(c, "num_outputs"), n);
    return equal_parts(c, x->n[g->axis], n, oc_call_since(c) >= 18, g->part);
}

static oc_status split_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    oc_dims y = x->dims;
    geometry g;
    OC_TRY(read_geometry(c, &g));
    for (int i = 0; i < oc_n_out(c); i++) {
        y.n[g.axis] = g.part[i];
        OC_TRY(oc_set_out(c, i, x->type, &y));
    }
    return OC_OK;
}

static oc_status split_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    geometry g;
    OC_TRY(read_geometry(c, &g));
    const size_t slab =
        oc_type_size(x->type) * (size_t)oc_dims_product(&x->dims, g.axis + 1, x->dims.rank);
    const size_t step = slab * (size_t)x->dims.n[g.axis];
    const int64_t rows = oc_dims_product(&x->dims, 0, g.axis);
    size_t at = 0;
    for (int i = 0; i < oc_n_out(c); i++) {
        const size_t size = slab * (size_t)g.part[i];
        const oc_value *y = oc_out_or_null(c, i);
        if (y && size)
            oc_call_copy_rows(c, y->data, size, (const char *)x->data + at, step, size, rows);
        at += size;
    }
    return OC_OK;
}

/* clang-format off */
#define SIG(attrs, in, set) "Split <int axis = 0" attrs "> (T input" in ") => (T outputs...) | T: " set
#define SPLIT split_shape, split_run, OC_TRAITS(.moves = oc_moves_first)
const oc_op oc_ops_split[] = {
    {18, SIG(", int num_outputs?", ", int64 split!?", "all_ir4; change count num_outputs"),
         SPLIT},
    {13, SIG("", ", int64 split!?", "all_ir4; change input 1 from split"), SPLIT},
    {11, SIG(", ints split?", "", "all"),                         SPLIT}, /* negative axis */
    { 2, SIG(", ints split?", "", "all"),                         SPLIT},
    { 1, SIG(", ints split?", ", T split!?", "ieee"),             SPLIT},
    {0}
};
