/* SPDX-License-Identifier: Apache-2.0
 * line.h - a cache line as one value: f32x16 of 16 floats, f64x8 of 8 doubles; and f32x8, the
 * lower or the upper half of 16 floats. simd.h includes it.
 *
 * A value consists of registers of the instruction set, or of numbers where there is none. */
#pragma once

/* Without OC_SIMD_HALF a half line consists of whole registers. */
#ifndef OC_SIMD_HALF
#define f32h_zero  f32v_zero
#define f32h_splat f32v_splat
#define f32h_load  f32v_load
#define f32h_store f32v_store
#define f32h_fma   f32v_fma
#endif

enum { f32h_N = sizeof(f32h) / sizeof(float) };

typedef struct f32x16 {
    f32v r[16 / f32v_N];
} f32x16;

typedef struct f64x8 {
    f64v r[8 / f64v_N];
} f64x8;

typedef struct f32x8 {
    f32h r[8 / f32h_N];
} f32x8;

/* Loops over the registers of v. They are an array that must stay in registers, so the compiler
 * has to unroll these loops. */
#define EACH_PART(i, v) OC_UNROLL for (int i = 0; i < (int)(sizeof(v).r / sizeof *(v).r); i++)

/* Defines an operation that gives a value whose register i is one expression. */
#define OP_LINE(type, name, parameters, expression)                                                \
    OC_INLINE type name parameters                                                                 \
    {                                                                                              \
        type y;                                                                                    \
        EACH_PART (i, y)                                                                           \
            y.r[i] = expression;                                                                   \
        return y;                                                                                  \
    }

/* Defines an operation that puts one expression into each register i of its operand v. */
#define OP_LINE_OF(v, type, name, parameters, expression)                                          \
    OC_INLINE type name parameters                                                                 \
    {                                                                                              \
        EACH_PART (i, v)                                                                           \
            v.r[i] = expression;                                                                   \
        return v;                                                                                  \
    }

OP_LINE(f32x16, f32x16_splat, (float x), f32v_splat(x))
OP_LINE(f64x8, f64x8_splat, (double x), f64v_splat(x))
OP_LINE(f32x8, f32x8_splat, (float x), f32h_splat(x))
OP_LINE(f32x16, f32x16_zero, (void), f32v_zero())
OP_LINE(f64x8, f64x8_zero, (void), f64v_zero())
OP_LINE(f32x8, f32x8_zero, (void), f32h_zero())

OC_INLINE f32x16 f32x16_load(const float *p)
{
#ifdef OC_SIMD_NUMBERS
    return *(const f32x16 *)(const void *)p;
#else
    f32x16 y;
    EACH_PART (i, y)
        y.r[i] = f32v_load(p + i * f32v_N);
    return y;
#endif
}

OC_INLINE f64x8 f64x8_load(const double *p)
{
#ifdef OC_SIMD_NUMBERS
    return *(const f64x8 *)(const void *)p;
#else
    f64x8 y;
    EACH_PART (i, y)
        y.r[i] = f64v_load(p + i * f64v_N);
    return y;
#endif
}

OP_LINE(f32x8, f32x8_load, (const float *p), f32h_load(p + i * f32h_N))

OC_INLINE void f32x16_store(float *p, f32x16 v)
{
#ifdef OC_SIMD_NUMBERS
    *(f32x16 *)(void *)p = v;
#else
    EACH_PART (i, v)
        f32v_store(p + i * f32v_N, v.r[i]);
#endif
}

OC_INLINE void f64x8_store(double *p, f64x8 v)
{
#ifdef OC_SIMD_NUMBERS
    *(f64x8 *)(void *)p = v;
#else
    EACH_PART (i, v)
        f64v_store(p + i * f64v_N, v.r[i]);
#endif
}

OC_INLINE void f32x8_store(float *p, f32x8 v)
{
    EACH_PART (i, v)
        f32h_store(p + i * f32h_N, v.r[i]);
}

