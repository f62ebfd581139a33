/* SPDX-License-Identifier: Apache-2.0
 * matmul.h - matrix products of one element type.
 *
 * y[i][j] is the sum over k = 0 .. K-1, in that order, of a[i][k] * b[k][j], by fused
 * multiply-adds (integers wrap). The order does not depend on how rows and columns are shared among
 * threads or vectors, so neither do the results. */
#pragma once

#include "kernels/layout/nchw16c.h"
#include "base/work.h"
#include "kernels/common/half.h"
#include "kernels/matmul/product.h"

/* Returns the product without tiles, for few rows or few columns, and for integers. type is
 * OC_F32, OC_F64, or an integer type of 32 or 64 bits. */
oc_product_fn *oc_matmul_pick(oc_type type, unsigned cpu);

/* Multiplies by tiles. fn is the product of the element type, whose elements have elem bytes. a
 * is m x k, b is k x n, y is m x n, all dense and row-major. Computes columns first to last-1 of
 * y and leaves the others unchanged. */
void oc_matmul_tiles(const oc_work *w, oc_product_fn *fn, size_t elem, void *y, const void *a,
                     const void *b, int64_t m, int64_t k, int64_t n, int64_t first, int64_t last);

/* As oc_matmul_tiles, but b is stored as its transpose, n x k. to_blocks is oc_nchw16c_in of the
 * element type, float or double; NULL copies element by element. */
void oc_matmul_tiles_transposed(const oc_work *w, oc_product_fn *fn, oc_nchw16c_in_fn *to_blocks,
                                size_t elem, void *y, const void *a, const void *b, int64_t m,
                                int64_t k, int64_t n, int64_t first, int64_t last);

/* Multiplies floats a by halves b, which are widened strip by strip. y gets columns first to
 * last-1 of the product, as m rows of last - first floats. fn is the product of float. */
void oc_matmul_tiles_half(const oc_work *w, oc_product_fn *fn, const oc_half_variant *half,
                          float *y, const float *a, const uint16_t *b, int64_t m, int64_t k,
                          int64_t n, int64_t first, int64_t last);
