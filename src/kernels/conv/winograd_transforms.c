/* SPDX-License-Identifier: Apache-2.0
 * winograd_transforms.c - the scalar transforms of winograd.h, the table of variants. */
#include "kernels/conv/winograd.h"

#include "kernels/common/lanes_vec.h"
#include "kernels/conv/winograd.inc"

#define OC_VARIANT(isa) extern const oc_winograd_variant oc_winograd_##isa;
#include "kernels/conv/winograd.def"
#undef OC_VARIANT

VARIANT(scalar, OC_CPU_SCALAR)

const oc_winograd_variant *const oc_winograd_variants[] = {
#define OC_VARIANT(isa) &oc_winograd_##isa,
#include "kernels/conv/winograd.def"
#undef OC_VARIANT
};
