/* SPDX-License-Identifier: Apache-2.0
 * matmul.c - the product row by row: a row of b times one element of a, added to a row of y. */
#include "kernels/matmul.h"

#include <string.h>

/* Integers are multiplied unsigned, so that they wrap. */
#define MATMUL(name, T)                                                                            \
    void name(void *y_, const void *a_, const void *b_, int64_t m, int64_t k, int64_t n,           \
              int64_t first, int64_t last)                                                         \
    {                                                                                              \
        const T *a = a_, *b = b_;                                                                  \
        for (int64_t i = 0; i < m; i++) {                                                          \
            T *restrict y = (T *)y_ + i * n;                                                       \
            memset(y + first, 0, (size_t)(last - first) * sizeof *y);                              \
            for (int64_t p = 0; p < k; p++) {                                                      \
                const T x = a[i * k + p];                                                          \
                const T *row = b + p * n;                                                          \
                for (int64_t j = first; j < last; j++)                                             \
                    y[j] += x * row[j];                                                            \
            }                                                                                      \
        }                                                                                          \
    }
MATMUL(oc_matmul_f32, float)
MATMUL(oc_matmul_f64, double)
MATMUL(oc_matmul_i32, uint32_t)
MATMUL(oc_matmul_i64, uint64_t)
