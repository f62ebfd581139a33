/* SPDX-License-Identifier: Apache-2.0
 * conv_transpose_nchw16c.c - each row of x, for each block of output channels, by the matrix of
 * each tap. */
#include "kernels/conv/conv_transpose_nchw16c.h"

#include <string.h>

#include "kernels/common/precondition.h"
#include "kernels/common/share.h"
#include "kernels/matmul/tile_nchw16c.h"

int64_t oc_conv_transpose_nchw16c_size(int64_t channels, int64_t out_channels, int64_t taps)
{
    return oc_channel_blocks(out_channels) * taps * channels * OC_BLOCK_CHANNELS;
}

/* The taps of one channel and of 16 output channels or fewer, each a line; lines are `step` floats
 * apart. */
static void pack_channel(float *to, int64_t step, const float *w, int64_t out_channels,
                         int64_t taps, oc_pace *pace)
{
    enum { WORK = OC_BLOCK_CHANNELS * 4 * OC_ELEMENT };
    oc_strip s = {0, 0};
    while (oc_strip_next(&s, taps, pace, WORK))
        for (int64_t k = s.first; k < s.end; k++) {
            float *const line = to + k * step;
            for (int64_t lane = 0; lane < out_channels; lane++)
                line[lane] = w[lane * taps + k];
            for (int64_t lane = out_channels; lane < OC_BLOCK_CHANNELS; lane++)
                line[lane] = 0;
        }
}

/* [block of output channels][tap][channel][16]: of each tap, what a tile reads line by line. */
void oc_conv_transpose_nchw16c_pack(float *packed, const float *w, int64_t channels,
                                    int64_t out_channels, int64_t taps, oc_pace *pace)
{
    const int64_t matrix = channels * OC_BLOCK_CHANNELS;
    for (int64_t m = 0; m < out_channels; m += OC_BLOCK_CHANNELS, packed += taps * matrix) {
        const int64_t block =
            out_channels - m < OC_BLOCK_CHANNELS ? out_channels - m : OC_BLOCK_CHANNELS;
        for (int64_t c = 0; c < channels; c++) {
            if (!oc_pace_on(pace, OC_PLACE))
                return;
            pack_channel(packed + c * OC_BLOCK_CHANNELS, matrix, w + (c * out_channels + m) * taps,
                         block, taps, pace);
        }
    }
}

/* What every unit shares: one row of x and one block of output channels. */
typedef struct job {
    const oc_conv_transpose_nchw16c *g;
    const oc_tile_nchw16c_variant *v;
    int64_t blocks; /* of output channels */
    oc_rounds units;
    int tasks;
} job;

enum { PIECE = 64 }; /* taps of a row between two looks at the pace */

/* The taps of one row of the kernel, as many at a time as a tile has blocks. tile: all but what
 * depends on the tap. */
static void run_taps(const job *t, oc_pace *pace, oc_tile_nchw16c *tile, int64_t positions)
{
    const oc_conv_transpose_nchw16c *g = t->g;
    const int64_t work = positions * g->channels * OC_BLOCK_CHANNELS;
    float *const y = tile->y;
    const float *const w = tile->w;
    for (int64_t j = 0; j < g->columns; j += t->v->blocks) {
        const int64_t left = g->columns - j;
        if (j % PIECE == 0 && !oc_pace_on(pace, (left < PIECE ? left : PIECE) * work))
            return;
        const int blocks = left < t->v->blocks ? (int)left : t->v->blocks;
        tile->y = y + j * OC_BLOCK_CHANNELS;
        tile->w = w + j * tile->w_block;
        t->v->dense[blocks - 1][positions - 1](tile);
    }
}

static void run_unit(const job *t, oc_pace *pace, int64_t unit)
{
    static const oc_tile_tap only = {0, 0};
    const oc_conv_transpose_nchw16c *g = t->g;
    const int64_t row = unit % g->height, block = unit / g->height % t->blocks;
    const int64_t image = unit / g->height / t->blocks, pixels = g->height * g->width;
    const int64_t matrix = g->channels * OC_BLOCK_CHANNELS, taps = g->rows * g->columns;
    const int64_t in = image * oc_channel_blocks(g->channels) * pixels + row * g->width;
    const int64_t out =
        ((image * t->blocks + block) * pixels * g->rows + row * g->rows * g->width) * g->columns;
    const int64_t tiles = (g->width + t->v->positions - 1) / t->v->positions;
    _Alignas(OC_CACHE_LINE) float b[OC_TILE_BLOCKS * OC_BLOCK_CHANNELS]; /* the same for all taps */
    for (int i = 0; g->b && i < OC_TILE_BLOCKS; i++)
        memcpy(b + i * OC_BLOCK_CHANNELS, g->b + block * OC_BLOCK_CHANNELS, OC_CACHE_LINE);
    for (int64_t i = 0; i < g->rows; i++)
        for (int64_t k = 0; k < tiles && oc_pace_on(pace, OC_PLACE); k++) {
            const oc_span part = oc_share(g->width, (int)tiles, (int)k);
            const int64_t to = out + (i * g->width + part.first) * g->columns;
            oc_tile_nchw16c tile = {.y = g->y + to * OC_BLOCK_CHANNELS,
                                    .x = g->x + (in + part.first) * OC_BLOCK_CHANNELS,
                                    .w = g->w + (block * taps + i * g->columns) * matrix,
                                    .b = g->b ? b : NULL,
                                    .tap = &only,
                                    .taps = 1,
                                    .channels = g->channels,
                                    .block = OC_BLOCK_CHANNELS,
                                    .x_block = pixels * OC_BLOCK_CHANNELS,
                                    .x_step = OC_BLOCK_CHANNELS,
                                    .y_step = g->columns * OC_BLOCK_CHANNELS,
                                    .y_block = OC_BLOCK_CHANNELS,
                                    .w_block = matrix};
            run_taps(t, pace, &tile, part.end - part.first);
        }
}

static void run_task(void *arg, int task)
{
    const job *t = arg;
    const oc_span span = oc_share(t->units.end - t->units.first, t->tasks, task);
    oc_pace pace = {t->g->go_on, 0};
    for (int64_t i = span.first; i < span.end && oc_pace_on(&pace, OC_PLACE); i++)
        run_unit(t, &pace, t->units.first + i);
}

void oc_conv_transpose_nchw16c_run(const oc_conv_transpose_nchw16c *g, const oc_parallel *parallel,
                                   int threads)
{
    job t = {
        .g = g, .v = oc_tile_nchw16c_pick(g->cpu), .blocks = oc_channel_blocks(g->out_channels)};
    assert(g->images >= 1 && g->channels >= 1 && g->out_channels >= 1 && g->height >= 1 &&
           g->width >= 1);
    assert(g->rows >= 1 && g->columns >= 1 && g->width <= INT32_MAX);
    assert(oc_is_aligned(g->x, OC_CACHE_LINE) && oc_is_aligned(g->y, OC_CACHE_LINE));
    assert(oc_is_aligned(g->w, OC_CACHE_LINE) && oc_is_aligned(g->b, OC_CACHE_LINE));
    const double taps = (double)g->rows * (double)g->columns;
    const double work = taps * (double)g->channels * (double)g->width * OC_BLOCK_CHANNELS;
    t.units = oc_rounds_new(g->go_on, g->images * t.blocks * g->height, OC_UNIT + work, threads);
    while (oc_rounds_next(&t.units)) {
        t.tasks = oc_share_tasks(t.units.end - t.units.first, threads);
        oc_parallel_run(parallel, t.tasks, run_task, &t);
    }
}
