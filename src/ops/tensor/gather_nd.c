/* SPDX-License-Identifier: Apache-2.0
 * gather_nd.c - GatherND: slabs of a tensor, picked by tuples of indices. */
#include "ops/tensor/places.h"

/* Axes of the tuples: the first `batch` of indices, then those that the tuples index. */
typedef struct geometry {
    int batch, k;
} geometry;

static oc_status read_geometry(oc_call *c, geometry *g)
{
    const oc_dims *x = &oc_in(c, 0)->dims, *index = &oc_in(c, 1)->dims;
    OC_TRY(oc_expect_rank(c, 0, 1, OC_MAX_RANK));
    OC_TRY(oc_expect_rank(c, 1, 1, OC_MAX_RANK));
    const int64_t batch = oc_call_since(c) >= 12 ? oc_attr_int(c, "batch_dims") : 0;
    const int most = oc_min(x->rank, index->rank) - 1;
    if (batch < 0 || batch > most)
        return oc_fail(c, OC_VALUE,
                       "attribute 'batch_dims' is %" PRId64 ", expected 0 to %d, below both ranks",
                       batch, most);
    g->batch = (int)batch;
    if (memcmp(x->n, index->n, (size_t)batch * sizeof *x->n) != 0) {
        char text[OC_DIMS_TEXT];
        return oc_fail_dims(c, 1, "expected its first %d dims to be those of input 0, %s", g->batch,
                            oc_dims_text(x, text));
    }
    const int64_t k = index->n[index->rank - 1];
    if (k < 1 || k > x->rank - g->batch)
        return oc_fail_dims(c, 1, "expected tuples of 1 to %d indices along the last axis",
                            x->rank - g->batch);
    g->k = (int)k;
    return OC_OK;
}

static oc_status gather_nd_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    geometry g;
    OC_TRY(read_geometry(c, &g));
    oc_dims y = oc_in(c, 1)->dims;
    const int rank = --y.rank + x->dims.rank - g.batch - g.k;
    if (rank > OC_MAX_RANK)
        return oc_fail(c, OC_LIMIT, "the output has rank %d, the most is %d", rank, OC_MAX_RANK);
    for (int a = g.batch + g.k; a < x->dims.rank; a++)
        y.n[y.rank++] = x->dims.n[a];
    return oc_set_out(c, 0, x->type, &y);
}

typedef struct job {
    char *y;
    const char *x;
    const int64_t *at;
    size_t elem, size; /* bytes of an element and of a slab */
    oc_work work;
} job;

static void pick(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const job *t = arg;
    oc_pick_blocks(&t->work, t->y + (size_t)first * t->size, t->x, t->at + first, t->elem, t->size,
                   end - first);
}

static oc_status gather_nd_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    geometry g;
    job t = {.y = y->data, .x = x->data, .elem = oc_type_size(x->type)};
    OC_TRY(read_geometry(c, &g));
    OC_TRY(oc_in_tuples(c, 1, &x->dims, g.batch, &t.at));
    const int64_t n = oc_dims_product(&oc_in(c, 1)->dims, 0, oc_in(c, 1)->dims.rank - 1);
    t.size = t.elem * (size_t)oc_dims_product(&x->dims, g.batch + g.k, x->dims.rank);
    if (oc_value_n(y) == 0)
        return OC_OK;
    t.work = oc_call_work(c, 2 * (double)oc_value_bytes(y));
    oc_work_run(&t.work, n, pick, &t);
    return OC_OK;
}

/* clang-format off */
#define SIG(attrs, set) "GatherND" attrs " (T data, int64 indices) => (T output) | T: " set
#define BATCH " <int batch_dims+ = 0>"
#define GATHER gather_nd_shape, gather_nd_run, OC_TRAITS(.moves = oc_moves_first)
const oc_op oc_ops_gather_nd[] = {
    {13, SIG(BATCH, "all_ir4"), GATHER},
    {12, SIG(BATCH, "all"),     GATHER},
    {11, SIG("",    "all"),     GATHER},
    {0}
};
