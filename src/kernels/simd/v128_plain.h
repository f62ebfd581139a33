/* SPDX-License-Identifier: Apache-2.0
 * v128_plain.h - what v128.h takes from x86 and WebAssembly, where a processor is neither, but
 * one of VSX or of RISC-V with vectors: in loops that a compiler may turn into its instructions. */
#pragma once

enum { OC_SIMD_REGISTERS = 16 };

#define EACH_OF(i, n) OC_UNROLL for (int i = 0; i < (n); i++)

static inline int mask_all(i32x4 m)
{
    return (m[0] & m[1] & m[2] & m[3]) != 0;
}

static inline int mask_any(i32x4 m)
{
    return (m[0] | m[1] | m[2] | m[3]) != 0;
}

/* One bit for each element of a mask. */
OP(int, i32x4_bits, (i32x4 m), (m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8))

/* Returns the elements of yes where the mask has ones, and of no elsewhere. */
OP(i32x4, chosen, (i32x4 m, i32x4 yes, i32x4 no), (m & yes) | (~m & no))

OP(f32v, f32v_max, (f32v a, f32v b), (f32v)chosen(a > b, (i32x4)a, (i32x4)b))
OP(f32v, f32v_min, (f32v a, f32v b), (f32v)chosen(a < b, (i32x4)a, (i32x4)b))
OP(f64v, f64v_max, (f64v a, f64v b), (f64v)chosen((i32x4)(a > b), (i32x4)a, (i32x4)b))

/* Loads 8 bytes at a, and 8 at b. */
static inline f32v two_eights(const void *a, const void *b)
{
    int64_t w[2];
    memcpy(&w[0], a, sizeof w[0]);
    memcpy(&w[1], b, sizeof w[1]);
    return (f32v)(f64v_mask){w[0], w[1]};
}

/* ---- doubles of floats */

OP(f64v, lower_doubles, (f32v v), ((f64v){(double)v[0], (double)v[1]}))
OP(f64v, upper_doubles, (f32v v), ((f64v){(double)v[2], (double)v[3]}))
OP(f32v, floats_of, (f64v lower, f64v upper),
   ((f32v){(float)lower[0], (float)lower[1], (float)upper[0], (float)upper[1]}))
OP(f64v, f64v_load_f32, (const float *p), ((f64v){(double)p[0], (double)p[1]}))

/* ---- integers */

/* The greater and the lesser elements. */
OP(i32x4, i32x4_most, (i32x4 a, i32x4 b), chosen(a > b, a, b))
OP(i32x4, i32x4_least, (i32x4 a, i32x4 b), chosen(a < b, a, b))

/* Returns seen, whose elements begin with ones, with `least` or less where v has it. No element of
 * v is less. */
OP(u32v, u32v_noted, (u32v seen, u32v v, uint32_t least), seen & ~(u32v)(v == least))

/* The sums of the products of both int16 halves. */
static inline u32v u32v_add_pairs(u32v sum, u32v a, u32v b)
{
    const i32x4 low = ((i32x4)a << 16 >> 16) * ((i32x4)b << 16 >> 16);
    return sum + (u32v)low + (u32v)(((i32x4)a >> 16) * ((i32x4)b >> 16));
}

/* To the nearest, ties to even, as the neighbours of 1.5 * 2^23 are whole numbers; a number beyond
 * 2^21 becomes an integer beyond 2^20. */
static inline i32x4 i32x4_nearest(f32v v)
{
    const f32v far = f32v_splat(0x1p21F), shift = f32v_splat(0x1.8p23F);
    const f32v near = f32v_max(-far, f32v_min(far, v)) + shift - shift;
    return (i32x4){(int32_t)near[0], (int32_t)near[1], (int32_t)near[2], (int32_t)near[3]};
}

static inline int32_t within(int32_t x, int32_t low, int32_t high)
{
    return x < low ? low : x > high ? high : x;
}

static inline i16x8 i16x8_limited(i32x4 a, i32x4 b)
{
    i16x8 y;
    EACH_OF(i, 4)
    {
        y[i] = (int16_t)within(a[i], INT16_MIN, INT16_MAX);
        y[4 + i] = (int16_t)within(b[i], INT16_MIN, INT16_MAX);
    }
    return y;
}

static inline u8v u8v_limited(i16x8 a, i16x8 b)
{
    u8v y;
    EACH_OF(i, 8)
    {
        y[i] = (uint8_t)within(a[i], 0, UINT8_MAX);
        y[8 + i] = (uint8_t)within(b[i], 0, UINT8_MAX);
    }
    return y;
}

static inline i16x8 i16x8_add_limited(i16x8 a, i16x8 b)
{
    i16x8 y;
    EACH_OF(i, 8)
    y[i] = (int16_t)within(a[i] + b[i], INT16_MIN, INT16_MAX);
    return y;
}

OP(u8v, u8v_most, (u8v a, u8v b), ((u8v)(a > b) & a) | ((u8v)(a <= b) & b))
OP(u8v, u8v_least, (u8v a, u8v b), ((u8v)(a < b) & a) | ((u8v)(a >= b) & b))
