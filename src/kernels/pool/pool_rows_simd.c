/* SPDX-License-Identifier: Apache-2.0
 * pool_rows_simd.c - the folds of pool_rows.h.
 *
 * The last register of a row ends where the row ends, so it may fold elements of the register
 * before it again. */
#include "kernels/pool/pool_rows.h"

#include <math.h>
#include <string.h>

#include "kernels/simd/simd.h"

/* What a fold does to registers, and to numbers; begin is the fold of no element. */
typedef f32v fold_fn(f32v a, f32v b);
typedef float fold_one_fn(float a, float b);

OP(f32v, add, (f32v a, f32v b), a + b)
OP(float, add_one, (float a, float b), a + b)
OP(float, greater_one, (float max, float v), v > max || v != v ? v : max)

/* Returns where the register for element i begins, so that it does not reach past the last of n
 * elements. */
OP(int64_t, place, (int64_t i, int64_t n), i + f32v_N <= n ? i : n - f32v_N)

OC_INLINE void fold_down(const oc_pool_row *r, fold_fn *fold, fold_one_fn *fold_one)
{
    const int64_t n = r->n;
    const int rows = r->rows;
    for (int64_t k = 0; n >= f32v_N && k < n; k += f32v_N) {
        const int64_t i = place(k, n);
        f32v all = f32v_load(r->row[0] + i);
        for (int j = 1; j < rows; j++)
            all = fold(all, f32v_load(r->row[j] + i));
        f32v_store(r->to + i, all);
    }
    for (int64_t i = 0; n < f32v_N && i < n; i++) {
        float all = r->row[0][i];
        for (int j = 1; j < rows; j++)
            all = fold_one(all, r->row[j][i]);
        r->to[i] = all;
    }
}

OC_INLINE f32v fold_window(const oc_pool_row *r, const float *x, int64_t stride, fold_fn *fold,
                           float begin)
{
    f32v all = f32v_splat(begin);
    for (int64_t k = 0; k < r->taps; k++, x += r->tap_step)
        all =
            fold(all, stride == 1 ? f32v_load(x) : f32v_even(f32v_load(x), f32v_load(x + f32v_N)));
    return all;
}

OC_INLINE void fold_along(const oc_pool_row *r, int64_t stride, fold_fn *fold, float begin)
{
    const int64_t n = r->out;
    if (n < f32v_N) {
        float y[f32v_N];
        f32v_store(y, fold_window(r, r->line, stride, fold, begin));
        memcpy(r->y, y, (size_t)n * sizeof *y);
        return;
    }
    for (int64_t k = 0; k < n; k += f32v_N) {
        const int64_t i = place(k, n);
        f32v_store(r->y + i, fold_window(r, r->line + i * stride, stride, fold, begin));
    }
}

OC_INLINE void fold_row(const oc_pool_row *r, fold_fn *fold, fold_one_fn *fold_one, float begin)
{
    fold_down(r, fold, fold_one);
    if (r->stride == 1)
        fold_along(r, 1, fold, begin);
    else
        fold_along(r, 2, fold, begin);
}

static void fold_max(const oc_pool_row *r)
{
    fold_row(r, f32v_greater, greater_one, -INFINITY);
}

static void fold_sum(const oc_pool_row *r)
{
    fold_row(r, add, add_one, 0);
}

OC_ISA_VARIANT(oc_pool_rows_variant, oc_pool_rows_variants, fold_max, fold_sum)
