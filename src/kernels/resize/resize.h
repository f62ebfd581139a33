/* SPDX-License-Identifier: Apache-2.0
 * resize.h - in which order does Resize visit axes, rows and columns, and on which thread?
 *
 * The weights of several axes are products, so Resize makes one axis after another: each pass
 * replaces one axis of n_in elements by n_out, and leaves the others alone. An axis that would
 * not change has no pass. The pass that leaves the fewest sums to the passes after it is the
 * first; the order depends on nothing but lengths and the number of taps.
 *
 *     [outer][ n_in ][inner]  ->  [outer][ n_out ][inner]
 *
 *     inner is 16 or more      a row of sums is the weighted sum of a few rows     (rows)
 *     inner is less            16 rows are laid side by side, then summed          (lines)
 *
 * Two passes over neighbouring axes run as one when the second axis is the innermost. The
 * numbers between them exist only for a tile at a time, in the second cache:
 *
 *     an image that grows                            an image that shrinks
 *     for each tile of outputs                       for each tile of outputs
 *         lines: the rows under it, wider                rows:  its rows, still as wide as x
 *         rows:  its outputs                             lines: its outputs
 *
 * Numbers between passes have the type of sums, and are rounded to the element type once, at the
 * end (resize_sum.h). Outputs larger than the caches are written past them (streaming_store.h).
 * Threads share tiles; the bits of a result depend neither on the tile nor on the thread.
 *
 * Nearest moves elements, or blocks of them, as bytes: each row of x is picked once and written
 * to all rows of outputs that it gives. */
#pragma once

#include "kernels/resize/resize_types.h"

/* Do elements of this type have weighted sums, and are the sums double? */
bool oc_resize_has(oc_type type);
bool oc_resize_is_f64(oc_type type);

/* Return the bytes of scratch for this number of tasks. */
double oc_resize_scratch(const oc_resize *r, int tasks);
void oc_resize_run(const oc_resize *r);
