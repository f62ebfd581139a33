/* SPDX-License-Identifier: Apache-2.0
 * depthwise_int8.h - the sums of a depthwise convolution of 8-bit integers.
 *
 * Each output channel has one channel. Four neighbouring pixels of 16 channels are 64 bytes in a
 * row; with the bytes of each channel brought side by side they are multiplied by four weights
 * of each channel at once. These pixels also serve neighbouring positions, whose weights lie one
 * or more places further on, with zeros around:
 *
 *     pixels            p0 p1 p2 p3        of each channel
 *     position 0        w0 w1 w2 0
 *     position 1        0  w0 w1 w2        stride 1, three taps
 *
 * Rows of taps follow each other. Results are those of tile_int8.h. */
#pragma once

#include "kernels/matmul/tile_int8.h"

enum {
    OC_DEPTHWISE_PIXELS = 4, /* pixels that are multiplied at once */
    OC_DEPTHWISE_SHARED = 4  /* most positions that four pixels serve */
};

/* How the taps of a window of columns lie over pixels. */
typedef struct oc_depthwise_form {
    int64_t taps, stride; /* taps and stride of the columns */
    int64_t fours;        /* groups of four pixels under a row of taps */
    int64_t shared;       /* positions that they serve */
} oc_depthwise_form;

oc_depthwise_form oc_depthwise_form_of(int64_t taps, int64_t stride);
/* Returns the bytes of the weights of a block of 16 channels, for `rows` rows of taps. */
int64_t oc_depthwise_int8_packed(const oc_depthwise_form *f, int64_t rows);
/* Packs the weights of up to 16 channels, each [rows][taps], to [shared][row][four][16][4]. */
void oc_depthwise_int8_pack(int8_t *packed, const int8_t *w, int channels, int64_t rows,
                            int64_t taps, int64_t stride);

/* Some rows of positions of one block of 16 channels. */
typedef struct oc_depthwise_int8 {
    void *y; /* elements are uint8 or int8 with rescale, else int32: [positions][16] */
    /* the pixel under the first tap; 64 bytes behind the last pixel must be readable */
    const uint8_t *x;
    const int8_t *w;  /* packed by oc_depthwise_int8_pack */
    const int32_t *b; /* 16 numbers with which sums begin */
    const oc_rescale *rescale;
    oc_depthwise_form form;
    /* rows of taps; bytes from one row of pixels to the one under the next row of taps */
    int64_t rows, row;
    int64_t step;           /* bytes from a position's pixels to those of the next */
    int64_t positions;      /* positions of a row */
    int64_t height;         /* rows of positions */
    int64_t x_down, y_down; /* bytes from one row of positions to the next, in x and y */
} oc_depthwise_int8;

/* Moves to the next row of positions. */
static inline void oc_depthwise_int8_down(oc_depthwise_int8 *t)
{
    t->x += t->x_down;
    t->y = (char *)t->y + t->y_down;
}

/* The function for one instruction set. */
typedef struct oc_depthwise_int8_variant {
    const char *isa;
    unsigned need;
    void (*run)(const oc_depthwise_int8 *t);
} oc_depthwise_int8_variant;

extern const oc_depthwise_int8_variant
    *const oc_depthwise_int8_variants[]; /* best first, last is scalar */

const oc_depthwise_int8_variant *oc_depthwise_int8_pick(unsigned cpu);
