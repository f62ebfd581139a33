/* SPDX-License-Identifier: Apache-2.0
 * scalar.h - the operations of simd.h without an instruction set: registers are numbers.
 * Operations that no scalar kernel uses are missing. */
#ifndef OC_KERNELS_SIMD_SCALAR_H
#define OC_KERNELS_SIMD_SCALAR_H

#include "base/smallfloat.h"

#include <math.h>
#include <string.h>

#define OC_SIMD_NEED OC_CPU_SCALAR
enum { OC_SIMD_REGISTERS = 1 };
#define OC_UNROLL /* empty: the compiler decides about loops over numbers */
#define OC_SIMD_NUMBERS

typedef float f32v;
typedef double f64v;
typedef uint32_t u32v;
typedef float f32h;
typedef bool f32v_mask;
typedef bool f64v_mask;

enum { f32v_N = 1, f64v_N = 1, u32v_N = 1 };

static inline f32v f32v_kept(f32v v)
{
    return v;
}

static inline f32v f32v_zero(void)
{
    return 0;
}

static inline f64v f64v_zero(void)
{
    return 0;
}

static inline f32v f32v_splat(float x)
{
    return x;
}

static inline f64v f64v_splat(double x)
{
    return x;
}

static inline f32v f32v_load(const float *p)
{
    return *p;
}

static inline f32v f32v_load_f16(const uint16_t *p)
{
    return oc_f16_to_f32(*p);
}

static inline f32v f32v_load_bf16(const uint16_t *p)
{
    return oc_bf16_to_f32(*p);
}

static inline f64v f64v_load(const double *p)
{
    return *p;
}

static inline void f32v_store(float *p, f32v v)
{
    *p = v;
}

static inline void f32v_store_f16(uint16_t *p, f32v v)
{
    *p = oc_f16_from_f32(v);
}

static inline void f64v_store(double *p, f64v v)
{
    *p = v;
}

static inline f32v f32v_load_first(const float *p, int n, float missing)
{
    return n > 0 ? *p : missing;
}

static inline void f32v_store_first(float *p, f32v v, int n)
{
    if (n > 0)
        *p = v;
}

static inline f64v f64v_load_f32(const float *p)
{
    return (double)*p;
}

static inline f32v_mask f32v_less(f32v a, f32v b)
{
    return a < b;
}

static inline f32v_mask f32v_not_negative(f32v v)
{
    return v >= 0;
}

static inline f64v_mask f64v_not_negative(f64v v)
{
    return v >= 0;
}

static inline f32v f32v_select(f32v_mask m, f32v yes, f32v no)
{
    return m ? yes : no;
}

static inline f64v f64v_select(f64v_mask m, f64v yes, f64v no)
{
    return m ? yes : no;
}

static inline f32v f32v_fma(f32v a, f32v b, f32v c)
{
    return fmaf(a, b, c);
}

static inline f64v f64v_fma(f64v a, f64v b, f64v c)
{
    return fma(a, b, c);
}

static inline f32v f32v_max(f32v a, f32v b)
{
    return a > b ? a : b;
}

static inline f32v f32v_min(f32v a, f32v b)
{
    return a < b ? a : b;
}

static inline f32v f32v_at_least(f32v least, f32v x)
{
    return least > x ? least : x;
}

static inline f32v f32v_at_most(f32v most, f32v x)
{
    return most < x ? most : x;
}

static inline f32v f32v_greater(f32v max, f32v v)
{
    return v > max || v != v ? v : max;
}

static inline f64v f64v_greater(f64v max, f64v v)
{
    return v > max || v != v ? v : max;
}

static inline f32v f32v_abs(f32v x)
{
    return fabsf(x);
}

static inline f32v f32v_copysign(f32v x, f32v s)
{
    return copysignf(x, s);
}

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

static inline f32v f32v_exp2(f32v n)
{
    return power_of_2(f32v_bits(n + (0x1.8p23f + 127), 0));
}

static inline f32v f32v_ldexp(f32v x, f32v n)
{
    const u32v both = f32v_bits(n + (0x1.8p23f + 2 * 127), 0), half = both >> 1;
    return x * power_of_2(half) * power_of_2(both - half);
}

static inline int f32v_any_nan(f32v v)
{
    return v != v;
}

static inline float f32v_sum(f32v v)
{
    return v;
}

static inline float f32v_most(f32v v)
{
    return v;
}

static inline float f32v_least(f32v v)
{
    return v;
}

static inline bool f32v_any_from(f32v x, float least)
{
    return !(fabsf(x) < least);
}

static inline f32v f32v_lookup(const float table[8], u32v i)
{
    return table[i & 7];
}

static inline f32v f32v_even(f32v a, f32v b)
{
    (void)b;
    return a;
}

/* ---- bytes */

typedef uint8_t u8v;
typedef const uint8_t *u8_table;

enum { u8v_N = 1 };

static inline u8_table u8_table_load(const uint8_t *p)
{
    return p;
}

static inline u8v u8v_load(const uint8_t *p)
{
    return *p;
}

static inline void u8v_store(uint8_t *p, u8v v)
{
    *p = v;
}

static inline u8v u8v_lookup(const u8_table *t, u8v i)
{
    return (*t)[i];
}

#endif
