/* SPDX-License-Identifier: Apache-2.0
 * v128_moves.h - v128.h's registers where elements lie apart: consecutive numbers, stores of
 * the elements of two or three registers in turn, every second element, elements twice. */
#pragma once

/* Kernels that have these words have loops of their own for them. On x86 v128 is small code, for
 * old processors, and has none. */
#ifndef __SSE2__
#define OC_SIMD_INTERLEAVED

OP(f32v, f32v_counted, (int32_t i), f32v_of_i32(i + (i32x4){0, 1, 2, 3}))
OP(f64v, f64v_counted, (int32_t i), ((f64v){(double)i, (double)i} + (f64v){0, 1}))

static inline void f32v_store_pairs(float *p, f32v a, f32v b)
{
    f32v_store(p, PICKED(a, b, 0, 4, 1, 5));
    f32v_store(p + 4, PICKED(a, b, 2, 6, 3, 7));
}

static inline void f64v_store_pairs(double *p, f64v a, f64v b)
{
    f64v_store(p, PICKED(a, b, 0, 2));
    f64v_store(p + 2, PICKED(a, b, 1, 3));
}

static inline void f32v_store_triples(float *p, f32v a, f32v b, f32v c)
{
    const f32v ab = PICKED(a, b, 0, 4, 1, 5), ab2 = PICKED(a, b, 2, 6, 3, 7);
    const f32v ca = PICKED(c, a, 0, 4, 1, 5), bc = PICKED(b, c, 1, 5, 2, 6);
    f32v_store(p, PICKED(ab, ca, 0, 1, 4, 7));
    f32v_store(p + 4, PICKED(bc, ab2, 0, 1, 4, 5));
    f32v_store(p + 8, PICKED(c, ab2, 2, 6, 7, 3));
}

static inline void f64v_store_triples(double *p, f64v a, f64v b, f64v c)
{
    f64v_store(p, PICKED(a, b, 0, 2));
    f64v_store(p + 2, PICKED(c, a, 0, 3));
    f64v_store(p + 4, PICKED(b, c, 1, 3));
}

/* ---- elements of 1, 2 and 4 bytes: every second one of those in a, then in b; each of v twice */

OP(u8v, u8v_even_u8, (u8v a, u8v b),
   PICKED(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30))
OP(u8v, u8v_even_u16, (u8v a, u8v b), (u8v)PICKED((u16x8)a, (u16x8)b, 0, 2, 4, 6, 8, 10, 12, 14))
OP(u8v, u8v_even_u32, (u8v a, u8v b), (u8v)PICKED((u32v)a, (u32v)b, 0, 2, 4, 6))

static inline void u8v_store_twice_u8(uint8_t *p, u8v v)
{
    u8v_store(p, PICKED(v, v, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7));
    u8v_store(p + 16, PICKED(v, v, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15));
}

static inline void u8v_store_twice_u16(uint8_t *p, u8v v)
{
    const u16x8 w = (u16x8)v;
    u8v_store(p, (u8v)PICKED(w, w, 0, 0, 1, 1, 2, 2, 3, 3));
    u8v_store(p + 16, (u8v)PICKED(w, w, 4, 4, 5, 5, 6, 6, 7, 7));
}

static inline void u8v_store_twice_u32(uint8_t *p, u8v v)
{
    const u32v w = (u32v)v;
    u8v_store(p, (u8v)PICKED(w, w, 0, 0, 1, 1));
    u8v_store(p + 16, (u8v)PICKED(w, w, 2, 2, 3, 3));
}

#endif
