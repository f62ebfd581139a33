/* SPDX-License-Identifier: Apache-2.0
 * taps_avx2.c - the template as compilers vectorise it for this instruction set. */
#include "kernels/taps_axis.h"

#define COORD   float
#define REAL    float
#define FMOD    fmodf
#define WEIGHT  f32
#define NAME(x) x##_f32_f32
#include "kernels/taps.inc"

#define COORD   double
#define REAL    double
#define FMOD    fmod
#define WEIGHT  f64
#define NAME(x) x##_f64_f64
#include "kernels/taps.inc"

/* Positions in double for a float image are rare: the scalar variant serves them. */
extern const oc_taps_variant oc_taps_avx2;
const oc_taps_variant oc_taps_avx2 = {"avx2", OC_CPU_AVX2, taps_f32_f32, NULL, taps_f64_f64};
