/* SPDX-License-Identifier: Apache-2.0
 * pool_planes.c - folds planes in NCHW by 16 at a time; decides which rows of them are folded
 * together. */
#include "kernels/pool/pool_planes.h"

#include "kernels/common/precondition.h"

enum {
    LEAST = 16, /* least planes; with fewer, too many places of a block have no plane */
    /* most pixels of a row; for wider rows a fold along the row, by stride 1 and 2, is as fast */
    WIDEST = 64,
    ROOM = 1536,    /* pixels of a band that leave room for others in the second cache */
    MOST = 8 * ROOM /* bands of more pixels are not worth their memory */
};

/* What every unit shares. A unit is a band of rows of positions of 16 planes. Windows of one
 * axis have one row, and windows of three or more axes are not cut. */
typedef struct job {
    const oc_pool_nchw16c *g;
    int64_t planes, bands;
    int64_t rows;              /* rows of positions in a band */
    int64_t pixels, positions; /* pixels, and positions, of a plane */
    int64_t row_pixels, row_positions;
    oc_nchw16c_in_fn *in;
    oc_nchw16c_out_fn *out;
    char *scratch;
} job;

static int64_t product_of(const int64_t n[], int axes)
{
    int64_t all = 1;
    for (int a = 0; a < axes; a++)
        all *= n[a];
    return all;
}

/* Returns how many rows of pixels lie under `rows` rows of positions, for two axes. */
static int64_t rows_under(const oc_window *w, int64_t rows)
{
    const oc_window_side s = oc_window_side_of(w, 0);
    return oc_min(oc_window_side_reach(&s, rows), s.in);
}

/* Sets everything but the functions. A band has as many rows as there is room for. */
static job cut(const oc_pool_nchw16c *g, int64_t planes)
{
    const oc_window *w = &g->window;
    job t = {.g = g, .planes = planes, .bands = 1, .rows = 1};
    t.row_pixels = t.pixels = product_of(w->in, w->axes);
    t.row_positions = t.positions = product_of(w->out, w->axes);
    if (w->axes != 2)
        return t;
    t.row_pixels = w->in[1];
    t.row_positions = w->out[1];
    while (t.rows < w->out[0] && (rows_under(w, t.rows + 1)) * t.row_pixels <= ROOM)
        t.rows++;
    t.bands = oc_div_up(w->out[0], t.rows);
    t.rows = oc_div_up(w->out[0], t.bands);
    return t;
}

static int64_t band_pixels(const job *t)
{
    return t->g->window.axes == 2 ? rows_under(&t->g->window, t->rows) * t->row_pixels : t->pixels;
}

bool oc_pool_planes_suits(const oc_pool_nchw16c *g, int64_t planes)
{
    const oc_window *w = &g->window;
    const int last = w->axes - 1;
    if (planes < LEAST || !oc_pool_nchw16c_suits(w) ||
        (w->in[last] > WIDEST && w->stride[last] <= 2))
        return false;
    for (int a = 0; a < w->axes; a++)
        if (w->in[a] < 1 || w->out[a] < 1 || w->in[a] > MOST || w->out[a] > MOST ||
            w->kernel[a] > MOST || w->stride[a] > MOST || w->dilation[a] > MOST)
            return false;
    const job t = cut(g, planes);
    return band_pixels(&t) <= MOST && t.rows * t.row_positions <= MOST;
}

static uint64_t task_bytes(const job *t)
{
    return (uint64_t)(band_pixels(t) + t->rows * t->row_positions) * OC_BLOCK_BYTES;
}

/* Returns the window over the pixels of a band that begins with a row of positions; *first is
 * its first row of pixels. When the band has no pixels, it gets a row that no tap reaches. */
static oc_window band_window(const job *t, int64_t row, int64_t *first)
{
    oc_window w = t->g->window;
    *first = 0;
    if (w.axes != 2)
        return w;
    const int64_t rows = oc_min(w.out[0] - row, t->rows), from = row * w.stride[0] - w.pad[0];
    const oc_window_side s = oc_window_side_of(&w, 0);
    const int64_t end = oc_min(from + oc_window_side_reach(&s, rows), w.in[0]);
    *first = oc_min(oc_max(from, 0), w.in[0] - 1);
    const int64_t pixels = end > *first ? end - *first : 1;
    w.out[0] = rows;
    w.pad[0] = *first - from;
    w.pad_end[0] += w.in[0] - *first - pixels;
    w.in[0] = pixels;
    return w;
}

static void pool_band(const job *t, int64_t unit, float *memory)
{
    const oc_pool_nchw16c *g = t->g;
    const int64_t plane = unit / t->bands * OC_BLOCK_CHANNELS, row = unit % t->bands * t->rows;
    const int channels = (int)oc_min(t->planes - plane, OC_BLOCK_CHANNELS);
    int64_t first;
    oc_pool_nchw16c band = {.cpu = g->cpu,
                            .average = g->average,
                            .count_pad = g->count_pad,
                            .x = memory,
                            .y = memory + band_pixels(t) * OC_BLOCK_CHANNELS,
                            .blocks = 1,
                            .window = band_window(t, row, &first)};
    const int axes = band.window.axes;
    t->in(memory, (const float *)g->x + plane * t->pixels + first * t->row_pixels, t->pixels,
          channels, product_of(band.window.in, axes));
    oc_pool_nchw16c_run(&band);
    t->out((float *)g->y + plane * t->positions + row * t->row_positions, t->positions, band.y,
           channels, product_of(band.window.out, axes));
}

static void pool_bands(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    float *memory = (float *)(void *)(t->scratch + (size_t)task * task_bytes(t));
    for (int64_t unit = first; unit < end; unit++)
        pool_band(t, unit, memory);
}

uint64_t oc_pool_planes_scratch(const oc_pool_nchw16c *g, int threads)
{
    const job t = cut(g, LEAST);
    return task_bytes(&t) * (uint64_t)oc_max(threads, 1);
}

void oc_pool_planes_run(const oc_pool_nchw16c *g, int64_t planes, void *scratch)
{
    job t = cut(g, planes);
    assert(oc_pool_planes_suits(g, planes) && oc_is_aligned(scratch, OC_CACHE_LINE));
    t.in = oc_nchw16c_in(OC_F32, g->cpu);
    t.out = oc_nchw16c_out(OC_F32, g->cpu);
    t.scratch = scratch;
    oc_work_run(&g->work, oc_channel_blocks(planes) * t.bands, pool_bands, &t);
}
