/* SPDX-License-Identifier: Apache-2.0
 * lane_transpose.c - each row of x, for each block of maps, by the matrix of each tap. */
#include "kernels/lanes/lane_transpose.h"

#include <string.h>

#include "kernels/common/precondition.h"
#include "kernels/common/share.h"
#include "kernels/lanes/lane_tile.h"

int64_t oc_lane_transpose_packed(int64_t channels, int64_t maps, int64_t taps)
{
    return oc_lane_blocks(maps) * taps * channels * OC_LANE_FLOATS;
}

/* The taps of one channel and of 16 maps or fewer, each a line; lines are `step` floats apart. */
static void pack_channel(float *to, int64_t step, const float *w, int64_t maps, int64_t taps,
                         oc_pace *pace)
{
    enum { WORK = OC_LANE_FLOATS * 4 * OC_ELEMENT };
    oc_strip s = {0, 0};
    while (oc_strip_next(&s, taps, pace, WORK))
        for (int64_t k = s.first; k < s.end; k++) {
            float *const line = to + k * step;
            for (int64_t lane = 0; lane < maps; lane++)
                line[lane] = w[lane * taps + k];
            for (int64_t lane = maps; lane < OC_LANE_FLOATS; lane++)
                line[lane] = 0;
        }
}

/* [block of maps][tap][channel][16]: of each tap, what a tile reads line by line. */
void oc_lane_transpose_pack(float *packed, const float *w, int64_t channels, int64_t maps,
                            int64_t taps, oc_pace *pace)
{
    const int64_t matrix = channels * OC_LANE_FLOATS;
    for (int64_t m = 0; m < maps; m += OC_LANE_FLOATS, packed += taps * matrix) {
        const int64_t lanes = maps - m < OC_LANE_FLOATS ? maps - m : OC_LANE_FLOATS;
        for (int64_t c = 0; c < channels; c++) {
            if (!oc_pace_on(pace, OC_PLACE))
                return;
            pack_channel(packed + c * OC_LANE_FLOATS, matrix, w + (c * maps + m) * taps, lanes,
                         taps, pace);
        }
    }
}

/* What every unit shares: one row of x and one block of maps. */
typedef struct job {
    const oc_lane_transpose *g;
    const oc_lane_tile_variant *v;
    int64_t blocks; /* of maps */
    oc_rounds units;
    int tasks;
} job;

enum { PIECE = 64 }; /* taps of a row between two looks at the pace */

/* The taps of one row of the kernel, as many at a time as a tile has blocks. tile: all but what
 * depends on the tap. */
static void run_taps(const job *t, oc_pace *pace, oc_lane_tile *tile, int64_t positions)
{
    const oc_lane_transpose *g = t->g;
    const int64_t work = positions * g->channels * OC_LANE_FLOATS;
    float *const y = tile->y;
    const float *const w = tile->w;
    for (int64_t j = 0; j < g->columns; j += t->v->blocks) {
        const int64_t left = g->columns - j;
        if (j % PIECE == 0 && !oc_pace_on(pace, (left < PIECE ? left : PIECE) * work))
            return;
        const int blocks = left < t->v->blocks ? (int)left : t->v->blocks;
        tile->y = y + j * OC_LANE_FLOATS;
        tile->w = w + j * tile->w_block;
        t->v->dense[blocks - 1][positions - 1](tile);
    }
}

static void run_unit(const job *t, oc_pace *pace, int64_t unit)
{
    static const oc_lane_tap only = {0, 0};
    const oc_lane_transpose *g = t->g;
    const int64_t row = unit % g->height, block = unit / g->height % t->blocks;
    const int64_t image = unit / g->height / t->blocks, pixels = g->height * g->width;
    const int64_t matrix = g->channels * OC_LANE_FLOATS, taps = g->rows * g->columns;
    const int64_t in = image * oc_lane_blocks(g->channels) * pixels + row * g->width;
    const int64_t out =
        ((image * t->blocks + block) * pixels * g->rows + row * g->rows * g->width) * g->columns;
    const int64_t tiles = (g->width + t->v->positions - 1) / t->v->positions;
    _Alignas(OC_CACHE_LINE) float b[OC_TILE_BLOCKS * OC_LANE_FLOATS]; /* the same for all taps */
    for (int i = 0; g->b && i < OC_TILE_BLOCKS; i++)
        memcpy(b + i * OC_LANE_FLOATS, g->b + block * OC_LANE_FLOATS, OC_CACHE_LINE);
    for (int64_t i = 0; i < g->rows; i++)
        for (int64_t k = 0; k < tiles && oc_pace_on(pace, OC_PLACE); k++) {
            const oc_span part = oc_share(g->width, (int)tiles, (int)k);
            const int64_t to = out + (i * g->width + part.first) * g->columns;
            oc_lane_tile tile = {.y = g->y + to * OC_LANE_FLOATS,
                                 .x = g->x + (in + part.first) * OC_LANE_FLOATS,
                                 .w = g->w + (block * taps + i * g->columns) * matrix,
                                 .b = g->b ? b : NULL,
                                 .tap = &only,
                                 .taps = 1,
                                 .channels = g->channels,
                                 .lanes = OC_LANE_FLOATS,
                                 .x_block = pixels * OC_LANE_FLOATS,
                                 .x_step = OC_LANE_FLOATS,
                                 .y_step = g->columns * OC_LANE_FLOATS,
                                 .y_block = OC_LANE_FLOATS,
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

void oc_lane_transpose_run(const oc_lane_transpose *g, const oc_parallel *parallel, int threads)
{
    job t = {.g = g, .v = oc_lane_tile_pick(g->cpu), .blocks = oc_lane_blocks(g->maps)};
    assert(g->images >= 1 && g->channels >= 1 && g->maps >= 1 && g->height >= 1 && g->width >= 1);
    assert(g->rows >= 1 && g->columns >= 1 && g->width <= INT32_MAX);
    assert(oc_is_aligned(g->x, OC_CACHE_LINE) && oc_is_aligned(g->y, OC_CACHE_LINE));
    assert(oc_is_aligned(g->w, OC_CACHE_LINE) && oc_is_aligned(g->b, OC_CACHE_LINE));
    const double taps = (double)g->rows * (double)g->columns;
    const double work = taps * (double)g->channels * (double)g->width * OC_LANE_FLOATS;
    t.units = oc_rounds_new(g->go_on, g->images * t.blocks * g->height, OC_UNIT + work, threads);
    while (oc_rounds_next(&t.units)) {
        t.tasks = oc_share_tasks(t.units.end - t.units.first, threads);
        oc_parallel_run(parallel, t.tasks, run_task, &t);
    }
}
