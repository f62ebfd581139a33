/* SPDX-License-Identifier: Apache-2.0
 * resize_sum_avx2.c - the template as the compiler vectorises it for this instruction set. */
#include "kernels/resize/resize_sum.inc"

extern const oc_resize_variant oc_resize_avx2;
const oc_resize_variant oc_resize_avx2 = {RESIZE("avx2", OC_CPU_AVX2),
                                          .finish = {[OC_U8] = finish_u8}};
