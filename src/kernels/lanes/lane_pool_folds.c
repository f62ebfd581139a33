/* SPDX-License-Identifier: Apache-2.0
 * lane_pool_folds.c - the scalar folds of lane_pool.h, and the table of variants. */
#include "kernels/lanes/lane_pool.h"

#include <math.h>

#include "kernels/common/lanes_vec.h"
#include "kernels/lanes/lane_pool.inc"

#define OC_VARIANT(isa) extern const oc_lane_pool_variant oc_lane_pool_##isa;
#include "kernels/lanes/lane_pool.def"
#undef OC_VARIANT

VARIANT(scalar, OC_CPU_SCALAR)

const oc_lane_pool_variant *const oc_lane_pool_variants[] = {
#define OC_VARIANT(isa) &oc_lane_pool_##isa,
#include "kernels/lanes/lane_pool.def"
#undef OC_VARIANT
};
