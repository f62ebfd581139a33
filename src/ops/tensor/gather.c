/* SPDX-License-Identifier: Apache-2.0
 * gather.c - Gather: slabs of a tensor, picked by index along one axis. */
#include "ops/kit/op.h"

enum {
    LARGE = 1 << 20, /* bytes of a slab that threads may share */
    NEAR = 1 << 16   /* bytes of the blocks that are copied together */
};

static oc_status gather_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *index = oc_in(c, 1);
    int axis;
    OC_TRY(oc_attr_axis(c, "axis", x->dims.rank, &axis));
    oc_dims y = {.rank = x->dims.rank - 1 + index->dims.rank};
    if (y.rank > OC_MAX_RANK)
        return oc_fail(c, OC_LIMIT, "the output has rank %d, the most is %d", y.rank, OC_MAX_RANK);
    int at = 0;
    for (int a = 0; a < axis; a++)
        y.n[at++] = x->dims.n[a];
    for (int a = 0; a < index->dims.rank; a++)
        y.n[at++] = index->dims.n[a];
    for (int a = axis + 1; a < x->dims.rank; a++)
        y.n[at++] = x->dims.n[a];
    return oc_set_out(c, 0, x->type, &y);
}

/* Slab k of each block of the output is slab index[k] of the same block of the input. */
typedef struct slabs {
    char *y;
    const char *x;
    size_t size, dst_step, src_step; /* bytes of a slab; bytes from a block to the next */
    int64_t n, blocks;
} slabs;

/* Some blocks at a time, which the caches keep for all n slabs. */
static void copy_small(oc_call *c, const slabs *s, const int64_t *index)
{
    const int64_t near = NEAR / (int64_t)(s->dst_step + s->src_step + 1) + 1;
    const int64_t parts = oc_div_up(s->blocks, near);
    OC_CALL_LOOP (c, i, parts * s->n, 16) {
        const int64_t first = i / s->n * near, k = i % s->n;
        const int64_t blocks = oc_min(s->blocks - first, near);
        oc_copy_rows(s->y + (size_t)first * s->dst_step + s->size * (size_t)k, s->dst_step,
                     s->x + (size_t)first * s->src_step + s->size * (size_t)index[k], s->src_step,
                     s->size, blocks);
    }
}

static oc_status gather_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    const int64_t *index;
    slabs s = {.y = y->data, .x = x->data, .n = oc_value_n(oc_in(c, 1))};
    int axis;
    OC_TRY(oc_attr_axis(c, "axis", x->dims.rank, &axis));
    OC_TRY(oc_in_indices(c, 1, x->dims.n[axis], &index));
    if (oc_value_n(oc_out(c, 0)) == 0)
        return OC_OK;
    s.blocks = oc_dims_product(&x->dims, 0, axis);
    s.size = oc_type_size(x->type) * (size_t)oc_dims_product(&x->dims, axis + 1, x->dims.rank);
    s.src_step = s.size * (size_t)x->dims.n[axis];
    s.dst_step = s.size * (size_t)s.n;
    if (s.size < LARGE) {
        copy_small(c, &s, index);
        return OC_OK;
    }
    for (int64_t k = 0; k < s.n; k++)
        oc_call_copy_rows(c, s.y + s.size * (size_t)k, s.dst_step, s.x + s.size * (size_t)index[k],
                          s.src_step, s.size, s.blocks);
    return OC_OK;
}

/* clang-format off */
#define SIG(set) "Gather <int axis = 0> (T data, TIND indices) => (T output) | T: " set "; TIND: index"
#define GATHER gather_shape, gather_run, OC_TRAITS(.moves = oc_moves_first)
const oc_op oc_ops_gather[] = {
    {13, SIG("all_ir4"), GATHER},
    {11, SIG("all"),     GATHER}, /* negative indices */
    { 1, SIG("all"),     GATHER},
    {0}
};
