/* SPDX-License-Identifier: Apache-2.0
 * pool_walk.c - begins a walk over the rows of x under a row of y. */
#include "kernels/pool/pool_walk.h"

void oc_pool_first_row(const oc_window *w, int64_t row, oc_pool_count count, oc_pool_walk *k)
{
    k->any = true;
    k->count = 1;
    for (int a = w->axes - 2; a >= 0; a--) {
        const int64_t position = row % w->out[a];
        row /= w->out[a];
        k->from[a] = position * w->stride[a] - w->pad[a];
        k->range[a] = oc_window_taps_in(w, a, k->from[a], 0, w->in[a]);
        k->tap[a] = k->range[a].first;
        k->any = k->any && k->range[a].end > k->range[a].first;
        if (count != OC_COUNT_NONE)
            k->count *= (double)oc_window_count(w, a, position, count == OC_COUNT_ALL);
    }
    oc_pool_place_row(w, k);
}
