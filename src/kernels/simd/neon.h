/* SPDX-License-Identifier: Apache-2.0
 * neon.h - the operations of simd.h in NEON: 4 floats or 2 doubles.
 *
 * A mask is a vector of the same width whose elements are all ones or all zeros. */
#pragma once

#include <arm_neon.h>
#include <string.h>

#define OC_SIMD_NEED OC_CPU_NEON
enum { OC_SIMD_REGISTERS = 32 };
#define OC_UNROLL _Pragma("GCC unroll 8")

typedef float32x4_t f32v;
typedef float64x2_t f64v;
typedef uint32x4_t u32v;
typedef float32x4_t f32h;
typedef uint32x4_t f32v_mask;
typedef uint64x2_t f64v_mask;

enum { f32v_N = 4, f64v_N = 2, u32v_N = 4 };

/* The processor prefetches by itself; this does nothing. */
static inline void simd_fetch(const void *p)
{
    (void)p;
}

/* ---- values */

static inline f32v f32v_kept(f32v v)
{
    __asm__("" : "+w"(v));
    return v;
}

OP(f32v, f32v_zero, (void), vdupq_n_f32(0))
OP(f64v, f64v_zero, (void), vdupq_n_f64(0))
OP(f32v, f32v_splat, (float x), vdupq_n_f32(x))
OP(f64v, f64v_splat, (double x), vdupq_n_f64(x))
OP(f32v, f32v_load, (const float *p), vld1q_f32(p))
OP(f64v, f64v_load, (const double *p), vld1q_f64(p))
OP_STORE(f32v_store, float, (f32v v), vst1q_f32(p, v))
OP_STORE(f64v_store, double, (f64v v), vst1q_f64(p, v))

static inline void f32v_store_first(float *p, f32v v, int n)
{
    if (n == f32v_N)
        vst1q_f32(p, v);
    else
        memcpy(p, &v, (size_t)n * sizeof *p);
}

static inline void f64v_store_first(double *p, f64v v, int n)
{
    if (n == f64v_N)
        vst1q_f64(p, v);
    else
        *p = vgetq_lane_f64(v, 0);
}

static inline f32v f32v_load_first(const float *p, int n, float missing)
{
    float v[4] = {missing, missing, missing, missing};
    memcpy(v, p, (size_t)n * sizeof *p);
    return vld1q_f32(v);
}

OP(f64v, f64v_load_f32, (const float *p), vcvt_f64_f32(vld1_f32(p)))

/* ---- masks */

OP(f32v_mask, f32v_less, (f32v a, f32v b), vcltq_f32(a, b))
OP(f32v_mask, f32v_not_negative, (f32v v), vcgezq_f32(v))
OP(f64v_mask, f64v_not_negative, (f64v v), vcgezq_f64(v))
OP(f64v_mask, widened, (uint32x2_t m), vreinterpretq_u64_s64(vmovl_s32(vreinterpret_s32_u32(m))))

static inline f32v_mask f32v_there(const int32_t *absent, int n)
{
    static const int32_t number[] = {0, 1, 2, 3};
    const uint32x4_t first = vcltq_s32(vld1q_s32(number), vdupq_n_s32(n));
    return vandq_u32(first, vcgezq_s32(vld1q_s32(absent)));
}

static inline f64v_mask f64v_there(const int32_t *absent, int n)
{
    static const int32_t number[] = {0, 1};
    const uint32x2_t first = vclt_s32(vld1_s32(number), vdup_n_s32(n));
    return widened(vand_u32(first, vcgez_s32(vld1_s32(absent))));
}

OP(f32v_mask, f32v_is, (const int32_t *p, int k), vceqq_s32(vld1q_s32(p), vdupq_n_s32(k)))
OP(f64v_mask, f64v_is, (const int32_t *p, int k), widened(vceq_s32(vld1_s32(p), vdup_n_s32(k))))
OP(f32v_mask, f32v_both, (f32v_mask a, f32v_mask b), vandq_u32(a, b))
OP(f64v_mask, f64v_both, (f64v_mask a, f64v_mask b), vandq_u64(a, b))
OP(f32v_mask, f32v_either, (f32v_mask a, f32v_mask b), vorrq_u32(a, b))
OP(f64v_mask, f64v_either, (f64v_mask a, f64v_mask b), vorrq_u64(a, b))
OP(int, f32v_all, (f32v_mask a), vminvq_u32(a) != 0)
OP(int, f64v_all, (f64v_mask a), vminvq_u32(vreinterpretq_u32_u64(a)) != 0)
OP(f32v, f32v_select, (f32v_mask m, f32v yes, f32v no), vbslq_f32(m, yes, no))
OP(f64v, f64v_select, (f64v_mask m, f64v yes, f64v no), vbslq_f64(m, yes, no))

/* ---- arithmetic */

