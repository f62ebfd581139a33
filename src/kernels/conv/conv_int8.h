/* SPDX-License-Identifier: Apache-2.0
 * conv_int8.h - how is a convolution of 8-bit integers made whose channels lie side by side?
 *
 *     NCHW16c of bytes: [images][blocks of 16 channels][pixels][16]
 *
 * The output is cut into bands of rows and columns, each a sequence of tiles (tile_int8.h). Where
 * the window of a band lies within the image, tiles read the image itself, else a patch: a copy of
 * the pixels under the band, with the zero point where the padding is. A block of 16 output
 * channels reads the channels of the groups that it has channels of; weights between a channel and
 * an output channel of another group are 0, which adds nothing to a sum of integers. Where each
 * group has one channel and one output channel, depthwise_int8.h computes a row.
 *
 * Weights that are too large by a number, their zero point, are packed as they are where they do
 * not fit 8 bits without it. Then the sum of the pixels under each window is made too, by weights
 * of 1 that follow the others.
 *
 * Results are those of tile_int8.h, whatever the bands, threads and instruction set. */
#ifndef OC_KERNELS_CONV_CONV_INT8_H
#define OC_KERNELS_CONV_CONV_INT8_H

#include "base/work.h"
#include "kernels/common/sliding_window.h"
#include "kernels/matmul/tile_int8.h"

typedef struct oc_conv_int8 {
    unsigned cpu;     /* OC_CPU_ bits */
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

/* Is this a convolution for such tiles? One of at most two spatial axes, of which a patch has a
 * bearable size. Asks for images, groups, channels, output channels and window. */
bool oc_conv_int8_suits(const oc_conv_int8 *g);
/* May x be NCHW? */
bool oc_conv_int8_takes_nchw(const oc_conv_int8 *g);
double oc_conv_int8_work(const oc_conv_int8 *g); /* in products (base/threads.h) */

/* Bytes of packed weights, aligned to a cache line. Asks for groups, channels, output channels, and
 * kernel, strides and dilations of the window; area: its taps. */
int64_t oc_conv_int8_packed(const oc_conv_int8 *g, int64_t area);
/* Packs w, dense [groups * output channels][channels][area]. */
void oc_conv_int8_pack(const oc_conv_int8 *g, int8_t *packed, const int8_t *w, int64_t area,
                       const oc_work *by);

/* Bytes of scratch memory that oc_conv_int8_run needs, aligned to a cache line. */
size_t oc_conv_int8_scratch(const oc_conv_int8 *g, int threads);
void oc_conv_int8_run(const oc_conv_int8 *g, void *scratch);

#endif
