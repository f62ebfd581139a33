/* SPDX-License-Identifier: Apache-2.0
 * lane_winograd_transforms.c - the scalar transforms of lane_winograd.h, the table of variants. */
#include "kernels/lanes/lane_winograd.h"

#include "kernels/common/lanes_vec.h"
#include "kernels/lanes/lane_winograd.inc"

#define OC_VARIANT(isa) extern const oc_winograd_variant oc_winograd_##isa;
#include "kernels/lanes/lane_winograd.def"
#undef OC_VARIANT

VARIANT(scalar, OC_CPU_SCALAR)

const oc_winograd_variant *const oc_winograd_variants[] = {
#define OC_VARIANT(isa) &oc_winograd_##isa,
#include "kernels/lanes/lane_winograd.def"
#undef OC_VARIANT
};
