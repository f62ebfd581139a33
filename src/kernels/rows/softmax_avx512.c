/* SPDX-License-Identifier: Apache-2.0
 * softmax_avx512.c - the template as the compiler vectorises it for this instruction set. */
#include "kernels/rows/normalize.h"

#include "kernels/common/precondition.h"
#include "kernels/rows/elementary.h"

#include <math.h>
#include <string.h>

#include "kernels/rows/exp.inc"

#define REAL    float
#define NAME(x) x##_f32
#define EXP     exp_below_0
#define LOG(x)  (float)oc_log((double)(x))
#include "kernels/rows/softmax.inc"

extern const oc_softmax_variant oc_softmax_avx512;
const oc_softmax_variant oc_softmax_avx512 = {"avx512", OC_CPU_AVX512, softmax_f32, NULL};
