/* SPDX-License-Identifier: Apache-2.0
 * matmul.h - matrix products of one element type.
 *
 * y[i][j] is the sum over k = 0 .. K-1, in that order, of a[i][k] * b[k][j], by fused
 * multiply-adds (integers wrap). The order does not depend on how rows and columns are shared among
 * threads or vectors, so neither do the results. */
#ifndef OC_KERNELS_MATMUL_MATMUL_H
#define OC_KERNELS_MATMUL_MATMUL_H

#include "kernels/layout/nchw16c.h"
#include "base/work.h"
#include "kernels/common/half.h"
#include "kernels/matmul/product.h"

/* The product without tiles of elements of this type, for few rows or few columns, and for
 * integers: of OC_F32, OC_F64, or of the integers of 32 or 64 bits. */
oc_product_fn *oc_matmul_pick(oc_type type, unsigned cpu);

/* By tiles, for elements of `elem` bytes by the product of their type: a is m x k, b is k x n, y is
 * m x n, all dense and row-major. Computes columns first .. last-1 of y and leaves the others as
 * they are. */
void oc_matmul_tiles(const oc_work *w, oc_product_fn *fn, size_t elem, void *y, const void *a,
                     const void *b, int64_t m, int64_t k, int64_t n, int64_t first, int64_t last);

/* The same where b is stored as its transpose, n x k. to_blocks: oc_nchw16c_in of the element type,
 * which is float or double; NULL: copies element by element. */
void oc_matmul_tiles_transposed(const oc_work *w, oc_product_fn *fn, oc_nchw16c_in_fn *to_blocks,
                                size_t elem, void *y, const void *a, const void *b, int64_t m,
                                int64_t k, int64_t n, int64_t first, int64_t last);

/* By tiles, of floats a and halves b, which become floats strip by strip: columns first .. last-1
 * of the product in y, m rows of last - first floats. fn: of float. */
void oc_matmul_tiles_half(const oc_work *w, oc_product_fn *fn, const oc_half_variant *half,
                          float *y, const float *a, const uint16_t *b, int64_t m, int64_t k,
                          int64_t n, int64_t first, int64_t last);

#endif
