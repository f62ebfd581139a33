/* SPDX-License-Identifier: Apache-2.0
 * roi_blocks.h - computes regions by blocks of channels.
 *
 * The channels of a part of the map are first laid side by side (nchw16c.h), and a bin is then
 * computed for 16 (8) of them at once (roi_block.inc). The bits are those of roi_nchw.h. */
#pragma once

#include "kernels/roi/roi_types.h"

/* Do the channels, the variant and the size of map and output allow blocks? */
bool oc_roi_blocks_serve(const oc_roi_align *g);
size_t oc_roi_blocks_scratch(const oc_roi_align *g);
void oc_roi_blocks_run(const oc_roi_align *g);
