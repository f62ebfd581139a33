/* SPDX-License-Identifier: Apache-2.0
 * roi_blocks.c - the walk over blocks of channels that are laid side by side.
 *
 *     for a chunk of regions, as many as have room for their taps:
 *         make the taps of each, once for all channels           (tasks share the regions)
 *         for each image that they look at:
 *             for each block of channels:                        (tasks take a block each)
 *                 lay them side by side, the pixel rows looked at
 *                 compute all bins of all regions
 *
 * The last blocks, fewer than there are tasks, are shared by pixel rows and by regions. One
 * block at a time stays in a near cache.
 *
 * When the regions of an image use few of its pixels, its planes are read where they are. */
#include "kernels/roi/roi_ways.h"

#include "base/size.h"
#include "kernels/common/streaming_store.h"
#include "kernels/layout/nchw16c.h"
#include "kernels/roi/roi_bins.h"

enum {
    TABLES = 16 << 20, /* most bytes for the taps of a chunk */
    GROUP = 64 << 20,  /* most bytes for the blocks of a group, which has at least one block */
    CHUNK = 1 << 14,   /* most regions of a chunk */
    TILE = 256,        /* bins that are computed before they are written to the output */
    /* pixel rows of a band; regions that begin in one band are computed one after the other */
    BAND = 32,
    STREAM = 8 << 20, /* outputs of more bytes are written past the caches */
    FEW = 3 /* channels from which on a block, although part empty, is faster than planes */
};
/* pixels of the largest map; its blocks would need too much scratch memory beyond */
#define MAP_MAX (INT64_C(1) << 22)

/* The taps of a region. */
typedef struct entry {
    oc_roi_axis rows, cols;
    bool any;          /* true: the region has samples */
    bool fits;         /* false: there was no room for all taps */
    int64_t low, high; /* the taps look at pixel rows low to high-1 */
    int64_t pixels;    /* number of pairs of a row tap and a column tap */
} entry;

typedef struct walk {
    const oc_roi_align *g;
    oc_roi_block_fn *fn;
    oc_nchw16c_in_fn *in;
    oc_nchw16c_out_fn *out;
    int per_block; /* channels of a block */
    int tasks;
    bool stream;    /* true: the output is written past the caches */
    int64_t blocks; /* number of blocks of channels */
    size_t elem;
    uint64_t taps[2];   /* room for the taps of each axis */
    uint64_t table;     /* bytes of a region's taps */
    int64_t chunk;      /* regions of a chunk */
    int64_t group;      /* blocks of a group */
    size_t block_bytes; /* bytes of a whole block */
    uint64_t size;      /* bytes of all scratch memory */
    /* Parts of the scratch memory, with their sizes. */
    entry *entries; /* chunk */
    /* chunk items: the chunk's entries ordered by image, as image x CHUNK + entry */
    int64_t *order;
    int64_t *rois; /* chunk items: the regions of one image, near ones together */
    char *tables;  /* chunk x table */
    char *tiles;   /* for each task 2 x TILE lines: bins of a block, and then channel by channel */
    char *block;   /* group x block_bytes */
    void *planes;  /* scratch of the walk over planes */
    /* Where the walk is. */
    int64_t first, n_entries; /* the current chunk */
    int64_t image, n_rois;    /* the current image */
    int64_t from, to;         /* the image's part of `order`: from to to-1 */
    int64_t low, high;        /* the pixel rows of the image that are looked at */
    int64_t at, n_blocks;     /* the current group */
} walk;

/* ---- room */

static void *take(uint64_t *size, char *scratch, uint64_t bytes)
{
    char *p = scratch ? scratch + *size : NULL;
    *size += oc_cache_lines(bytes);
    return p;
}

