/* SPDX-License-Identifier: Apache-2.0
 * transpose.c - Transpose: axes in another order. */
#include "ops/kit/op.h"

typedef struct geometry {
    int perm[OC_MAX_RANK]; /* perm[a] is the input's axis that becomes axis a */
} geometry;

/* Reads the order of the axes, which is reversed if there is no attribute. */
static oc_status read_geometry(oc_call *c, geometry *g)
{
    const int rank = oc_in(c, 0)->dims.rank;
    const oc_ints list = oc_attr_ints(c, "perm");
    bool seen[OC_MAX_RANK];
    for (int a = 0; a < rank; a++)
        g->perm[a] = rank - 1 - a;
    if (!oc_attr_has(c, "perm"))
        return OC_OK;
    if (list.n != rank)
        return oc_fail(c, OC_SHAPE, "attribute 'perm' has %d elements, expected %d", list.n, rank);
    OC_TRY(oc_axes(c, "attribute 'perm'", list, rank, seen));
    for (int a = 0; a < rank; a++)
        oc_dims_axis(list.v[a], rank, &g->perm[a]);
    return OC_OK;
}

static oc_status transpose_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    geometry g;
    OC_TRY(read_geometry(c, &g));
    oc_dims y = {.rank = x->dims.rank};
    for (int a = 0; a < y.rank; a++)
        y.n[a] = x->dims.n[g.perm[a]];
    return oc_set_out(c, 0, x->type, y);
}

static oc_status transpose_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    geometry g;
    int64_t dst[OC_MAX_RANK], dense[OC_MAX_RANK], src[OC_MAX_RANK];
    OC_TRY(read_geometry(c, &g));
    oc_dims_strides(&y->dims, dst);
    oc_dims_strides(&x->dims, dense);
    for (int a = 0; a < y->dims.rank; a++)
        src[a] = dense[g.perm[a]];
    oc_move(y->data, dst, x->data, src, &y->dims, oc_type_size(y->type));
    return OC_OK;
}

/* clang-format off */
#define SIG(set) "Transpose <ints perm?> (T data) => (T transposed) | T: " set
const oc_op oc_ops_transpose[] = {
    {25, SIG("all_ir13"), transpose_shape, transpose_run},
    {24, SIG("all_ir12"), transpose_shape, transpose_run},
    {23, SIG("all_ir11"), transpose_shape, transpose_run},
    {21, SIG("all_ir10"), transpose_shape, transpose_run},
    {13, SIG("all_ir4"),  transpose_shape, transpose_run},
    { 1, SIG("all"),      transpose_shape, transpose_run},
    {0}
};
/* clang-format on */
