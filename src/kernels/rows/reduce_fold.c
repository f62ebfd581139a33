/* SPDX-License-Identifier: Apache-2.0
 * reduce_fold.c - the innermost loops of reductions, per type. */
#include "kernels/rows/reduce.h"

#include "kernels/common/precondition.h"

#include <string.h>

#define T         float
#define U         float
#define BITS      uint32_t
#define IS_NAN(x) ((x) != (x))
#define NAME(x)   x##_f32
#include "kernels/rows/reduce_fold.inc"

#define T         double
#define U         double
#define BITS      uint64_t
#define IS_NAN(x) ((x) != (x))
#define NAME(x)   x##_f64
#include "kernels/rows/reduce_fold.inc"

/* The sum, the product and the absolute value wrap. */
#define T         int64_t
#define U         uint64_t
#define BITS      uint64_t
#define IS_NAN(x) 0
#define NAME(x)   x##_i64
#include "kernels/rows/reduce_fold.inc"

#define T         int8_t
#define U         uint8_t
#define BITS      uint8_t
#define IS_NAN(x) 0
#define NAME(x)   x##_i8
#define EXTREMES
#include "kernels/rows/reduce_fold.inc"

#define T         uint8_t
#define U         uint8_t
#define BITS      uint8_t
#define IS_NAN(x) 0
#define NAME(x)   x##_u8
#define EXTREMES
#include "kernels/rows/reduce_fold.inc"

#define T         int16_t
#define U         uint16_t
#define BITS      uint16_t
#define IS_NAN(x) 0
#define NAME(x)   x##_i16
#define EXTREMES
#include "kernels/rows/reduce_fold.inc"

#define T         uint16_t
#define U         uint16_t
#define BITS      uint16_t
#define IS_NAN(x) 0
#define NAME(x)   x##_u16
#define EXTREMES
#include "kernels/rows/reduce_fold.inc"

#define T         int32_t
#define U         uint32_t
#define BITS      uint32_t
#define IS_NAN(x) 0
#define NAME(x)   x##_i32
#define EXTREMES
#include "kernels/rows/reduce_fold.inc"

#define T         uint32_t
#define U         uint32_t
#define BITS      uint32_t
#define IS_NAN(x) 0
#define NAME(x)   x##_u32
#define EXTREMES
#include "kernels/rows/reduce_fold.inc"
