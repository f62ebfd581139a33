/* SPDX-License-Identifier: Apache-2.0
 * taps_avx2.c - the template as compilers vectorise it for this instruction set. */
#include "kernels/sample/taps_types.inc"

/* Positions in double for a float image are rare: the scalar variant computes them. */
extern const oc_taps_variant oc_taps_avx2;
const oc_taps_variant oc_taps_avx2 = {"avx2", OC_CPU_AVX2, taps_f32_f32, NULL, taps_f64_f64};
