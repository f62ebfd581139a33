/* SPDX-License-Identifier: Apache-2.0
 * pool_nchw16c.h - folds each window to one value where 16 channels lie side by side.
 *
 * Folds are those of pool.h, to the bit: a position folds the rows of each column under its window
 * first, and then the columns. All channels of a block are folded at once. For float16 and bfloat16
 * the rows under a row of positions are widened to floats, which later rows may use again. */
#pragma once

#include "base/work.h"
#include "kernels/layout/nchw16c.h"
#include "kernels/common/sliding_window.h"

enum { OC_POOL_NCHW16C_ROWS = 64 }; /* most rows of taps under a position */

/* n positions that have equally many taps. Pixels of position i under tap k of row r begin at
 * row[r] + i * x_step + k * tap_step, and its value at y + 16 i, in elements. */
typedef struct oc_pool_nchw16c_fold {
    void *y;
    const void *row[OC_POOL_NCHW16C_ROWS];
    int rows; /* at least 1 */
    int64_t taps, tap_step, x_step, n;
} oc_pool_nchw16c_fold;

/* The folds for one instruction set. */
typedef struct oc_pool_nchw16c_variant {
    const char *isa;
    unsigned need;
    void (*max)(const oc_pool_nchw16c_fold *f);
    void (*sum)(const oc_pool_nchw16c_fold *f, float divisor); /* divides the sums by divisor */
    void (*max_i8)(const oc_pool_nchw16c_fold *f); /* the maximum of no taps is the least integer */
    void (*max_u8)(const oc_pool_nchw16c_fold *f);
} oc_pool_nchw16c_variant;

extern const oc_pool_nchw16c_variant
    *const oc_pool_nchw16c_variants[]; /* best first, last is scalar */

typedef enum oc_pool_element {
    OC_POOL_F32,
    OC_POOL_F16,
    OC_POOL_BF16,
    OC_POOL_I8,
    OC_POOL_U8
} oc_pool_element;

typedef struct oc_pool_nchw16c {
    unsigned cpu;
    oc_pool_element element; /* type of x and y; types of 8 bits have only the maximum */
    bool average;            /* true: the average; false: the maximum */
    /* true: an average divides by the taps in image and padding; false: by those in the image */
    bool count_pad;
    const void *x;  /* [blocks][pixels][16], aligned */
    void *y;        /* [blocks][positions][16] */
    int64_t blocks; /* blocks of all images together */
    oc_window window;
    void *scratch; /* for float16 and bfloat16: oc_pool_nchw16c_scratch bytes, aligned */
    oc_work work;
} oc_pool_nchw16c;

/* Are the windows small enough for these folds? */
bool oc_pool_nchw16c_suits(const oc_window *w);
/* Returns the bytes of scratch memory for this number of tasks. */
uint64_t oc_pool_nchw16c_scratch(const oc_pool_nchw16c *g, int tasks);
void oc_pool_nchw16c_run(const oc_pool_nchw16c *g);
