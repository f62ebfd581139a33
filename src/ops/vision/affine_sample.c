/* SPDX-License-Identifier: Apache-2.0
 * affine_sample.c - GridSample of an AffineGrid as one step: makes the positions tile by tile. */
#include "ops/vision/affine_sample.h"

#include "ops/kit/fusion.h"

static oc_status affine_sample_run(oc_call *sample, const oc_call *grid)
{
    const oc_affine_grid g = oc_affine_grid_of(grid);
    const size_t numbers = (size_t)oc_value_n(oc_in(grid, 0)); /* elements of theta */
    float *wide = NULL;
    if (oc_type_is_half(g.type))
        OC_TRY(OC_SCRATCH(sample, wide, numbers));
    const oc_affine_source source = oc_affine_source_new(&g, wide);
    return oc_grid_sample_at(sample, oc_positions_from_affine, &source);
}

extern const oc_fusion oc_fusion_affine_sample;
const oc_fusion oc_fusion_affine_sample = {oc_ops_affine_grid, oc_ops_grid_sample, 1,
                                           affine_sample_run};
