/* SPDX-License-Identifier: Apache-2.0
 * v128_wasm.h - what v128.h takes from WebAssembly's SIMD. */
#pragma once

#include <wasm_simd128.h>

/* V8 has 15 on x86, and as every operand is loaded into one, sums take fewer. */
enum { OC_SIMD_REGISTERS = 12 };

OP(int, mask_all, (i32x4 m), wasm_i32x4_all_true((v128_t)m))
OP(int, mask_any, (i32x4 m), wasm_v128_any_true((v128_t)m))
/* One bit for each element of a mask. */
OP(int, i32x4_bits, (i32x4 m), (int)wasm_i32x4_bitmask((v128_t)m))

/* Returns the elements of yes where the mask has ones, and of no elsewhere. */
OP(i32x4, chosen, (i32x4 m, i32x4 yes, i32x4 no),
   (i32x4)wasm_v128_bitselect((v128_t)yes, (v128_t)no, (v128_t)m))

/* pmax(x, y) is x < y ? y : x. */
OP(f32v, f32v_max, (f32v a, f32v b), (f32v)wasm_f32x4_pmax((v128_t)b, (v128_t)a))
OP(f32v, f32v_min, (f32v a, f32v b), (f32v)wasm_f32x4_pmin((v128_t)b, (v128_t)a))
OP(f64v, f64v_max, (f64v a, f64v b), (f64v)wasm_f64x2_pmax((v128_t)b, (v128_t)a))

/* Loads 8 bytes at a, and 8 at b. */
OP(f32v, two_eights, (const void *a, const void *b),
   (f32v)wasm_v128_load64_lane(b, wasm_v128_load64_zero(a), 1))

/* Byte i is byte at[i] of `from`, and 0 where at[i] is 128 or more. */
#define OC_SIMD_SWIZZLE
#ifdef OC_SIMD_RELAXED
OP(u8v, swizzle, (u8v from, u8v at), (u8v)wasm_i8x16_relaxed_swizzle((v128_t)from, (v128_t)at))
#else
OP(u8v, swizzle, (u8v from, u8v at), (u8v)wasm_i8x16_swizzle((v128_t)from, (v128_t)at))
#endif
/* Also where at[i] is 16 or more. */
OP(u8v, swizzle_16, (u8v from, u8v at), (u8v)wasm_i8x16_swizzle((v128_t)from, (v128_t)at))

/* ---- doubles of floats */

OP(f64v, lower_doubles, (f32v v), (f64v)wasm_f64x2_promote_low_f32x4((v128_t)v))
OP(f64v, upper_doubles, (f32v v), lower_doubles(PICKED(v, v, 2, 3, 2, 3)))

/* Moves the first 8 bytes behind 8 zeros. A swizzle hides it from clang, which would else convert
 * one element after another. */
OP(v128_t, moved_up, (v128_t v),
   wasm_i8x16_swizzle(v, wasm_i8x16_const(16, 16, 16, 16, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7)))
OP(f32v, floats_of, (f64v lower, f64v upper),
   (f32v)wasm_v128_or(wasm_f32x4_demote_f64x2_zero((v128_t)lower),
                      moved_up(wasm_f32x4_demote_f64x2_zero((v128_t)upper))))

OP(f64v, f64v_load_f32, (const float *p),
   (f64v)wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(p)))

/* ---- integers */

/* The greater and the lesser elements. */
OP(i32x4, i32x4_most, (i32x4 a, i32x4 b), (i32x4)wasm_i32x4_max((v128_t)a, (v128_t)b))
OP(i32x4, i32x4_least, (i32x4 a, i32x4 b), (i32x4)wasm_i32x4_min((v128_t)a, (v128_t)b))

/* Returns seen, whose elements begin with ones, with `least` or less where v has it. No element of
 * v is less. */
OP(u32v, u32v_noted, (u32v seen, u32v v, uint32_t least),
   ((void)least, (u32v)wasm_u32x4_min((v128_t)seen, (v128_t)v)))

/* The sums of the products of both int16 halves. */
OP(u32v, u32v_add_pairs, (u32v sum, u32v a, u32v b),
   sum + (u32v)wasm_i32x4_dot_i16x8((v128_t)a, (v128_t)b))
/* To the nearest, ties to even; what does not fit becomes the nearest integer. */
OP(i32x4, i32x4_nearest, (f32v v), (i32x4)wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest((v128_t)v)))
OP(i16x8, i16x8_limited, (i32x4 a, i32x4 b), (i16x8)wasm_i16x8_narrow_i32x4((v128_t)a, (v128_t)b))
OP(u8v, u8v_limited, (i16x8 a, i16x8 b), (u8v)wasm_u8x16_narrow_i16x8((v128_t)a, (v128_t)b))
OP(i16x8, i16x8_add_limited, (i16x8 a, i16x8 b), (i16x8)wasm_i16x8_add_sat((v128_t)a, (v128_t)b))
OP(u8v, u8v_most, (u8v a, u8v b), (u8v)wasm_u8x16_max((v128_t)a, (v128_t)b))
OP(u8v, u8v_least, (u8v a, u8v b), (u8v)wasm_u8x16_min((v128_t)a, (v128_t)b))
