/* SPDX-License-Identifier: Apache-2.0
 * square.h - sums of products that stay in registers: ROWS x LANES of them at once.
 *
 * Each sum adds its products in order, every product and every sum rounded by itself, so the bits
 * do not depend on how sums are put together into squares. */
#ifndef OC_KERNELS_SQUARE_H
#define OC_KERNELS_SQUARE_H

#include <stdint.h>

enum { ROWS = 4, LANES = 8 };

/* sum[r][j] += a[r][k] * b[k * step + j] for k = 0 .. n-1, in that order. */
void oc_square_f32(float sum[ROWS][LANES], const float *const a[ROWS], const float *b, int64_t step,
                   int64_t n);
void oc_square_f64(double sum[ROWS][LANES], const double *const a[ROWS], const double *b,
                   int64_t step, int64_t n);

#endif
