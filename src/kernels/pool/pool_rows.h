/* SPDX-License-Identifier: Apache-2.0
 * pool_rows.h - folds one row of results of floats, in registers.
 *
 * The order is that of pool.h. The rows of the image under the row of results are folded to a
 * line first. Around them the line holds -Inf or 0, which changes no fold; so every window has
 * all of its taps in the line. */
#pragma once

#include "kernels/common/variant.h"

#include <stdint.h>

/* SLACK: this many floats behind the last tap of the last window are read; they may hold
 * anything. */
enum { OC_POOL_ROWS = 16, OC_POOL_SLACK = 32 };

typedef struct oc_pool_row {
    const float *row[OC_POOL_ROWS];
    int rows;                 /* number of rows, at least 1 */
    int64_t n;                /* pixels of each row */
    float *to;                /* where in the line they are folded to */
    float *line;              /* the first tap of the first window in the line */
    float *y;                 /* `out` results */
    int64_t out;              /* at least 1 */
    int64_t taps;             /* taps of a window along the line */
    int64_t tap_step, stride; /* stride must be 1 or 2 */
} oc_pool_row;

/* The function for one instruction set. */
typedef struct oc_pool_rows_variant {
    const char *isa;
    unsigned need;
    void (*max)(const oc_pool_row *r);
    void (*sum)(const oc_pool_row *r);
} oc_pool_rows_variant;

/* best first, the last is scalar */
extern const oc_pool_rows_variant *const oc_pool_rows_variants[];

const oc_pool_rows_variant *oc_pool_rows_pick(unsigned cpu);
