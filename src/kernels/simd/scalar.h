/* SPDX-License-Identifier: Apache-2.0
 * scalar.h - the operations of simd.h without an instruction set: registers are numbers.
 * Operations that no scalar kernel uses are missing. */
#pragma once

#include "base/fused.h"
#include "base/smallfloat.h"

#include <math.h>
#include <string.h>

#ifndef OC_SIMD_NEED
#define OC_SIMD_NEED OC_CPU_SCALAR
#endif
enum { OC_SIMD_REGISTERS = 1 };
#define OC_UNROLL /* empty: the compiler decides about loops over numbers */
#define OC_SIMD_NUMBERS

typedef float f32v;
typedef double f64v;
typedef uint32_t u32v;
typedef float f32h;
typedef bool f32v_mask;
typedef bool f64v_mask;
typedef bool u32v_mask;

enum { f32v_N = 1, f64v_N = 1, u32v_N = 1 };

OP(f32v, f32v_kept, (f32v v), v)
OP(f32v, f32v_zero, (void), 0)
OP(f64v, f64v_zero, (void), 0)
OP(f32v, f32v_splat, (float x), x)
OP(f64v, f64v_splat, (double x), x)
OP(f32v, f32v_load, (const float *p), *p)
OP(f32v, f32v_load_f16, (const uint16_t *p), oc_f16_to_f32(*p))
OP(f32v, f32v_load_bf16, (const uint16_t *p), oc_bf16_to_f32(*p))
OP(f64v, f64v_load, (const double *p), *p)
OP_STORE(f32v_store, float, (f32v v), *p = v)
OP_STORE(f32v_store_f16, uint16_t, (f32v v), *p = oc_f16_from_f32(v))
OP_STORE(f64v_store, double, (f64v v), *p = v)
OP(f32v, f32v_load_first, (const float *p, int n, float missing), n > 0 ? *p : missing)

static inline void f32v_store_first(float *p, f32v v, int n)
{
    if (n > 0)
        *p = v;
}

/* Defines loads and stores of the first n elements, 0 or 1. */
#define OF_SOME(v, T)                                                                              \
    OP(v##_mask, v##_first, (int n), n > 0)                                                        \
    OP(v, v##_load_where, (const T *p, v##_mask m), m ? *p : 0)                                    \
    OP_STORE(v##_store_where, T, (v##_mask m, v x), if (m) *p = x)

OF_SOME(f32v, float)
OF_SOME(f64v, double)

OP(f64v, f64v_load_f32, (const float *p), (double)*p)
OP(f32v_mask, f32v_less, (f32v a, f32v b), a < b)
OP(f32v_mask, f32v_not_negative, (f32v v), v >= 0)
OP(f64v_mask, f64v_not_negative, (f64v v), v >= 0)
OP(f32v, f32v_select, (f32v_mask m, f32v yes, f32v no), m ? yes : no)
OP(f64v, f64v_select, (f64v_mask m, f64v yes, f64v no), m ? yes : no)
#ifdef OC_UNFUSED /* the fast way (docs/numerics.md) */
OP(f32v, f32v_fma, (f32v a, f32v b, f32v c), a *b + c)
OP(f64v, f64v_fma, (f64v a, f64v b, f64v c), a *b + c)

/* The upper 12 of a number's 24 binary digits: the other ones are 0. */
static inline f32v f32v_upper_half(f32v v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    bits &= ~UINT32_C(0xfff);
    memcpy(&v, &bits, sizeof bits);
    return v;
}
#else
OP(f32v, f32v_fma, (f32v a, f32v b, f32v c), oc_fma_f32(a, b, c))
OP(f64v, f64v_fma, (f64v a, f64v b, f64v c), fma(a, b, c))
#endif
OP(f32v, f32v_max, (f32v a, f32v b), a > b ? a : b)
OP(f32v, f32v_min, (f32v a, f32v b), a < b ? a : b)
OP(f32v, f32v_at_least, (f32v least, f32v x), least > x ? least : x)
OP(f32v, f32v_at_most, (f32v most, f32v x), most < x ? most : x)
OP(f32v, f32v_greater, (f32v max, f32v v), v > max || v != v ? v : max)
OP(f64v, f64v_greater, (f64v max, f64v v), v > max || v != v ? v : max)
OP(f32v, f32v_abs, (f32v x), fabsf(x))
OP(f32v, f32v_copysign, (f32v x, f32v s), copysignf(x, s))

static inline u32v f32v_bits(f32v x, int shift)
{
    u32v i;
    memcpy(&i, &x, sizeof i);
    return i >> shift;
}

/* Computes 2^i from the last 8 bits of i + 127. */
static inline f32v power_of_2(u32v i)
{
    f32v power;
    i <<= 23;
    memcpy(&power, &i, sizeof power);
    return power;
}

OP(f32v, f32v_exp2, (f32v n), power_of_2(f32v_bits(n + (0x1.8p23f + 127), 0)))

static inline f32v f32v_ldexp(f32v x, f32v n)
{
    const u32v both = f32v_bits(n + (0x1.8p23f + 2 * 127), 0), half = both >> 1;
    return x * power_of_2(half) * power_of_2(both - half);
}

OP(int, f32v_any_nan, (f32v v), v != v)
OP(float, f32v_sum, (f32v v), v)
OP(float, f32v_most, (f32v v), v)
OP(float, f32v_least, (f32v v), v)
OP(bool, f32v_any_from, (f32v x, float least), !(fabsf(x) < least))
OP(f32v, f32v_lookup, (const float table[8], u32v i), table[i & 7])

static inline f32v f32v_even(f32v a, OC_UNUSED f32v b)
{
    return a;
}

/* ---- bytes */

typedef uint8_t u8v;
typedef const uint8_t *u8_table;

enum { u8v_N = 1 };

OP(u8_table, u8_table_load, (const uint8_t *p), p)
OP(u8v, u8v_load, (const uint8_t *p), *p)
OP_STORE(u8v_store, uint8_t, (u8v v), *p = v)
OP(u8v, u8v_lookup, (const u8_table *t, u8v i), (*t)[i])
