/* SPDX-License-Identifier: Apache-2.0
 * square.c - squares of sums. Each loop over lanes becomes a few vector instructions, so that the
 * sums stay in registers from the first product to the last. */
#include "kernels/square.h"

#include <string.h>

#define ADD(sum, x)                                                                                \
    for (int j = 0; j < LANES; j++)                                                                \
        (sum)[j] += (x)*v[j];

#define SQUARE(T, name)                                                                            \
    void name(T sum[ROWS][LANES], const T *const a[ROWS], const T *b, int64_t step, int64_t n)     \
    {                                                                                              \
        T s0[LANES], s1[LANES], s2[LANES], s3[LANES], v[LANES];                                    \
        memcpy(s0, sum[0], sizeof s0);                                                             \
        memcpy(s1, sum[1], sizeof s1);                                                             \
        memcpy(s2, sum[2], sizeof s2);                                                             \
        memcpy(s3, sum[3], sizeof s3);                                                             \
        const T *a0 = a[0], *a1 = a[1], *a2 = a[2], *a3 = a[3];                                    \
        for (int64_t k = 0; k < n; k++, b += step) {                                               \
            const T x0 = a0[k], x1 = a1[k], x2 = a2[k], x3 = a3[k];                                \
            memcpy(v, b, sizeof v);                                                                \
            ADD(s0, x0)                                                                            \
            ADD(s1, x1)                                                                            \
            ADD(s2, x2)                                                                            \
            ADD(s3, x3)                                                                            \
        }                                                                                          \
        memcpy(sum[0], s0, sizeof s0);                                                             \
        memcpy(sum[1], s1, sizeof s1);                                                             \
        memcpy(sum[2], s2, sizeof s2);                                                             \
        memcpy(sum[3], s3, sizeof s3);                                                             \
    }

SQUARE(float, oc_square_f32)
SQUARE(double, oc_square_f64)
