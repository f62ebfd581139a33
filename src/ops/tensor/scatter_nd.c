/* SPDX-License-Identifier: Apache-2.0
 * scatter_nd.c - ScatterND: slabs of a tensor, written at places that tuples of indices name. */
#include "base/share.h"
#include "ops/tensor/places.h"
#include "ops/tensor/scatter.h"

static oc_status scatter_nd_shape(oc_call *c)
{
    const oc_dims *x = &oc_in(c, 0)->dims, *index = &oc_in(c, 1)->dims;
    OC_TRY(oc_expect_rank(c, 0, 1, OC_MAX_RANK));
    OC_TRY(oc_expect_rank(c, 1, 1, OC_MAX_RANK));
    const int64_t k = index->n[index->rank - 1];
    if (k > x->rank)
        return oc_fail_dims(c, 1, "expected tuples of at most %d indices along the last axis",
                            x->rank);
    oc_dims want = *index;
    want.rank--;
    if (want.rank + x->rank - (int)k > OC_MAX_RANK)
        return oc_fail(c, OC_LIMIT, "the updates have rank %d, the most is %d",
                       want.rank + x->rank - (int)k, OC_MAX_RANK);
    for (int a = (int)k; a < x->rank; a++)
        want.n[want.rank++] = x->n[a];
    OC_TRY(oc_expect_dims(c, 2, &want, ", a slab of input 0 for each tuple"));
    OC_TRY(oc_scatter_check(c));
    return oc_same_shape(c);
}

typedef struct job {
    const oc_scatter *s;
    oc_scatter_part part;
    oc_work work;
    int tasks;
} job;

/* A unit is a task's part of all slabs, in their order. */
static void put_part(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const job *t = arg;
    for (int64_t i = first; i < end; i++) {
        const oc_span span = oc_share(t->part.slab, t->tasks, (int)i);
        oc_scatter_part part = t->part;
        part.first = span.first;
        part.end = span.end;
        oc_scatter_put(t->s, &t->work, &part);
    }
}

static oc_status scatter_nd_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *index = oc_in(c, 1);
    const int last = index->dims.rank - 1, k = (int)index->dims.n[last];
    oc_scatter s;
    job t = {.s = &s};
    OC_TRY(oc_in_tuples(c, 1, &x->dims, 0, &t.part.at));
    t.part.n = oc_dims_product(&index->dims, 0, last);
    t.part.slab = oc_dims_product(&x->dims, k, x->dims.rank);
    OC_TRY(oc_scatter_begin(c, &s));
    if (oc_value_n(oc_in(c, 2))) {
        t.work = oc_call_work(c, (double)(t.part.n * t.part.slab) * OC_ELEMENT);
        t.tasks = oc_work_tasks(&t.work, t.part.slab);
        oc_work_run(&t.work, t.tasks, put_part, &t);
    }
    oc_scatter_end(c, &s);
    return OC_OK;
}

/* clang-format off */
#define SIG(attrs, set) \
    "ScatterND" attrs " (T data, int64 indices, T updates) => (T output) | T: " set
#define REDUCTION " <string reduction+ = \"none\">"
const oc_op oc_ops_scatter_nd[] = {
    {18, SIG(REDUCTION, "all_ir4"), scatter_nd_shape, scatter_nd_run}, /* + max, min */
    {16, SIG(REDUCTION, "all_ir4"), scatter_nd_shape, scatter_nd_run},
    {13, SIG("",        "all_ir4"), scatter_nd_shape, scatter_nd_run},
    {11, SIG("",        "all"),     scatter_nd_shape, scatter_nd_run},
    {0}
};
