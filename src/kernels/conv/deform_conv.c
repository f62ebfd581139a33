/* SPDX-License-Identifier: Apache-2.0
 * deform_conv.c - deformable convolution by tiles of output positions. */
#include "kernels/conv/deform_conv.h"

#include "kernels/matmul/product.h"
#include "kernels/sample/gather.h"

enum {
    COLUMNS = 64, /* most positions of a tile */
    TAPS = 128,   /* most rows of a patch */
    SLOTS = 16    /* parts of the kernel whose taps are kept for the next channel */
};

/* The taps of a part of the kernel, at all positions of a tile. */
typedef struct slot {
    int64_t offset_group, part; /* offset_group -1: the slot is empty */
    oc_taps taps;
} slot;

/* What every tile shares. A part of the kernel has at most part_rows taps, whose positions fit
 * in one oc_taps. */
typedef struct job {
    const oc_deform_conv *g;
    oc_product_fn *product;
    oc_gather_fn *gather;
    oc_taps_fn *make;
    oc_sampler sampler;
    int64_t pixels, positions; /* pixels of a channel, positions of an output channel */
    int64_t area, taps;        /* positions of the kernel, and those times channels of a group */
    int64_t parts, slots;
    int columns, part_rows;
    int64_t tiles;
} job;

/* A tile of an image. from[a][j] is the pixel coordinate, on axis a, of the window's first tap
 * at position j. */
typedef struct tile {
    int64_t image, position;
    int columns;
    slot *slots;
    int64_t from[OC_WINDOW_AXES][COLUMNS];
} tile;

static int least(int64_t a, int64_t b)
{
    return (int)oc_min(a, b);
}

static void find_windows(const job *t, tile *at)
{
    const oc_window *w = &t->g->conv.window;
    for (int j = 0; j < at->columns; j++) {
        int64_t rest = at->position + j;
        for (int a = w->axes - 1; a >= 0; a--) {
            at->from[a][j] = rest % w->out[a] * w->stride[a] - w->pad[a];
            rest /= w->out[a];
        }
    }
}

#define T       float
#define NAME(x) x##_f32
#include "kernels/conv/deform_conv.inc"

#define T       double
#define NAME(x) x##_f64
#include "kernels/conv/deform_conv.inc"

static void convolve_tiles(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    tile at = {.slots = (slot *)t->g->scratch + task * t->slots};
    for (int64_t unit = first; unit < end; unit++) {
        at.image = unit / t->tiles;
        at.position = unit % t->tiles * t->columns;
        at.columns = least(t->positions - at.position, t->columns);
        for (int64_t s = 0; s < t->slots; s++)
            at.slots[s].offset_group = -1;
        find_windows(t, &at);
        (t->g->conv.type == OC_F64 ? run_tile_f64 : run_tile_f32)(t, &at);
    }
}

bool oc_deform_conv_has(int axes)
{
    return oc_sampler_taps(&(oc_sampler){.rank = axes}) > 0;
}

static job job_of(const oc_deform_conv *g)
{
    const oc_window *w = &g->conv.window;
    job t = {.g = g, .pixels = 1, .positions = 1, .area = 1, .sampler = {.rank = w->axes}};
    t.sampler.pixels = true;
    for (int a = 0; a < w->axes; a++) {
        t.sampler.n[a] = (int32_t)w->in[a];
        t.pixels *= w->in[a];
        t.positions *= w->out[a];
        t.area *= w->kernel[a];
    }
    const int most = oc_sampler_tile(&t.sampler);
    t.taps = t.area * g->conv.channels;
    t.columns = least(t.positions, oc_min(most, COLUMNS));
    t.part_rows = t.columns > 0 ? least(most / t.columns, TAPS) : 1;
    t.parts = oc_div_up(t.area, t.part_rows);
    t.slots = least(t.parts, SLOTS);
    t.tiles = t.columns > 0 ? oc_div_up(t.positions, t.columns) : 0;
    return t;
}

uint64_t oc_deform_conv_scratch(const oc_deform_conv *g, int tasks)
{
    return (uint64_t)job_of(g).slots * sizeof(slot) * (uint64_t)oc_max(tasks, 1);
}

void oc_deform_conv_run(const oc_deform_conv *g)
{
    const oc_conv *v = &g->conv;
    job t = job_of(g);
    const bool f64 = v->type == OC_F64;
    assert(v->type == OC_F32 || v->type == OC_F64);
    assert(v->window.axes >= 1 && oc_deform_conv_has(v->window.axes));
    assert(t.pixels >= 1 && t.pixels <= OC_PLANE_MAX);
    assert(g->offset_groups >= 1 && v->groups * v->channels % g->offset_groups == 0);
    assert(oc_is_aligned(g->scratch, OC_CACHE_LINE));
    t.product = oc_product_pick(v->type, v->cpu);
    t.gather = oc_gather_sum(v->type, v->cpu);
    t.make = oc_taps_pick(f64, f64, v->cpu);
    oc_work_run(&v->work, v->images * t.tiles, convolve_tiles, &t);
}
