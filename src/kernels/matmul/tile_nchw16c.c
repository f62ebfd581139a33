/* SPDX-License-Identifier: Apache-2.0
 * tile_nchw16c.c - the table of variants. */
#include "kernels/matmul/tile_nchw16c.h"

OC_VARIANTS(oc_tile_nchw16c_variant, oc_tile_nchw16c_variants)
OC_PICKER(oc_tile_nchw16c_variant, oc_tile_nchw16c_pick, oc_tile_nchw16c_variants, dense[0][0])
