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
#ifndef OC_KERNELS_MATMUL_TILE_NCHW16C_H
#define OC_KERNELS_MATMUL_TILE_NCHW16C_H

#include "kernels/common/half.h"
#include "kernels/layout/nchw16c.h"

#include <stdbool.h>
#include <stdint.h>

enum { OC_TILE_POSITIONS = 8, OC_TILE_BLOCKS = 2 }; /* the most of any variant */
enum { OC_TILE_ROW = 4 };                           /* blocks of a tile of one position */

/* Elements from a pixel to the one under a tap, and from a channel's weights to the tap's. */
typedef struct oc_tile_tap {
    int64_t x, w;
} oc_tile_tap;

/* What becomes of complete sums: where there are numbers for each output channel, (sum - center) *
 * factor + offset, and then least where that is below, greatest where it is above. */
typedef struct oc_tile_finish {
    const float *center, *factor, *offset; /* whole blocks of 16; NULL: none */
    float least, greatest;
} oc_tile_finish;

/* Do tiles do that? Where size is asked for, it follows as all else does. */
#ifdef OC_FOR_SIZE
enum { OC_TILE_FINISHES = 0 };
#else
enum { OC_TILE_FINISHES = 1 };
#endif

/* Channel c of position r is at x + c / block * x_block + c % block + r * x_step; channels begin
 * with number `first`. The weights of the i-th one are at w + i * w_channel; but dense tiles read
 * one line of weights after the other. */
typedef struct oc_tile_nchw16c {
    float *y; /* 16 output channels of position r at y + r * y_step; the next 16 are y_block on */
    const float *x; /* NCHW: block 1; NCHW16c: block 16 */
    const float
        *w; /* [channel][tap][16], aligned; the next block of output channels is w_block on */
    const float *b; /* 16 for each block; NULL: nothing is added */
    /* 16 of the first block: channels where this is below 0 keep what y holds. NULL: none do. */
    const float *own;
    const oc_tile_tap *tap;
    int64_t taps, first, channels, block; /* first < block; channels: the end of them */
    int64_t x_block, x_step, y_step, y_block, w_channel, w_block;
    const oc_tile_finish *finish; /* of dense tiles and of `row`; NULL: sums are the results */
    int64_t out_channel;          /* the tile's first one in the lists of finish */
    bool continues; /* sums begin with what y holds; of some channels, and of widening tiles */
    /* Of widening tiles: the weights in half numbers, the next block of output channels half_block
     * on; they go to wide, which is w. */
    const uint16_t *half;
    float *wide;
    int64_t half_block;
    /* Of dense tiles, and of those that widen float16, of so many positions: y gets float16 numbers
     * within bounds, if there are any, 16 of them where 8 floats would be. Else floats. */
    bool rounds;
    const oc_half_bounds *bounds;
} oc_tile_nchw16c;

/* Fills y for the tile. */
typedef void oc_tile_nchw16c_fn(const oc_tile_nchw16c *t);

/* One per instruction set. */
typedef struct oc_tile_nchw16c_variant {
    const char *isa;
    unsigned need;
    int positions, blocks; /* of the largest tile */
    int rounding;          /* positions of a tile that can round its sums, or more; 0: none can */
    /* Of all channels and taps, and of some; by blocks - 1 and positions - 1. */
    oc_tile_nchw16c_fn *dense[OC_TILE_BLOCKS][OC_TILE_POSITIONS];
    oc_tile_nchw16c_fn *some[OC_TILE_BLOCKS][OC_TILE_POSITIONS];
    /* Of all channels and taps, for 8 of 16 output channels: y, w and b are those of the first one.
     * own is not read. */
    oc_tile_nchw16c_fn *narrow[OC_TILE_POSITIONS];
    /* As dense, of one position and OC_TILE_ROW blocks: as many sums as hide what each addition
     * waits for the one before. NULL: there are not so many registers. own is not read. */
    oc_tile_nchw16c_fn *row;
    /* As dense, of `blocks` and of `positions` or one less, for the first of several tiles that
     * have the same weights: it widens those while it multiplies. Of float16, and of bfloat16.
     * NULL: there is none. */
    oc_tile_nchw16c_fn *widening[2][2];
    /* Map m of 16 is the sum over the channels of its own group alone: x_block and y_block have no
     * use, block is 16, and channels, 1, 2, 4 or 8, is the size of a group and the number of its
     * output channels. By log2 of channels. */
    void (*groups[4])(const oc_tile_nchw16c *t, int64_t positions);
} oc_tile_nchw16c_variant;

extern const oc_tile_nchw16c_variant
    *const oc_tile_nchw16c_variants[]; /* best first, last is scalar */

const oc_tile_nchw16c_variant *oc_tile_nchw16c_pick(unsigned cpu);

#endif
