/* SPDX-License-Identifier: Apache-2.0
 * row.h - walks a row kernel, which is one expression, along its operands. */
#pragma once

#include <stdint.h>

/* OC_ROW1 and OC_ROW2 define row kernels of one and two operands. T is the operands' type, R the
 * result's. An operand that repeats over the row has a loop of its own, in which compilers see a
 * constant. */
#define OC_ROW1(name, T, R, expr)                                                                  \
    OC_ROW(name)                                                                                   \
    {                                                                                              \
        R *y = y_;                                                                                 \
        const T *p = x_[0];                                                                        \
        (void)step, (void)ctx;                                                                     \
        OC_EACH1(T, R, p[i], expr)                                                                 \
    }

#define OC_ROW2(name, T, R, expr)                                                                  \
    OC_ROW(name)                                                                                   \
    {                                                                                              \
        R *y = y_;                                                                                 \
        const T *p = x_[0], *q = x_[1];                                                            \
        (void)ctx;                                                                                 \
        OC_EACH_PAIR(T, R, expr)                                                                   \
    }

/* Before a loop of a row kernel: its result lies apart from each operand or begins where that
 * operand does, so that no element is written before it is read. Compilers need no check. */
#if defined(__clang__)
#define OC_APART _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define OC_APART _Pragma("GCC ivdep")
#else
#define OC_APART
#endif

/* The parts of these macros: the head of a row kernel, and its loops over i. */
#define OC_ROW(name)                                                                               \
    static void name(void *y_, const void *const x_[], const int64_t step[], int64_t n,            \
                     const void *ctx)

#define OC_EACH1(T, R, operand, expr)                                                              \
    OC_APART for (int64_t i = 0; i < n; i++)                                                       \
    {                                                                                              \
        const T x = operand;                                                                       \
        y[i] = (R)(expr);                                                                          \
    }

#define OC_EACH2(T, R, left, right, expr)                                                          \
    OC_APART for (int64_t i = 0; i < n; i++)                                                       \
    {                                                                                              \
        const T a = left, b = right;                                                               \
        y[i] = (R)(expr);                                                                          \
    }

#define OC_EACH_PAIR(T, R, expr)                                                                   \
    if (step[0] && step[1])                                                                        \
        OC_EACH2(T, R, p[i], q[i], expr)                                                           \
    else if (step[0])                                                                              \
        OC_EACH2(T, R, p[i], q[0], expr)                                                           \
    else                                                                                           \
        OC_EACH_RIGHT(T, R, expr)

#define OC_EACH_RIGHT(T, R, expr)                                                                  \
    {                                                                                              \
        const int64_t all = n;                                                                     \
        n = step[1] || n < 1 ? n : 1;                                                              \
        OC_EACH2(T, R, p[0], q[i], expr)                                                           \
        for (; n < all; n++)                                                                       \
            y[n] = y[0];                                                                           \
    }

/* gcc does not vectorise the loops between OC_SMALL_LOOPS and OC_SMALL_LOOPS_END. There are many
 * loops over integers, and their speed seldom matters; vectorised they would take 50 KB. */
#if defined(__GNUC__) && !defined(__clang__)
#define OC_SMALL_LOOPS     _Pragma("GCC push_options") _Pragma("GCC optimize(\"no-tree-vectorize\")")
#define OC_SMALL_LOOPS_END _Pragma("GCC pop_options")
#else
#define OC_SMALL_LOOPS
#define OC_SMALL_LOOPS_END
#endif
