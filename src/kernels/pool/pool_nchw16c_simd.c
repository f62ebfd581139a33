/* SPDX-License-Identifier: Apache-2.0
 * pool_nchw16c_simd.c - the folds of pool_nchw16c.h. */
#include "kernels/pool/pool_nchw16c.h"

#include <math.h>

#include "kernels/simd/simd.h"

typedef f32x16 fold_fn(f32x16 a, f32x16 b);

enum {
    COLUMNS = 96,                            /* most columns that are folded before positions are */
    TOGETHER = OC_SIMD_REGISTERS > 1 ? 4 : 1 /* positions that are folded together */
};

/* Folds `many` positions of one row, from number i on. begin is the fold of no taps. Sums are
 * divided. */
OC_INLINE void fold_along(const oc_pool_nchw16c_fold *f, int64_t i, const int many, fold_fn *fold,
                          f32x16 begin, const f32x16 *divisor)
{
    const float *x = f->taps > 0 ? (const float *)f->row[0] + i * f->x_step : NULL;
    f32x16 all[TOGETHER];
    UNROLL (p, many)
        all[p] = begin;
    for (int64_t k = 0; k < f->taps; k++, x += f->tap_step)
        UNROLL (p, many)
            all[p] = fold(all[p], f32x16_load(x + p * f->x_step));
    UNROLL (p, many)
        f32x16_store((float *)f->y + (i + p) * OC_BLOCK_CHANNELS,
                     divisor ? f32x16_div(all[p], *divisor) : all[p]);
}

OC_INLINE void fold_row(const oc_pool_nchw16c_fold *f, fold_fn *fold, f32x16 begin,
                        const f32x16 *divisor)
{
    int64_t i = 0;
    for (; i + TOGETHER <= f->n; i += TOGETHER)
        fold_along(f, i, TOGETHER, fold, begin, divisor);
    for (; i < f->n; i++)
        fold_along(f, i, 1, fold, begin, divisor);
}

/* Folds positions of several rows. */
OC_INLINE void fold_rows(const oc_pool_nchw16c_fold *f, fold_fn *fold, f32x16 begin,
                         const f32x16 *divisor)
{
    for (int64_t i = 0; i < f->n; i++) {
        f32x16 all = begin;
        for (int64_t k = 0; k < f->taps; k++) {
            const int64_t at = i * f->x_step + k * f->tap_step;
            f32x16 column = f32x16_load((const float *)f->row[0] + at);
            for (int r = 1; r < f->rows; r++)
                column = fold(column, f32x16_load((const float *)f->row[r] + at));
            all = fold(all, column);
        }
        f32x16_store((float *)f->y + i * OC_BLOCK_CHANNELS,
                     divisor ? f32x16_div(all, *divisor) : all);
    }
}

/* Each column is under several positions. Columns are folded once, as many as there is room for,
 * and then positions fold the results. reach is the number of columns under a position. */
OC_INLINE void fold_columns(const oc_pool_nchw16c_fold *f, int64_t reach, fold_fn *fold,
                            f32x16 begin, const f32x16 *divisor)
{
    _Alignas(OC_CACHE_LINE) float column[COLUMNS * OC_BLOCK_CHANNELS];
    const int64_t step = f->x_step / OC_BLOCK_CHANNELS, most = (COLUMNS - reach) / step + 1;
    for (int64_t i = 0, n; i < f->n; i += n) {
        n = f->n - i < most ? f->n - i : most;
        for (int64_t c = 0; c < (n - 1) * step + reach; c++) {
            const int64_t at = i * f->x_step + c * OC_BLOCK_CHANNELS;
            f32x16 all = f32x16_load((const float *)f->row[0] + at);
            for (int r = 1; r < f->rows; r++)
                all = fold(all, f32x16_load((const float *)f->row[r] + at));
            f32x16_store(column + c * OC_BLOCK_CHANNELS, all);
        }
        const oc_pool_nchw16c_fold row = {.y = (float *)f->y + i * OC_BLOCK_CHANNELS,
                                          .row = {column},
                                          .rows = 1,
                                          .taps = f->taps,
                                          .tap_step = f->tap_step,
                                          .x_step = f->x_step,
                                          .n = n};
        fold_row(&row, fold, begin, divisor);
    }
}

OC_INLINE void fold_all(const oc_pool_nchw16c_fold *f, fold_fn *fold, f32x16 begin,
                        const f32x16 *divisor)
{
    const int64_t step = f->x_step / OC_BLOCK_CHANNELS;
    const int64_t reach = (f->taps - 1) * (f->tap_step / OC_BLOCK_CHANNELS) + 1;
    if (f->rows == 1 || f->taps == 0)
        fold_row(f, fold, begin, divisor);
    else if (reach <= COLUMNS && f->rows * f->taps > f->rows * step + f->taps)
        fold_columns(f, reach, fold, begin, divisor);
    else
        fold_rows(f, fold, begin, divisor);
}

static void fold_max(const oc_pool_nchw16c_fold *f)
{
    fold_all(f, f32x16_greater, f32x16_splat(-INFINITY), NULL);
}

static void fold_sum(const oc_pool_nchw16c_fold *f, float divisor)
{
    const f32x16 divisors = f32x16_splat(divisor);
    fold_all(f, f32x16_add, f32x16_zero(), &divisors);
}

typedef uint8_t u8x16 __attribute__((vector_size(OC_BLOCK_CHANNELS)));

OC_INLINE u8x16 greater_bytes(u8x16 a, u8x16 b)
{
#ifdef __clang__
    return __builtin_elementwise_max(a, b);
#else
    u8x16 y;
    for (int c = 0; c < OC_BLOCK_CHANNELS; c++) /* becomes one instruction */
        y[c] = a[c] > b[c] ? a[c] : b[c];
    return y;
#endif
}

/* flip makes the order of the bytes that of unsigned ones. */
OC_INLINE void fold_bytes(const oc_pool_nchw16c_fold *f, uint8_t flip)
{
    for (int64_t i = 0; i < f->n; i++) {
        u8x16 all = {0};
        for (int64_t k = 0; k < f->taps; k++)
            for (int r = 0; r < f->rows; r++) {
                u8x16 x;
                memcpy(&x, (const char *)f->row[r] + i * f->x_step + k * f->tap_step, sizeof x);
                all = greater_bytes(x ^ flip, all);
            }
        all ^= flip;
        memcpy((char *)f->y + i * OC_BLOCK_CHANNELS, &all, sizeof all);
    }
}

static void max_i8(const oc_pool_nchw16c_fold *f)
{
    fold_bytes(f, 128);
}

static void max_u8(const oc_pool_nchw16c_fold *f)
{
    fold_bytes(f, 0);
}

OC_ISA_VARIANT(oc_pool_nchw16c_variant, oc_pool_nchw16c_variants, fold_max, fold_sum, max_i8,
               max_u8)
