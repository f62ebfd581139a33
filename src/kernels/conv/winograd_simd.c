/* SPDX-License-Identifier: Apache-2.0
 * winograd_simd.c - the transforms of winograd.h.
 *
 * P = 3/4 and Q = 3/2 are the points; all factors are exact. */
#include "kernels/conv/winograd.h"

#include "kernels/simd/simd.h"

#define P  0.75f
#define Q  1.5f
#define P2 (P * P)
#define Q2 (Q * Q)

/* sum + x * factor */
#ifdef OC_SIMD_CHAINS
/* The factors have few bits, so sums in double often lie in the middle between two floats. */
static __attribute__((noinline)) f32x16 plus(f32x16 sum, float factor, f32x16 x)
{
    ROLLED
    for (int i = 0; i < OC_BLOCK_CHANNELS / f32v_N; i++)
        sum.r[i] = f32v_fma_odd(f32v_splat(factor), x.r[i], sum.r[i]);
    return sum;
}
#else
OP(f32x16, plus, (f32x16 sum, float factor, f32x16 x), f32x16_fma(f32x16_splat(factor), x, sum))
#endif

/* Turns six numbers into six: d[i] is at d + i * d_step, result i at t + i * t_step. */
static inline void six_to_six(f32x16 *t, int t_step, const f32x16 d[6])
{
    const f32x16 even_p = plus(d[4], -Q2, d[2]), odd_p = plus(d[3], -Q2, d[1]);
    const f32x16 even_q = plus(d[4], -P2, d[2]), odd_q = plus(d[3], -P2, d[1]);
    t[0] = plus(plus(d[4], -(P2 + Q2), d[2]), P2 * Q2, d[0]);
    t[1 * t_step] = plus(even_p, P, odd_p);
    t[2 * t_step] = plus(even_p, -P, odd_p);
    t[3 * t_step] = plus(even_q, Q, odd_q);
    t[4 * t_step] = plus(even_q, -Q, odd_q);
    t[5 * t_step] = plus(plus(d[5], -(P2 + Q2), d[3]), P2 * Q2, d[1]);
}

static void transform_in(float *to, int64_t step, const float *pixels, int64_t pitch)
{
    f32x16 columns[36]; /* [column][row] */
    for (int j = 0; j < 6; j++) {
        f32x16 d[6];
        for (int i = 0; i < 6; i++)
            d[i] = f32x16_load(pixels + i * pitch + j * OC_BLOCK_CHANNELS);
        six_to_six(columns + j, 6, d); /* from here on [row][column] */
    }
    for (int i = 0; i < 6; i++) {
        f32x16 t[6];
        six_to_six(t, 1, columns + 6 * i);
        for (int j = 0; j < 6; j++)
            f32x16_store(to + (6 * i + j) * step, t[j]);
    }
}

/* Turns six numbers into four. */
OC_SIMD_INLINE void six_to_four(f32x16 *y, int y_step, const f32x16 m[6])
{
    const f32x16 sum_p = f32x16_add(m[1], m[2]), sum_q = f32x16_add(m[3], m[4]);
    const f32x16 off_p = f32x16_sub(m[1], m[2]);
    const f32x16 off_q = f32x16_sub(m[3], m[4]);
    y[0] = f32x16_add(f32x16_add(m[0], sum_p), sum_q);
    y[1 * y_step] = plus(f32x16_mul(f32x16_splat(P), off_p), Q, off_q);
    y[2 * y_step] = plus(f32x16_mul(f32x16_splat(P2), sum_p), Q2, sum_q);
    y[3 * y_step] = plus(plus(m[5], P * P2, off_p), Q * Q2, off_q);
}

static void transform_out(float results[16 * OC_BLOCK_CHANNELS], const float *from, int64_t step,
                          const float *b)
{
    f32x16 columns[24]; /* [row of 4][column of 6] */
    for (int j = 0; j < 6; j++) {
        f32x16 m[6];
        for (int i = 0; i < 6; i++)
            m[i] = f32x16_load(from + (6 * i + j) * step);
        six_to_four(columns + j, 6, m);
    }
    const f32x16 bias = b ? f32x16_load(b) : f32x16_zero();
    for (int i = 0; i < 4; i++) {
        f32x16 y[4];
        six_to_four(y, 1, columns + 6 * i);
        for (int j = 0; j < 4; j++)
            f32x16_store(results + (4 * i + j) * OC_BLOCK_CHANNELS,
                         b ? f32x16_add(y[j], bias) : y[j]);
    }
}

OC_ISA_VARIANT(oc_winograd_variant, oc_winograd_variants, transform_in, transform_out)
