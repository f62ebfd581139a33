/* SPDX-License-Identifier: Apache-2.0
 * conv_types.h - the arguments of a convolution, in either layout. */
#pragma once

#include "base/work.h"
#include "kernels/common/sliding_window.h"
#include "kernels/matmul/tile_nchw16c.h"

/* An algorithm for a convolution; conv_algorithm.h tells which one to use. */
typedef enum oc_conv_algorithm {
    OC_CONV_NONE,
    /* These make y in NCHW. */
    OC_CONV_IM2COL, /* conv.h */
    OC_CONV_STRIPS, /* depthwise_strips.h */
    OC_CONV_FEW,    /* conv_few.h; x may be in either layout */
    /* These make y in NCHW16c. */
    OC_CONV_TILES,     /* conv_nchw16c.h; x may be in either layout */
    OC_CONV_GROUPS,    /* conv_nchw16c.h, for blocks of 16 channels that hold whole groups */
    OC_CONV_DEPTHWISE, /* conv_nchw16c.h with depthwise_nchw16c.h, for groups of one channel */
    OC_CONV_WINOGRAD   /* winograd.h */
} oc_conv_algorithm;

/* A convolution; conv.h says what it computes. */
typedef struct oc_conv {
    oc_conv_algorithm algorithm; /* one of those that make NCHW */
    oc_type type;                /* OC_F32, OC_F64 or OC_I16 */
    unsigned cpu;                /* OC_CPU_ bits */
    const void *x, *w, *b;       /* dense; b NULL: there is no bias */
    bool nchw16c;                /* true: x lies in NCHW16c, which only OC_CONV_FEW allows */
    /* OC_F16 or OC_BF16 when x and y have that type, which only OC_CONV_FEW allows; type is
     * OC_F32 then */
    oc_type half;
    void *scratch; /* for OC_CONV_FEW: oc_conv_few_scratch bytes */
    void *y;
    /* channels and out_channels are those of one group */
    int64_t images, groups, channels, out_channels;
    oc_window window; /* has one axis or more */
    oc_work work;
} oc_conv;

/* Returns the number of products. Laying out a pixel under a tap counts as `pixel` products. */
static inline double oc_conv_work(const oc_conv *g, int pixel)
{
    const double pixels = (double)(g->images * g->groups) * (double)g->channels;
    return pixels * oc_window_taps(&g->window) * (double)(g->out_channels + pixel);
}

/* An epilogue: a function that runs on positions first to first+n-1 of a block of 16 output
 * channels once their sums are complete in y. The number of the block counts those of all images.
 * run NULL: there is none. Half results are limited by bounds, unless that is NULL, and rounded. */
typedef void oc_tile_epilogue_fn(const void *ctx, float *y, int64_t block, int64_t first,
                                 int64_t n);
typedef struct oc_tile_epilogue {
    oc_tile_epilogue_fn *run;
    const void *ctx;
    const oc_half_bounds *bounds;
    /* What tiles may do of the epilogue themselves when their sums are complete, and the
     * function that does the rest then, with ctx. */
    const oc_tile_finish *finish;
    oc_tile_epilogue_fn *rest;
} oc_tile_epilogue;

/* Where the results lie when a convolution over rows and columns makes a part of a larger
 * result: position (r, c) has number r * row + c * column of the `all` positions of a channel.
 * all 0: the convolution makes the whole result. */
typedef struct oc_conv_places {
    int64_t all, row, column;
} oc_conv_places;

/* A convolution whose output is NCHW16c; conv_nchw16c.h says how it is computed. */
typedef struct oc_conv_nchw16c {
    unsigned cpu;                /* OC_CPU_ bits */
    oc_conv_algorithm algorithm; /* one of those that make NCHW16c */
    oc_type type;                /* type of x and y: OC_F32, OC_F16 or OC_BF16; sums are float */
    const void *x;               /* aligned to a cache line, unless it is NCHW */
    bool nchw;                   /* true: x lies in NCHW, which only OC_CONV_TILES allows */
    oc_type w_type;              /* OC_F32; for OC_CONV_TILES it may be the type of x */
    const void *w;               /* in the form that the algorithm reads (conv_algorithm.h) */
    bool finite; /* true: no weight is NaN or infinite, so padding adds nothing to a sum */
    /* One number for each output channel, and 0 for each place of NCHW16c without one. NULL:
     * there is no bias. */
    const float *b;
    void *y; /* in NCHW16c; places without an output channel get undefined bits */
    /* for a part of y, made by tiles or small groups; there is no epilogue then */
    oc_conv_places part;
    /* channels and out_channels are those of one group */
    int64_t images, groups, channels, out_channels;
    oc_window window;
    oc_tile_epilogue after;
    oc_work work;
} oc_conv_nchw16c;
