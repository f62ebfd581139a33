/* SPDX-License-Identifier: Apache-2.0
 * tensor_scatter.c - TensorScatter: writes an update into a cache, for each sample of the batch
 * from an index of its own on. */
#include "ops/kit/op.h"

static const char *const modes[] = {"linear", "circular", NULL};
enum { LINEAR, CIRCULAR };

/* The cache is [batch, rows, most, slab], the update [batch, rows, n, slab]. */
typedef struct geometry {
    int axis, mode;
    int64_t batch, rows, most, n;
    size_t slab; /* bytes of a slab */
} geometry;

static oc_status read_geometry(oc_call *c, geometry *g)
{
    const oc_value *x = oc_in(c, 0), *update = oc_in(c, 1);
    OC_TRY(oc_expect_rank(c, 0, 2, OC_MAX_RANK));
    OC_TRY(oc_attr_axis(c, "axis", x->dims.rank, &g->axis));
    OC_TRY(oc_attr_enum(c, "mode", modes, &g->mode));
    if (g->axis == 0)
        return oc_fail(c, OC_VALUE,
                       "attribute 'axis' is %" PRId64 ", the batch's axis, expected another one",
                       oc_attr_int(c, "axis"));
    oc_dims want = x->dims;
    want.n[g->axis] = -1;
    OC_TRY(oc_expect_dims(c, 1, &want, " as input 0 outside the axis"));
    g->batch = x->dims.n[0];
    g->rows = oc_dims_product(&x->dims, 1, g->axis);
    g->most = x->dims.n[g->axis];
    g->n = update->dims.n[g->axis];
    g->slab = oc_type_size(x->type) * (size_t)oc_dims_product(&x->dims, g->axis + 1, x->dims.rank);
    if (g->n > g->most)
        return oc_fail_dims(c, 1, "expected at most %" PRId64 " along axis %d", g->most, g->axis);
    return oc_expect_dims(c, 2, &(oc_dims){1, {g->batch}}, ", one for each sample of the batch");
}

static oc_status tensor_scatter_shape(oc_call *c)
{
    geometry g;
    OC_TRY(read_geometry(c, &g));
    return oc_same_shape(c);
}

/* The index of the cache at which the update of sample b begins. */
static oc_status read_index(oc_call *c, const geometry *g, int64_t b, int64_t *index)
{
    const oc_value *given = oc_in_or_null(c, 2);
    *index = given ? ((const int64_t *)given->data)[b] : 0;
    if (g->mode == LINEAR && (*index < 0 || *index > g->most - g->n))
        return oc_fail(c, OC_VALUE,
                       "input 2 has %" PRId64 " at [%" PRId64 "], expected a value in [0, %" PRId64
                       "], so that the update fits",
                       *index, b, g->most - g->n);
    if (g->mode == CIRCULAR && g->most) {
        *index %= g->most;
        *index += *index < 0 ? g->most : 0;
    }
    return OC_OK;
}

static oc_status tensor_scatter_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    const char *u = oc_in(c, 1)->data;
    geometry g;
    OC_TRY(read_geometry(c, &g));
    const size_t sample = g.slab * (size_t)(g.rows * g.most), row = g.slab * (size_t)g.most;
    const size_t size = g.slab * (size_t)g.n;
    const bool some = oc_value_n(oc_in(c, 1)) > 0;
    const int64_t batch = some || oc_in_or_null(c, 2) ? g.batch : 0;
    if (oc_value_n(y))
        oc_call_copy(c, y->data, x->data, oc_value_bytes(y));
    OC_CALL_LOOP (c, b, batch, 16) {
        int64_t index;
        OC_TRY(read_index(c, &g, b, &index));
        if (!some)
            continue;
        const size_t at = (size_t)index * g.slab;
        const size_t before_end = oc_min(row - at, size);
        char *to = (char *)y->data + (size_t)b * sample;
        oc_call_copy_rows(c, to + at, row, u, size, before_end, g.rows);
        oc_call_copy_rows(c, to, row, u + before_end, size, size - before_end, g.rows);
        u += size * (size_t)g.rows;
    }
    return OC_OK;
}

/* clang-format off */
const oc_op oc_ops_tensor_scatter[] = {
    {24, "TensorScatter <int axis = -2, string mode = \"linear\"> "
         "(T past_cache, T update, int64 write_indices?) => (T present_cache) | T: all_ir12",
     tensor_scatter_shape, tensor_scatter_run},
    {0}
};
