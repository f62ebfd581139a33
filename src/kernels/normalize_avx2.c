/* SPDX-License-Identifier: Apache-2.0
 * normalize_avx2.c - the template as the compiler vectorises it for this instruction set. */
#include "kernels/normalize.h"

#include <math.h>
#include <string.h>

#include "kernels/exp.inc"

#define REAL    float
#define NAME(x) x##_f32
#define EXP     exp_below_0
#define LOG     logf
#define ABS     fabsf
#include "kernels/normalize.inc"

extern const oc_normalize_variant oc_normalize_avx2;
const oc_normalize_variant oc_normalize_avx2 = {"avx2", OC_CPU_AVX2, &fns_f32, NULL};
