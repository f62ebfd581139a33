/* SPDX-License-Identifier: Apache-2.0
 * roi_nchw.c - the walk over regions, rows of bins and channels, each channel by itself. */
#include "kernels/roi/roi_ways.h"

#include "base/int.h"
#include "base/size.h"
#include "kernels/roi/roi_bins.h"

enum {
    CHANNEL_BLOCK = 64,
    STRIP = 256 /* most bins of a row whose taps are kept at one time */
};

/* What a task's scratch memory holds. */
typedef struct layout {
    uint64_t row_taps, col_taps; /* most taps of one bin */
    uint64_t kept;               /* column bins whose taps are kept at one time */
    uint64_t size;
} layout;

static layout plan(const oc_roi_align *g)
{
    layout l = {.row_taps = g->bin_taps[1], .col_taps = g->bin_taps[0]};
    l.kept = 2 * l.col_taps + 4 * STRIP;
    l.size = oc_roi_axis_size(g, 1, l.row_taps) + oc_roi_axis_size(g, STRIP, l.kept);
    return l;
}

uint64_t oc_roi_nchw_scratch(const oc_roi_align *g)
{
    uint64_t size;
    const int tasks = oc_work_most_tasks(&g->work);
    return oc_u64_mul(plan(g).size, (uint64_t)tasks, &size) ? size : UINT64_MAX;
}

typedef struct job {
    const oc_roi_align *g;
    const int64_t *rois; /* NULL: regions 0, 1 and so on */
    int64_t n;
    oc_roi_bins_fn *fn;
    layout layout;
    char *scratch;
    size_t elem;
    int64_t blocks; /* number of blocks of channels */
} job;

/* Fills cols with bins of the region from column bin pw on: as many as exist and fit. */
static void fill_strip(const job *j, oc_roi_axis *cols, int64_t roi, int64_t pw)
{
    oc_roi_axis_clear(cols);
    while (cols->bins < STRIP && pw + cols->bins < j->g->out_w &&
           (uint64_t)cols->first[cols->bins] + j->layout.col_taps <= j->layout.kept)
        oc_roi_axis_add(cols, j->g, roi, 0, pw + cols->bins);
}

/* Computes bin rows ph to end-1 of one region, for one block of channels. */
static void rows_of_bins(const job *j, oc_roi_axis *rows, oc_roi_axis *cols, int64_t roi,
                         int64_t block, int64_t ph, int64_t end, oc_count *count)
{
    const oc_roi_align *g = j->g;
    const bool any = oc_roi_grid(g, roi, 0) > 0 && oc_roi_grid(g, roi, 1) > 0;
    const int64_t c0 = block * CHANNEL_BLOCK;
    const int64_t c1 = g->channels - c0 < CHANNEL_BLOCK ? g->channels : c0 + CHANNEL_BLOCK;
    for (int64_t pw = 0; pw < g->out_w; pw += cols->bins) {
        fill_strip(j, cols, roi, pw);
        for (int64_t row = ph; row < end; row++) {
            oc_roi_axis_clear(rows);
            oc_roi_axis_add(rows, g, roi, 1, row);
            for (int64_t c = c0; c < c1; c++) {
                if (!oc_counts(count))
                    return;
                const int64_t x = (g->image[roi] * g->channels + c) * g->height * g->width;
                const int64_t y = ((roi * g->channels + c) * g->out_h + row) * g->out_w + pw;
                j->fn((char *)g->y + (size_t)y * j->elem, (const char *)g->x + (size_t)x * j->elem,
                      rows, cols, any);
            }
        }
    }
}

/* Computes rows of bins. A unit is one row of bins of one block of channels of one region; rows
 * follow each other. */
static void pool_rows(void *arg, int task, int64_t first, int64_t last)
{
    const job *j = arg;
    const oc_roi_align *g = j->g;
    char *scratch = j->scratch + j->layout.size * (uint64_t)task;
    oc_roi_axis rows = oc_roi_axis_new(&scratch, g, 1, j->layout.row_taps, 1);
    oc_roi_axis cols = oc_roi_axis_new(&scratch, g, STRIP, j->layout.kept, 0);
    oc_count count = oc_count_of(&g->work); /* one bin may have all pixels of a large image */
    for (int64_t u = first; u < last;) {
        const int64_t group = u / g->out_h, ph = u % g->out_h;
        const int64_t left = last - u, k = group / j->blocks;
        const int64_t end = g->out_h - ph < left ? g->out_h : ph + left;
        rows_of_bins(j, &rows, &cols, j->rois ? j->rois[k] : k, group % j->blocks, ph, end, &count);
        u += end - ph;
    }
}

void oc_roi_nchw_run(const oc_roi_align *g, const int64_t *rois, int64_t n, void *scratch)
{
    job j = {.g = g,
             .rois = rois,
             .n = n,
             .layout = plan(g),
             .scratch = scratch,
             .elem = oc_type_size(g->type),
             .blocks = oc_div_up(g->channels, CHANNEL_BLOCK)};
    j.fn = oc_roi_bins_pick(g);
    oc_work_run(&g->work, n * j.blocks * g->out_h, pool_rows, &j);
}
