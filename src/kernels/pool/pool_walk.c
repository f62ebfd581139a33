/* SPDX-License-Identifier: Apache-2.0
 * pool_walk.c - where a walk begins, and the taps of axes that it does not visit one by one. */
#include "kernels/pool/pool_walk.h"

void oc_pool_first_row(const oc_window *w, int64_t row, oc_pool_walk *k)
{
    k->any = true;
    for (int a = w->axes - 2; a >= 0; a--) {
        const int64_t position = row % w->out[a];
        row /= w->out[a];
        k->from[a] = position * w->stride[a] - w->pad[a];
        k->range[a] = oc_window_taps_in(w, a, k->from[a], 0, w->in[a]);
        k->tap[a] = k->range[a].first;
        k->any = k->any && k->range[a].end > k->range[a].first;
    }
    oc_pool_place_row(w, k);
}

double oc_pool_outer_taps(const oc_window *w, int64_t row, bool count_pad)
{
    double count = 1;
    for (int a = w->axes - 2; a >= 0; a--) {
        count *= (double)oc_window_count(w, a, row % w->out[a], count_pad);
        row /= w->out[a];
    }
    return count;
}
