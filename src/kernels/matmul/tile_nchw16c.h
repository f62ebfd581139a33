/* SPDX-License-Identifier: Apache-2.0
 * tile_nchw16c.h - how are the sums of a convolution computed where 16 channels lie side by side?
 *
 * A pixel under a tap is one number for all output channels; the weights of 16 output channels
 * under that tap are one cache line. So a tile of a few positions and 16 or 32 output channels
 * takes its pixels one by one, each spread over a register, and its sums stay in registers from the
 * first tap to the last:
 *
 *                         w [channel][tap][16 output channels]      one line
 *     pixel of position 0    x     | w0 w1 .. w15 |   +->   sum[0] | 16 output channels |
 *     pixel of position 1    x     | w0 w1 .. w15 |   +->   sum[1] | 16 output channels |
 *     ..                                                    ..
 *
 * A sum begins with 0 and adds its products by fused multiply-adds, channel by channel, the taps of
 * each in the order of the list; then the bias is added. That is the order of conv.h. The channels
 * may come in several tiles, each of which goes on with the sums of the one before. */
#pragma once

#include "kernels/common/half.h"
#include "kernels/layout/nchw16c.h"

#include <stdbool.h>
#include <stdint.h>

enum { OC_TILE_POSITIONS = 8, OC_TILE_BLOCKS = 2 }; /* largest tile of any variant */
enum { OC_TILE_ROW = 4 };                           /* blocks in a tile of one position */

/* Elements from a pixel to the pixel under a tap, and from a channel's weights to those of the
 * tap. */
typedef struct oc_tile_tap {
    int64_t x, w;
} oc_tile_tap;

/* What happens to complete sums: (sum - center) * factor + offset, if there are such numbers for
 * each output channel; then a result below least becomes least, and one above greatest becomes
 * greatest. */
typedef struct oc_tile_finish {
    const float *center, *factor, *offset; /* numbers of whole blocks of 16; NULL: there are none */
    float least, greatest;
} oc_tile_finish;

/* True when tiles finish sums themselves. A build for size leaves that to a later pass over y. */
#ifdef OC_FOR_SIZE
enum { OC_TILE_FINISHES = 0 };
#else
enum { OC_TILE_FINISHES = 1 };
#endif

/* Channel c of position r is at x + c / block * x_block + c % block + r * x_step; the channels
 * begin with number `first`. The weights of the i-th channel are at w + i * w_channel, except
 * that dense tiles read one line of weights after the other. */
typedef struct oc_tile_nchw16c {
    /* The 16 output channels of position r are at y + r * y_step; the next 16 are y_block
     * further. */
    float *y;
    const float *x; /* block is 1 for NCHW and 16 for NCHW16c */
    const float
        /* [channel][tap][16], aligned. The next block of output channels is w_block further. */
        *w;
    const float *b; /* 16 numbers for each block, added to the sums; NULL: nothing is added */
    /* 16 numbers for the first block: channels where the number is below 0 keep what y holds.
     * NULL: none do. */
    const float *own;
    const oc_tile_tap *tap;
    int64_t taps, first, channels, block; /* first < block; channels: one past the last channel */
    int64_t x_block, x_step, y_step, y_block, w_channel, w_block;
    const oc_tile_finish *finish; /* used by dense tiles and by `row`; NULL: y gets the sums */
    int64_t out_channel; /* number of the tile's first output channel in the lists of finish */
    /* true: sums begin with what y holds; read by tiles of some channels and by widening tiles */
    bool continues;
    /* For widening tiles: the weights as halves; the next block of output channels is half_block
     * further. The tile stores them as floats in wide, which is w. */
    const uint16_t *half;
    float *wide;
    int64_t half_block;
    /* For dense tiles, and for those that widen float16, of at least `rounding` positions. true:
     * y gets float16 numbers, limited by bounds unless that is NULL, 16 of them in the place of
     * 8 floats. false: y gets floats. */
    bool rounds;
    const oc_half_bounds *bounds;
} oc_tile_nchw16c;

/* Fills y for the tile. */
typedef void oc_tile_nchw16c_fn(const oc_tile_nchw16c *t);

/* The tiles for one instruction set. */
typedef struct oc_tile_nchw16c_variant {
    const char *isa;
    unsigned need;
    int positions, blocks; /* size of the largest tile */
    int rounding;          /* least positions of a tile that can round its sums; 0: no tile can */
    /* Tiles of all channels and taps, and of some channels and taps; indexed by blocks - 1 and
     * positions - 1. */
    oc_tile_nchw16c_fn *dense[OC_TILE_BLOCKS][OC_TILE_POSITIONS];
    oc_tile_nchw16c_fn *some[OC_TILE_BLOCKS][OC_TILE_POSITIONS];
    /* Tiles of all channels and taps for 8 of 16 output channels: y, w and b are those of the
     * first channel. own is not read. */
    oc_tile_nchw16c_fn *narrow[OC_TILE_POSITIONS];
    /* As dense, for one position and OC_TILE_ROW blocks, whose sums hide the latency of an
     * addition. NULL when there are not enough registers. own is not read. */
    oc_tile_nchw16c_fn *row;
    /* As dense, for `blocks` blocks and for `positions` positions or one less, for the first of
     * several tiles with the same weights: it widens the weights while it multiplies. Index 0 is
     * for float16, 1 for bfloat16. NULL: there is none. */
    oc_tile_nchw16c_fn *widening[2][2];
    /* Computes convolutions in groups: output channel m of 16 is the sum over the channels of
     * its own group. x_block and y_block are not read, block is 16, and channels, 1, 2, 4 or 8,
     * is the size of a group and the number of its output channels. Indexed by log2 of channels. */
    void (*groups[4])(const oc_tile_nchw16c *t, int64_t positions);
} oc_tile_nchw16c_variant;

extern const oc_tile_nchw16c_variant
    *const oc_tile_nchw16c_variants[]; /* best first, last is scalar */

const oc_tile_nchw16c_variant *oc_tile_nchw16c_pick(unsigned cpu);