static walk plan(const oc_roi_align *g, char *scratch)
{
    const int tasks = oc_work_most_tasks(&g->work);
    walk w = {
        .g = g, .tasks = tasks, .elem = oc_type_size(g->type), .per_block = oc_nchw16c_of(g->type)};
    w.blocks = oc_div_up(g->channels, w.per_block);
    w.taps[0] = g->axis_taps[0];
    w.taps[1] = g->axis_taps[1];
    w.table = oc_roi_axis_size(g, (uint64_t)g->out_w, w.taps[0]) +
              oc_roi_axis_size(g, (uint64_t)g->out_h, w.taps[1]);
    w.chunk = (int64_t)(TABLES / w.table);
    w.chunk = w.chunk < 1 ? 1 : oc_min(w.chunk, CHUNK);
    w.chunk = oc_min(w.chunk, g->n_rois);
    w.block_bytes = (size_t)(g->height * g->width) * OC_BLOCK_BYTES;
    w.group = (int64_t)(GROUP / w.block_bytes);
    w.group = w.group < 1 ? 1 : oc_min(w.group, tasks);
    w.group = oc_min(w.group, w.blocks);
    w.entries = take(&w.size, scratch, (uint64_t)w.chunk * sizeof *w.entries);
    w.order = take(&w.size, scratch, (uint64_t)w.chunk * sizeof *w.order);
    w.rois = take(&w.size, scratch, (uint64_t)w.chunk * sizeof *w.rois);
    w.tables = take(&w.size, scratch, (uint64_t)w.chunk * w.table);
    w.tiles = take(&w.size, scratch, (uint64_t)tasks * 2 * TILE * OC_BLOCK_BYTES);
    w.block = take(&w.size, scratch, (uint64_t)w.group * w.block_bytes);
    w.planes = take(&w.size, scratch, 0);
    return w;
}

bool oc_roi_blocks_serve(const oc_roi_align *g)
{
    return oc_roi_block_pick(g) && g->channels >= FEW && g->out_h <= 1 << 12 &&
           g->out_w <= 1 << 12 && g->height * g->width <= MAP_MAX;
}

uint64_t oc_roi_blocks_scratch(const oc_roi_align *g)
{
    uint64_t size;
    return oc_u64_add(plan(g, NULL).size, oc_roi_nchw_scratch(g), &size) ? size : UINT64_MAX;
}

/* ---- the taps of a chunk */

static bool fill_axis(oc_roi_axis *x, const oc_roi_align *g, int64_t roi, int axis, uint64_t room)
{
    const int64_t bins = axis ? g->out_h : g->out_w;
    const uint64_t of_bin = oc_roi_bin_taps(g, roi, axis);
    while (x->bins < bins && (uint64_t)x->first[x->bins] + of_bin <= room)
        oc_roi_axis_add(x, g, roi, axis, x->bins);
    return x->bins == bins;
}

static void fill_entry(const walk *w, int64_t i)
{
    const oc_roi_align *g = w->g;
    const int64_t roi = w->first + i;
    char *table = w->tables + (uint64_t)i * w->table;
    entry e = {.rows = oc_roi_axis_new(&table, g, (uint64_t)g->out_h, w->taps[1], 1),
               .cols = oc_roi_axis_new(&table, g, (uint64_t)g->out_w, w->taps[0], 0),
               .any = oc_roi_grid(g, roi, 0) > 0 && oc_roi_grid(g, roi, 1) > 0,
               .low = g->height};
    e.fits = fill_axis(&e.rows, g, roi, 1, w->taps[1]) && fill_axis(&e.cols, g, roi, 0, w->taps[0]);
    const int32_t n = e.rows.first[e.rows.bins];
    for (int32_t k = 0; k < n; k++) {
        const int64_t row = e.rows.index[k];
        const int64_t end =
            g->mode == OC_ROI_BILINEAR_MAX && row + 1 < g->height ? row + 2 : row + 1;
        e.low = oc_min(row, e.low);
        e.high = oc_max(end, e.high);
    }
    e.pixels = (int64_t)n * e.cols.first[e.cols.bins];
    w->entries[i] = e;
}

static void fill_entries(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const walk *w = arg;
    for (int64_t k = first; k < end; k++)
        fill_entry(w, k);
}

/* ---- to blocks */

/* Lays pixel rows of blocks side by side. A unit is one pixel row of one block; rows follow each
 * other. */
static void lay_rows(void *arg, OC_UNUSED int task, int64_t first, int64_t last)
{
    const walk *w = arg;
    const oc_roi_align *g = w->g;
    const int64_t rows = w->high - w->low;
    for (int64_t u = first; u < last;) {
        const int64_t block = u / rows, row = u % rows, left = last - u;
        const int64_t end = rows - row < left ? rows : row + left;
        const int64_t channel = (w->at + block) * w->per_block, channels = g->channels - channel;
        const int64_t from = ((w->image * g->channels + channel) * g->height + w->low + row);
        w->in(w->block + (size_t)block * w->block_bytes + (size_t)(row * g->width) * OC_BLOCK_BYTES,
              (const char *)g->x + (size_t)(from * g->width) * w->elem, g->height * g->width,
              channels < w->per_block ? (int)channels : w->per_block, (end - row) * g->width);
        u += end - row;
    }
}

