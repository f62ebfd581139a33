/* SPDX-License-Identifier: Apache-2.0
 * conv.c - convolution by tiles of output positions.
 *
 * The pixels that a tile of positions needs for up to TAPS taps are copied side by side to a patch
 * on the stack. Tiles of output channels x positions are then summed in registers over those taps.
 * Between two patches the sums are kept in y. Groups of few output channels need no patches
 * (depthwise_strips.h). */
#include "kernels/conv/conv.h"

#include "kernels/conv/conv_few.h"
#include "kernels/conv/depthwise_strips.h"
#include "kernels/matmul/product.h"
#include "kernels/common/precondition.h"

enum {
    COLUMNS = 64,    /* positions of a tile */
    TAPS = 128,      /* most taps of a patch */
    MOST_MAPS = 256, /* most output channels that share a patch */
    LEAST_MAPS = 32
};

/* What every tile shares. */
typedef struct job {
    const oc_conv *g;
    oc_product_fn *product;
    int64_t pixels, positions; /* pixels of a channel, positions of an output channel */
    int64_t area, taps;        /* positions of the kernel, and those times channels */
    int64_t w_step;            /* elements from one row of w to the next */
    /* blocks of positions; output channels of a block; blocks of output channels */
    int64_t tiles, out_channels, map_blocks;
} job;

/* Positions of a tile that lie in one row of the output. */
typedef struct run {
    int column, count;
    int64_t from[OC_WINDOW_AXES]; /* the pixel under the kernel's corner at the first position */
} run;

static int cut_runs(const job *t, int64_t first, int columns, run runs[COLUMNS])
{
    const oc_conv *g = t->g;
    const int last = g->window.axes - 1;
    int n = 0;
    for (int column = 0; column < columns; n++) {
        run *r = &runs[n];
        int64_t rest = first + column;
        const int64_t left = g->window.out[last] - rest % g->window.out[last];
        r->column = column;
        r->count = left < columns - column ? (int)left : columns - column;
        for (int a = last; a >= 0; a--) {
            r->from[a] = rest % g->window.out[a] * g->window.stride[a] - g->window.pad[a];
            rest /= g->window.out[a];
        }
        column += r->count;
    }
    return n;
}

/* The reach of one tap of the kernel in one run: columns first to end-1 of the run lie inside
 * the image, the first of them at pixel `at` of its channel. */
typedef struct reach {
    int64_t at;
    int first, end;
} reach;

static reach reach_of(const oc_conv *g, const run *r, const int64_t tap[])
{
    const int last = g->window.axes - 1;
    int64_t at = 0;
    for (int a = 0; a < last; a++) {
        const int64_t i = r->from[a] + tap[a] * g->window.dilation[a];
        if (i < 0 || i >= g->window.in[a])
            return (reach){0};
        at = at * g->window.in[a] + i;
    }
    const int64_t x = r->from[last] + tap[last] * g->window.dilation[last],
                  step = g->window.stride[last];
    int64_t first = x < 0 ? (-x + step - 1) / step : 0;
    int64_t end = x >= g->window.in[last] ? 0 : oc_div_up(g->window.in[last] - x, step);
    end = oc_min(end, r->count);
    if (first >= end)
        return (reach){0};
    return (reach){at * g->window.in[last] + x + first * step, (int)first, (int)end};
}

/* Finds the kernel's coordinates of tap number k. */
static void tap_of(const oc_conv *g, int64_t k, int64_t tap[])
{
    for (int a = g->window.axes - 1; a >= 0; a--) {
        tap[a] = k % g->window.kernel[a];
        k /= g->window.kernel[a];
    }
}

static const void *as_is(const void *patch, OC_UNUSED void *pairs, OC_UNUSED int64_t n)
{
    return patch;
}

/* Joins rows 2i and 2i+1 of the patch to one row of pairs. A last row without a partner meets a
 * factor of 0 there. */
