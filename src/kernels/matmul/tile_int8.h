/* SPDX-License-Identifier: Apache-2.0
 * tile_int8.h - how are sums of products of 8-bit integers computed, and made 8-bit integers again?
 *
 * Four channels of a pixel are four bytes in a row. A tile takes them together, spreads them over a
 * register, and multiplies them by the weights of 16 output channels, four for each:
 *
 *                       w [4 channels][tap][16 output channels][4]      one line
 *     4 channels of position 0   x  | w0 w0 w0 w0 | w1 .. | .. w15 |  +->  sum[0] | 16 channels |
 *     4 channels of position 1   x  | w0 w0 w0 w0 | w1 .. | .. w15 |  +->  sum[1] | 16 channels |
 *     ..                                                              ..
 *
 * Where an instruction set multiplies 16-bit numbers alone, pixels are brought into such before,
 * once for all that they are multiplied by: of each block of channels the numbers of even places
 * come first, then those of odd ones (oc_int8_widen).
 *
 * Pixels are unsigned, weights signed. So a sum is exact as long as it fits 32 bits, in whatever
 * order; a larger one wraps. Signed pixels have their top bit inverted before, which adds 128 to
 * each; that and the zero points are part of what a sum begins with, `first`: the sum of (x - zero)
 * * (w - z) is the sum of x * w less zero times the sum of w less z times the sum of (x - zero).
 *
 * A result is, the first two steps rounded to float,
 *
 *     limit (round (float (sum) * factor) + zero)
 *
 * where round is to the nearest whole number, ties to even, and limit brings a number between low
 * and high. */
#pragma once

#include "kernels/common/variant.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    OC_INT8_TOGETHER = 4, /* channels that are multiplied at once */
    /* the bit that is inverted in signed pixels, which adds 128 and makes them unsigned */
    OC_INT8_SIGN = 0x80,
    OC_INT8_POSITIONS = 8,
    OC_INT8_BLOCKS = 2 /* most blocks of 16 output channels of any variant's tile */
};

/* How sums become 8-bit integers: int8 if low is negative, uint8 if high is above 127, else
 * either. */
typedef struct oc_rescale {
    const float *factor;     /* one for each output channel; all finite */
    int32_t zero, low, high; /* in the range of int8 or uint8 */
} oc_rescale;

/* Returns a factor for oc_rescale. NaN becomes 0, which gives the zero point for every sum.
 * Infinity becomes the greatest float, which gives the zero point for a sum of 0 and an end of
 * the range for all others. */
float oc_rescale_factor(float factor);
/* Returns the result of one sum; i is the index of its factor. */
uint8_t oc_rescale_sum(const oc_rescale *s, int32_t sum, int64_t i);

/* Position r is at x + r * x_step bytes. Its channels come in blocks of `block`, a multiple of
 * 4, each x_block bytes after the one before. In a wide variant a channel is a 16-bit number. */
typedef struct oc_tile_int8 {
    /* Elements are uint8 or int8 with rescale, else int32. The 16 output channels of position r
     * are at element r * y_step; the next 16 are y_block further. */
    void *y;
    const uint8_t *x;
    const int8_t *w; /* the next 16 output channels are w_block further; aligned to a cache line */
    /* 16 numbers for each block, with which the sums begin. */
    const int32_t *b;
    /* less[r] * z is subtracted from the sums of position r; z has 16 numbers for each block.
     * NULL: nothing is subtracted. */
    const int32_t *less, *z;
    /* For each four channels of a block, and for each tap: the bytes from a pixel to these
     * channels of the pixel under the tap. */
    const int64_t *tap;
    /* its factors begin with those of the first block; NULL: y gets the sums */
    const oc_rescale *rescale;
    int64_t taps, channels, block; /* channels: a multiple of 4 */
    int64_t x_block, x_step, y_step, y_block, w_block;
} oc_tile_int8;

typedef void oc_tile_int8_fn(const oc_tile_int8 *t);

/* Makes `lines` lines of weights from rows of 16 bytes, four rows for a line and each row `step`
 * bytes after the one before, with the bits of flip inverted. Adds the bytes of each of the 16
 * output channels to sum. */
typedef void oc_int8_pack_fn(int8_t *to, int32_t *sum, const uint8_t *rows, int64_t lines,
                             int64_t step, uint8_t flip);

/* The functions for one instruction set. */
typedef struct oc_tile_int8_variant {
    const char *isa;
    unsigned need;
    int positions, blocks; /* size of the largest tile */
    int wide; /* bytes of a channel of a pixel: 1, or 2 if oc_int8_widen has to widen them */
    /* indexed by blocks - 1 and positions - 1 */
    oc_tile_int8_fn *tile[OC_INT8_BLOCKS][OC_INT8_POSITIONS];
    oc_int8_pack_fn *pack;
} oc_tile_int8_variant;

extern const oc_tile_int8_variant *const oc_tile_int8_variants[]; /* best first, last is scalar */

const oc_tile_int8_variant *oc_tile_int8_pick(unsigned cpu);

/* Widens n bytes to 16-bit numbers. Of each block of `block` bytes, a multiple of 4, the numbers of
 * even places come first, then those of odd places. The bytes may be in the latter half of `to`. */
void oc_int8_widen(uint8_t *to, const uint8_t *from, int64_t n, int64_t block);
