/* SPDX-License-Identifier: Apache-2.0
 * v128_x86.h - what v128.h takes from SSE2, and from SSE4.1 where the compiler may use it. */
#pragma once

#include <immintrin.h>

enum { OC_SIMD_REGISTERS = 16 };

OP(int, mask_all, (i32x4 m), _mm_movemask_epi8((__m128i)m) == 0xffff)
OP(int, mask_any, (i32x4 m), _mm_movemask_epi8((__m128i)m) != 0)
/* One bit for each element of a mask. */
OP(int, i32x4_bits, (i32x4 m), _mm_movemask_ps((__m128)m))

/* Returns the elements of yes where the mask has ones, and of no elsewhere. */
#ifdef __SSE4_1__
OP(i32x4, chosen, (i32x4 m, i32x4 yes, i32x4 no),
   (i32x4)_mm_blendv_epi8((__m128i)no, (__m128i)yes, (__m128i)m))
#else
OP(i32x4, chosen, (i32x4 m, i32x4 yes, i32x4 no), (m & yes) | (~m & no))
#endif

OP(f32v, f32v_max, (f32v a, f32v b), (f32v)_mm_max_ps((__m128)a, (__m128)b))
OP(f32v, f32v_min, (f32v a, f32v b), (f32v)_mm_min_ps((__m128)a, (__m128)b))
OP(f64v, f64v_max, (f64v a, f64v b), (f64v)_mm_max_pd((__m128d)a, (__m128d)b))

/* Loads 8 bytes at a, and 8 at b. */
OP(f32v, two_eights, (const void *a, const void *b),
   (f32v)_mm_loadh_pi((__m128)_mm_loadl_epi64(a), b))

/* Byte i is byte at[i] % 16 of `from`, and 0 where at[i] is 128 or more. */
#ifdef __SSSE3__
#define OC_SIMD_SWIZZLE
OP(u8v, swizzle, (u8v from, u8v at), (u8v)_mm_shuffle_epi8((__m128i)from, (__m128i)at))
/* Also where at[i] is 16 or more: the saturated sum sets its first bit. */
OP(u8v, swizzle_16, (u8v from, u8v at),
   swizzle(from, (u8v)_mm_adds_epu8((__m128i)at, _mm_set1_epi8(0x70))))
#endif

/* ---- doubles of floats */

OP(f64v, lower_doubles, (f32v v), (f64v)_mm_cvtps_pd((__m128)v))
OP(f64v, upper_doubles, (f32v v), (f64v)_mm_cvtps_pd(_mm_movehl_ps((__m128)v, (__m128)v)))
OP(f32v, floats_of, (f64v lower, f64v upper),
   (f32v)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)lower), _mm_cvtpd_ps((__m128d)upper)))
OP(f64v, f64v_load_f32, (const float *p),
   (f64v)_mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)p))))

/* ---- integers */

#ifdef __SSE4_1__
/* The greater and the lesser elements. */
OP(i32x4, i32x4_most, (i32x4 a, i32x4 b), (i32x4)_mm_max_epi32((__m128i)a, (__m128i)b))
OP(i32x4, i32x4_least, (i32x4 a, i32x4 b), (i32x4)_mm_min_epi32((__m128i)a, (__m128i)b))
#else
OP(i32x4, i32x4_most, (i32x4 a, i32x4 b), chosen(a > b, a, b))
OP(i32x4, i32x4_least, (i32x4 a, i32x4 b), chosen(a < b, a, b))
#endif

/* Returns seen, whose elements begin with ones, with `least` or less where v has it. No element of
 * v is less. */
#ifdef __SSE4_1__
OP(u32v, u32v_noted, (u32v seen, u32v v, uint32_t least),
   ((void)least, (u32v)_mm_min_epu32((__m128i)seen, (__m128i)v)))
#else
OP(u32v, u32v_noted, (u32v seen, u32v v, uint32_t least), seen & ~(u32v)(v == least))
#endif

/* The sums of the products of both int16 halves. */
OP(u32v, u32v_add_pairs, (u32v sum, u32v a, u32v b),
   sum + (u32v)_mm_madd_epi16((__m128i)a, (__m128i)b))
/* To the nearest, ties to even; what does not fit becomes the least integer. */
OP(i32x4, i32x4_nearest, (f32v v), (i32x4)_mm_cvtps_epi32((__m128)v))
OP(i16x8, i16x8_limited, (i32x4 a, i32x4 b), (i16x8)_mm_packs_epi32((__m128i)a, (__m128i)b))
OP(u8v, u8v_limited, (i16x8 a, i16x8 b), (u8v)_mm_packus_epi16((__m128i)a, (__m128i)b))
OP(i16x8, i16x8_add_limited, (i16x8 a, i16x8 b), (i16x8)_mm_adds_epi16((__m128i)a, (__m128i)b))
OP(u8v, u8v_most, (u8v a, u8v b), (u8v)_mm_max_epu8((__m128i)a, (__m128i)b))
OP(u8v, u8v_least, (u8v a, u8v b), (u8v)_mm_min_epu8((__m128i)a, (__m128i)b))
