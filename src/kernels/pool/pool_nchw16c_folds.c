/* SPDX-License-Identifier: Apache-2.0
 * pool_nchw16c_folds.c - the scalar folds of pool_nchw16c.h, and the table of variants. */
#include "kernels/pool/pool_nchw16c.h"

#include <math.h>

#include "kernels/common/lanes_vec.h"
#include "kernels/pool/pool_nchw16c.inc"

#define OC_VARIANT(isa) extern const oc_pool_nchw16c_variant oc_pool_nchw16c_##isa;
#include "kernels/pool/pool_nchw16c.def"
#undef OC_VARIANT

VARIANT(scalar, OC_CPU_SCALAR)

const oc_pool_nchw16c_variant *const oc_pool_nchw16c_variants[] = {
#define OC_VARIANT(isa) &oc_pool_nchw16c_##isa,
#include "kernels/pool/pool_nchw16c.def"
#undef OC_VARIANT
};