OP(f32v, f32v_fma, (f32v a, f32v b, f32v c), vfmaq_f32(c, a, b))
OP(f64v, f64v_fma, (f64v a, f64v b, f64v c), vfmaq_f64(c, a, b))

/* Adding +0 changes no sum but -0. */
OP(f32v, f32v_add_where, (f32v sum, f32v_mask m, f32v x),
   vaddq_f32(sum, vreinterpretq_f32_u32(vandq_u32(m, vreinterpretq_u32_f32(x)))))
OP(f64v, f64v_add_where, (f64v sum, f64v_mask m, f64v x),
   vaddq_f64(sum, vreinterpretq_f64_u64(vandq_u64(m, vreinterpretq_u64_f64(x)))))

OP(f32v, f32v_max, (f32v a, f32v b), vbslq_f32(vcgtq_f32(a, b), a, b))
OP(f32v, f32v_min, (f32v a, f32v b), vbslq_f32(vcltq_f32(a, b), a, b))
OP(f32v, f32v_at_least, (f32v least, f32v x), vmaxq_f32(least, x))
OP(f32v, f32v_at_most, (f32v most, f32v x), vminq_f32(most, x))

static inline f32v f32v_greater(f32v max, f32v v)
{
    const f32v most = vbslq_f32(vcgtq_f32(v, max), v, max);
    return vbslq_f32(vceqq_f32(v, v), most, v);
}

static inline f64v f64v_greater(f64v max, f64v v)
{
    const f64v most = vbslq_f64(vcgtq_f64(v, max), v, max);
    return vbslq_f64(vceqq_f64(v, v), most, v);
}

OP(f32v, f32v_abs, (f32v x), vabsq_f32(x))
OP(f32v, f32v_copysign, (f32v x, f32v s), vbslq_f32(vdupq_n_u32(0x80000000), s, x))
OP(u32v, f32v_bits, (f32v x, int shift), vshlq_u32(vreinterpretq_u32_f32(x), vdupq_n_s32(-shift)))

/* Computes 2^i from the last 8 bits of i + 127. */
OP(f32v, power_of_2, (u32v i), vreinterpretq_f32_u32(vshlq_n_u32(i, 23)))

OP(f32v, f32v_exp2, (f32v n), power_of_2(f32v_bits(n + f32v_splat(0x1.8p23f + 127), 0)))

static inline f32v f32v_ldexp(f32v x, f32v n)
{
    const u32v both = f32v_bits(n + f32v_splat(0x1.8p23f + 2 * 127), 0);
    const u32v half = vshrq_n_u32(both, 1);
    return x * power_of_2(half) * power_of_2(vsubq_u32(both, half));
}

OP(int, f32v_any_from, (f32v x, float least), vminvq_u32(vcaltq_f32(x, vdupq_n_f32(least))) == 0)
OP(int, f32v_any_nan, (f32v v), vminvq_u32(vceqq_f32(v, v)) == 0)

/* ---- one number from all elements */

/* Moves elements 2 and 3 into 0 and 1. */
OP(f32v, upper, (f32v v), vextq_f32(v, v, 2))

static inline float f32v_sum(f32v v)
{
    const f32v two = vaddq_f32(v, upper(v));
    return vgetq_lane_f32(two, 0) + vgetq_lane_f32(two, 1);
}

static inline float f32v_most(f32v v)
{
    const f32v two = f32v_max(upper(v), v);
    const float a = vgetq_lane_f32(two, 0), b = vgetq_lane_f32(two, 1);
    return b > a ? b : a;
}

static inline float f32v_least(f32v v)
{
    const f32v two = f32v_min(upper(v), v);
    const float a = vgetq_lane_f32(two, 0), b = vgetq_lane_f32(two, 1);
    return b < a ? b : a;
}

/* ---- moves */

/* The four bytes of element i are those from 4 i on. */
static inline f32v f32v_lookup(const float table[8], u32v i)
{
    const uint8x16x2_t all = {
        {vreinterpretq_u8_f32(vld1q_f32(table)), vreinterpretq_u8_f32(vld1q_f32(table + 4))}};
    const uint32x4_t first = vmulq_n_u32(vandq_u32(i, vdupq_n_u32(7)), 0x04040404);
    const uint32x4_t bytes = vaddq_u32(first, vdupq_n_u32(0x03020100));
    return vreinterpretq_f32_u8(vqtbl2q_u8(all, vreinterpretq_u8_u32(bytes)));
}

OP(f32v, f32v_even, (f32v a, f32v b), vuzp1q_f32(a, b))
OP(f64v, pairs, (f32v v), vreinterpretq_f64_f32(v))
OP(f32v, joined, (f64v v), vreinterpretq_f32_f64(v))

