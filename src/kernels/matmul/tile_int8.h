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
#ifndef OC_KERNELS_MATMUL_TILE_INT8_H
#define OC_KERNELS_MATMUL_TILE_INT8_H

#include "kernels/common/variant.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    OC_INT8_TOGETHER = 4, /* channels that are multiplied at once */
    OC_INT8_SIGN = 0x80,  /* inverted in signed pixels, which become unsigned, 128 more */
    OC_INT8_POSITIONS = 8,
    OC_INT8_BLOCKS = 2 /* of 16 output channels; both the most of any variant */
};

/* How sums become 8-bit integers: of int8 where low is negative, else of uint8, or of both. */
typedef struct oc_rescale {
    const float *factor;     /* for each output channel; finite */
    int32_t zero, low, high; /* zero: of int8 or uint8 */
} oc_rescale;

/* A factor as one of oc_rescale. One that is NaN gives the zero point for every sum, as 0 does; an
 * infinite one for a sum of 0, and an end of the range for all others, as the greatest does. */
float oc_rescale_factor(float factor);
/* The result of one sum; i: its factor. */
uint8_t oc_rescale_sum(const oc_rescale *s, int32_t sum, int64_t i);

/* Position r is at x + r * x_step bytes; its channels come in blocks of `block`, a multiple of 4,
 * each x_block bytes behind the one before; where they are wide, each is of so many 16-bit numbers.
 */
typedef struct oc_tile_int8 {
    void *y; /* uint8 or int8 where there is a rescale, else int32; 16 output channels of position
                r at element r * y_step, the next 16 y_block on */
    const uint8_t *x;
    const int8_t *w;  /* the next 16 output channels are w_block on; aligned to a cache line */
    const int32_t *b; /* 16 for each block: what sums begin with, */
    const int32_t *less, *z; /* and less[r] * z of the output channel, 16 for each block, is taken
                                off; NULL: nothing is */
    const int64_t *tap; /* for each four channels of a block, and each tap: bytes from a pixel to
                           these channels of the one under the tap */
    const oc_rescale *rescale;     /* its factors are those of the first block; NULL: sums */
    int64_t taps, channels, block; /* channels: a multiple of 4 */
    int64_t x_block, x_step, y_step, y_block, w_block;
} oc_tile_int8;

typedef void oc_tile_int8_fn(const oc_tile_int8 *t);

/* Makes lines of weights, one after the other, of rows of 16 bytes, four for a line and each `step`
 * behind the one before, with the bits of flip inverted. Adds the bytes of each output channel to
 * sum, 16 of them. */
typedef void oc_int8_pack_fn(int8_t *to, int32_t *sum, const uint8_t *rows, int64_t lines,
                             int64_t step, uint8_t flip);

/* One per instruction set. */
typedef struct oc_tile_int8_variant {
    const char *isa;
    unsigned need;
    int positions, blocks; /* of the largest tile */
    int wide;              /* bytes of a number of a pixel: 1, or 2 as oc_int8_widen makes them */
    oc_tile_int8_fn *tile[OC_INT8_BLOCKS][OC_INT8_POSITIONS]; /* by blocks - 1 and positions - 1 */
    oc_int8_pack_fn *pack;
} oc_tile_int8_variant;

extern const oc_tile_int8_variant *const oc_tile_int8_variants[]; /* best first, last is scalar */

const oc_tile_int8_variant *oc_tile_int8_pick(unsigned cpu);

/* Makes 16-bit numbers of n bytes, which are in blocks of so many, a multiple of 4: of each those
 * of even places, then those of odd ones. The bytes may be the latter half of `to`. */
void oc_int8_widen(uint8_t *to, const uint8_t *from, int64_t n, int64_t block);

#endif
