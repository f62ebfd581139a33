/* SPDX-License-Identifier: Apache-2.0
 * softmax_avx512.c - rows in vectors of this instruction set, and columns as the compiler
 * vectorises them. */
#include "kernels/rows/normalize.h"

#include "kernels/common/precondition.h"
#include "kernels/rows/elementary.h"

#include <math.h>
#include <string.h>

#include "kernels/rows/exp.inc"
#include "kernels/rows/floats.inc"
#include "kernels/rows/row_floats.inc"

#define REAL    float
#define NAME(x) x##_f32
#define EXP     exp_below_0
#define LOG(x)  (float)oc_log((double)(x))
#include "kernels/rows/softmax.inc"

static void softmax(void *y, const void *x, int64_t n, int64_t stride, int64_t width, bool as_log)
{
    if (width == 1 && stride == 1)
        softmax_row(y, x, n, as_log);
    else
        softmax_f32(y, x, n, stride, width, as_log);
}

static const oc_row_fns rows = {row_sum, row_sum_abs, row_sum_squares, row_moments, row_divide};

extern const oc_softmax_variant oc_softmax_avx512;
const oc_softmax_variant oc_softmax_avx512 = {"avx512", OC_CPU_AVX512, softmax, NULL, &rows, NULL};
