/* SPDX-License-Identifier: Apache-2.0
 * compress.c - Compress: the slabs along an axis for which a condition is true, or, without an
 * axis, the elements.
 *
 * Conditions beyond the last slab or element are ignored. */
#include "ops/tensor/places.h"

/* The input is [outer, n, inner]; the first `asked` elements of the condition select along n. */
typedef struct geometry {
    int axis; /* -1: none */
    int64_t outer, n, inner, asked;
} geometry;

static oc_status read_geometry(oc_call *c, geometry *g)
{
    const oc_dims *x = &oc_in(c, 0)->dims;
    OC_TRY(oc_expect_rank(c, 0, 1, OC_MAX_RANK));
    OC_TRY(oc_expect_rank(c, 1, 1, 1));
    *g = (geometry){.axis = -1, .outer = 1, .n = oc_dims_count(x), .inner = 1};
    if (oc_attr_has(c, "axis")) {
        OC_TRY(oc_attr_axis(c, "axis", x->rank, &g->axis));
        g->outer = oc_dims_product(x, 0, g->axis);
        g->n = x->n[g->axis];
        g->inner = oc_dims_product(x, g->axis + 1, x->rank);
    }
    const int64_t length = oc_in(c, 1)->dims.n[0];
    g->asked = oc_min(length, g->n);
    return OC_OK;
}

static oc_status compress_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *condition = oc_in(c, 1);
    const uint8_t *wanted = condition->data;
    geometry g;
    OC_TRY(read_geometry(c, &g));
    int64_t n = 0;
    OC_CALL_LOOP (c, i, g.asked, 1024)
        n += wanted[i] != 0;
    oc_dims y = g.axis < 0 ? oc_dims_1d(n) : x->dims;
    y.n[oc_max(g.axis, 0)] = n;
    return oc_set_out(c, 0, x->type, &y);
}

static oc_status compress_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *condition = oc_in(c, 1), *y = oc_out(c, 0);
    const uint8_t *wanted = condition->data;
    geometry g;
    int64_t *at, n = 0;
    OC_TRY(read_geometry(c, &g));
    if (condition->dims.n[0] > g.asked)
        oc_remark(c, "condition has %lld elements, of which the first %lld count",
                  (long long)condition->dims.n[0], (long long)g.asked);
    OC_TRY(OC_SCRATCH(c, at, g.asked + 1));
    OC_CALL_LOOP (c, i, g.asked, 1024) {
        at[n] = i;
        n += wanted[i] != 0;
    }
    if (oc_value_n(y) == 0)
        return OC_OK;
    const size_t size = oc_type_size(x->type) * (size_t)g.inner;
    const oc_work w = oc_call_work(c, 0);
    OC_CALL_LOOP (c, o, g.outer, 64)
        oc_pick_blocks(&w, (char *)y->data + (size_t)(o * n) * size,
                       (const char *)x->data + (size_t)(o * g.n) * size, at, size, size, n);
    return OC_OK;
}

/* clang-format off */
#define SIG "Compress <int axis?> (T input, bool condition!) => (T output) | T: all"
const oc_op oc_ops_compress[] = {
    {11, SIG, compress_shape, compress_run}, /* negative axes */
    { 9, SIG, compress_shape, compress_run},
    {0}
};
