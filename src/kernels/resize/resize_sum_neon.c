/* SPDX-License-Identifier: Apache-2.0
 * resize_sum_neon.c - the template with the lanes of a line in registers; its other loops are those
 * that the compiler makes of the scalar variant. */
#define OC_VEC_NEON
#include "kernels/resize/resize_sum.inc"

extern const oc_resize_variant oc_resize_neon;
const oc_resize_variant oc_resize_neon = {RESIZE("neon", OC_CPU_NEON),
                                          .finish = {[OC_U8] = finish_u8}};
