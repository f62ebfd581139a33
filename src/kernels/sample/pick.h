/* SPDX-License-Identifier: Apache-2.0
 * pick.h - moves pixels to the results that are nearest to them.
 *
 * The result of position i is plane[base[0][i]], or one of two elements for a missing pixel and
 * for NaN. Bytes are moved, so any type is served by its size. */
#pragma once

#include "kernels/sample/taps.h"

/* The result is outside[0] when absent is OC_NO_PIXEL, outside[1] when it is OC_NAN_PIXEL. */
typedef void oc_pick_fn(void *y, const void *plane, const oc_taps *t, const void *outside);

oc_pick_fn *oc_pick_of(size_t size); /* size is 1, 2, 4, 8 or 16 */