OP_LINE_OF(a, f32x16, f32x16_add, (f32x16 a, f32x16 b), a.r[i] + b.r[i])
OP_LINE_OF(a, f64x8, f64x8_add, (f64x8 a, f64x8 b), a.r[i] + b.r[i])
OP_LINE_OF(a, f32x8, f32x8_add, (f32x8 a, f32x8 b), a.r[i] + b.r[i])
OP_LINE_OF(a, f32x16, f32x16_sub, (f32x16 a, f32x16 b), a.r[i] - b.r[i])
OP_LINE_OF(a, f32x16, f32x16_mul, (f32x16 a, f32x16 b), a.r[i] * b.r[i])
OP_LINE_OF(a, f64x8, f64x8_mul, (f64x8 a, f64x8 b), a.r[i] * b.r[i])
OP_LINE_OF(a, f32x16, f32x16_div, (f32x16 a, f32x16 b), a.r[i] / b.r[i])
OP_LINE_OF(a, f64x8, f64x8_div, (f64x8 a, f64x8 b), a.r[i] / b.r[i])
OP_LINE_OF(a, f32x16, f32x16_fma, (f32x16 a, f32x16 b, f32x16 c), f32v_fma(a.r[i], b.r[i], c.r[i]))
OP_LINE_OF(a, f64x8, f64x8_fma, (f64x8 a, f64x8 b, f64x8 c), f64v_fma(a.r[i], b.r[i], c.r[i]))
OP_LINE_OF(a, f32x8, f32x8_fma, (f32x8 a, f32x8 b, f32x8 c), f32h_fma(a.r[i], b.r[i], c.r[i]))
OP_LINE_OF(v, f32x16, f32x16_greater, (f32x16 max, f32x16 v), f32v_greater(max.r[i], v.r[i]))
OP_LINE_OF(v, f64x8, f64x8_greater, (f64x8 max, f64x8 v), f64v_greater(max.r[i], v.r[i]))

/* Limits v from below, or from above; NaN stays NaN. */
OP_LINE_OF(v, f32x16, f32x16_at_least, (float least, f32x16 v), f32v_max(f32v_splat(least), v.r[i]))
OP_LINE_OF(v, f32x16, f32x16_at_most, (float most, f32x16 v), f32v_min(f32v_splat(most), v.r[i]))

/* Chooses v >= 0 ? yes : no, element by element. */
OP_LINE_OF(v, f32x16, f32x16_choose, (f32x16 v, f32x16 yes, f32x16 no),
           f32v_select(f32v_not_negative(v.r[i]), yes.r[i], no.r[i]))
OP_LINE_OF(v, f64x8, f64x8_choose, (f64x8 v, f64x8 yes, f64x8 no),
           f64v_select(f64v_not_negative(v.r[i]), yes.r[i], no.r[i]))

/* Element i becomes p[i / n * n + c]; n is 1, 2, 4 or 8. */
OC_INLINE f32x16 f32x16_of_group(const float *p, int n, int c)
{
#ifdef OC_SIMD_OF_GROUP
    f32x16 v = f32x16_load(p);
    EACH_PART (i, v)
        v.r[i] = n == 1 ? v.r[i] : f32v_of_group(v.r[i], n, c);
    return v;
#else
    float v[16];
    f32x16 y;
    if (n < f32v_N) {
        for (int i = 0; i < 16; i++)
            v[i] = p[i / n * n + c];
        return f32x16_load(v);
    }
    EACH_PART (i, y)
        y.r[i] = f32v_splat(p[i * f32v_N / n * n + c]);
    return y;
#endif
}

/* Returns how many of n elements are in part i. */
OC_INLINE int of_part(int64_t n, int i)
{
    return n >= (i + 1) * f32v_N ? f32v_N : n <= i * f32v_N ? 0 : (int)n - i * f32v_N;
}

/* Loads the first n elements, or all when n is greater, with `missing` in place of the others. */
OC_INLINE f32x16 f32x16_load_first(const float *p, int64_t n, float missing)
{
    f32x16 y;
    if (n >= 16)
        return f32x16_load(p);
    EACH_PART (i, y)
        y.r[i] = f32v_load_first(p + i * f32v_N, of_part(n, i), missing);
    return y;
}

OC_INLINE void f32x16_store_first(float *p, f32x16 v, int64_t n)
{
    if (n >= 16)
        f32x16_store(p, v);
    else
        EACH_PART (i, v)
            f32v_store_first(p + i * f32v_N, v.r[i], of_part(n, i));
}

OC_INLINE bool f32x16_any_nan(f32x16 v)
{
    int any = 0;
    EACH_PART (i, v)
        any |= f32v_any_nan(v.r[i]);
    return any != 0;
}

/* Folds in the order of a tree: element i + 8 into i, then i + 4, i + 2 and i + 1. */
OC_INLINE float f32x16_sum(f32x16 v)
{
    OC_UNROLL for (int half = 8 / f32v_N; half; half /= 2) OC_UNROLL for (int i = 0; i < half; i++)
        v.r[i] = v.r[i + half] + v.r[i];
    return f32v_sum(v.r[0]);
}

/* Returns the greatest; of equal elements the earlier one. No element is NaN. */
OC_INLINE float f32x16_most(f32x16 v)
{
    OC_UNROLL for (int half = 8 / f32v_N; half; half /= 2) OC_UNROLL for (int i = 0; i < half; i++)
        v.r[i] = f32v_max(v.r[i + half], v.r[i]);
    return f32v_most(v.r[0]);
}

OC_INLINE float f32x16_least(f32x16 v)
{
    OC_UNROLL for (int half = 8 / f32v_N; half; half /= 2) OC_UNROLL for (int i = 0; i < half; i++)
        v.r[i] = f32v_min(v.r[i + half], v.r[i]);
    return f32v_least(v.r[0]);
}
