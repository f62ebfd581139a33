/* SPDX-License-Identifier: Apache-2.0
 * roi_nchw.h - computes regions channel by channel, each read where it is in x. */
#pragma once

#include "kernels/roi/roi_types.h"

/* Returns the bytes for all tasks; SIZE_MAX when that is too many to count. */
size_t oc_roi_nchw_scratch(const oc_roi_align *g);
/* Computes the n regions whose numbers rois lists. rois NULL: all regions, in order. */
void oc_roi_nchw_run(const oc_roi_align *g, const int64_t *rois, int64_t n, void *scratch);
