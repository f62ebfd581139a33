/* SPDX-License-Identifier: Apache-2.0
 * roi_ways.h - computes regions by blocks of channels, or channel by channel, with equal bits. */
#pragma once

#include "kernels/roi/roi_types.h"

/* ---- by blocks of channels (roi_blocks.c)
 *
 * The channels of a part of the map are first laid side by side (nchw16c.h), and a bin is then
 * computed for 16 (8) of them at once (roi_block.inc). ---- */

/* Do the channels, the variant and the size of map and output allow blocks? */
bool oc_roi_blocks_serve(const oc_roi_align *g);
uint64_t oc_roi_blocks_scratch(const oc_roi_align *g);
void oc_roi_blocks_run(const oc_roi_align *g);

/* ---- channel by channel, each read where it is in x (roi_nchw.c) ---- */

/* Returns the bytes for all tasks; UINT64_MAX when that is too many to count. */
uint64_t oc_roi_nchw_scratch(const oc_roi_align *g);
/* Computes the n regions whose numbers rois lists. rois NULL: all regions, in order. */
void oc_roi_nchw_run(const oc_roi_align *g, const int64_t *rois, int64_t n, void *scratch);
