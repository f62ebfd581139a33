/* SPDX-License-Identifier: Apache-2.0
 * windows_v128.h - the windows of windows.h in 128 bits. */
#pragma once

#include "kernels/simd/simd.h"

/* Sums of 2-D positions have a loop of their own, with two words of its own: which elements are
 * negative, as a mask; and sum + x in the elements of neither mask. clang makes three instructions
 * of `x & m` where it knows that m is a comparison. */
#ifdef OC_SIMD_INTERLEAVED
#define OC_WINDOWS_SQUARES
OP(f32v_mask, f32v_gone, (const int32_t *p), i32x4_load(p) >> 31)
OP(f64v_mask, f64v_gone, (const int32_t *p), widened(two_loaded(p) >> 31))
OP(f32v, f32v_add_unless, (f32v sum, f32v_mask a, f32v_mask b, f32v x),
   sum + (f32v)((i32x4)x & ~(a | b)))
OP(f64v, f64v_add_unless, (f64v sum, f64v_mask a, f64v_mask b, f64v x),
   sum + (f64v)((f64v_mask)x & ~(a | b)))
#endif

/* ---- windows in one register */

/* Loads windows of 8 bytes, a and the next; offsets count elements of `size` bytes. */
static inline f32v eights(const char *p, const int32_t *o, int a, size_t size)
{
    return two_eights(p + (size_t)o[a] * size, p + (size_t)o[a + 1] * size);
}

/* Loads the first and the second halves of 4 windows of 8 bytes. */
static inline void halves(f32v v[2], const void *p, const int32_t *o, size_t size)
{
    const f32v a = eights(p, o, 0, size), b = eights(p, o, 2, size);
    v[0] = PICKED(a, b, 0, 2, 4, 6);
    v[1] = PICKED(a, b, 1, 3, 5, 7);
}

static inline uint32_t at_4(const char *p, int32_t o, size_t size)
{
    uint32_t w;
    memcpy(&w, p + (size_t)o * size, sizeof w);
    return w;
}

static inline uint32_t at_2(const char *p, int32_t o)
{
    uint16_t w;
    memcpy(&w, p + o, sizeof w);
    return w;
}

/* Loads windows of 4 bytes. */
OP(u32v, fours, (const void *p, const int32_t *o, size_t size),
   ((u32v){at_4(p, o[0], size), at_4(p, o[1], size), at_4(p, o[2], size), at_4(p, o[3], size)}))

/* Loads windows of 2 bytes, each into 4 bytes. */
OP(u32v, twos, (const void *p, const int32_t *o),
   ((u32v){at_2(p, o[0]), at_2(p, o[1]), at_2(p, o[2]), at_2(p, o[3])}))

static inline void f32v_load2(f32v *v, const float *p, const int32_t *o)
{
    halves(v, p, o, 4);
}

static inline void f32v_load4(f32v *v, const float *p, const int32_t *o)
{
    v[0] = f32v_load(p + o[0]);
    v[1] = f32v_load(p + o[1]);
    v[2] = f32v_load(p + o[2]);
    v[3] = f32v_load(p + o[3]);
    f32v_transpose(v);
}

static inline void f64v_load2(f64v *v, const double *p, const int32_t *o)
{
    v[0] = f64v_load(p + o[0]);
    v[1] = f64v_load(p + o[1]);
    f64v_transpose(v);
}

/* ---- 16 and 8 bits */

static inline void split_f16(f32v *v, u32v w)
{
    v[0] = of_f16(w & 0xffff);
    v[1] = of_f16(w >> 16);
}

static inline void split_bf16(f32v *v, u32v w)
{
    v[0] = (f32v)(w << 16);
    v[1] = (f32v)(w & 0xffff0000);
}

static inline void f32v_load4_f16(f32v *v, const uint16_t *p, const int32_t *o)
{
    f32v half[2];
    halves(half, p, o, 2);
    split_f16(v, (u32v)half[0]);
    split_f16(v + 2, (u32v)half[1]);
}

static inline void f32v_load4_bf16(f32v *v, const uint16_t *p, const int32_t *o)
{
    f32v half[2];
    halves(half, p, o, 2);
    split_bf16(v, (u32v)half[0]);
    split_bf16(v + 2, (u32v)half[1]);
}

/* Returns byte k of each element. */
OP(f32v, of_bytes, (u32v w, int k), f32v_of_i32((i32x4)(w >> (8 * k) & 255)))

static inline void f32v_load2_u8(f32v *v, const uint8_t *p, const int32_t *o)
{
    const u32v w = twos(p, o);
    v[0] = of_bytes(w, 0);
    v[1] = of_bytes(w, 1);
}

static inline void f32v_load4_u8(f32v *v, const uint8_t *p, const int32_t *o)
{
    const u32v w = fours(p, o, 1);
    v[0] = of_bytes(w, 0);
    v[1] = of_bytes(w, 1);
    v[2] = of_bytes(w, 2);
    v[3] = of_bytes(w, 3);
}
