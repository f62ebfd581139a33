/* SPDX-License-Identifier: Apache-2.0
 * resize_sum_avx512.c - the template as the compiler vectorises it for this instruction set. */
#include "kernels/resize/resize_sum.inc"

extern const oc_resize_variant oc_resize_avx512;
const oc_resize_variant oc_resize_avx512 = {RESIZE("avx512", OC_CPU_AVX512),
                                            .finish = {[OC_U8] = finish_u8}};
