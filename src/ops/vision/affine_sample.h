/* SPDX-License-Identifier: Apache-2.0
 * affine_sample.h - what affine_sample.c uses of affine_grid.c and grid_sample.c. */
#ifndef OC_OPS_VISION_AFFINE_SAMPLE_H
#define OC_OPS_VISION_AFFINE_SAMPLE_H

#include "kernels/sample/affine_grid.h"
#include "kernels/sample/grid_sample.h"
#include "ops/kit/op.h"

/* The work of a call of AffineGrid; its y is the output's data, or NULL if the output has none. */
oc_affine_grid oc_affine_grid_of(const oc_call *c);

/* Fills the output of a call of GridSample from the given positions. Of the grid input, only type
 * and dims are used. */
oc_status oc_grid_sample_at(oc_call *c, oc_positions_fn *positions, const void *source);

extern const oc_op oc_ops_affine_grid[], oc_ops_grid_sample[];

#endif
