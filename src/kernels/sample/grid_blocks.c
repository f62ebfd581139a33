/* SPDX-License-Identifier: Apache-2.0
 * grid_blocks.c - the walk over blocks of channels that are laid side by side.
 *
 * A unit is a block of 16 (8) channels of one image:
 *
 *     planes of the channels --in--> block [pixels][16]              once per unit
 *     taps of a tile, then its sums --> lines [positions][16]        for every tile
 *     lines --out--> planes of the results
 *
 * A task has room for one block and takes whole units, so a block is in the task's own cache
 * when it is summed. The last units, fewer than there are tasks, are shared in two steps: first
 * pixels, then tiles. When memory does not suffice for one block per task, all units are shared
 * so. */
#include "kernels/sample/grid_blocks.h"

#include "kernels/layout/nchw16c.h"
#include "kernels/sample/gather.h"

enum {
    ROOM = 64 << 20, /* most bytes of all blocks */
    NEAR = 1 << 20,  /* a block of at most this many bytes stays in the near caches */
    STRIP = 1 << 10  /* pixels that are laid side by side at a time when tasks share a block */
};

OC_VARIANTS(oc_grid_block_variant, oc_grid_block_variants)

static oc_grid_block_fn *sum_of(bool f64, unsigned cpu)
{
    const oc_grid_block_variant *v;
    OC_VARIANT_PICK(v, oc_grid_block_variants, f32, cpu);
    return f64 ? v->f64 : v->f32;
}

typedef struct walk {
    const oc_grid_walk *w;
    oc_grid_block_fn *sum;
    oc_nchw16c_in_fn *in;
    oc_nchw16c_out_fn *out;
    int per_block;            /* channels of a block */
    int64_t channels, blocks; /* channels and blocks of an image */
    int64_t units, held;      /* number of all units, and of those for which there is memory */
    size_t block_bytes;
    int64_t at, n; /* the units that are shared in steps */
    char *memory;  /* memory of the first of these units */
} walk;

static int64_t plane_of(const oc_grid_sample *g)
{
    int64_t n = 1;
    for (int a = 0; a < g->sampler.rank; a++)
        n *= g->sampler.n[a];
    return n;
}

static walk plan(const oc_grid_sample *g, int64_t channels, int tasks)
{
    walk b = {.channels = channels, .per_block = oc_nchw16c_of(g->type)};
    b.blocks = oc_div_up(channels, b.per_block);
    b.units = g->batch * b.blocks;
    b.block_bytes = (size_t)plane_of(g) * OC_BLOCK_BYTES;
    b.held = oc_min(oc_min(b.units, tasks), (int64_t)(ROOM / b.block_bytes));
    return b;
}

int64_t oc_grid_blocks_serve(const oc_grid_sample *g)
{
    const int per_block = oc_nchw16c_of(g->type);
    const int64_t plane = plane_of(g);
    if (per_block == 0 || g->sampler.mode == OC_GRID_NEAREST || plane > ROOM / OC_BLOCK_BYTES ||
        g->points < plane / 2)
        return 0;
    /* The last block costs as much when it has fewer channels. */
    const int64_t rest = g->channels % per_block;
    const int64_t worth = g->sampler.mode == OC_GRID_CUBIC ? per_block / 2 : 3 * per_block / 4;
    return rest < worth ? g->channels - rest : g->channels;
}

size_t oc_grid_blocks_scratch(const oc_grid_sample *g, int tasks)
{
    const int64_t channels = oc_grid_blocks_serve(g);
    if (channels == 0) /* the type may have no blocks */
        return 0;
    const walk b = plan(g, channels, tasks);
    return (size_t)b.held * b.block_bytes;
}

/* Lays n pixels of a unit side by side. */
static void lay_pixels(const walk *b, int64_t unit, int64_t first, int64_t n, char *block)
{
    const oc_grid_sample *g = b->w->g;
    const int64_t image = unit / b->blocks, channel = unit % b->blocks * b->per_block;
    const int64_t from = (image * g->channels + channel) * b->w->plane + first;
    b->in(block + first * OC_BLOCK_BYTES, (const char *)g->x + (size_t)from * b->w->elem,
          b->w->plane, (int)oc_min(b->channels - channel, b->per_block), n);
}

/* Prefetches the pixels of a tile. Two taps a row are summed faster than a far cache answers;
 * four are not. */
