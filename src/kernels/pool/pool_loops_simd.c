/* SPDX-License-Identifier: Apache-2.0
 * pool_loops_simd.c - the folds of pool.h in loops that compilers vectorise. */
#include "kernels/pool/pool_loops.h"

#include "kernels/simd/simd.h"

OP(float, add_f32, (float a, float b), a + b)
OP(double, add_f64, (double a, double b), a + b)
OP(float, greater_f32, (float a, float b), b > a || b != b ? b : a)
OP(double, greater_f64, (double a, double b), b > a || b != b ? b : a)
OP(int8_t, greater_i8, (int8_t a, int8_t b), b > a ? b : a)
OP(uint8_t, greater_u8, (uint8_t a, uint8_t b), b > a ? b : a)

#define PAIR(name, T, fold)                                                                        \
    static void name##_pair(void *to_, const void *a_, const void *b_, int64_t n)                  \
    {                                                                                              \
        T *restrict to = to_;                                                                      \
        const T *restrict a = a_, *restrict b = b_;                                                \
        for (int64_t i = 0; i < n; i++)                                                            \
            to[i] = fold(a[i], b[i]);                                                              \
    }

#define STEPS(name, T, fold)                                                                       \
    OC_INLINE void name##_steps(void *to_, const void *x_, int64_t step, int64_t n)                \
    {                                                                                              \
        T *restrict to = to_;                                                                      \
        const T *restrict x = x_;                                                                  \
        for (int64_t i = 0; i < n; i++)                                                            \
            to[i] = fold(to[i], x[i * step]);                                                      \
    }

#define ACROSS(name)                                                                               \
    static void name##_across(void *to, const void *x, int64_t n)                                  \
    {                                                                                              \
        name##_steps(to, x, 1, n);                                                                 \
    }

/* Common steps have loops of their own. */
#define ALONG(name)                                                                                \
    static void name##_along(void *to, const void *x, int64_t step, int64_t n)                     \
    {                                                                                              \
        step == 1   ? name##_across(to, x, n)                                                      \
        : step == 2 ? name##_steps(to, x, 2, n)                                                    \
                    : name##_steps(to, x, step, n);                                                \
    }

#define FOLD(name, T, fold)                                                                        \
    PAIR(name, T, fold)                                                                            \
    STEPS(name, T, fold)                                                                           \
    ACROSS(name)                                                                                   \
    ALONG(name)

FOLD(max_f32, float, greater_f32)
FOLD(max_f64, double, greater_f64)
FOLD(max_i8, int8_t, greater_i8)
FOLD(max_u8, uint8_t, greater_u8)
FOLD(sum_f32, float, add_f32)
FOLD(sum_f64, double, add_f64)

#define DIVIDE(name, T)                                                                            \
    static void name(T *y, const T *count, T times, int64_t n)                                     \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            y[i] /= count[i] * times;                                                              \
    }

DIVIDE(divide_f32, float)
DIVIDE(divide_f64, double)

#define FUNCTIONS(name)                                                                            \
    {                                                                                              \
        name##_pair, name##_across, name##_along                                                   \
    }

OC_ISA_VARIANT(oc_pool_loops, oc_pool_variants, FUNCTIONS(max_f32), FUNCTIONS(max_f64),
               FUNCTIONS(max_i8), FUNCTIONS(max_u8), FUNCTIONS(sum_f32), FUNCTIONS(sum_f64),
               divide_f32, divide_f64)
