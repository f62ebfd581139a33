/* SPDX-License-Identifier: Apache-2.0
 * conv_few.h - a convolution that has few output channels, as at the end of a network.
 *
 * Registers hold positions that follow each other, not output channels, because most of these
 * would be missing. Each pixel is loaded once for a tap of all output channels:
 *
 *     pixels under tap k of channel c       | p0 p1 p2 .. p15 | p16 .. p31 |
 *     x w[0][c][k]   added to   sum[0]      | 16 positions    | 16 ..      |
 *     x w[1][c][k]   added to   sum[1]      | 16 positions    | 16 ..      |
 *
 * A band of rows of the image is copied with zeros around it, from NCHW or NCHW16c, so that each
 * tap has a fixed distance from a position, and the band is one line. The copy turns halves into
 * floats, and storing the sums turns floats into halves. Sums and their order are those of
 * conv.h, to the bit. */
#pragma once

#include "kernels/conv/conv_types.h"

enum {
    OC_FEW_MOST = 6,   /* most output channels */
    OC_FEW_LINE = 4,   /* most output channels of one line */
    OC_FEW_SLACK = 128 /* floats behind the last position that may be read, or written */
};

/* Channel c of tap k under position i is at x + c * x_channel + tap[k] + i. */
typedef struct oc_few_line {
    const float *x;
    const int64_t *tap;
    const float *w; /* the weights [channels][taps] of output channel m are at w + m * w_out */
    const float *b; /* one number for each output channel; NULL: nothing is added */
    float *y;       /* the positions of output channel m are at y + m * y_out */
    int64_t x_channel, w_out, y_out;
    int64_t channels, taps, positions;
} oc_few_line;

/* The functions for one instruction set. */
typedef struct oc_conv_few_variant {
    const char *isa;
    unsigned need;
    void (*line[OC_FEW_LINE])(const oc_few_line *l); /* indexed by output channels - 1 */
} oc_conv_few_variant;

extern const oc_conv_few_variant *const oc_conv_few_variants[]; /* best first, last is scalar */

/* Is g a convolution over rows and columns, or one axis, of stride 1, with so few output
 * channels and of a size that a cache can hold? */
bool oc_conv_few_suits(const oc_conv *g);
/* Returns the bytes of scratch memory for the threads of g's work, aligned to a cache line. g
 * must suit. */
uint64_t oc_conv_few_scratch(const oc_conv *g);
void oc_conv_few_run(const oc_conv *g);

/* One of several convolutions of stride 1 over the pixels of one image, whose results are spread
 * over y: position (r, c) becomes position (row_at + r * row_step, column_at + c * column_step)
 * of y. */
typedef struct oc_few_part {
    oc_window_side row, column;
    const float *w; /* [output channels][channels][taps] */
    int64_t row_at, row_step, column_at, column_step;
} oc_few_part;

/* As the functions above, for n parts of g, whose window tells the sizes of x and y. A band is
 * copied once for all parts. */
bool oc_few_parts_suit(const oc_conv *g, const oc_few_part part[], int n);
uint64_t oc_few_parts_scratch(const oc_conv *g, const oc_few_part part[], int n);
void oc_few_parts_run(const oc_conv *g, const oc_few_part part[], int n);
