/* SPDX-License-Identifier: Apache-2.0
 * resize_cuts.h - cuts a pass into tiles, and chooses the functions that compute them. */
#pragma once

#include "kernels/resize/resize_tile.h"

/* Can the two passes run as one? */
bool oc_resize_can_pair(const oc_resize_taps *v, const oc_resize_taps *h, int64_t inner);
/* Returns how many numbers the cuts of a pass need. */
int64_t oc_resize_cuts_size(const oc_resize_pass *p);
/* cuts has room for oc_resize_cuts_size numbers, memory for oc_resize_tile_bytes for each task.
 * When the work has been ended there are no tiles. */
oc_resize_tiles oc_resize_tiles_new(const oc_resize_pass *p, int64_t *cuts, void *memory,
                                    const oc_work *w, unsigned cpu);
