/* SPDX-License-Identifier: Apache-2.0
 * v128.h - the operations of simd.h in 128 bits: 4 floats or 2 doubles, for every processor whose
 * compiler has vectors of that width.
 *
 * Registers are the compiler's vectors. Where a processor has an instruction that compilers do not
 * find by themselves, v128_x86.h or v128_wasm.h names it; v128_plain.h is for all other
 * processors. A mask is a vector of the same width whose elements are all ones or all zeros. */
#pragma once

#include <math.h>
#include <string.h>

#ifndef OC_SIMD_NEED
#define OC_SIMD_NEED OC_CPU_V128
#endif
#define OC_UNROLL _Pragma("GCC unroll 8")

#define OF_16_BYTES __attribute__((vector_size(16)))
typedef float f32v OF_16_BYTES;
typedef double f64v OF_16_BYTES;
typedef uint32_t u32v OF_16_BYTES;
typedef f32v f32h;
typedef int32_t f32v_mask OF_16_BYTES;
typedef int64_t f64v_mask OF_16_BYTES;
typedef f32v_mask u32v_mask;
typedef int32_t i32x4 OF_16_BYTES;
typedef int16_t i16x8 OF_16_BYTES;
typedef uint16_t u16x8 OF_16_BYTES;
typedef uint8_t u8v OF_16_BYTES;

enum { f32v_N = 4, f64v_N = 2, u32v_N = 4, u8v_N = 16 };

/* A vector of the elements of a, then b, that the numbers name. */
#define PICKED(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

static inline void simd_fetch(const void *p)
{
    OC_PREFETCH((const char *)((uintptr_t)p + 256));
}

/* ---- values */

static inline f32v f32v_kept(f32v v)
{
    return v;
}

OP(f32v, f32v_splat, (float x), ((f32v){x, x, x, x}))
OP(f64v, f64v_splat, (double x), ((f64v){x, x}))
OP(u32v, u32v_splat, (uint32_t x), ((u32v){x, x, x, x}))
OP(u8v, u8v_splat, (uint8_t x), ((u8v){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x}))
OP(f32v, f32v_zero, (void), f32v_splat(0))
OP(f64v, f64v_zero, (void), f64v_splat(0))
OP(u32v, u32v_zero, (void), u32v_splat(0))

/* ---- what depends on the processor */

#if defined(__SSE2__)
#include "kernels/simd/v128_x86.h"
#elif defined(__wasm_simd128__)
#include "kernels/simd/v128_wasm.h"
#else
#include "kernels/simd/v128_plain.h"
#endif

#define VECTOR_TYPE f32v
#define NUMBER_TYPE float
#include "kernels/simd/v128_memory.inc"
#define VECTOR_TYPE f64v
#define NUMBER_TYPE double
#include "kernels/simd/v128_memory.inc"
#define VECTOR_TYPE u32v
#define NUMBER_TYPE uint32_t
#include "kernels/simd/v128_memory.inc"

