/* SPDX-License-Identifier: Apache-2.0
 * int8_v128.h - the operations of int8.h in 128 bits.
 *
 * Bytes become 16-bit numbers, and a 32-bit element holds two such numbers. An instruction adds the
 * products of both to a sum; the products are exact. With OC_SIMD_VNNI one instruction computes the
 * products of four bytes. */
#pragma once

enum { i32x16_SUMS = OC_SIMD_REGISTERS / 5 };

typedef u32v u8v4, i8v4;

OP(u32v, u32v_add, (u32v a, u32v b), a + b)
OP(u32v, u32v_less, (u32v a, u32v b, u32v c), a - b * c)
OP(f32v, f32v_load_inverted, (const uint8_t *p, uint8_t flip),
   f32v_of_i32((i32x4)(u32v_load_u8(p) ^ flip)))
OP(f32v, f32v_of, (u32v v), f32v_of_i32((i32x4)v))
OP(u32v, u32v_round, (f32v v), (u32v)i32x4_nearest(f32v_min(v, f32v_splat(0x1p30F))))

/* The bytes of four times 16 numbers. */
typedef struct {
    u8v r[4];
} u8x64v;

static inline i16x8 limited_half(u32v a, u32v b, int zero)
{
    const int16_t z = (int16_t)zero;
    return i16x8_add_limited(i16x8_limited((i32x4)a, (i32x4)b), (i16x8){z, z, z, z, z, z, z, z});
}

static inline u8x64v limited_bytes(u32v v[4][4], int zero, int low, int high)
{
    u8x64v y;
    for (int r = 0; r < 4; r++) {
        const i16x8 a = limited_half(v[r][0], v[r][1], zero);
        const i16x8 b = limited_half(v[r][2], v[r][3], zero);
        y.r[r] = u8v_least(u8v_most(u8v_limited(a, b), u8v_splat((uint8_t)low)),
                           u8v_splat((uint8_t)high));
    }
    return y;
}

static inline void store_bytes(uint8_t *p, int64_t step, u8x64v v, const int n, uint8_t flip)
{
    for (int r = 0; r < n; r++)
        u8v_store(p + r * step, v.r[r] ^ u8v_splat(flip));
}

/* The first, and the last, halves of two registers, byte by byte and by 16 and 32 bits. */
#define LOW_8(a, b)   PICKED(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH_8(a, b)  PICKED(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define LOW_16(a, b)  PICKED((u16x8)(a), (u16x8)(b), 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH_16(a, b) PICKED((u16x8)(a), (u16x8)(b), 4, 12, 5, 13, 6, 14, 7, 15)
#define LOW_32(a, b)  PICKED((u32v)(a), (u32v)(b), 0, 4, 1, 5)
#define HIGH_32(a, b) PICKED((u32v)(a), (u32v)(b), 2, 6, 3, 7)

/* r[q] becomes elements 4 q to 4 q + 3 of four rows of 16 bytes, each element a byte of each. */
static inline void turned(u32v r[4], const u8v row[4])
{
    const u8v a = LOW_8(row[0], row[1]), b = LOW_8(row[2], row[3]);
    const u8v c = HIGH_8(row[0], row[1]), d = HIGH_8(row[2], row[3]);
    r[0] = (u32v)LOW_16(a, b);
    r[1] = (u32v)HIGH_16(a, b);
    r[2] = (u32v)LOW_16(c, d);
    r[3] = (u32v)HIGH_16(c, d);
}

static inline void turn_rows(int8_t *to, const uint8_t *p, int64_t step, uint8_t flip)
{
    u8v row[4];
    u32v r[4];
    for (int i = 0; i < 4; i++)
        row[i] = u8v_load(p + i * step) ^ u8v_splat(flip);
    turned(r, row);
    for (int i = 0; i < 4; i++)
        u8v_store((uint8_t *)to + 16 * i, (u8v)r[i]);
}

static inline u8v4 u8v4_splat(const uint8_t *p)
{
    uint32_t quad;
    memcpy(&quad, p, sizeof quad);
    return u32v_splat(quad);
}

/* Loads four pixels of 16 bytes. */
#define OC_SIMD_PIXELS
static inline void u8v4_pixels(u8v4 r[4], const uint8_t *p)
{
    u8v row[4];
    for (int i = 0; i < 4; i++)
        row[i] = u8v_load(p + 16 * i);
    turned(r, row);
}

#ifdef OC_SIMD_VNNI

enum { i8x64_HALVES = 1 };

static inline i8v4 i8v4_load(const int8_t *p, OC_UNUSED const int half)
{
    return (u32v)u8v_load((const uint8_t *)p);
}

OP(u32v, u32v_dot, (u32v sum, u8v4 x, i8v4 w),
   (u32v)wasm_i32x4_relaxed_dot_i8x16_i7x16_add((v128_t)w, (v128_t)x, (v128_t)sum))

#else

enum { i8x64_HALVES = 2 };

OP(u8v4, u8v4_half, (u8v4 v, const int half),
   half ? (u32v)((u16x8)v >> 8) : (u32v)((u16x8)v & 0xff))

static inline i8v4 i8v4_load(const int8_t *p, const int half)
{
    const i16x8 v = (i16x8)u8v_load((const uint8_t *)p);
    return (u32v)((half ? v : v << 8) >> 8);
}

/* ---- pairs of pixels, and of weights, one of each of two rows ---- */

/* On x86, where this is small code for old processors, no kernel has code for pairs. */
#ifndef __SSE2__
#define OC_SIMD_PAIRS
/* Pixels of 16 channels as 16-bit numbers, in the order of channels. */
typedef struct i16x32 {
    u32v r[4];
} i16x32;

/* b NULL: zeros take its place. */
static inline i16x32 i16x32_pixels(const uint8_t *a, const uint8_t *b)
{
    const u8v none = {0}, x = u8v_load(a), y = b ? u8v_load(b) : none;
    const u8v low_x = LOW_8(x, none), low_y = LOW_8(y, none);
    const u8v high_x = HIGH_8(x, none), high_y = HIGH_8(y, none);
    return (i16x32){{(u32v)LOW_16(low_x, low_y), (u32v)HIGH_16(low_x, low_y),
                     (u32v)LOW_16(high_x, high_y), (u32v)HIGH_16(high_x, high_y)}};
}

/* Loads number k of each four weights, from lines of four weights of 16 channels at a and b. */
static inline i16x32 i16x32_weights(const int8_t *a, const int8_t *b, int k)
{
    i16x32 w;
    for (int i = 0; i < 4; i++) {
        const i32x4 x = (i32x4)u8v_load((const uint8_t *)a + 16 * i) << (24 - 8 * k);
        const i32x4 y = (i32x4)u8v_load((const uint8_t *)b + 16 * i) << (24 - 8 * k);
        w.r[i] = ((u32v)(x >> 24) & 0xffff) | ((u32v)(y >> 8) & 0xffff0000);
    }
    return w;
}

static inline void in_order(OC_UNUSED u32v r[4]) {}
#endif

OP(u32v, u32v_dot, (u32v sum, u8v4 x, i8v4 w), u32v_add_pairs(sum, x, w))

#endif
