/* SPDX-License-Identifier: Apache-2.0
 * normalize.h - sums and the softmax of a row, or of columns.
 *
 * Each function has a form for float and one for double (REAL). Sums have a fixed order, so
 * results depend neither on threads nor on instruction sets:
 *
 *   - along a row, element 16 k + l of a block of 1024 is added to lane l, in order of k; then lane
 *     l + 8 to lane l, l + 4 to l, l + 2 to l, 1 to 0, all in REAL. Blocks are added in double.
 *   - down columns, blocks of 128 elements are summed in order, in REAL, and added in double.
 *
 * The exp in softmax is that of elementary.h for double; for float it is that of exp.inc, off by
 * less than 1 unit in the last place, and 0 below -87. */
#pragma once

#include "base/work.h"
#include "kernels/common/variant.h"

#include <stdbool.h>

/* Most columns of one call of an oc_softmax_fn. */
enum { OC_COLUMNS = 64 };

/* Computes the softmax, or its logarithm, of each of width columns. A column has n elements,
 * stride apart; columns are next to each other. One column with stride 1 is a row. The greatest
 * element (NaN ignored) is subtracted first. A column with a NaN or +Inf, or with only -Inf,
 * becomes all NaN. y and x share no memory. y is undefined if the work was ended. */
typedef void oc_softmax_fn(void *y, const void *x, int64_t n, int64_t stride, int64_t width,
                           bool as_log, const oc_work *w);

/* Returns the sum over a row of x[i], of |x[i]|, or of x[i]^2; any number if the work was ended. */
typedef double oc_row_sum_fn(const void *x, int64_t n, const oc_work *w);

/* The sums over a row of x[i] - mean, and of the squares of x[i] - mean. mean is exact in REAL. */
typedef struct oc_row_moments {
    double sum, squares;
} oc_row_moments;
typedef oc_row_moments oc_row_moments_fn(const void *x, int64_t n, double mean, const oc_work *w);

/* y[i] = (x[i] - center) / divisor * scale[i] + bias[i]. scale NULL: the factor 1; bias NULL:
 * nothing is added; without scale bias is NULL too. With step 0, scale[0] and bias[0] serve all
 * elements; else step is 1. center and divisor are exact in REAL. y and x share no memory. */
typedef struct oc_row_map {
    double center, divisor;
    const void *scale, *bias;
    int64_t step;
} oc_row_map;
typedef void oc_row_map_fn(void *y, const void *x, int64_t n, const oc_row_map *map);

/* The functions above for several rows of n elements that follow each other. Row r has element r
 * of the list as its result or argument. A row has at most OC_SHORT_ROW elements. */
enum { OC_SHORT_ROW = 1024 };
typedef void oc_rows_sum_fn(double *sum, const void *x, int64_t n, int64_t rows);
typedef void oc_rows_moments_fn(oc_row_moments *m, const void *x, int64_t n, int64_t rows,
                                const double *mean);
typedef void oc_rows_map_fn(void *y, const void *x, int64_t n, int64_t rows, const oc_row_map *map);

typedef void oc_softmax_rows_fn(void *y, const void *x, int64_t n, int64_t rows, bool as_log);

typedef struct oc_row_fns {
    oc_row_sum_fn *sum, *sum_abs, *sum_squares;
    oc_row_moments_fn *moments;
    oc_row_map_fn *divide;
    oc_rows_sum_fn *sums, *square_sums;
    oc_rows_moments_fn *moments_of_rows;
    oc_rows_map_fn *divide_rows;
    oc_softmax_rows_fn *softmax_rows;
} oc_row_fns;

typedef struct oc_softmax_variant {
    const char *isa;
    unsigned need;
    oc_softmax_fn *f32, *f64;
    const oc_row_fns *rows_f32, *rows_f64;
} oc_softmax_variant;

/* The scalar functions of floats (normalize_floats.c). */
oc_softmax_fn oc_softmax_of_floats;
extern const oc_row_fns oc_rows_of_floats;

extern const oc_softmax_variant *const oc_softmax_variants[]; /* best first, the last scalar */

/* type is OC_F32 or OC_F64. */
oc_softmax_fn *oc_softmax_pick(oc_type type, unsigned cpu);
const oc_row_fns *oc_row_fns_pick(oc_type type, unsigned cpu);

/* Writes 1 for the first greatest element of each column (NaN counts as greater than all
 * numbers), 0 for the others. y is not x; as_log is not read. */
oc_softmax_fn oc_hardmax_f32, oc_hardmax_f64;
