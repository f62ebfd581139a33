/* SPDX-License-Identifier: Apache-2.0
 * conv_types.h - what is asked of a convolution, in either layout? */
#ifndef OC_KERNELS_CONV_CONV_TYPES_H
#define OC_KERNELS_CONV_CONV_TYPES_H

#include "base/work.h"
#include "kernels/common/half.h"
#include "kernels/common/sliding_window.h"
#include "kernels/matmul/tile_nchw16c.h"

/* What computes a convolution; conv_algorithm.h tells which. */
typedef enum oc_conv_algorithm {
    OC_CONV_NONE,
    /* y in NCHW */
    OC_CONV_IM2COL, /* conv.h */
    OC_CONV_STRIPS, /* depthwise_strips.h */
    OC_CONV_FEW,    /* conv_few.h; x in either layout */
    /* y in NCHW16c */
    OC_CONV_TILES,     /* conv_nchw16c.h; x in either layout */
    OC_CONV_GROUPS,    /* the same, where blocks of 16 channels hold whole groups */
    OC_CONV_DEPTHWISE, /* the same, where those are of one channel, by depthwise_nchw16c.h */
    OC_CONV_WINOGRAD   /* winograd.h */
} oc_conv_algorithm;

/* conv.h says what is computed. */
typedef struct oc_conv {
    oc_conv_algorithm algorithm; /* one of those of NCHW */
    oc_type type;                /* OC_F32, OC_F64 or OC_I16 */
    unsigned cpu;                /* OC_CPU_ bits */
    const void *x, *w, *b;       /* dense; b NULL: no bias */
    bool nchw16c;                /* how x lies; only of OC_CONV_FEW */
    oc_type half;  /* OC_F16 or OC_BF16: x and y are; only of that, and type is OC_F32 */
    void *scratch; /* of that: oc_conv_few_scratch */
    void *y;
    int64_t images, groups, channels, out_channels; /* channels and output channels: of one group */
    oc_window window;                               /* of one axis or more */
    oc_work work;
} oc_conv;

/* The number of products, where to lay out a pixel under a tap takes as long as `pixel` of them. */
static inline double oc_conv_work(const oc_conv *g, int pixel)
{
    const double pixels = (double)(g->images * g->groups) * (double)g->channels;
    return pixels * oc_window_taps(&g->window) * (double)(g->out_channels + pixel);
}

/* What is computed on positions first .. first+n-1 of a block of 16 output channels once their sums
 * are at y; the block's number is among those of all images. run NULL: nothing. Half results are
 * rounded within bounds, if there are any. */
typedef void oc_tile_epilogue_fn(const void *ctx, float *y, int64_t block, int64_t first,
                                 int64_t n);
typedef struct oc_tile_epilogue {
    oc_tile_epilogue_fn *run;
    const void *ctx;
    const oc_half_bounds *bounds;
    /* What tiles may do of it themselves, if they are complete, and what then is left, with ctx. */
    const oc_tile_finish *finish;
    oc_tile_epilogue_fn *rest;
} oc_tile_epilogue;

/* Where the results lie of a convolution over rows and columns that makes part of a larger result:
 * position (r, c) is number r * row + c * column of `all` of a channel. all 0: it makes all. */
typedef struct oc_conv_places {
    int64_t all, row, column;
} oc_conv_places;

/* conv_nchw16c.h says how. */
typedef struct oc_conv_nchw16c {
    unsigned cpu;                /* OC_CPU_ bits */
    oc_conv_algorithm algorithm; /* one of those of NCHW16c */
    oc_type type;                /* of x and y: OC_F32, OC_F16 or OC_BF16; sums are float */
    const void *x;               /* aligned to a cache line unless it is NCHW */
    bool nchw;                   /* how x lies; only of OC_CONV_TILES */
    oc_type w_type;              /* OC_F32; of OC_CONV_TILES also that of x */
    const void *w;               /* in the form that the algorithm reads (conv_algorithm.h) */
    bool finite;                 /* no weight is NaN or infinite: padding adds nothing to a sum */
    const float *b;      /* NULL: no bias; one for each output channel, and 0 for NCHW16c without an
                            output channel */
    void *y;             /* NCHW16c; what places without an output channel hold is not defined */
    oc_conv_places part; /* of y, made by tiles or small groups; nothing follows then */
    int64_t images, groups, channels, out_channels; /* channels and output channels: of one group */
    oc_window window;
    oc_tile_epilogue after;
    oc_work work;
} oc_conv_nchw16c;

#endif
