/* SPDX-License-Identifier: Apache-2.0
 * depthwise_int8_simd.c - the sums of depthwise_int8.h in registers. */
#include "kernels/conv/depthwise_int8.h"

#include "base/int.h"
#include "kernels/matmul/rescale.h"

/* Stores the sums of n positions, from position `at` on. */
OC_INLINE void store(const oc_depthwise_int8 *t, int64_t at, const i32x16 sum[4], const int n)
{
    if (t->rescale)
        rescale_store((uint8_t *)t->y + at * 16, 16, sum, n, t->rescale, 0);
    else
        UNROLL (s, n)
            i32x16_store((int32_t *)t->y + (at + s) * 16, sum[s]);
}

enum { LINE = 64 }; /* bytes of four pixels, and of the weights that they meet */

/* Computes positions at to at + shared - 1. */
OC_INLINE void positions(const oc_depthwise_int8 *t, int64_t at, const int shared,
                         const int64_t rows, const int64_t fours)
{
    const int64_t set = rows * fours * LINE;
    const uint8_t *x = t->x + at * t->step;
    const int8_t *w = t->w;
    i32x16 sum[OC_DEPTHWISE_SHARED];
    UNROLL (s, shared)
        sum[s] = i32x16_load(t->b);
    for (int64_t r = 0; r < rows; r++, x += t->row)
        for (int64_t q = 0; q < fours; q++, w += LINE) {
            const u8x64 pixels = u8x64_pixels(x + q * LINE);
            UNROLL (s, shared)
                sum[s] = i32x16_dot_each(sum[s], pixels, w + s * set);
        }
    store(t, at, sum, shared);
}

static void run_one_by_one(const oc_depthwise_int8 *t, int64_t at)
{
    for (; at < t->positions; at++)
        positions(t, at, 1, t->rows, t->form.fours);
}

OC_INLINE int64_t run_shared(const oc_depthwise_int8 *t, const int shared, const int64_t rows,
                             const int64_t fours)
{
    int64_t at = 0;
    for (; at + shared <= t->positions; at += shared)
        positions(t, at, shared, rows, fours);
    return at;
}

#if defined(OC_SIMD_PAIRS) && !defined(OC_FOR_SIZE)
#include "kernels/conv/depthwise_int8_pairs.inc"
#else
static bool run_pairs(OC_UNUSED const oc_depthwise_int8 *t)
{
    return false;
}
#endif

/* Windows of 3 x 3 have code of their own, unless pairs have computed all but the smallest. */
static void run_row(const oc_depthwise_int8 *t)
{
    const oc_depthwise_form *f = &t->form;
    int64_t done = 0;
    const bool written_out = (int)i8x64_HALVES == 1 && t->rows == 3 && f->fours == 1;
    if (written_out && f->shared == 2)
        done = run_shared(t, 2, 3, 1);
    else if (written_out && f->shared == 1)
        done = run_shared(t, 1, 3, 1);
    else if (f->shared == 4)
        done = run_shared(t, 4, t->rows, f->fours);
    else if (f->shared >= 2)
        done = run_shared(t, 2, t->rows, f->fours);
    run_one_by_one(t, done);
}

static void run(const oc_depthwise_int8 *t)
{
    if (run_pairs(t))
        return;
    oc_depthwise_int8 row = *t;
    for (int64_t i = 0; i < t->height; i++, oc_depthwise_int8_down(&row))
        run_row(&row);
}

OC_ISA_VARIANT(oc_depthwise_int8_variant, oc_depthwise_int8_variants, run)
