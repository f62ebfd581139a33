/* SPDX-License-Identifier: Apache-2.0
 * depthwise_nchw16c.h - a row of a depthwise convolution where 16 channels lie side by side,
 * each a group of its own.
 *
 * Some positions of the row stay in registers. Each pixel is loaded once for a row of taps, and
 * added to all positions whose windows it is under:
 *
 *     pixels        p0   p1   p2   p3   p4   p5        kernel 3, stride 1
 *     position 0    w0   w1   w2
 *     position 1         w0   w1   w2
 *     position 2              w0   w1   w2             a line of weights is in a register, too
 *     position 3                   w0   w1   w2
 *
 * Pixels in the padding are left out, and nothing is copied. Sums are those of tile_nchw16c.h,
 * to the bit: tap by tap, in row-major order. */
#pragma once

#include "kernels/common/sliding_window.h"
#include "kernels/matmul/tile_nchw16c.h"

typedef struct oc_depthwise_row {
    const void *x;  /* the first pixel of the row of the image under the first row of taps */
    const float *w; /* [rows][kernel][16] */
    const float *b; /* 16 numbers; NULL: nothing is added */
    const oc_tile_finish *finish; /* as for a dense tile (tile_nchw16c.h) */
    int64_t out_channel;
    void *y; /* results from position `first` on */
    /* For float16. true: y gets float16, limited by bounds unless that is NULL, and rounded;
     * false: y gets the sums. */
    bool rounds;
    const oc_half_bounds *bounds;
    int64_t pitch; /* elements from a row of pixels to the one under the next row of taps */
    int64_t rows;  /* rows of taps in the image; with 0 rows sums are 0 */
    int64_t width; /* pixels in a row of the image */
    /* the pixel under the first tap of position `first`; it may be outside the image */
    int64_t from;
    int64_t positions;
} oc_depthwise_row;

typedef void oc_depthwise_row_fn(const oc_depthwise_row *r);

enum { OC_DEPTHWISE_KERNELS = 3, OC_DEPTHWISE_STRIDES = 2 };

/* The functions for one instruction set. */
typedef struct oc_depthwise_nchw16c_variant {
    const char *isa;
    unsigned need;
    /* Indexed by kernel / 2 - 1 for a kernel of 3, 5 or 7 columns, and by stride - 1. 7 columns
     * with stride 2 are missing. */
    oc_depthwise_row_fn *row[OC_DEPTHWISE_KERNELS][OC_DEPTHWISE_STRIDES];
    /* As row, for an x of float16. 7 columns are missing, and in some instruction sets all. */
    oc_depthwise_row_fn *f16[OC_DEPTHWISE_KERNELS][OC_DEPTHWISE_STRIDES];
} oc_depthwise_nchw16c_variant;

extern const oc_depthwise_nchw16c_variant
    *const oc_depthwise_nchw16c_variants[]; /* best first, last is scalar */

/* Is there a function for such columns? */
bool oc_depthwise_nchw16c_suits(const oc_window_side *column);
/* column must suit. */
oc_depthwise_row_fn *oc_depthwise_nchw16c_pick(unsigned cpu, const oc_window_side *column);
/* As oc_depthwise_nchw16c_pick, for an x of float16; NULL when there is none. */
oc_depthwise_row_fn *oc_depthwise_nchw16c_pick_f16(unsigned cpu, const oc_window_side *column);
