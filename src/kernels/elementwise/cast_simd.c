/* SPDX-License-Identifier: Apache-2.0
 * cast_simd.c - the loops of cast.h, which compilers vectorise. */
#include "kernels/elementwise/cast.h"

#include "kernels/simd/simd.h"

#include <math.h>
#include <string.h>

enum { BYTES = f32v_N > 1 ? f32v_N * sizeof(float) : 0 };

/* Returns n, which is a multiple of the numbers of types T and F that fill a register. */
#define WHOLE(n, T, F)                                                                             \
    (BYTES ? (n) & -(BYTES / (int64_t)(sizeof(T) < sizeof(F) ? sizeof(T) : sizeof(F))) : (n))

/* Loops over elements i: y is `to` as numbers of type T, v is `from` as numbers of type F. */
#define EACH_ELEMENT(i, T, y, to, F, v, from, n)                                                   \
    T *restrict y = to;                                                                            \
    const F *restrict v = from;                                                                    \
    for (int64_t i = 0; i < WHOLE(n, T, F); i++)

/* Defines a cast; expr computes it from x, an element of type F. */
#define CAST(name, T, F, expr)                                                                     \
    static void name(void *to, const void *from, int64_t n)                                        \
    {                                                                                              \
        EACH_ELEMENT (i, T, y, to, F, v, from, n) {                                                \
            const F x = v[i];                                                                      \
            y[i] = (T)(expr);                                                                      \
        }                                                                                          \
    }

/* ---- integers: the low bits, whatever the sign of the result; a type's name stands for both of
 * its size where only the size matters */

#define COPY(name, T)                                                                              \
    static void name(void *to, const void *from, int64_t n)                                        \
    {                                                                                              \
        memcpy(to, from, (size_t)n * sizeof(T));                                                   \
    }
COPY(copy_8, uint8_t)
COPY(copy_16, uint16_t)
COPY(copy_32, uint32_t)
COPY(copy_64, uint64_t)

CAST(i8_16, int16_t, int8_t, x)
CAST(i8_32, int32_t, int8_t, x)
CAST(i8_64, int64_t, int8_t, x)
CAST(u8_16, uint16_t, uint8_t, x)
CAST(u8_32, uint32_t, uint8_t, x)
CAST(u8_64, uint64_t, uint8_t, x)
CAST(u16_8, uint8_t, uint16_t, x)
CAST(i16_32, int32_t, int16_t, x)
CAST(i16_64, int64_t, int16_t, x)
CAST(u16_32, uint32_t, uint16_t, x)
CAST(u16_64, uint64_t, uint16_t, x)
CAST(u32_8, uint8_t, uint32_t, x)
CAST(u32_16, uint16_t, uint32_t, x)
CAST(i32_64, int64_t, int32_t, x)
CAST(u32_64, uint64_t, uint32_t, x)
CAST(u64_8, uint8_t, uint64_t, x)
CAST(u64_16, uint16_t, uint64_t, x)
CAST(u64_32, uint32_t, uint64_t, x)

CAST(u8_bool, uint8_t, uint8_t, x != 0)
CAST(u16_bool, uint8_t, uint16_t, x != 0)
CAST(u32_bool, uint8_t, uint32_t, x != 0)
CAST(u64_bool, uint8_t, uint64_t, x != 0)

/* ---- integers to floats */

