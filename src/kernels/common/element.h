/* SPDX-License-Identifier: Apache-2.0
 * element.h - the names by which a template, an .inc file, speaks of the element type that it is
 * included for.
 *
 *     #define ELEMENT f16
 *     #include "kernels/sample/gather.inc"         which ends with #undef ELEMENT
 *
 * floats.inc includes a template, TEMPLATE, for f32 and then for f64; image_types.inc for f32, f64,
 * f16, bf16 and u8; sizes.inc for u8, u16, u32, u64 and words.
 *
 * ELEMENT is f32, f64, f16, bf16, i8, u8, i16, u16, i32, u32, i64 or u64. Where elements are
 * only moved it may also be `words`, which has 16 bytes.
 *
 *     NAME(x)              x_f16
 *     T                    the C type of an element
 *     REAL                 the type of sums: double for double and for integers of 32 and 64 bits,
 *                          else float; REAL_NAME is f32 or f64, and SUM(x) is x_f32 or x_f64
 *     LOAD(v)  STORE(s)    T to REAL, and REAL to T: rounded, or truncated and saturated
 *     FMA(a, b, c)         a * b + c, rounded once; integers of 32 and 64 bits wrap
 *     SQRT(x)              the square root, of float and double
 *     VECTOR  V(op)        a register of REAL, and an operation on it: f32v, f32v_op (simd.h)
 *     LINE  L(op)          a cache line of REAL, and an operation on it: f32x16, f32x16_op
 *     V_OF(op)             an operation on a register of REAL and elements: f32v_op_f16 */
#pragma once

#include "base/fused.h"
#include "base/smallfloat.h"
#include "kernels/common/saturate.h"

#include <math.h>

typedef struct oc_two_words {
    uint64_t word[2];
} oc_two_words;

#define OC_PASTE_(a, b) a##_##b
#define OC_PASTE(a, b)  OC_PASTE_(a, b)

#define NAME(x)      OC_PASTE(x, ELEMENT)
#define T            OC_PASTE(OC_T, ELEMENT)
#define REAL_NAME    OC_PASTE(OC_SUM, ELEMENT)
#define REAL         OC_PASTE(OC_T, REAL_NAME)
#define SUM(x)       OC_PASTE(x, REAL_NAME)
#define LOAD(v)      OC_PASTE(OC_LOAD, ELEMENT)(v)
#define STORE(s)     OC_PASTE(OC_STORE, ELEMENT)(s)
#define FMA(a, b, c) OC_PASTE(OC_FMA, ELEMENT)(a, b, c)
#define SQRT(x)      OC_PASTE(OC_SQRT, ELEMENT)(x)
#define VECTOR       OC_PASTE(OC_VECTOR, REAL_NAME)
#define V(op)        OC_PASTE(VECTOR, op)
#define V_OF(op)     OC_PASTE(V(op), ELEMENT)
#define LINE         OC_PASTE(OC_LINE, REAL_NAME)
#define L(op)        OC_PASTE(LINE, op)

#define OC_VECTOR_f32 f32v
#define OC_VECTOR_f64 f64v
#define OC_LINE_f32   f32x16
#define OC_LINE_f64   f64x8

/* clang-format off */
#define OC_T_f32  float
#define OC_T_f64  double
#define OC_T_f16  uint16_t
#define OC_T_bf16 uint16_t
#define OC_T_i8   int8_t
#define OC_T_u8   uint8_t
#define OC_T_i16  int16_t
#define OC_T_u16  uint16_t
#define OC_T_i32  int32_t
#define OC_T_u32  uint32_t
#define OC_T_i64  int64_t
#define OC_T_u64  uint64_t
#define OC_T_words oc_two_words

#define OC_SUM_f32  f32
#define OC_SUM_f64  f64
#define OC_SUM_f16  f32
#define OC_SUM_bf16 f32
#define OC_SUM_i8   f32
#define OC_SUM_u8   f32
#define OC_SUM_i16  f32
#define OC_SUM_u16  f32
#define OC_SUM_i32  f64
#define OC_SUM_u32  f64
#define OC_SUM_i64  f64
#define OC_SUM_u64  f64

#ifdef OC_UNFUSED /* the fast way (docs/numerics.md) */
#define OC_FMA_f32(a, b, c) ((a) * (b) + (c))
#define OC_FMA_f64(a, b, c) ((a) * (b) + (c))
#else
#define OC_FMA_f32(a, b, c) oc_fma_f32(a, b, c)
#define OC_FMA_f64(a, b, c) fma(a, b, c)
#endif
#define OC_FMA_u32(a, b, c) ((a) * (b) + (c))
#define OC_FMA_u64(a, b, c) ((a) * (b) + (c))

#define OC_SQRT_f32(x) sqrtf(x)
#define OC_SQRT_f64(x) sqrt(x)

#define OC_LOAD_f32(v)  (v)
#define OC_LOAD_f64(v)  (v)
#define OC_LOAD_f16(v)  oc_f16_to_f32(v)
#define OC_LOAD_bf16(v) oc_bf16_to_f32(v)
#define OC_LOAD_i8(v)   ((float)(v))
#define OC_LOAD_u8(v)   ((float)(v))
#define OC_LOAD_i16(v)  ((float)(v))
#define OC_LOAD_u16(v)  ((float)(v))
#define OC_LOAD_i32(v)  ((double)(v))
#define OC_LOAD_u32(v)  ((double)(v))
#define OC_LOAD_i64(v)  ((double)(v))
#define OC_LOAD_u64(v)  ((double)(v))

#define OC_STORE_f32(s)  (s)
#define OC_STORE_f64(s)  (s)
#define OC_STORE_f16(s)  oc_f16_from_f32(s)
#define OC_STORE_bf16(s) oc_bf16_from_f32(s)
#define OC_STORE_i8(s)   oc_to_i8(s)
#define OC_STORE_u8(s)   oc_to_u8(s)
#define OC_STORE_i16(s)  oc_to_i16(s)
#define OC_STORE_u16(s)  oc_to_u16(s)
#define OC_STORE_i32(s)  oc_to_i32(s)
#define OC_STORE_u32(s)  oc_to_u32(s)
#define OC_STORE_i64(s)  oc_to_i64(s)
#define OC_STORE_u64(s)  oc_to_u64(s)
/* clang-format on */
