/* SPDX-License-Identifier: Apache-2.0
 * conv_few_simd.c - the lines of conv_few.h.
 *
 * Their sizes are arguments that are constants where a function is called, so that sums are
 * registers. */
#include "kernels/conv/conv_few.h"

#include "kernels/simd/chains.h"

enum { SUMS = OC_SIMD_REGISTERS * 3 / 4, MOST = 8 /* registers of sums of one output channel */ };

#define REGISTERS(out) (SUMS < (out) ? 1 : SUMS / (out) < MOST ? SUMS / (out) : MOST)

#ifdef OC_SIMD_CHAINS
static void line(const oc_few_line *l, int out, OC_UNUSED int many)
{
    f32_chains c;
    for (int64_t i = 0; i < l->positions; i += OC_CHAIN_COLUMNS) {
        const int columns = (int)oc_min(l->positions - i, OC_CHAIN_COLUMNS);
        const float *x = l->x + i, *w = l->w;
        chains_begin(&c, out, columns, l->w_out, OC_CHAIN_PART);
        for (int64_t channel = 0; channel < l->channels; channel++, x += l->x_channel)
            for (int64_t k = 0; k < l->taps; k++)
                chains_add(&c, w++, x + l->tap[k]);
        chains_flush(&c);
        for (int m = 0; m < out; m++)
            for (int j = 0; j < columns; j += f32v_N) {
                const f32v sum = chains_sum(&c, m, j);
                f32v_store(l->y + m * l->y_out + i + j, l->b ? sum + f32v_splat(l->b[m]) : sum);
            }
    }
}
#else
/* Computes `many` registers of positions from number `at` on. */
OC_INLINE void part(const oc_few_line *l, int64_t at, const int out, const int many)
{
    const float *x = l->x + at, *w = l->w;
    f32v sum[OC_FEW_LINE][MOST], factor[OC_FEW_LINE];
    UNROLL (m, out)
        UNROLL (v, many)
            sum[m][v] = f32v_zero();
    for (int64_t c = 0; c < l->channels; c++, x += l->x_channel)
        for (int64_t k = 0; k < l->taps; k++, w++) {
            const float *pixel = x + l->tap[k];
            UNROLL (m, out)
                factor[m] = f32v_splat(w[m * l->w_out]);
            UNROLL (v, many) {
                const f32v p = f32v_kept(f32v_load(pixel + v * f32v_N));
                UNROLL (m, out)
                    sum[m][v] = f32v_fma(factor[m], p, sum[m][v]);
            }
        }
    UNROLL (m, out) {
        const f32v b = l->b ? f32v_splat(l->b[m]) : f32v_zero();
        UNROLL (v, many) {
            if (l->b)
                sum[m][v] = sum[m][v] + b;
            f32v_store(l->y + m * l->y_out + at + v * f32v_N, sum[m][v]);
        }
    }
}

/* The last registers may reach into the slack. */
OC_INLINE void line(const oc_few_line *l, const int out, const int many)
{
    const int some = (many + 1) / 2;
    int64_t i = 0;
    for (; l->positions - i > some * f32v_N; i += many * f32v_N)
        part(l, i, out, many);
    for (; l->positions - i > f32v_N; i += some * f32v_N)
        part(l, i, out, some);
    for (; i < l->positions; i += f32v_N)
        part(l, i, out, 1);
}

#endif

/* clang-format off */
#define LINE(out) static void line_##out(const oc_few_line *l) { line(l, out, REGISTERS(out)); }
LINE(1) LINE(2) LINE(3) LINE(4)
    /* clang-format on */

    OC_ISA_VARIANT(oc_conv_few_variant, oc_conv_few_variants, {line_1, line_2, line_3, line_4})
