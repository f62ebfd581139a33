/* SPDX-License-Identifier: Apache-2.0
 * pool_nchw16c_simd.c - the folds of pool_nchw16c.h. */
#include "kernels/pool/pool_nchw16c.h"

#include <math.h>

#include "kernels/simd/simd.h"

typedef f32x16 fold_fn(f32x16 a, f32x16 b);

/* begin: what has no tap. Sums are divided. */
OC_INLINE void fold_all(const oc_pool_nchw16c_fold *f, fold_fn *fold, f32x16 begin,
                        const f32x16 *divisor)
{
    for (int64_t i = 0; i < f->n; i++) {
        f32x16 all = begin;
        for (int64_t k = 0; k < f->taps; k++) {
            const int64_t at = i * f->x_step + k * f->tap_step;
            f32x16 column = f32x16_load(f->row[0] + at);
            for (int r = 1; r < f->rows; r++)
                column = fold(column, f32x16_load(f->row[r] + at));
            all = fold(all, column);
        }
        f32x16_store(f->y + i * OC_BLOCK_CHANNELS, divisor ? f32x16_div(all, *divisor) : all);
    }
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

OC_ISA_VARIANT(oc_pool_nchw16c_variant, oc_pool_nchw16c_variants, fold_max, fold_sum)