/* ---- blocks to bins */

/* Writes n bins of the tile to the output, from bin `at` of the region on. */
static void put(const walk *w, char *tile, int64_t block, int64_t roi, int64_t at, int n)
{
    const oc_roi_align *g = w->g;
    const int64_t channel = (w->at + block) * w->per_block, left = g->channels - channel;
    const int channels = left < w->per_block ? (int)left : w->per_block;
    const int64_t plane = g->out_h * g->out_w;
    char *y = (char *)g->y + (size_t)((roi * g->channels + channel) * plane + at) * w->elem;
    if (!w->stream || n < plane) {
        w->out(y, plane, tile, channels, n);
        return;
    }
    char *packed = tile + TILE * OC_BLOCK_BYTES;
    w->out(packed, plane, tile, channels, n);
    oc_stream(y, packed, (size_t)(channels * plane) * w->elem);
}

/* Computes bin rows ph to end-1 of one region, for one block of the group. */
static void rows_of_bins(const walk *w, char *tile, int64_t block, int64_t roi, int64_t ph,
                         int64_t end)
{
    const oc_roi_align *g = w->g;
    const entry *e = &w->entries[roi - w->first];
    oc_roi_patch p = {.block = w->block + (size_t)block * w->block_bytes,
                      .top = w->low,
                      .rows = &e->rows,
                      .cols = &e->cols,
                      .any = e->any};
    /* rows of bins that fit the tile */
    const int rows = g->out_w < TILE ? TILE / (int)g->out_w : 1;
    for (p.row = (int)ph; p.row < end; p.row = p.row_end) {
        p.row_end = end - p.row < rows ? (int)end : p.row + rows;
        for (p.first = 0; p.first < g->out_w; p.first = p.end) {
            p.end = g->out_w - p.first < TILE ? (int)g->out_w : p.first + TILE;
            w->fn(tile, &p);
            put(w, tile, block, roi, p.row * g->out_w + p.first,
                (p.row_end - p.row) * (p.end - p.first));
        }
    }
}

/* Computes bins. A unit is one row of bins of one region in one block; rows follow each other. */
static void fill_bins(void *arg, int task, int64_t first, int64_t last)
{
    const walk *w = arg;
    const oc_roi_align *g = w->g;
    char *tile = w->tiles + (size_t)task * 2 * TILE * OC_BLOCK_BYTES;
    for (int64_t u = first; u < last;) {
        const int64_t k = u / g->out_h, ph = u % g->out_h, left = last - u;
        const int64_t end = g->out_h - ph < left ? g->out_h : ph + left;
        rows_of_bins(w, tile, k / w->n_rois, w->rois[k % w->n_rois], ph, end);
        u += end - ph;
    }
    oc_stream_end();
}

/* ---- the walk */

