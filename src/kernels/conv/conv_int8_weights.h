/* SPDX-License-Identifier: Apache-2.0
 * conv_int8_weights.h - in which order do tiles read the weights of a convolution of 8-bit
 * integers?
 *
 * [block of 16 output channels][4 channels][tap][16][4], or as depthwise_int8.h says. */
#ifndef OC_KERNELS_CONV_CONV_INT8_WEIGHTS_H
#define OC_KERNELS_CONV_CONV_INT8_WEIGHTS_H

#include "base/work.h"
#include "kernels/conv/conv_types.h"
#include "kernels/conv/depthwise_int8.h"
#include "kernels/layout/nchw16c.h"
#include "kernels/matmul/tile_int8.h"

typedef struct oc_conv_int8 {
    unsigned cpu; /* OC_CPU_ bits */
    oc_conv_algorithm
        algorithm;    /* that weights were packed for: OC_CONV_TILES, OC_CONV_DEPTHWISE */
    const uint8_t *x; /* NCHW16c, or NCHW of at most 4 channels, in one group */
    bool nchw;        /* how x lies */
    uint8_t flip;     /* OC_INT8_SIGN where pixels are signed, else 0 */
    uint8_t zero;     /* what an unsigned pixel in the padding is */
    const int8_t *w;  /* oc_conv_int8_pack */
    const int32_t *b; /* for each output channel, and any number for NCHW16c without one; what zero
                         adds to each sum has been taken off */
    const int32_t *z; /* what weights are too large by, as many numbers as b has, in one group;
                         NULL: nothing */
    const oc_rescale *rescale; /* factors as many as b has; NULL: y is int32 */
    void *y;                   /* NCHW16c; places without an output channel hold anything */
    int64_t images, groups, channels, out_channels; /* channels and output channels: of one group */
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

/* The algorithm to pack weights for: by depthwise_int8.h where each group has one channel and one
 * output channel, and the taps of a row follow each other. Asks for groups, channels, output
 * channels, and kernel and dilations of the window. */
oc_conv_algorithm oc_conv_int8_choose(const oc_conv_int8 *g);
oc_depthwise_form oc_int8_form(const oc_conv_int8 *g); /* of OC_CONV_DEPTHWISE */

/* Bytes of the weights of a block of output channels, under so many taps. */
int64_t oc_int8_block_bytes(const oc_conv_int8 *g, int64_t area);

/* Bytes of packed weights, aligned to a cache line. Asks for algorithm, groups, channels, output
 * channels, and kernel and strides of the window; area: its taps. */
int64_t oc_conv_int8_packed(const oc_conv_int8 *g, int64_t area);
/* Packs w, dense [groups * output channels][channels][area]. */
void oc_conv_int8_pack(const oc_conv_int8 *g, int8_t *packed, const int8_t *w, int64_t area,
                       const oc_work *by);

#endif
