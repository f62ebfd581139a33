/* SPDX-License-Identifier: Apache-2.0
 * resize_tile.h - how is a tile of a pass, or of two that run as one, computed? */
#ifndef OC_KERNELS_RESIZE_RESIZE_TILE_H
#define OC_KERNELS_RESIZE_RESIZE_TILE_H

#include "kernels/layout/nchw16c.h"
#include "kernels/resize/resize_sum.h"

enum {
    OC_RESIZE_STEP = 4,    /* taps of rows that are widened at a time */
    OC_RESIZE_ROWS = 64,   /* rows of a tile, of outputs and between two passes */
    OC_RESIZE_COLS = 1024, /* columns of outputs of a tile */
    OC_RESIZE_SPAN = 2048, /* columns under them */
    OC_RESIZE_BLOCK = 16   /* most numbers of a line */
};

/* One pass, or two that run as one, from [planes][a_in][b_in][inner] to
 * [planes][a_out][b_out][inner]. */
typedef struct oc_resize_pass {
    const oc_resize_taps *v, *h; /* of axes a and b; NULL: as it is. Without h, b is 1 */
    bool h_first;                /* of two */
    int64_t planes, a_in, a_out, b_in, b_out, inner;
    oc_type from, to, real; /* of x and y; of sums */
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
    int64_t group; /* planes of a tile: more than 1 where these are small */
    int64_t n;
    oc_resize_rows_fn *sum_from, *sum_real; /* rows; sum_from NULL: elements are widened first */
    oc_resize_block_fn *lines;
    oc_resize_halve_fn *halve;
    oc_resize_widen_fn *widen;   /* NULL: by half, or not at all */
    oc_resize_finish_fn *finish; /* NULL: by half, or not at all */
    oc_nchw16c_in_fn *in_from, *in_real;
    oc_nchw16c_out_fn *out_real;
    const struct oc_half_variant *half; /* for from or to */
    char *memory;                       /* of each task, oc_resize_tile_bytes */
    oc_work work;
    unsigned cpu;
} oc_resize_tiles;

size_t oc_resize_tile_bytes(void);
/* Tiles first .. end-1, by one task. */
void oc_resize_tiles_run(const oc_resize_tiles *t, int64_t first, int64_t end, int task);

#endif
