/* SPDX-License-Identifier: Apache-2.0
 * pool_walk.h - which rows of x lie under a row of y?
 *
 * They are walked in row-major order of the taps of all axes but the last. */
#ifndef OC_KERNELS_POOL_POOL_WALK_H
#define OC_KERNELS_POOL_POOL_WALK_H

#include "kernels/common/sliding_window.h"

#include <stdbool.h>

/* The taps that are counted: none, those in the image, or those in the padding too. */
typedef enum oc_pool_count { OC_COUNT_NONE, OC_COUNT_IMAGE, OC_COUNT_ALL } oc_pool_count;

typedef struct oc_pool_walk {
    oc_window_part range[OC_WINDOW_AXES];
    int64_t from[OC_WINDOW_AXES], tap[OC_WINDOW_AXES];
    int64_t at;   /* the current row's first pixel */
    double count; /* of taps of all axes but the last; padding may have more than 2^63 */
    bool any;     /* is there a row? */
} oc_pool_walk;

static inline void oc_pool_place_row(const oc_window *w, oc_pool_walk *k)
{
    k->at = 0;
    for (int a = 0; a < w->axes; a++)
        k->at = k->at * w->in[a] + (a + 1 < w->axes ? k->from[a] + k->tap[a] * w->dilation[a] : 0);
}

/* Begins with the first row under row number `row` of a plane of y. count: sets that too. */
void oc_pool_first_row(const oc_window *w, int64_t row, oc_pool_count count, oc_pool_walk *k);

/* false: that was the last row, and the walk is at its beginning but for `at`. */
static inline bool oc_pool_next_row(const oc_window *w, oc_pool_walk *k)
{
    for (int a = w->axes - 2; a >= 0; a--) {
        if (++k->tap[a] < k->range[a].end) {
            if (a == w->axes - 2)
                k->at += w->dilation[a] * w->in[a + 1];
            else
                oc_pool_place_row(w, k);
            return true;
        }
        k->tap[a] = k->range[a].first;
    }
    return false;
}

#endif
