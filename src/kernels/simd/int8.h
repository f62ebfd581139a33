/* SPDX-License-Identifier: Apache-2.0
 * int8.h - products of 8-bit integers, four at a time, whose sums are 32-bit integers.
 *
 * A processor with such an instruction multiplies four unsigned bytes by four signed ones in each
 * 32-bit element and adds the products to a sum. Others multiply two 16-bit numbers: first the
 * bytes of even places of each four, then those of odd ones, which makes i8x64_HALVES 2. Sums are
 * exact; where they do not fit they wrap.
 *
 *     i32x16                       16 sums, as registers of u32v
 *     u8x4                         four unsigned bytes, or two of them as 16-bit numbers, in every
 *                                  element
 *     i8x64                        four signed bytes for each of 16 sums, or a half of them
 *     u8x4_splat(p)                the 32 bits at p, which need not be aligned
 *     i8x64_load(p, half)          64 bytes
 *     turn_rows(to, p, step, flip) byte i of 4 rows of 16, each `step` behind the one before, with
 *                                  the bits of flip inverted, become bytes 4 i to 4 i + 3 of `to`
 *     i32x16_zero()  splat  load  store
 *     i32x16_add(a, b)
 *     i32x16_less(a, b, c)         a - b * c; all wrap
 *     i32x16_dot(sum, x, w)        sum + x[0] * w[0] + .. + x[3] * w[3], or of a half
 *     u8x64_pixels(p)              element i is the bytes i of 4 times 16 at p: p[i], p[16 + i] ..
 *     i32x16_dot_each(sum, x, p)   the whole sum, where each element has bytes of its own, u8x64,
 *                                  and 64 signed bytes at p; not NEON
 *     i16x32_pixels(a, b)          16 bytes at a as 16-bit numbers, each beside one of b, NULL for
 *                                  zeros, in the instruction set's order; AVX2 alone
 *     i16x32_weights(a, b, k)      signed bytes k of 16 fours at a, each beside one of b
 *     i32x16_add_pairs(sum, x, w)  adds the products of pairs to sums in that order
 *     i32x16_in_order(sum)         the sums of pairs in the order of channels
 *     f32x16_load_u8(p, flip)      bytes at p, with the bits of flip inverted, as floats
 *     f32x16_of(v)                 int32, rounded to float
 *     i32x16_round(v)              to the nearest whole number, ties to even; a number beyond
 *                                  2^20 becomes an integer beyond 2^20
 *     i32x64_limit(v, n, zero, low, high)    u8x64v: v[r] + zero, n <= 4 of them, between low and
 *                                  high, which are bytes; zero is at least -128 and at most 383
 *     u8x64_store(p, step, v, n, flip)       these n times 16 bytes, each `step` behind the one
 *                                  before, with the bits of flip inverted
 *
 * i32x16_SUMS of them stay in registers beside what else a product needs.
 *
 * The file of an instruction set, int8_avx2.h and so on, defines these of u32v and f32v, and u8v4
 * and i8v4, which take the place of u8x4 and of a register of i8x64. */
#pragma once

#include "kernels/simd/simd.h"

/* clang-format off */
#define OC_INT8_(isa) OC_QUOTED(kernels/simd/int8_##isa.h)
#define OC_INT8(isa)  OC_INT8_(isa)
#include OC_INT8(OC_ISA)
/* clang-format on */

typedef struct i32x16 {
    u32v r[16 / u32v_N];
} i32x16;

typedef struct i8x64 {
    i8v4 r[16 / u32v_N];
} i8x64;

#ifdef OC_SIMD_PIXELS
#ifdef OC_SIMD_VNNI
OC_INLINE u8v4 u8v4_half(u8v4 v, OC_UNUSED const int half)
{
    return v;
}
#endif

typedef struct u8x64 {
    u8v4 r[16 / u32v_N];
} u8x64;

OC_INLINE u8x64 u8x64_pixels(const uint8_t *p)
{
    u8x64 y;
    u8v4_pixels(y.r, p);
    return y;
}

OC_INLINE i32x16 i32x16_dot_each(i32x16 sum, u8x64 x, const int8_t *w)
{
    UNROLL (half, i8x64_HALVES)
        EACH_PART (i, sum)
            sum.r[i] =
                u32v_dot(sum.r[i], u8v4_half(x.r[i], half), i8v4_load(w + i * 4 * u32v_N, half));
    return sum;
}
#endif

#ifdef OC_SIMD_PAIRS
OC_INLINE void i32x16_add_pairs(i32x16 *sum, i16x32 x, i16x32 w)
{
    EACH_PART (i, *sum)
        sum->r[i] = u32v_dot(sum->r[i], x.r[i], w.r[i]);
}

OC_INLINE i32x16 i32x16_in_order(i32x16 v)
{
    in_order(v.r);
    return v;
}
#endif

typedef u8v4 u8x4;
#define u8x4_splat u8v4_splat

OP_LINE(i32x16, i32x16_zero, (void), u32v_zero())
OP_LINE(i32x16, i32x16_splat, (int32_t x), u32v_splat((uint32_t)x))
OP_LINE(i32x16, i32x16_load, (const int32_t *p), u32v_load((const uint32_t *)p + i * u32v_N))

OC_INLINE void i32x16_store(int32_t *p, i32x16 v)
{
    EACH_PART (i, v)
        u32v_store((uint32_t *)p + i * u32v_N, v.r[i]);
}

OP_LINE(i8x64, i8x64_load, (const int8_t *p, const int half), i8v4_load(p + i * 4 * u32v_N, half))
OP_LINE_OF(a, i32x16, i32x16_add, (i32x16 a, i32x16 b), u32v_add(a.r[i], b.r[i]))
OP_LINE_OF(a, i32x16, i32x16_less, (i32x16 a, i32x16 b, i32x16 c),
           u32v_less(a.r[i], b.r[i], c.r[i]))
OP_LINE_OF(sum, i32x16, i32x16_dot, (i32x16 sum, u8x4 x, i8x64 w), u32v_dot(sum.r[i], x, w.r[i]))
OP_LINE(f32x16, f32x16_load_u8, (const uint8_t *p, uint8_t flip),
        f32v_load_inverted(p + i * f32v_N, flip))
OP_LINE(f32x16, f32x16_of, (i32x16 v), f32v_of(v.r[i]))
OP_LINE(i32x16, i32x16_round, (f32x16 v), u32v_round(v.r[i]))

OC_INLINE u8x64v i32x64_limit(const i32x16 v[4], const int n, int zero, int low, int high)
{
    u32v flat[4][16 / u32v_N];
    UNROLL (r, 4)
        EACH_PART (i, v[0])
            flat[r][i] = v[r < n ? r : 0].r[i];
    return limited_bytes(flat, zero, low, high);
}

OC_INLINE void u8x64_store(uint8_t *p, int64_t step, u8x64v v, const int n, uint8_t flip)
{
    store_bytes(p, step, v, n, flip);
}
