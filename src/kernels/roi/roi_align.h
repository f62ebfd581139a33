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
#ifndef OC_KERNELS_ROI_ROI_ALIGN_H
#define OC_KERNELS_ROI_ROI_ALIGN_H

#include "base/work.h"
#include "kernels/common/variant.h"

typedef enum oc_roi_mode {
    OC_ROI_AVG,
    OC_ROI_MAX,
    OC_ROI_BILINEAR_MAX,
    OC_N_ROI_MODES
} oc_roi_mode;

typedef struct oc_roi_align {
    oc_roi_mode mode;
    oc_type type;         /* of x and y: float, double, float16 or bfloat16 */
    const void *x;        /* [images][channels][height][width] */
    const void *rois;     /* [n_rois][4]: x1, y1, x2, y2; double for double, else float */
    const int64_t *image; /* [n_rois], each within x */
    void *y;              /* [n_rois][channels][out_h][out_w] */
    int64_t channels, height, width; /* height and width: 1 .. OC_ROI_SIDE_MAX */
    int64_t n_rois, out_h, out_w;
    int64_t sampling_ratio; /* >= 0 */
    float scale;            /* of the regions' coordinates */
    bool half_pixel;        /* else: no shift, and sides are at least 1 */
    void *scratch;          /* oc_roi_align_scratch bytes, aligned to 64 */
    unsigned cpu;
    oc_work work; /* what runs it; scratch is for its threads */
    /* What oc_roi_align_measure finds, along x and y: most taps of a bin, and of all bins of a
     * region. */
    size_t bin_taps[2], axis_taps[2];
} oc_roi_align;

/* Float tells neighbouring pixels apart up to one past the last. */
#define OC_ROI_SIDE_MAX ((INT64_C(1) << 24) - 1)

/* Looks at all regions, before scratch memory is counted. */
void oc_roi_align_measure(oc_roi_align *g);
/* Bytes of scratch; SIZE_MAX when they are too many to count. */
size_t oc_roi_align_scratch(const oc_roi_align *g);
/* Index of the first region that is not finite after scaling; -1 when there is none. */
int64_t oc_roi_align_bad(const oc_roi_align *g);
void oc_roi_align_run(const oc_roi_align *g);

/* The bins of a stretch of one axis, as lists of taps. Bin b has taps first[b] .. first[b+1]-1, by
 * rising index.
 *     avg            a: weight
 *     max            a: least weight, b: greatest weight
 *     bilinear_max   a: weight of pixel index, b: of the next (of the same, at the last pixel) */
typedef struct oc_roi_axis {
    int bins;
    int32_t *first;
    bool *outside; /* by bin: is any sample outside the map? */
    int32_t *index;
    void *a, *b; /* float or double */
    int64_t n;   /* pixels of the whole axis */
} oc_roi_axis;

/* Is every tap of the first `bins` bins a pixel? */
static inline bool oc_roi_axis_is_sound(const oc_roi_axis *x)
{
    bool good = x->bins >= 0 && x->first[0] == 0;
    for (int b = 0; b < x->bins && good; b++) {
        good = x->first[b] <= x->first[b + 1];
        for (int32_t k = x->first[b]; k < x->first[b + 1]; k++)
            good = good && x->index[k] >= 0 && x->index[k] < x->n;
    }
    return good;
}

/* Writes cols->bins results of one channel: the bins of one row (rows has one bin). any: are there
 * samples at all? */
typedef void oc_roi_bins_fn(void *y, const void *plane, const oc_roi_axis *rows,
                            const oc_roi_axis *cols, bool any);

/* Some of a region's bins, rows row .. row_end-1 of columns first .. end-1, and what they look at
 * in a block of channels. */
typedef struct oc_roi_patch {
    const void *block; /* [pixel rows from top on][width][channels of the block] */
    int64_t top;
    const oc_roi_axis *rows, *cols; /* of all bins of the region */
    int row, row_end, first, end;
    bool any;
} oc_roi_patch;

/* Writes each bin, [rows][columns][channels of the block]; y is aligned to 64. */
typedef void oc_roi_block_fn(void *y, const oc_roi_patch *p);

typedef struct oc_roi_variant {
    const char *isa;
    unsigned need;
    oc_roi_bins_fn *f32[OC_N_ROI_MODES], *f64[OC_N_ROI_MODES];
    oc_roi_bins_fn *f16[OC_N_ROI_MODES], *bf16[OC_N_ROI_MODES];
    oc_roi_block_fn *block_f32[OC_N_ROI_MODES], *block_f64[OC_N_ROI_MODES]; /* of all types */
} oc_roi_variant;

extern const oc_roi_variant *const oc_roi_variants[]; /* best first, the last is scalar */

#endif