static inline void fetch(const char *block, const oc_taps *t)
{
    for (int j = 0; j < t->rows; j++)
        for (int i = 0; i < t->n; i++)
            OC_PREFETCH(block + (int64_t)t->base[j * t->stride + i] * OC_BLOCK_BYTES);
}

/* Computes tiles first to end-1 of a unit. */
static void tiles(const walk *b, int64_t unit, int64_t first, int64_t end, const char *block)
{
    const oc_grid_sample *g = b->w->g;
    const int64_t image = unit / b->blocks, channel = unit % b->blocks * b->per_block;
    const int channels = (int)oc_min(b->channels - channel, b->per_block);
    oc_taps taps[2]; /* taps of even and of odd tiles */
    int64_t points[2];
    _Alignas(OC_BLOCK_BYTES) char lines[OC_TILE * OC_BLOCK_BYTES];
    points[first & 1] = oc_grid_walk_taps(b->w, &taps[first & 1], image, first);
    for (int64_t tile = first; tile < end; tile++) {
        const oc_taps *t = &taps[tile & 1];
        if (tile + 1 < end) {
            const int64_t next = tile + 1;
            points[next & 1] = oc_grid_walk_taps(b->w, &taps[next & 1], image, next);
            if (b->block_bytes > NEAR && t->cols == 2)
                fetch(block, &taps[next & 1]);
        }
        b->sum(lines, block, t);
        const int64_t to = (image * g->channels + channel) * g->points + points[tile & 1];
        char *y = (char *)g->y + (size_t)to * b->w->elem;
        for (int i = 0; i < t->n; i += t->run, y += (size_t)t->pitch * b->w->elem)
            b->out(y, g->points, lines + (size_t)i * OC_BLOCK_BYTES, channels, t->run);
    }
}

static int64_t strips(const walk *b)
{
    return oc_div_up(b->w->plane, STRIP);
}

/* Lays strips of a block. A unit of this loop is a strip. */
static void lay_strips(void *arg, OC_UNUSED int task, int64_t first_unit, int64_t last)
{
    const walk *b = arg;
    const int64_t each = strips(b);
    for (int64_t u = first_unit, end; u < last; u = end) {
        end = oc_min(last, (u / each + 1) * each);
        const int64_t first = u % each * STRIP, n = (end - u) * STRIP;
        lay_pixels(b, b->at + u / each, first, oc_min(n, b->w->plane - first),
                   b->memory + (size_t)(u / each) * b->block_bytes);
    }
}

/* Computes tiles of a block. A unit of this loop is a tile. */
static void sum_tiles(void *arg, OC_UNUSED int task, int64_t first, int64_t last)
{
    const walk *b = arg;
    const int64_t each = b->w->tiles;
    for (int64_t u = first, end; u < last; u = end) {
        end = oc_min(last, (u / each + 1) * each);
        tiles(b, b->at + u / each, u % each, u % each + (end - u),
              b->memory + (size_t)(u / each) * b->block_bytes);
    }
}

/* Runs b->n blocks from b->at on. */
static void sample_blocks(walk *b, const oc_work *work)
{
    oc_work_run(work, strips(b) * b->n, lay_strips, b);
    oc_work_run(work, b->w->tiles * b->n, sum_tiles, b);
}

/* Computes whole blocks. A unit is a block, and a task waits for no other. */
static void sample_whole_blocks(void *arg, int task, int64_t first, int64_t end)
{
    walk b = *(const walk *)arg;
    const oc_work alone = oc_work_alone(&b.w->g->work);
    b.memory += (size_t)task * b.block_bytes;
    b.n = 1;
    for (b.at = first; b.at < end; b.at++)
        sample_blocks(&b, &alone);
}

void oc_grid_blocks_run(const oc_grid_walk *w, int64_t channels)
{
    const oc_grid_sample *g = w->g;
    const int tasks = oc_work_most_tasks(&g->work);
    walk b = plan(g, channels, tasks);
    b.w = w;
    b.in = oc_nchw16c_in(g->type, g->cpu);
    b.out = oc_nchw16c_out(g->type, g->cpu);
    b.sum = sum_of(oc_gather_is_f64(g->type), g->cpu);
    b.memory = g->scratch;
    if (b.held == tasks) {
        const int64_t whole = b.units / tasks * tasks;
        oc_work_run(&g->work, whole, sample_whole_blocks, &b);
        b.at = whole;
    }
    for (; b.at < b.units; b.at += b.n) {
        b.n = oc_min(b.held, b.units - b.at);
        sample_blocks(&b, &g->work);
    }
}
