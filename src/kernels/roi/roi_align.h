/* SPDX-License-Identifier: Apache-2.0
 * roi_align.h - what is a bin of a region, and which pixels make it?
 *
 * A region (x1, y1, x2, y2), scaled and perhaps shifted by half a pixel, is cut into out_h x out_w
 * bins; a bin holds grid_h x grid_w samples, a product of samples along each axis:
 *
 *     sample j of bin b:   start + b * bin + (j + 0.5) * bin / grid         bin = side / bins
 *
 * A sample outside [-1, n] is worth 0. Any other is clamped to [0, n-1] and lies between pixels low
 * and high = low + 1 with the weights 1 - l and l (both are the last pixel at the far end).
 *
 * Nothing here visits all samples. The samples of one bin along one axis that share low form a
 * cell. They have consecutive numbers, and a doubling search finds the last of them. So the time
 * for an axis depends on its pixels, whatever the number of samples, and the bin is
 *
 *                                 columns' weights
 *                                 . . . . . . .
 *                        rows'  : x x x x x x x        avg: sum over rows of
 *                        weights: x x x x x x x             weight * (sum over columns of
 *                               : x x x x x x x                       weight * pixel)
 *
 *     avg            per axis and pixel: the sum of its weights, divided by grid
 *     max            of every weight * pixel, the four corners of a sample apart, as ONNX's
 *                    published test has it. Products of rounded nonnegative numbers are monotone in
 *                    each, so the extremes of the weights per axis and pixel give the same bits
 *     bilinear_max   of interpolated samples; within a cell the extremes are at its first and last
 *                    sample along each axis, and only those are taken
 *
 * In both max modes a NaN among a bin's pixels makes it NaN, and samples outside count as 0. A bin
 * without samples is 0. grid is sampling_ratio; when that is 0 it is ceil(side / bins), and 0 for a
 * side <= 0. All geometry is in float (double for double), operation by operation as in the
 * formulas, so that sample counts and range checks agree with other implementations. */
#pragma once

#include "kernels/roi/roi_types.h"

/* Examines all regions; it must run before scratch memory is counted. */
void oc_roi_align_measure(oc_roi_align *g);
/* Returns the bytes of scratch; UINT64_MAX when they are too many to count. */
uint64_t oc_roi_align_scratch(const oc_roi_align *g);
/* Returns the index of the first region that is not finite after scaling; -1 when there is none. */
int64_t oc_roi_align_bad(const oc_roi_align *g);
void oc_roi_align_run(const oc_roi_align *g);
