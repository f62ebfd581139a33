/* SPDX-License-Identifier: Apache-2.0
 * roi_bins.h - the hot loops of RoiAlign: the bins of one row, of one channel or of a block of
 * channels. */
#pragma once

#include "kernels/common/variant.h"
#include "kernels/roi/roi_axis.h"

/* Writes cols->bins results of one channel: the bins of one row (rows has one bin). any: there
 * are samples. */
typedef void oc_roi_bins_fn(void *y, const void *plane, const oc_roi_axis *rows,
                            const oc_roi_axis *cols, bool any);

/* Some of a region's bins, rows row to row_end-1 of columns first to end-1, and the pixels under
 * them in a block of channels. */
typedef struct oc_roi_patch {
    const void *block; /* [pixel rows from `top` on][width][channels of the block] */
    int64_t top;
    const oc_roi_axis *rows, *cols; /* the axes of all bins of the region */
    int row, row_end, first, end;
    bool any;
} oc_roi_patch;

/* Writes each bin as [rows][columns][channels of the block]; y is aligned to 64. */
typedef void oc_roi_block_fn(void *y, const oc_roi_patch *p);

typedef struct oc_roi_variant {
    const char *isa;
    unsigned need;
    oc_roi_bins_fn *f32[OC_N_ROI_MODES], *f64[OC_N_ROI_MODES];
    oc_roi_bins_fn *f16[OC_N_ROI_MODES], *bf16[OC_N_ROI_MODES];
    /* blocks of f32 or f64, whatever the element type is */
    oc_roi_block_fn *block_f32[OC_N_ROI_MODES], *block_f64[OC_N_ROI_MODES];
} oc_roi_variant;

extern const oc_roi_variant *const oc_roi_variants[]; /* best first, the last is scalar */

/* Return the functions for g's type, mode and processor. */
oc_roi_bins_fn *oc_roi_bins_pick(const oc_roi_align *g);
/* Returns NULL when no variant for the processor computes blocks. */
oc_roi_block_fn *oc_roi_block_pick(const oc_roi_align *g);
