/* SPDX-License-Identifier: Apache-2.0
 * reduce_fold_simd.c - the folds of reduce_fold.h in loops that compilers vectorise, and those
 * of lines of floats in registers. */
#include "kernels/reduce/reduce_fold.h"

#include <string.h>

#include "kernels/common/element.h"
#include "kernels/common/precondition.h"
#include "kernels/simd/simd.h"

#include "kernels/reduce/reduce_lines.inc"

/* clang-format off */
#define BITS OC_PASTE(OC_BITS, ELEMENT)
#define OC_BITS_f32 uint32_t
#define OC_BITS_f64 uint64_t
#define OC_BITS_i8  uint8_t
#define OC_BITS_u8  uint8_t
#define OC_BITS_i16 uint16_t
#define OC_BITS_u16 uint16_t
#define OC_BITS_i32 uint32_t
#define OC_BITS_u32 uint32_t
#define OC_BITS_i64 uint64_t

#define WRAPPING OC_PASTE(OC_WRAPPING, ELEMENT)
#define OC_WRAPPING_f32 float
#define OC_WRAPPING_f64 double
#define OC_WRAPPING_i64 uint64_t

#define is_nan_f32(x) ((x) != (x))
#define is_nan_f64(x) ((x) != (x))
#define is_nan_i8(x)  ((void)(x), 0)
#define is_nan_u8(x)  ((void)(x), 0)
#define is_nan_i16(x) ((void)(x), 0)
#define is_nan_u16(x) ((void)(x), 0)
#define is_nan_i32(x) ((void)(x), 0)
#define is_nan_u32(x) ((void)(x), 0)
#define is_nan_i64(x) ((void)(x), 0)
/* clang-format on */

#define ELEMENT f32
#include "kernels/reduce/reduce_fold.inc"
#define ELEMENT f32
#include "kernels/reduce/reduce_sums.inc"
#define ELEMENT f32
DOWN(max)
#undef ELEMENT
#define ELEMENT f64
#include "kernels/reduce/reduce_fold.inc"
#define ELEMENT f64
#include "kernels/reduce/reduce_sums.inc"
#define ELEMENT i64
#include "kernels/reduce/reduce_fold.inc"
#define ELEMENT i64
#include "kernels/reduce/reduce_sums.inc"
#define ELEMENT i8
#include "kernels/reduce/reduce_fold.inc"
#define ELEMENT u8
#include "kernels/reduce/reduce_fold.inc"
#define ELEMENT i16
#include "kernels/reduce/reduce_fold.inc"
#define ELEMENT u16
#include "kernels/reduce/reduce_fold.inc"
#define ELEMENT i32
#include "kernels/reduce/reduce_fold.inc"
#define ELEMENT u32
#include "kernels/reduce/reduce_fold.inc"

/* NULL where a register is a single number, because lines are folded as elements there. */
#define LINES(f) (f32v_N > 1 ? f : NULL)

#define ENTRY(fold, type, down, beside, lines)                                                     \
    {                                                                                              \
        sizeof(OC_T_##type), fold##_along_##type, fold##_across_##type, down, beside, lines        \
    }
#define EXTREMES(type)                                                                             \
    static const oc_folds folds_##type = {.max = ENTRY(max, type, NULL, NULL, NULL),               \
                                          .min = ENTRY(min, type, NULL, NULL, NULL)};
EXTREMES(i8)
EXTREMES(u8)
EXTREMES(i16)
EXTREMES(u16)
EXTREMES(i32)
EXTREMES(u32)

static const oc_folds folds_f32 = {ENTRY(sum, f32, sum_down_f32, sum_beside_f32, LINES(sum_lines)),
                                   ENTRY(prod, f32, prod_down_f32, NULL, NULL),
                                   ENTRY(max, f32, max_down_f32, NULL, LINES(max_lines)),
                                   ENTRY(min, f32, NULL, NULL, LINES(min_lines)),
                                   abs_f32,
                                   square_f32};
static const oc_folds folds_f64 = {ENTRY(sum, f64, sum_down_f64, sum_beside_f64, NULL),
                                   ENTRY(prod, f64, prod_down_f64, NULL, NULL),
                                   ENTRY(max, f64, NULL, NULL, NULL),
                                   ENTRY(min, f64, NULL, NULL, NULL),
                                   abs_f64,
                                   square_f64,
                                   load_squares,
                                   LINES(square_lines)};
static const oc_folds folds_i64 = {ENTRY(sum, i64, sum_down_i64, sum_beside_i64, NULL),
                                   ENTRY(prod, i64, prod_down_i64, NULL, NULL),
                                   ENTRY(max, i64, NULL, NULL, NULL),
                                   ENTRY(min, i64, NULL, NULL, NULL),
                                   abs_i64,
                                   square_i64};

/* NULL in registers of 64 bytes, because narrow integers are folded as fast in 32 bytes. */
#define NARROW(type) (f32v_N == 16 ? NULL : &folds_##type)

OC_ISA_VARIANT(oc_fold_variant, oc_fold_variants,
               {[OC_F32] = &folds_f32,
                [OC_F64] = &folds_f64,
                [OC_I64] = &folds_i64,
                [OC_I8] = NARROW(i8),
                [OC_U8] = NARROW(u8),
                [OC_I16] = NARROW(i16),
                [OC_U16] = NARROW(u16),
                [OC_I32] = &folds_i32,
                [OC_U32] = &folds_u32})
