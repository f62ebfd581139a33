/* SPDX-License-Identifier: Apache-2.0
 * v128_fused.h - a * b + c, rounded once, in v128.h's registers.
 *
 * OC_UNFUSED takes the fast way (docs/numerics.md): the product is rounded too. Otherwise the bits
 * are those of one instruction: of the processor's where its compiler says that it has one, else of
 * doubles. A product of two floats is exact in double. Its sum with c is rounded to double, then to
 * float, which is right unless the double lies in the middle between two floats, or is smaller than
 * the normal floats: then its last place tells on which side of the exact sum it lies. */
#pragma once

#include "base/fused.h"

#ifdef OC_UNFUSED

OP(f32v, f32v_fma, (f32v a, f32v b, f32v c), a *b + c)
OP(f64v, f64v_fma, (f64v a, f64v b, f64v c), a *b + c)
/* The upper 12 of each number's 24 binary digits: the other ones are 0. */
OP(f32v, f32v_upper_half, (f32v v), (f32v)((i32x4)v & -(1 << 12)))

#elif defined(OC_SIMD_RELAXED)

OP(f32v, f32v_fma, (f32v a, f32v b, f32v c),
   (f32v)wasm_f32x4_relaxed_madd((v128_t)a, (v128_t)b, (v128_t)c))
OP(f64v, f64v_fma, (f64v a, f64v b, f64v c),
   (f64v)wasm_f64x2_relaxed_madd((v128_t)a, (v128_t)b, (v128_t)c))

#else

OP(f64v, f64v_fma, (f64v a, f64v b, f64v c), ((f64v){fma(a[0], b[0], c[0]), fma(a[1], b[1], c[1])}))

#ifdef OC_HAS_FMA

OP(f32v, f32v_fma, (f32v a, f32v b, f32v c),
   ((f32v){fmaf(a[0], b[0], c[0]), fmaf(a[1], b[1], c[1]), fmaf(a[2], b[2], c[2]),
           fmaf(a[3], b[3], c[3])}))

#else

/* Many sums at a time are made faster (chains.h). */
#define OC_SIMD_CHAINS

/* Moves s = p + c, which is rounded, by its last place towards the exact sum where that makes it
 * odd, as oc_rounded_to_odd does. */
static inline f64v rounded_to_odd(f64v p, f64v c, f64v s)
{
    const f64v part = s - p, error = (p - (s - part)) + (c - part);
    const f64v_mask inexact = (error > 0) | (error < 0), up = (error > 0) == (s > 0);
    const f64v_mask even = ((f64v_mask)s & 1) - 1;
    return (f64v)((f64v_mask)s + (((up & 2) - 1) & inexact & even));
}

/* Returns p + c and q + d as floats, rounded once. */
OP(f32v, rounded_sums, (f64v p, f64v c, f64v q, f64v d),
   floats_of(rounded_to_odd(p, c, p + c), rounded_to_odd(q, d, q + d)))

/* As f32v_fma, without a branch: for numbers that often lead to a middle. */
OP(f32v, f32v_fma_odd, (f32v a, f32v b, f32v c),
   rounded_sums(lower_doubles(a) * lower_doubles(b), lower_doubles(c),
                upper_doubles(a) * upper_doubles(b), upper_doubles(c)))

/* Returns a vector with a number below `suspects` where a double lies in the middle between two
 * floats, whose last 29 bits are a one and zeros, or is smaller than a normal float and not 0. The
 * parts of both words that matter are moved to where the numbers sought are the least. */
static inline i32x4 last_bits(f64v v)
{
    const u32v matters = {0x1fffffff, 0x7fffffff, 0x1fffffff, 0x7fffffff};
    const u32v move = {0x70000000, 0x7fffffff, 0x70000000, 0x7fffffff};
    return (i32x4)(((u32v)v & matters) + move);
}

/* Not in line: it is as long as ten of the operations that it stands for. */
static __attribute__((noinline)) f32v f32v_fma(f32v a, f32v b, f32v c)
{
    const int32_t middle = INT32_MIN + 1, tiny = INT32_MIN + 0x38100000 - 1;
    const i32x4 suspects = {middle, tiny, middle, tiny};
    const f64v p = lower_doubles(a) * lower_doubles(b), q = upper_doubles(a) * upper_doubles(b);
    f64v lower = p + lower_doubles(c), upper = q + upper_doubles(c);
    const i32x4 suspect = (last_bits(lower) < suspects) | (last_bits(upper) < suspects);
    if (__builtin_expect(mask_any(suspect), 0)) {
        lower = rounded_to_odd(p, lower_doubles(c), lower);
        upper = rounded_to_odd(q, upper_doubles(c), upper);
    }
    return floats_of(lower, upper);
}

#endif
#endif
