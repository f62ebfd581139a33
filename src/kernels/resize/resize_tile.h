/* SPDX-License-Identifier: Apache-2.0
 * resize_tile.h - computes a tile of a pass, or of two passes that run as one. */
#pragma once

#include "kernels/layout/nchw16c.h"
#include "kernels/resize/resize_sum.h"

enum {
    OC_RESIZE_STEP = 4,    /* taps of rows that are widened at a time */
    OC_RESIZE_ROWS = 64,   /* most rows of a tile, of outputs and between two passes */
    OC_RESIZE_COLS = 1024, /* most columns of outputs of a tile */
    OC_RESIZE_SPAN = 2048, /* most columns of inputs under them */
    OC_RESIZE_BLOCK = 16   /* most numbers of a line */
};

/* One pass, or two that run as one, from [planes][a_in][b_in][inner] to
 * [planes][a_out][b_out][inner]. */
typedef struct oc_resize_pass {
    /* taps of axes a and b; NULL: the axis is not resized. Without h, b is 1 */
    const oc_resize_taps *v, *h;
    bool h_first; /* true: of two passes h is the first */
    int64_t planes, a_in, a_out, b_in, b_out, inner;
    oc_type from, to, real; /* types of x, of y and of sums */
    const void *x;
    void *y;
    bool stream;
} oc_resize_pass;

/* Runs of outputs of an axis: run i is cut[i] .. cut[i + 1] - 1. */
typedef struct oc_resize_cuts {
    int64_t *cut, n;
} oc_resize_cuts;

typedef struct oc_resize_tiles {
    const oc_resize_pass *p;
    oc_resize_cuts rows, cols;
    int64_t group; /* planes of a tile; more than 1 when planes are small */
    int64_t n;
    /* Sums of rows. sum_from NULL: elements are widened first. */
    oc_resize_rows_fn *sum_from, *sum_real;
    oc_resize_block_fn *lines;
    oc_resize_halve_fn *halve;
    oc_resize_stretch_fn *stretch;
    oc_resize_widen_fn *widen;   /* NULL: half.h widens, or nothing has to */
    oc_resize_finish_fn *finish; /* NULL: half.h rounds, or nothing has to */
    oc_nchw16c_in_fn *in_from, *in_real;
    oc_nchw16c_out_fn *out_real;
    const struct oc_half_variant *half; /* for from or to, when one is float16 or bfloat16 */
    char *memory;                       /* oc_resize_tile_bytes for each task */
    oc_work work;
    unsigned cpu;
} oc_resize_tiles;

size_t oc_resize_tile_bytes(void);
/* Computes tiles first to end-1 in one task. */
void oc_resize_tiles_run(const oc_resize_tiles *t, int64_t first, int64_t end, int task);

/* ---- cuts a pass into tiles, and chooses the functions that compute them (resize_cuts.c) ---- */

/* Can the two passes run as one? */
bool oc_resize_can_pair(const oc_resize_taps *v, const oc_resize_taps *h, int64_t inner);
/* Returns how many numbers the cuts of a pass need. */
int64_t oc_resize_cuts_size(const oc_resize_pass *p);
/* cuts has room for oc_resize_cuts_size numbers, memory for oc_resize_tile_bytes for each task.
 * When the work has been ended there are no tiles. */
oc_resize_tiles oc_resize_tiles_new(const oc_resize_pass *p, int64_t *cuts, void *memory,
                                    const oc_work *w, unsigned cpu);