#define TO_FLOATS(from, F)                                                                         \
    CAST(from##_f32, float, F, x)                                                                  \
    CAST(from##_f64, double, F, x)
TO_FLOATS(i8, int8_t)
TO_FLOATS(u8, uint8_t)
TO_FLOATS(i16, int16_t)
TO_FLOATS(u16, uint16_t)
TO_FLOATS(i32, int32_t)
TO_FLOATS(u32, uint32_t)
TO_FLOATS(i64, int64_t)
TO_FLOATS(u64, uint64_t)

/* ---- floats to integers: toward zero, to the nearest number in range, NaN to 0 */

/* Hides x from the compiler, which makes branches of bounds that it knows. */
static inline float unknown_float(float x)
{
    const volatile float v = x;
    return v;
}

static inline double unknown_double(double x)
{
    const volatile double v = x;
    return v;
}

/* Limits x to least and greatest; NaN becomes least. */
static inline float limited_float(float x, float least, float greatest)
{
    const float raised = x > least ? x : least;
    return raised < greatest ? raised : greatest;
}

static inline double limited_double(double x, double least, double greatest)
{
    const double raised = x > least ? x : least;
    return raised < greatest ? raised : greatest;
}

/* Defines a cast of type F to the integer type R. Numbers are limited to low and high and become
 * a T, the type that vectors convert to. Then, without a branch, numbers from `end` on get the
 * bits that high lacks of `most`, and NaN becomes 0. */
#define INTEGER(name, R, T, F, low, high, end, most)                                               \
    static void name(void *to, const void *from, int64_t n)                                        \
    {                                                                                              \
        const F least = unknown_##F((F)(low)), greatest = unknown_##F((F)(high));                  \
        EACH_ELEMENT (i, R, y, to, F, v, from, n)                                                  \
            y[i] = INTEGER_OF(v[i], R, T, F, end, most);                                           \
    }
#define INTEGER_OF(x, R, T, F, end, most)                                                          \
    (R)(((T)limited_##F(x, least, greatest) | (-(T)(x >= (end)) & (most))) & -(T)(x == x))

/* For an F that holds all numbers of R. */
#define NARROW(name, R, F, low, high)           INTEGER(name, R, int32_t, F, low, high, (F)INFINITY, 0)
#define WIDE(name, T, F, low, below, end, most) INTEGER(name, T, T, F, low, below, end, most)

NARROW(f32_i8, int8_t, float, INT8_MIN, INT8_MAX)
NARROW(f32_u8, uint8_t, float, 0, UINT8_MAX)
NARROW(f32_i16, int16_t, float, INT16_MIN, INT16_MAX)
NARROW(f32_u16, uint16_t, float, 0, UINT16_MAX)
NARROW(f64_i8, int8_t, double, INT8_MIN, INT8_MAX)
NARROW(f64_u8, uint8_t, double, 0, UINT8_MAX)
NARROW(f64_i16, int16_t, double, INT16_MIN, INT16_MAX)
NARROW(f64_u16, uint16_t, double, 0, UINT16_MAX)
NARROW(f64_i32, int32_t, double, INT32_MIN, INT32_MAX)
WIDE(f32_i32, int32_t, float, INT32_MIN, 0x1.fffffep30F, 0x1p31F, INT32_MAX)
WIDE(f32_u32, uint32_t, float, 0, 0x1.fffffep31F, 0x1p32F, UINT32_MAX)
WIDE(f32_i64, int64_t, float, INT64_MIN, 0x1.fffffep62F, 0x1p63F, INT64_MAX)
WIDE(f32_u64, uint64_t, float, 0, 0x1.fffffep63F, 0x1p64F, UINT64_MAX)
WIDE(f64_u32, uint32_t, double, 0, UINT32_MAX, 0x1p32, UINT32_MAX)
WIDE(f64_i64, int64_t, double, INT64_MIN, 0x1.fffffffffffffp62, 0x1p63, INT64_MAX)
WIDE(f64_u64, uint64_t, double, 0, 0x1.fffffffffffffp63, 0x1p64, UINT64_MAX)

CAST(f32_bool, uint8_t, float, x != 0)
CAST(f64_bool, uint8_t, double, x != 0)
CAST(f32_f64, double, float, x)
CAST(f64_f32, float, double, x)

/* ---- to float, rounded to odd */

/* NaN stays NaN. A number beyond the greatest float becomes the greatest float, whose last bit
 * is set. */
static inline float to_odd(double x)
{
    float y = (float)x;
    uint32_t bits;
    memcpy(&bits, &y, sizeof bits);
    bits -= fabs((double)y) > fabs(x);
    bits |= (double)y != x;
    memcpy(&y, &bits, sizeof y);
    return y;
}

/* Cuts the magnitude of an integer to 53 digits; the last one is set if any digit was cut. */
static inline uint64_t cut(uint64_t x)
{
    const uint64_t low = x >> 53 ? 0xfff : 0;
    return (x & ~low) | ((x & low) != 0 ? 0x1000 : 0);
}

CAST(u32_odd, float, uint32_t, to_odd((double)x))
CAST(i32_odd, float, int32_t, to_odd((double)x))
CAST(u64_odd, float, uint64_t, to_odd((double)cut(x)))
CAST(i64_odd, float, int64_t,
     x < 0 ? -to_odd((double)cut(0 - (uint64_t)x)) : to_odd((double)cut((uint64_t)x)))
CAST(f64_odd, float, double, to_odd(x))

/* ---- the table, in the order i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 (bool) */

/* NULL in wider registers, for loops that take as long there as in AVX2. */
#define SLIM(f) (f32v_N > 8 ? NULL : (f))

#define FROM_INTEGER(to8, to16, to32, to64, f32, f64, boolean)                                     \
    {                                                                                              \
        to8, to8, to16, to16, to32, to32, to64, to64, f32, f64, boolean                            \
    }
#define FROM_FLOAT(from, to32, to64)                                                               \
    {                                                                                              \
        from##_i8, from##_u8, from##_i16, from##_u16, from##_i32, from##_u32, from##_i64,          \
            from##_u64, to32, to64, from##_bool                                                    \
    }
#define COPY_8  SLIM(copy_8)
#define COPY_16 SLIM(copy_16)
#define COPY_32 SLIM(copy_32)
#define COPY_64 SLIM(copy_64)

OC_ISA_VARIANT(
    oc_cast_variant, oc_cast_variants, BYTES,
    {FROM_INTEGER(COPY_8, SLIM(i8_16), SLIM(i8_32), SLIM(i8_64), SLIM(i8_f32), SLIM(i8_f64),
                  u8_bool),
     FROM_INTEGER(COPY_8, u8_16, SLIM(u8_32), SLIM(u8_64), SLIM(u8_f32), SLIM(u8_f64), u8_bool),
     FROM_INTEGER(SLIM(u16_8), COPY_16, i16_32, SLIM(i16_64), i16_f32, SLIM(i16_f64), u16_bool),
     FROM_INTEGER(SLIM(u16_8), COPY_16, u16_32, SLIM(u16_64), SLIM(u16_f32), SLIM(u16_f64),
                  u16_bool),
     FROM_INTEGER(u32_8, u32_16, COPY_32, SLIM(i32_64), SLIM(i32_f32), SLIM(i32_f64), u32_bool),
     FROM_INTEGER(u32_8, u32_16, COPY_32, SLIM(u32_64), u32_f32, u32_f64, u32_bool),
     FROM_INTEGER(u64_8, u64_16, u64_32, COPY_64, i64_f32, i64_f64, u64_bool),
     FROM_INTEGER(u64_8, u64_16, u64_32, COPY_64, u64_f32, u64_f64, u64_bool),
     FROM_FLOAT(f32, COPY_32, f32_f64), FROM_FLOAT(f64, f64_f32, COPY_64)},
    {NULL, NULL, NULL, NULL, i32_odd, u32_odd, i64_odd, u64_odd, NULL, f64_odd})
