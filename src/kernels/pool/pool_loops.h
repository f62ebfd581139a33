/* SPDX-License-Identifier: Apache-2.0
 * pool_loops.h - the hot loops of pool.h: they fold rows of elements to one row, and divide. */
#pragma once

#include "kernels/common/variant.h"

#include <stdint.h>

/* The loops of one fold for one type. */
typedef struct oc_pool_fold {
    void (*pair)(void *to, const void *a, const void *b, int64_t n); /* to[i] = fold(a[i], b[i]) */
    void (*across)(void *to, const void *x, int64_t n);              /* to[i] = fold(to[i], x[i]) */
    /* to[i] = fold(to[i], x[i * step]) */
    void (*along)(void *to, const void *x, int64_t step, int64_t n);
} oc_pool_fold;

/* The loops for one instruction set. */
typedef struct oc_pool_loops {
    const char *isa;
    unsigned need;
    oc_pool_fold max_f32, max_f64, max_i8, max_u8, sum_f32, sum_f64;
    /* y[i] /= count[i] * times */
    void (*divide_f32)(float *y, const float *count, float times, int64_t n);
    void (*divide_f64)(double *y, const double *count, double times, int64_t n);
} oc_pool_loops;

extern const oc_pool_loops *const oc_pool_variants[]; /* best first, the last is scalar */

const oc_pool_loops *oc_pool_pick(unsigned cpu);