static inline u8v u8v_load(const uint8_t *p)
{
    u8v v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void u8v_store(uint8_t *p, u8v v)
{
    memcpy(p, &v, sizeof v);
}

#include "kernels/simd/v128_fused.h"

/* ---- the first n, and those of a mask */

OP(u32v_mask, u32v_first, (int n), ((i32x4){0, 1, 2, 3} < n))
OP(f32v_mask, f32v_first, (int n), u32v_first(n))
OP(f64v_mask, f64v_first, (int n), ((f64v_mask){0, 1} < n))

static inline f32v f32v_load_first(const float *p, int n, float missing)
{
    float v[4] = {missing, missing, missing, missing};
    memcpy(v, p, (size_t)n * sizeof *p);
    return f32v_load(v);
}

static inline void f32v_store_first(float *p, f32v v, int n)
{
    if (n == f32v_N)
        f32v_store(p, v);
    else
        memcpy(p, &v, (size_t)n * sizeof *p);
}

static inline void f64v_store_first(double *p, f64v v, int n)
{
    if (n == f64v_N)
        f64v_store(p, v);
    else
        *p = v[0];
}

/* ---- masks */

OP(f32v_mask, f32v_less, (f32v a, f32v b), a < b)
OP(f32v_mask, f32v_not_negative, (f32v v), v >= f32v_zero())
OP(f64v_mask, f64v_not_negative, (f64v v), v >= f64v_zero())
/* Widens the first two masks of 32 bits to 64 bits. */
OP(f64v_mask, widened, (i32x4 m), (f64v_mask)PICKED(m, m, 0, 0, 1, 1))

static inline i32x4 i32x4_load(const int32_t *p)
{
    i32x4 v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline i32x4 two_loaded(const int32_t *p)
{
    int64_t two;
    memcpy(&two, p, sizeof two);
    return (i32x4)(f64v_mask){two, 0};
}

OP(f32v_mask, f32v_there, (const int32_t *absent, int n), u32v_first(n) & (i32x4_load(absent) >= 0))
OP(f64v_mask, f64v_there, (const int32_t *absent, int n),
   widened(u32v_first(n) & (two_loaded(absent) >= 0)))
OP(f32v_mask, f32v_is, (const int32_t *p, int k), i32x4_load(p) == k)
OP(f64v_mask, f64v_is, (const int32_t *p, int k), widened(two_loaded(p) == k))
OP(f32v_mask, f32v_both, (f32v_mask a, f32v_mask b), a &b)
OP(f64v_mask, f64v_both, (f64v_mask a, f64v_mask b), a &b)
OP(f32v_mask, f32v_either, (f32v_mask a, f32v_mask b), a | b)
OP(f64v_mask, f64v_either, (f64v_mask a, f64v_mask b), a | b)
OP(int, f32v_all, (f32v_mask a), mask_all(a))
OP(int, f64v_all, (f64v_mask a), mask_all((i32x4)a))
OP(f32v, f32v_select, (f32v_mask m, f32v yes, f32v no), (f32v)chosen(m, (i32x4)yes, (i32x4)no))
OP(f64v, f64v_select, (f64v_mask m, f64v yes, f64v no),
   (f64v)chosen((i32x4)m, (i32x4)yes, (i32x4)no))

/* ---- arithmetic */

/* Adding +0 changes no sum but -0. */
OP(f32v, f32v_add_where, (f32v sum, f32v_mask m, f32v x), sum + (f32v)(m & (i32x4)x))
OP(f64v, f64v_add_where, (f64v sum, f64v_mask m, f64v x), sum + (f64v)(m & (f64v_mask)x))

OP(f32v, f32v_at_least, (f32v least, f32v x), f32v_max(least, x))
OP(f32v, f32v_at_most, (f32v most, f32v x), f32v_min(most, x))

/* f32v_max(v, max) is max where v is NaN; a comparison has the bits of a NaN. */
OP(f32v, f32v_greater, (f32v max, f32v v), (f32v)((i32x4)f32v_max(v, max) | (v != v)))
OP(f64v, f64v_greater, (f64v max, f64v v), (f64v)((f64v_mask)f64v_max(v, max) | (v != v)))

OP(f32v, f32v_abs, (f32v x), (f32v)((u32v)x & 0x7fffffff))
OP(f32v, f32v_copysign, (f32v x, f32v s), (f32v)(((u32v)s & 0x80000000) | (u32v)f32v_abs(x)))
OP(u32v, f32v_bits, (f32v x, int shift), (u32v)x >> shift)

/* Computes 2^i from the last 8 bits of i + 127. */
OP(f32v, power_of_2, (u32v i), (f32v)(i << 23))

OP(f32v, f32v_exp2, (f32v n), power_of_2(f32v_bits(n + f32v_splat(0x1.8p23f + 127), 0)))

static inline f32v f32v_ldexp(f32v x, f32v n)
{
    const u32v both = f32v_bits(n + f32v_splat(0x1.8p23f + 2 * 127), 0), half = both >> 1;
    return x * power_of_2(half) * power_of_2(both - half);
}

OP(int, f32v_any_from, (f32v x, float least), !mask_all(f32v_abs(x) < f32v_splat(least)))
OP(int, f32v_any_nan, (f32v v), mask_any(v != v))

/* ---- one number from all elements */

/* Moves elements 2 and 3 into 0 and 1. */
OP(f32v, upper, (f32v v), PICKED(v, v, 2, 3, 2, 3))

static inline float f32v_sum(f32v v)
{
    const f32v two = v + upper(v);
    return two[0] + two[1];
}

static inline float f32v_most(f32v v)
{
    const f32v two = f32v_max(upper(v), v);
    return two[1] > two[0] ? two[1] : two[0];
}

static inline float f32v_least(f32v v)
{
    const f32v two = f32v_min(upper(v), v);
    return two[1] < two[0] ? two[1] : two[0];
}

/* ---- moves */

OP(f32v, f32v_even, (f32v a, f32v b), PICKED(a, b, 0, 2, 4, 6))

static inline void f32v_transpose(f32v r[4])
{
    const f32v ab = PICKED(r[0], r[1], 0, 4, 1, 5), ab2 = PICKED(r[0], r[1], 2, 6, 3, 7);
    const f32v cd = PICKED(r[2], r[3], 0, 4, 1, 5), cd2 = PICKED(r[2], r[3], 2, 6, 3, 7);
    r[0] = PICKED(ab, cd, 0, 1, 4, 5);
    r[1] = PICKED(ab, cd, 2, 3, 6, 7);
    r[2] = PICKED(ab2, cd2, 0, 1, 4, 5);
    r[3] = PICKED(ab2, cd2, 2, 3, 6, 7);
}

static inline void f64v_transpose(f64v r[2])
{
    const f64v a = r[0], b = r[1];
    r[0] = PICKED(a, b, 0, 2);
    r[1] = PICKED(a, b, 1, 3);
}

#include "kernels/simd/v128_half.h"
#include "kernels/simd/v128_moves.h"
