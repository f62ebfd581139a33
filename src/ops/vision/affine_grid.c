/* SPDX-License-Identifier: Apache-2.0
 * affine_grid.c - AffineGrid: sampling positions from affine matrices. */
#include "kernels/sample/affine_grid.h"

#include "ops/kit/stages.h"

/* Inputs: theta [N,2,3] and size (N,C,H,W), or theta [N,3,4] and size (N,C,D,H,W). */
static oc_status affine_grid_shape(oc_call *c)
{
    const oc_value *theta = oc_in(c, 0);
    oc_ints size;
    OC_TRY(oc_in_ints(c, 1, &size));
    if (size.n != 4 && size.n != 5)
        return oc_fail(c, OC_SHAPE, "size has %d elements, expected 4 or 5", size.n);
    for (int i = 0; i < size.n; i++)
        if (size.v[i] < 0)
            return oc_fail(c, OC_VALUE, "size[%d] is %lld, expected 0 or more", i,
                           (long long)size.v[i]);

    const int rank = size.n - 2;
    const oc_dims want = {3, {size.v[0], rank, rank + 1}};
    OC_TRY(oc_expect_dims(c, 0, &want, " for this size"));
    oc_dims y = {rank + 2, {size.v[0]}};
    for (int i = 0; i < rank; i++) {
        if (size.v[2 + i] > INT32_MAX)
            return oc_fail(c, OC_LIMIT, "size[%d] is %lld, at most %d is supported", 2 + i,
                           (long long)size.v[2 + i], INT32_MAX);
        y.n[1 + i] = size.v[2 + i];
    }
    y.n[rank + 1] = rank;
    return oc_set_out(c, 0, theta->type, &y);
}

/* The work of a call. Where its output has no data, y is NULL. */
static oc_affine_grid affine_grid_of(const oc_call *c)
{
    const oc_value *theta = oc_in(c, 0), *y = oc_out(c, 0);
    oc_affine_grid g = {.rank = y->dims.rank - 2,
                        .align = oc_attr_int(c, "align_corners") != 0,
                        .type = theta->type,
                        .batch = y->dims.n[0],
                        .theta = theta->data,
                        .y = y->data,
                        .cpu = oc_call_cpu(c),
                        .work = oc_call_work(c, (double)oc_value_n(y) * OC_ELEMENT)};
    for (int i = 0; i < g.rank; i++)
        g.n[i] = y->dims.n[1 + i];
    return g;
}

static oc_status affine_grid_run(oc_call *c)
{
    if (oc_value_n(oc_out(c, 0)) == 0)
        return OC_OK;
    const oc_affine_grid g = affine_grid_of(c);
    oc_affine_grid_run(&g);
    return OC_OK;
}

typedef struct points {
    oc_affine_source source;
    oc_affine_grid grid; /* the grid of the source */
} points;

/* The positions of a tile of GridSample, which then needs no grid in memory. */
static oc_status affine_grid_stage(oc_call *c, oc_stage *s)
{
    const size_t numbers = (size_t)oc_value_n(oc_in(c, 0)); /* elements of theta */
    points *p = oc_stage_room(s, sizeof *p);
    float *wide = NULL;
    p->grid = affine_grid_of(c);
    if (oc_type_is_half(p->grid.type))
        OC_TRY(OC_SCRATCH(c, wide, numbers));
    p->source = oc_affine_source_new(&p->grid, wide);
    s->positions = oc_positions_from_affine;
    s->ctx = &p->source;
    return OC_OK;
}

const oc_op oc_ops_affine_grid[] = {
    {20, "AffineGrid <int align_corners = 0> (T theta, int64 size!) => (T grid*) | T: float_ir4",
     affine_grid_shape, affine_grid_run, OC_TRAITS(.stage = affine_grid_stage)},
    {0}};
