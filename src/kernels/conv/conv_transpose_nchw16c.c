/* SPDX-License-Identifier: Apache-2.0
 * conv_transpose_nchw16c.c - each row of x, for each block of output channels, by the matrix of
 * each tap. */
#include "kernels/conv/conv_transpose_nchw16c.h"

#include <string.h>

#include "base/int.h"
#include "kernels/common/precondition.h"
#include "base/share.h"
#include "kernels/matmul/tile_nchw16c.h"

int64_t oc_conv_transpose_nchw16c_size(int64_t channels, int64_t out_channels, int64_t taps)
{
    return oc_channel_blocks(out_channels) * taps * channels * OC_BLOCK_CHANNELS;
}

/* The taps of one channel and of 16 output channels or fewer, each a line; lines are `step` floats
 * apart. */
static void pack_channel(float *to, int64_t step, const float *w, int64_t out_channels,
                         int64_t taps, const oc_work *by)
{
    OC_LOOP (by, k, taps, 1024) {
        float *const line = to + k * step;
        for (int64_t c = 0; c < out_channels; c++)
            line[c] = w[c * taps + k];
        for (int64_t c = out_channels; c < OC_BLOCK_CHANNELS; c++)
            line[c] = 0;
    }
}

/* [block of output channels][tap][channel][16]: of each tap, what a tile reads line by line. */
void oc_conv_transpose_nchw16c_pack(float *packed, const float *w, int64_t channels,
                                    int64_t out_channels, int64_t taps, const oc_work *by)
{
    const int64_t matrix = channels * OC_BLOCK_CHANNELS;
    OC_LOOP (by, i, oc_channel_blocks(out_channels) * channels, 16) {
        const int64_t c = i % channels, m = i / channels * OC_BLOCK_CHANNELS;
        pack_channel(packed + m * taps * channels + c * OC_BLOCK_CHANNELS, matrix,
                     w + (c * out_channels + m) * taps,
                     out_channels - m < OC_BLOCK_CHANNELS ? out_channels - m : OC_BLOCK_CHANNELS,
                     taps, by);
    }
}

/* What every unit shares: one row of x and one block of output channels. */
typedef struct job {
    const oc_conv_transpose_nchw16c *g;
    const oc_tile_nchw16c_variant *v;
    int64_t blocks; /* of output channels */
} job;

/* The taps of one row of the kernel, as many at a time as a tile has blocks. tile: all but what
 * depends on the tap. */
static void run_taps(const job *t, oc_tile_nchw16c *tile, int64_t positions)
{
    const oc_conv_transpose_nchw16c *g = t->g;
    float *const y = tile->y;
    const float *const w = tile->w;
    const int64_t most = t->v->blocks;
    OC_LOOP (&g->work, i, oc_div_up(g->columns, most), 4) {
        const int64_t j = i * most, blocks = oc_min(g->columns - j, most);
        tile->y = y + j * OC_BLOCK_CHANNELS;
        tile->w = w + j * tile->w_block;
        t->v->dense[blocks - 1][positions - 1](tile);
    }
}

static void run_unit(const job *t, int64_t unit)
{
    static const oc_tile_tap only = {0, 0};
    const oc_conv_transpose_nchw16c *g = t->g;
    const int64_t row = unit % g->height, block = unit / g->height % t->blocks;
    const int64_t image = unit / g->height / t->blocks, pixels = g->height * g->width;
    const int64_t matrix = g->channels * OC_BLOCK_CHANNELS, taps = g->rows * g->columns;
    const int64_t in = image * oc_channel_blocks(g->channels) * pixels + row * g->width;
    const int64_t out =
        ((image * t->blocks + block) * pixels * g->rows + row * g->rows * g->width) * g->columns;
    const int64_t tiles = oc_div_up(g->width, t->v->positions);
    _Alignas(OC_CACHE_LINE) float b[OC_TILE_BLOCKS * OC_BLOCK_CHANNELS]; /* the same for all taps */
    for (int i = 0; g->b && i < OC_TILE_BLOCKS; i++)
        memcpy(b + i * OC_BLOCK_CHANNELS, g->b + block * OC_BLOCK_CHANNELS, OC_CACHE_LINE);
    OC_LOOP (&g->work, at, g->rows * tiles, 4) {
        const int64_t i = at / tiles, k = at % tiles;
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
        run_taps(t, &tile, part.end - part.first);
    }
}

static void run_units(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    (void)task;
    for (int64_t unit = first; unit < end; unit++)
        run_unit(t, unit);
}

void oc_conv_transpose_nchw16c_run(const oc_conv_transpose_nchw16c *g)
{
    job t = {
        .g = g, .v = oc_tile_nchw16c_pick(g->cpu), .blocks = oc_channel_blocks(g->out_channels)};
    assert(g->images >= 1 && g->channels >= 1 && g->out_channels >= 1 && g->height >= 1 &&
           g->width >= 1);
    assert(g->rows >= 1 && g->columns >= 1 && g->width <= INT32_MAX);
    assert(oc_is_aligned(g->x, OC_CACHE_LINE) && oc_is_aligned(g->y, OC_CACHE_LINE));
    assert(oc_is_aligned(g->w, OC_CACHE_LINE) && oc_is_aligned(g->b, OC_CACHE_LINE));
    oc_work_run(&g->work, g->images * t.blocks * g->height, run_units, &t);
}
