/* SPDX-License-Identifier: Apache-2.0
 * pool_walk.h - which rows of x lie under a row of y?
 *
 * They are walked in row-major order of the taps of all axes but the last. */
#ifndef OC_KERNELS_POOL_POOL_WALK_H
#define OC_KERNELS_POOL_POOL_WALK_H

#include "kernels/pool/pool.h"

typedef struct oc_pool_walk {
    oc_window_part range[OC_WINDOW_AXES];
    int64_t from[OC_WINDOW_AXES], tap[OC_WINDOW_AXES];
    int64_t at;   /* the current row's first pixel */
    double count; /* of an average: taps of the other axes; padding may have more than 2^63 */
    bool any;     /* is there a row? */
} oc_pool_walk;

static inline void oc_pool_place_row(const oc_window *w, oc_pool_walk *k)
{
    k->at = 0;
    for (int a = 0; a < w->axes; a++)
        k->at = k->at * w->in[a] + (a + 1 < w->axes ? k->from[a] + k->tap[a] * w->dilation[a] : 0);
}

/* Row number `row` of a plane of y. */
static inline void oc_pool_first_row(const oc_pooling *g, int64_t row, oc_pool_walk *k)
{
    const oc_window *w = &g->window;
    k->any = true;
    k->count = 1;
    for (int a = w->axes - 2; a >= 0; a--) {
        const int64_t position = row % w->out[a];
        row /= w->out[a];
        k->from[a] = position * w->stride[a] - w->pad[a];
        k->range[a] = oc_window_taps_in(w, a, k->from[a], 0, w->in[a]);
        k->tap[a] = k->range[a].first;
        k->any = k->any && k->range[a].end > k->range[a].first;
        if (g->kind == OC_POOL_AVERAGE)
            k->count *= (double)oc_window_count(w, a, position, g->count_pad);
    }
    oc_pool_place_row(w, k);
}

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
