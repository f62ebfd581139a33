/* SPDX-License-Identifier: Apache-2.0
 * pool_walk.h - walks over the rows of x that lie under a row of y.
 *
 * The order is the row-major order of the taps of all axes but the last. */
#pragma once

#include "kernels/common/sliding_window.h"

/* Which taps are counted: none, those in the image, or also those in the padding. */
typedef enum oc_pool_count { OC_COUNT_NONE, OC_COUNT_IMAGE, OC_COUNT_ALL } oc_pool_count;

typedef struct oc_pool_walk {
    oc_window_part range[OC_WINDOW_AXES];
    int64_t from[OC_WINDOW_AXES], tap[OC_WINDOW_AXES];
    int64_t at; /* first pixel of the current row */
    /* taps of all axes but the last; a double, because padding may have more than 2^63 */
    double count;
    bool any; /* true: there is a row under the row of y */
} oc_pool_walk;

static inline void oc_pool_place_row(const oc_window *w, oc_pool_walk *k)
{
    k->at = 0;
    for (int a = 0; a < w->axes; a++)
        k->at = k->at * w->in[a] + (a + 1 < w->axes ? k->from[a] + k->tap[a] * w->dilation[a] : 0);
}

/* Begins with the first row under row number `row` of a plane of y. count says what k->count
 * becomes. */
void oc_pool_first_row(const oc_window *w, int64_t row, oc_pool_count count, oc_pool_walk *k);

/* Moves to the next row. Returns false after the last row; then the walk is at its beginning
 * again, except for `at`. */
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
