/* SPDX-License-Identifier: Apache-2.0
 * lane_pool.h - how is each window folded to one value where 16 channels lie side by side?
 *
 * Folds are those of pool.h, to the bit: a position folds the rows of each column under its window
 * first, and then the columns. All channels of a block are folded at once. */
#ifndef OC_KERNELS_LANES_LANE_POOL_H
#define OC_KERNELS_LANES_LANE_POOL_H

#include "base/threads.h"
#include "kernels/common/rounds.h"
#include "kernels/common/lanes.h"
#include "kernels/common/window.h"

enum { OC_LANE_POOL_ROWS = 64 }; /* the most rows of taps under a position */

/* n positions that have as many taps: pixels of position i under tap k of row r begin at row[r] +
 * i * x_step + k * tap_step, and its value at y + 16 i. */
typedef struct oc_lane_fold {
    float *y;
    const float *row[OC_LANE_POOL_ROWS];
    int rows; /* >= 1 */
    int64_t taps, tap_step, x_step, n;
} oc_lane_fold;

/* One per instruction set. */
typedef struct oc_lane_pool_variant {
    const char *isa;
    unsigned need;
    void (*max)(const oc_lane_fold *f);
    void (*sum)(const oc_lane_fold *f, float divisor); /* divides the sums */
} oc_lane_pool_variant;

extern const oc_lane_pool_variant *const oc_lane_pool_variants[]; /* best first, last is scalar */

typedef struct oc_lane_pool {
    unsigned cpu;
    bool average;   /* else the maximum */
    bool count_pad; /* an average divides by the taps in image and padding */
    const float *x; /* [blocks][pixels][16], aligned */
    float *y;       /* [blocks][positions][16] */
    int64_t blocks; /* of all images */
    oc_window window;
    oc_go_on go_on;
} oc_lane_pool;

/* Are the windows small enough? */
bool oc_lane_pool_suits(const oc_window *w);
void oc_lane_pool_run(const oc_lane_pool *g, const oc_parallel *parallel, int threads);

#endif
