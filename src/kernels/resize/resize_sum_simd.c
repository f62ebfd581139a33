/* SPDX-License-Identifier: Apache-2.0
 * resize_sum_simd.c - the sums of Resize that pictures need. */
#include "kernels/resize/resize_sum.inc"

OC_ISA_VARIANT(oc_resize_variant, oc_resize_variants, RESIZE, .finish = {[OC_U8] = finish_u8})