/* Sorts n keys in place, in rising order. */
static void sort(int64_t *keys, int64_t n)
{
    for (int64_t gap = n / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (int64_t i = gap; i < n; i++) {
            const int64_t key = keys[i];
            int64_t k = i;
            for (; k >= gap && keys[k - gap] > key; k -= gap)
                keys[k] = keys[k - gap];
            keys[k] = key;
        }
}

/* Orders the listed regions so that the next one looks near where the last one did: by bands of
 * pixel rows, then by columns. */
static void sort_rois(walk *w)
{
    for (int64_t k = 0; k < w->n_rois; k++) {
        const int64_t i = w->rois[k] - w->first;
        const entry *e = &w->entries[i];
        const int64_t row = e->pixels ? (e->low + e->high) / 2 : 0;
        const int64_t column = e->pixels ? e->cols.index[0] : 0;
        w->rois[k] = ((row / BAND << 24) + column) * CHUNK + i;
    }
    sort(w->rois, w->n_rois);
    for (int64_t k = 0; k < w->n_rois; k++)
        w->rois[k] = w->first + w->rois[k] % CHUNK;
}

/* Computes all rows and bins of the blocks of the group. */
static void pool_group(walk *w, const oc_work *work)
{
    const int64_t rows = w->high > w->low ? (w->high - w->low) * w->n_blocks : 0;
    oc_work_run(work, rows, lay_rows, w);
    oc_work_run(work, w->n_blocks * w->n_rois * w->g->out_h, fill_bins, w);
}

/* Computes blocks. A unit is a block, and a task waits for no other. */
static void pool_blocks(void *arg, int task, int64_t first, int64_t end)
{
    walk w = *(const walk *)arg;
    const oc_work alone = oc_work_alone(&w.g->work);
    w.block += (size_t)task * w.block_bytes;
    w.tiles += (size_t)task * 2 * TILE * OC_BLOCK_BYTES;
    w.n_blocks = 1;
    for (w.at = first; w.at < end; w.at++)
        pool_group(&w, &alone);
}

static void image_by_blocks(walk *w)
{
    const oc_work *work = &w->g->work;
    sort_rois(w);
    w->at = 0;
    if (w->group == w->tasks) {
        w->at = w->blocks / w->tasks * w->tasks;
        oc_work_run_next(work, w->at, pool_blocks, w);
    }
    /* the other blocks are too few for a task each, or too large */
    for (; w->at < w->blocks; w->at += w->n_blocks) {
        w->n_blocks = oc_min(w->blocks - w->at, w->group);
        pool_group(w, work);
    }
}

/* Lists the regions of the image whose taps fit in the chunk's memory (or do not), and the pixel
 * rows that they look at. Returns the number of pixels that they use. */
static int64_t list_rois(walk *w, bool fits)
{
    int64_t pixels = 0;
    w->n_rois = w->high = 0;
    w->low = w->g->height;
    for (int64_t k = w->from; k < w->to; k++) {
        const int64_t i = w->order[k] % CHUNK;
        const entry *e = &w->entries[i];
        if (e->fits != fits)
            continue;
        w->rois[w->n_rois++] = w->first + i;
        w->low = oc_min(e->low, w->low);
        w->high = oc_max(e->high, w->high);
        pixels += e->pixels;
    }
    return pixels;
}

/* Orders the regions of the chunk by the images that they look at. */
static void sort_images(walk *w)
{
    for (int64_t i = 0; i < w->n_entries; i++)
        w->order[i] = w->g->image[w->first + i] * CHUNK + i;
    sort(w->order, w->n_entries);
    w->to = 0;
}

/* Finds the next image that a region of the chunk looks at. Returns false when there is none. */
static bool next_image(walk *w)
{
    w->from = w->to;
    if (w->from == w->n_entries)
        return false;
    w->image = w->order[w->from] / CHUNK;
    while (w->to < w->n_entries && w->order[w->to] / CHUNK == w->image)
        w->to++;
    return true;
}

void oc_roi_blocks_run(const oc_roi_align *g)
{
    walk w = plan(g, g->scratch);
    w.fn = oc_roi_block_pick(g);
    w.in = oc_nchw16c_in(g->type, g->cpu);
    w.out = oc_nchw16c_out(g->type, g->cpu);
    w.stream =
        OC_STREAMS && g->n_rois * g->channels * g->out_h * g->out_w > STREAM / (int64_t)w.elem;
    for (w.first = 0; w.first < g->n_rois; w.first += w.n_entries) {
        w.n_entries = oc_min(g->n_rois - w.first, w.chunk);
        oc_work_run(&g->work, w.n_entries, fill_entries, &w);
        if (oc_work_ended(&g->work))
            return;
        sort_images(&w);
        while (next_image(&w)) {
            list_rois(&w, false);
            if (w.n_rois > 0)
                oc_roi_nchw_run(g, w.rois, w.n_rois, w.planes);
            const int64_t pixels = list_rois(&w, true);
            if (w.n_rois == 0)
                continue;
            /* Laying out a pixel costs about as much as one tap of one plane. */
            const int64_t planes = oc_min(g->channels, w.per_block);
            if (pixels * planes >= (w.high - w.low) * g->width)
                image_by_blocks(&w);
            else
                oc_roi_nchw_run(g, w.rois, w.n_rois, w.planes);
        }
    }
}
