/* SPDX-License-Identifier: Apache-2.0
 * roi_walk.h - what do RoiAlign's two walks over regions share?
 *
 * By planes: each channel by itself, read where it is in x (roi_bins.inc). By blocks: the channels
 * of a part of the map are first laid side by side (nchw16c.h), and a bin is then computed for 16
 * (8) of them at once (roi_block.inc). Both give the same bits. */
#ifndef OC_KERNELS_ROI_ROI_WALK_H
#define OC_KERNELS_ROI_ROI_WALK_H

#include "kernels/roi/roi_align.h"

/* ---- roi_align.c. The functions that g's type, mode and processor ask for. */

oc_roi_bins_fn *oc_roi_bins_pick(const oc_roi_align *g);
/* NULL: no variant for the processor computes blocks. */
oc_roi_block_fn *oc_roi_block_pick(const oc_roi_align *g);

/* ---- roi_axis.c. axis 0: x, axis 1: y */

/* Samples of one bin; 0 for a region without any. */
int64_t oc_roi_grid(const oc_roi_align *g, int64_t roi, int axis);
/* Are the region's coordinates and sides finite, once scaled? */
bool oc_roi_is_finite(const oc_roi_align *g, int64_t roi);
/* Most taps of one bin. */
size_t oc_roi_bin_taps(const oc_roi_align *g, int64_t roi, int axis);

/* Bytes of an axis with room for bins and taps, a multiple of 64. */
size_t oc_roi_axis_size(const oc_roi_align *g, size_t bins, size_t taps);
/* Takes an axis without bins out of the memory at *at. */
oc_roi_axis oc_roi_axis_new(char **at, const oc_roi_align *g, size_t bins, size_t taps, int axis);
void oc_roi_axis_clear(oc_roi_axis *x);
/* Appends a bin of a region. */
void oc_roi_axis_add(oc_roi_axis *x, const oc_roi_align *g, int64_t roi, int axis, int64_t bin);

/* ---- roi_nchw.c */

/* Bytes for all tasks; SIZE_MAX when that is too many to count. */
size_t oc_roi_nchw_scratch(const oc_roi_align *g);
/* Computes the n regions whose numbers rois lists; NULL: all, in order. */
void oc_roi_nchw_run(const oc_roi_align *g, const int64_t *rois, int64_t n, void *scratch);

/* ---- roi_blocks.c */

/* Do channels, the variant and the size of map and output allow blocks? */
bool oc_roi_blocks_serve(const oc_roi_align *g);
size_t oc_roi_blocks_scratch(const oc_roi_align *g);
void oc_roi_blocks_run(const oc_roi_align *g);

#endif