static inline void f32v_transpose(f32v r[4])
{
    const f64v ab = pairs(vtrn1q_f32(r[0], r[1])); /* holds a0 b0 a2 b2 */
    const f64v ab1 = pairs(vtrn2q_f32(r[0], r[1]));
    const f64v cd = pairs(vtrn1q_f32(r[2], r[3]));
    const f64v cd1 = pairs(vtrn2q_f32(r[2], r[3]));
    r[0] = joined(vtrn1q_f64(ab, cd));
    r[1] = joined(vtrn1q_f64(ab1, cd1));
    r[2] = joined(vtrn2q_f64(ab, cd));
    r[3] = joined(vtrn2q_f64(ab1, cd1));
}

static inline void f64v_transpose(f64v r[2])
{
    const f64v a = r[0], b = r[1];
    r[0] = vtrn1q_f64(a, b);
    r[1] = vtrn2q_f64(a, b);
}

/* ---- float16, bfloat16 and uint8 */

OP(f32v, of_f16, (uint16x4_t codes), vcvt_f32_f16(vreinterpret_f16_u16(codes)))
OP(f32v, f32v_load_f16, (const uint16_t *p), of_f16(vld1_u16(p)))
OP(f32v, f32v_load_bf16, (const uint16_t *p), vreinterpretq_f32_u32(vshll_n_u16(vld1_u16(p), 16)))

static inline f32v f32v_load_u8(const uint8_t *p)
{
    uint32_t four;
    memcpy(&four, p, sizeof four);
    const uint8x8_t bytes = vreinterpret_u8_u32(vdup_n_u32(four));
    return vcvtq_f32_u32(vmovl_u16(vget_low_u16(vmovl_u8(bytes))));
}

OP(uint16x4_t, to_f16, (f32v v), vreinterpret_u16_f16(vcvt_f16_f32(v)))

static inline uint16x4_t to_bf16(f32v v)
{
    const uint32x4_t bits = vreinterpretq_u32_f32(v);
    const uint32x4_t odd = vandq_u32(vshrq_n_u32(bits, 16), vdupq_n_u32(1));
    const uint32x4_t sum = vaddq_u32(vaddq_u32(bits, vdupq_n_u32(0x7fff)), odd);
    const uint32x4_t quiet = vorrq_u32(bits, vdupq_n_u32(0x400000));
    return vshrn_n_u32(vbslq_u32(vceqq_f32(v, v), sum, quiet), 16);
}

/* The processor's conversion saturates as needed. Byte i is element i. */
static inline uint32_t to_u8(f32v v)
{
    const uint16x4_t words = vqmovn_u32(vcvtq_u32_f32(v));
    return vget_lane_u32(vreinterpret_u32_u8(vqmovn_u16(vcombine_u16(words, words))), 0);
}

OP_STORE(f32v_store_f16, uint16_t, (f32v v), vst1_u16(p, to_f16(v)))
OP_STORE(f32v_store_bf16, uint16_t, (f32v v), vst1_u16(p, to_bf16(v)))

static inline void f32v_store_u8(uint8_t *p, f32v v)
{
    const uint32_t four = to_u8(v);
    memcpy(p, &four, sizeof four);
}

static inline void store_codes(uint16_t *p, uint16x4_t codes, int n)
{
    if (n == f32v_N)
        vst1_u16(p, codes);
    else
        memcpy(p, &codes, (size_t)n * sizeof *p);
}

OP_STORE(f32v_store_first_f16, uint16_t, (f32v v, int n), store_codes(p, to_f16(v), n))
OP_STORE(f32v_store_first_bf16, uint16_t, (f32v v, int n), store_codes(p, to_bf16(v), n))

static inline void f32v_store_first_u8(uint8_t *p, f32v v, int n)
{
    const uint32_t code = to_u8(v);
    if (n == f32v_N)
        memcpy(p, &code, sizeof code);
    else
        memcpy(p, &code, (size_t)n);
}

/* ---- bytes */

typedef uint8x16_t u8v;
typedef struct u8_table {
    uint8x16x4_t part[4];
} u8_table;

enum { u8v_N = 16 };

static inline u8_table u8_table_load(const uint8_t *p)
{
    u8_table t;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            t.part[i].val[k] = vld1q_u8(p + 64 * i + 16 * k);
    return t;
}

OP(u8v, u8v_load, (const uint8_t *p), vld1q_u8(p))
OP_STORE(u8v_store, uint8_t, (u8v v), vst1q_u8(p, v))

/* An index past a part leaves the element unchanged. */
static inline u8v u8v_lookup(const u8_table *t, u8v i)
{
    u8v all = vqtbl4q_u8(t->part[0], i);
    for (uint8_t k = 1; k < 4; k++)
        all = vqtbx4q_u8(all, t->part[k], vsubq_u8(i, vdupq_n_u8((uint8_t)(64 * k))));
    return all;
}
