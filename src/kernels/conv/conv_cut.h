/* SPDX-License-Identifier: Apache-2.0
 * conv_cut.h - cuts a convolution into bands and pieces, so that a cache holds what a band reads
 * and threads end together.
 *
 * A plane is the positions of one output channel, in rows and columns. A band is a rectangle of a
 * plane. A unit of work makes one band for one piece of the blocks of output channels. Every
 * convolution that works band by band asks here: it says what a band takes and costs, and gets the
 * cut that costs the busiest thread least. No sum depends on the cut. */
#pragma once

#include "base/share.h"
#include "kernels/common/sliding_window.h"

/* Products of a line of 16 weights in the time that such a line takes to arrive from behind the
 * second cache. */
enum { OC_WEIGHTS_STREAMED = 5 };

/* What is cut. Memory is in bytes, time in products of a line of 16 weights with a number. */
typedef struct oc_conv_load {
    oc_window_side row, column;
    int64_t row_grain, column_grain; /* bands begin at multiples of these; at least 1 */
    int64_t low;    /* columns are cut before a band has fewer rows than this; at least 1 */
    int64_t widest; /* no band has more columns, unless it is a single grain; 0: any number */
    int64_t planes; /* how many planes are cut in this way, one after the other */
    int64_t pixel, position;  /* memory of a pixel under a band, and of a position of a band */
    int64_t room;             /* memory that a band may take, unless it is a single grain */
    int64_t blocks, together; /* of output channels of a plane; how many a tile computes at once */
    double lines;    /* of weights that a block of output channels multiplies at each position */
    double copied;   /* lines that are copied for a pixel under a band; 0: none are */
    double prepared; /* time that a position takes before the products of all pieces */
    double shared;   /* time that all pixels take where several threads read one */
} oc_conv_load;

/* How one axis is cut. */
typedef struct oc_cut_axis {
    int64_t out, grain; /* positions, and what bands begin at multiples of */
    int64_t bands;
    int64_t most;   /* positions of the longest band */
    int64_t pixels; /* that a patch has for the longest band */
    bool apart;     /* a patch has the pixels under each tap by themselves, tap after tap: where
                       dilation spreads few positions, that is less than all pixels between */
} oc_cut_axis;

typedef struct oc_conv_cut {
    oc_cut_axis row, column;
    int64_t pieces; /* of the blocks of output channels */
    int64_t units;  /* of all planes; unit i makes piece i % pieces of band i / pieces */
} oc_conv_cut;

/* A band: its plane, its first row and column, and how many of them it has. */
typedef struct oc_cut_band {
    int64_t plane, row, rows, column, columns;
} oc_cut_band;

/* The cut for this number of threads. */
oc_conv_cut oc_conv_cut_for(const oc_conv_load *l, int threads);
/* Band number i of all planes; columns follow each other first, then rows. */
oc_cut_band oc_cut_band_at(const oc_conv_cut *c, int64_t i);
/* The positions of band number i along an axis. Bands that follow each other have, together, as
 * many positions as any others, but for one grain. */
oc_span oc_cut_span(const oc_cut_axis *a, int64_t i);
/* The pixels that a patch has along an axis for n positions. */
int64_t oc_cut_pixels(const oc_window_side *s, int64_t n);

/* *i modulo n; *i becomes the quotient. A division takes as long as all else of a small band, and n
 * is often 1. */
static inline int64_t oc_cut_take(int64_t *i, int64_t n)
{
    const int64_t all = *i;
    *i = n == 1 ? all : all / n;
    return n == 1 ? 0 : all % n;
}
