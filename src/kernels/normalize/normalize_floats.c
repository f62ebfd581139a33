/* SPDX-License-Identifier: Apache-2.0
 * normalize_floats.c - the scalar softmax and the scalar sums of rows of floats. */
#include "kernels/normalize/normalize.h"

#include "kernels/common/element.h"
#include "kernels/common/precondition.h"
#include "kernels/elementwise/elementary.h"
#include "kernels/simd/simd.h"

#include "kernels/normalize/exp.inc"

#define ELEMENT f32
#include "kernels/normalize/softmax.inc"
#define ELEMENT f32
#include "kernels/normalize/normalize.inc"

void oc_softmax_of_floats(void *y, const void *x, int64_t n, int64_t stride, int64_t width,
                          bool as_log, const oc_work *w)
{
    softmax_f32(y, x, n, stride, width, as_log, w);
}

const oc_row_fns oc_rows_of_floats = {
    sum_f32,  sum_abs_f32,     sum_squares_f32,     moments_f32,     divide_f32,
    sums_f32, square_sums_f32, moments_of_rows_f32, divide_rows_f32, softmax_rows_f32};