static const void *pair_rows(const void *patch, void *pairs, int64_t n)
{
    const int16_t *row = patch;
    int16_t *to = pairs;
    for (int64_t k = 0; k < n; k += 2, row += 2 * COLUMNS, to += 2 * COLUMNS) {
        const int16_t *second = k + 1 < n ? row + COLUMNS : row;
        for (int j = 0; j < COLUMNS; j++) {
            to[2 * j] = row[j];
            to[2 * j + 1] = second[j];
        }
    }
    return pairs;
}

#define T       float
#define SUM     float
#define PER     1
#define ROWS    as_is
#define NAME(x) x##_f32
#include "kernels/conv/conv.inc"

#define T       double
#define SUM     double
#define PER     1
#define ROWS    as_is
#define NAME(x) x##_f64
#include "kernels/conv/conv.inc"

/* Sums are unsigned, so that they wrap. */
#define T       int16_t
#define SUM     uint32_t
#define PER     2
#define ROWS    pair_rows
#define NAME(x) x##_i16
#include "kernels/conv/conv.inc"

static void convolve_tiles(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const job *t = arg;
    void (*const convolve_tile)(const job *t, int64_t unit) =
        t->g->type == OC_F64   ? convolve_tile_f64
        : t->g->type == OC_F32 ? convolve_tile_f32
                               : convolve_tile_i16;
    for (int64_t unit = first; unit < end; unit++)
        convolve_tile(t, unit);
}

/* Chooses how many blocks of output channels there are: with few of them a patch is filled few
 * times, but every thread wants units. */
static void cut_out_channels(job *t, int threads)
{
    const oc_conv *g = t->g;
    const int64_t patches = g->images * g->groups * t->tiles;
    for (t->out_channels = MOST_MAPS;; t->out_channels /= 2) {
        t->map_blocks = oc_div_up(g->out_channels, t->out_channels);
        if (t->out_channels == LEAST_MAPS || patches * t->map_blocks >= 2 * (int64_t)threads)
            return;
    }
}

void oc_conv_merge_axes(oc_window *w)
{
    int64_t pixels = 1;
    for (int a = 0; a < w->axes; a++) {
        if (w->kernel[a] != 1 || w->stride[a] != 1 || w->in[a] != w->out[a] || w->pad[a] != 0)
            return;
        pixels *= w->in[a];
    }
    w->axes = 1;
    w->in[0] = w->out[0] = pixels;
}

oc_conv_algorithm oc_conv_choose_nchw(const oc_conv *g)
{
    return oc_depthwise_suits(g) ? OC_CONV_STRIPS : OC_CONV_IM2COL;
}

void oc_conv_run(const oc_conv *g)
{
    job t = {.g = g, .pixels = 1, .positions = 1, .area = 1};
    if (g->algorithm == OC_CONV_FEW) {
        oc_conv_few_run(g);
        return;
    }
    if (g->algorithm == OC_CONV_STRIPS) {
        oc_depthwise_run(g);
        return;
    }
    assert(g->algorithm == OC_CONV_IM2COL);
    assert(g->type == OC_F32 || g->type == OC_F64 || g->type == OC_I16);
    assert(g->images >= 0 && g->groups >= 0 && g->channels >= 0 && g->out_channels >= 0);
    assert(g->window.axes >= 1 && g->window.axes <= OC_WINDOW_AXES);
    t.product =
        g->type == OC_I16 ? oc_product_pick_pairs(g->cpu) : oc_product_pick(g->type, g->cpu);
    for (int a = 0; a < g->window.axes; a++) {
        assert(g->window.in[a] >= 0 && g->window.kernel[a] >= 0 && g->window.out[a] >= 0);
        assert(g->window.stride[a] >= 1 && g->window.dilation[a] >= 1);
        t.pixels *= g->window.in[a];
        t.positions *= g->window.out[a];
        t.area *= g->window.kernel[a];
    }
    t.taps = t.area * g->channels;
    t.w_step = t.taps + (g->type == OC_I16 ? t.taps % 2 : 0);
    t.tiles = oc_div_up(t.positions, COLUMNS);
    cut_out_channels(&t, oc_work_most_tasks(&g->work));
    oc_work_run(&g->work, g->images * g->groups * t.map_blocks * t.tiles, convolve_tiles, &t);
}
