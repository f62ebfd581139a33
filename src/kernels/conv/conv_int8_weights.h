/* SPDX-License-Identifier: Apache-2.0
 * conv_int8_weights.h - in which order do tiles read the weights of a convolution of 8-bit
 * integers?
 *
 * [block of 16 output channels][4 channels][tap][16][4], or as depthwise_int8.h says. */
#pragma once

#include "kernels/conv/conv_types.h"
#include "kernels/conv/depthwise_int8.h"

typedef struct oc_conv_int8 {
    unsigned cpu; /* OC_CPU_ bits */
    oc_conv_algorithm
        /* The algorithm that weights were packed for: OC_CONV_TILES or OC_CONV_DEPTHWISE. */
        algorithm;
    const uint8_t *x; /* in NCHW16c, or in NCHW with one group of at most 4 channels */
    bool nchw;        /* true: x lies in NCHW; false: in NCHW16c */
    uint8_t flip;     /* OC_INT8_SIGN when pixels are signed, else 0 */
    uint8_t zero;     /* the value of a pixel in the padding, as an unsigned number */
    const int8_t *w;  /* packed by oc_conv_int8_pack */
    /* A number for each output channel, and any number for each place of NCHW16c without one.
     * What `zero` adds to each sum has been subtracted. */
    const int32_t *b;
    /* Zero points that are to be subtracted from weights, as many numbers as b has, with one
     * group; NULL: there are none. */
    const int32_t *z;
    const oc_rescale *rescale; /* has as many factors as b has numbers; NULL: y is int32 */
    void *y;                   /* in NCHW16c; places without an output channel get any number */
    /* channels and out_channels are those of one group */
    int64_t images, groups, channels, out_channels;
    oc_window window;
    oc_work work;
} oc_conv_int8;

/* Bytes of the weights under a tap that are read at once. */
enum { OC_INT8_LINE = OC_BLOCK_CHANNELS * OC_INT8_TOGETHER };

/* The channels that a block of 16 output channels reads: multiples of 16 and of 4. */
typedef struct oc_int8_reach {
    int64_t first, n;
} oc_int8_reach;

oc_int8_reach oc_int8_reach_of(const oc_conv_int8 *g, int64_t block);

/* Returns the algorithm to pack weights for. It is OC_CONV_DEPTHWISE when each group has one
 * channel and one output channel, and the taps of a row follow each other. It reads groups,
 * channels, output channels, and kernel and dilations of the window. */
oc_conv_algorithm oc_conv_int8_choose(const oc_conv_int8 *g);
oc_depthwise_form oc_int8_form(const oc_conv_int8 *g); /* for OC_CONV_DEPTHWISE */

/* Returns the bytes of the weights of a block of output channels, under `area` taps. */
int64_t oc_int8_block_bytes(const oc_conv_int8 *g, int64_t area);

/* Returns the bytes of packed weights, aligned to a cache line. It reads algorithm, groups,
 * channels, output channels, and kernel and strides of the window; area is the number of the
 * window's taps. */
int64_t oc_conv_int8_packed(const oc_conv_int8 *g, int64_t area);
/* Packs w, dense [groups * output channels][channels][area]. */
void oc_conv_int8_pack(const oc_conv_int8 *g, int8_t *packed, const int8_t *w, int64_t area,
                       const oc_work *by);
