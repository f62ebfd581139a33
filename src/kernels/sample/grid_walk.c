/* SPDX-License-Identifier: Apache-2.0
 * grid_walk.c - cuts positions into tiles, and makes the taps of a tile. */
#include "kernels/sample/grid_walk.h"

#include "base/int.h"
#include "kernels/sample/gather.h"

enum { TILE_WIDTH = 64 }; /* width of tiles that are not whole rows; a multiple of OC_LANES */

/* A tile is whole rows when two or more fit in it. */
static void cut_tiles(oc_grid_walk *w)
{
    const oc_grid_sample *g = w->g;
    const int64_t tile = oc_sampler_tile(&g->sampler), height = g->points / g->width;
    const int64_t most = height == 1 ? tile : tile < TILE_WIDTH ? tile : TILE_WIDTH;
    w->tile_w = 2 * g->width <= tile ? g->width : oc_min(g->width, most);
    w->tile_h = oc_min(height, tile / w->tile_w);
    w->across = oc_div_up(g->width, w->tile_w);
    w->tiles = w->across * oc_div_up(height, w->tile_h);
}

oc_grid_walk oc_grid_walk_new(const oc_grid_sample *g)
{
    const bool weights_f64 = oc_gather_is_f64(g->type);
    oc_grid_walk w = {
        .g = g, .elem = oc_type_size(g->type), .plane = 1, .f64 = g->f64 || weights_f64};
    for (int a = 0; a < g->sampler.rank; a++)
        w.plane *= g->sampler.n[a];
    cut_tiles(&w);
    w.taps = oc_taps_pick(w.f64, weights_f64, g->cpu);
    return w;
}

int64_t oc_grid_walk_taps(const oc_grid_walk *w, oc_taps *t, int64_t image, int64_t tile)
{
    const oc_grid_sample *g = w->g;
    double xy[OC_TILE_XY]; /* holds floats when f64 is false */
    const size_t size = (w->f64 ? sizeof(double) : sizeof(float)) * (size_t)g->sampler.rank;
    const int64_t x = tile % w->across * w->tile_w, y = tile / w->across * w->tile_h;
    const int64_t point = y * g->width + x;
    const int wide = (int)oc_min(g->width - x, w->tile_w);
    const int high = (int)oc_min(g->points / g->width - y, w->tile_h);
    const int runs = wide == g->width ? 1 : high, run = wide * high / runs;
    for (int i = 0; i < runs; i++)
        g->positions(g->source, image, point + i * g->width, run, w->f64,
                     (char *)xy + (size_t)(i * run) * size);
    w->taps(t, &g->sampler, xy, wide * high);
    t->run = run;
    t->pitch = g->width;
    return point;
}
