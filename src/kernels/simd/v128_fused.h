/* SPDX-License-Identifier: Apache-2.0
 * v128_fused.h - a * b + c, rounded once, in v128.h's registers.
 *
 * OC_UNFUSED takes the fast way (docs/numerics.md): the product is rounded too. Otherwise the bits
 * are those of one instruction: of the processor's where its compiler says that it has one, else of
 * doubles. A product of two floats is exact in double. Its sum with c is rounded to double, then to
 * float, which is right unless the double lies in the middle between two floats, or is smaller than
 * the normal floats: then oc_fma_f32 computes the elements again. */
#pragma once

#include "base/fused.h"

#ifdef OC_UNFUSED

OP(f32v, f32v_fma, (f32v a, f32v b, f32v c), a *b + c)
OP(f64v, f64v_fma, (f64v a, f64v b, f64v c), a *b + c)

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

static __attribute__((noinline, cold)) f32v one_by_one(f32v a, f32v b, f32v c)
{
    return (f32v){oc_fma_f32(a[0], b[0], c[0]), oc_fma_f32(a[1], b[1], c[1]),
                  oc_fma_f32(a[2], b[2], c[2]), oc_fma_f32(a[3], b[3], c[3])};
}

/* Returns a vector with a number below `suspects` where a double lies in the middle between two
 * floats, whose last 29 bits are a one and zeros, or is smaller than a normal float and not 0. The
 * parts of both words that matter are moved to where the numbers sought are the least. */
static inline i32x4 last_bits(f64v v)
{
    const u32v matters = {0x1fffffff, 0x7fffffff, 0x1fffffff, 0x7fffffff};
    const u32v move = {0x70000000, 0x7fffffff, 0x70000000, 0x7fffffff};
    return (i32x4)(((u32v)v & matters) + move);
}

static __attribute__((noinline)) f32v f32v_fma(f32v a, f32v b, f32v c)
{
    const int32_t middle = INT32_MIN + 1, tiny = INT32_MIN + 0x38100000 - 1;
    const i32x4 suspects = {middle, tiny, middle, tiny};
    const f64v lower = lower_doubles(a) * lower_doubles(b) + lower_doubles(c);
    const f64v upper = upper_doubles(a) * upper_doubles(b) + upper_doubles(c);
    const i32x4 suspect = (last_bits(lower) < suspects) | (last_bits(upper) < suspects);
    if (__builtin_expect(mask_any(suspect), 0))
        return one_by_one(a, b, c);
    return floats_of(lower, upper);
}

#endif
#endif
