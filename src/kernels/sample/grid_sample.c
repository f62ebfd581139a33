/* SPDX-License-Identifier: Apache-2.0
 * grid_sample.c - the walk by planes: the taps of a tile are made, then summed for each channel. */
#include "kernels/sample/grid_sample.h"

#include "base/share.h"
#include "kernels/common/streaming_store.h"
#include "kernels/sample/gather.h"
#include "kernels/sample/grid_blocks.h"
#include "kernels/sample/pick.h"

enum {
    CHANNEL_BLOCK = 64,
    FETCH_STEP = 5, /* every how many positions pixels are prefetched */

    STREAM = 8 << 20, /* outputs of more bytes are written past the caches */

    MOST_BYTES = 16, /* most bytes of an element */

    NEAR = 1 << 20, /* a plane of at most this many bytes stays in the near caches */
    FAR = 8 << 20,  /* all planes of an image stay in no cache when they have more bytes */
    SAMPLES = 8,    /* tiles that are examined to decide whether positions are scattered */
    ROUGH = 16      /* positions are scattered when their steps differ by this many rows */
};

/* The walk over planes. Positions that follow a curve visit all channels with each tile, because
 * all channels share a tile's taps. Scattered positions visit all tiles of one channel before
 * the next channel: their pixels are anywhere in the plane, and the cache holds one plane but
 * not all. */
typedef struct job {
    oc_grid_walk w;
    oc_gather_fn *sum;
    oc_pick_fn *pick;
    oc_span images, channels; /* the images and channels that sweep computes */
    bool stream;              /* true: results are written past the caches */
    bool scattered;
} job;

/* Prefetches the pixels of the taps of one plane: on a turned or scattered image the addresses
 * follow no pattern that a processor predicts. Neighbours share cache lines, and the last row of
 * taps of a run is mostly the first row of the next run, so a few taps bring all lines. */
static inline void fetch(const char *plane, const oc_taps *t, size_t elem)
{
    const int32_t *last = t->base + (t->rows - 1) * t->stride;
    for (int i = 0; i < t->n; i += FETCH_STEP)
        OC_PREFETCH(plane + (size_t)t->base[i] * elem);
    for (int i = t->n - t->run; i < t->n && t->rows > 1; i += FETCH_STEP)
        OC_PREFETCH(plane + (size_t)last[i] * elem);
}

/* Computes one tile of one channel, with results from y on. */
static void plane(const job *j, const oc_taps *t, void *y, const void *x)
{
    const oc_grid_walk *w = &j->w;
    _Alignas(OC_CACHE_LINE) char results[OC_TILE * MOST_BYTES];
    void *to = j->stream ? results : y;
    if (j->pick)
        j->pick(to, x, t, w->g->outside);
    else
        j->sum(to, x, t);
    const size_t run = (size_t)t->run * w->elem, pitch = (size_t)w->g->width * w->elem;
    for (int i = 0; i < t->n / t->run && j->stream; i++)
        oc_stream((char *)y + (size_t)i * pitch, results + (size_t)i * run, run);
}

/* next is the taps of the tile that follows in this image, or NULL. */
static void apply_taps(const job *j, const oc_taps *t, const oc_taps *next, int64_t image,
                       int64_t point, oc_span span)
{
    const oc_grid_walk *w = &j->w;
    const oc_grid_sample *g = w->g;
    for (int64_t c = image * g->channels + span.first; c < image * g->channels + span.end; c++) {
        const char *x = (const char *)g->x + (size_t)(c * w->plane) * w->elem;
        if (next && !j->scattered)
            fetch(x, next, w->elem);
        plane(j, t, (char *)g->y + (size_t)(c * g->points + point) * w->elem, x);
    }
}

/* Computes tiles of some channels of some images. A unit is one block of channels of one tile;
 * the blocks of a tile follow each other. While one tile is summed, the taps of the next are
 * already made, so that its pixels can be prefetched. */
static void sweep(void *arg, OC_UNUSED int task, int64_t first_unit, int64_t end)
{
    const job *j = arg;
    const oc_span images = j->images, span = j->channels;
    const int64_t each = j->w.tiles, blocks = oc_div_up(span.end - span.first, CHANNEL_BLOCK);
    const int64_t last = (end - 1) / blocks;
    oc_taps taps[2];   /* taps of even and of odd tiles */
    int64_t point[2];  /* the first point of each of these tiles */
    int64_t made = -1; /* the last tile whose taps are made */
    for (int64_t u = first_unit; u < end; u++) {
        const int64_t tile = u / blocks, first = span.first + u % blocks * CHANNEL_BLOCK;
        const int64_t want = tile < last ? tile + 1 : tile;
        for (made = made < tile ? tile - 1 : made; made < want; made++) {
            const int64_t next = made + 1;
            oc_taps *t = taps + (next & 1);
            point[next & 1] = oc_grid_walk_taps(&j->w, t, images.first + next / each, next % each);
            if (j->stream)
                t->pitch = t->run;
        }
        const bool follows = want > tile && want / each == tile / each;
        apply_taps(j, taps + (tile & 1), follows ? taps + (want & 1) : NULL,
                   images.first + tile / each, point[tile & 1],
                   (oc_span){first, oc_min(span.end, first + CHANNEL_BLOCK)});
    }
    if (j->stream)
        oc_stream_end();
}

static void sample_part(job *j, oc_span images, oc_span channels)
{
    const int64_t blocks = oc_div_up(channels.end - channels.first, CHANNEL_BLOCK);
    j->images = images;
    j->channels = channels;
    oc_work_run(&j->w.g->work, (images.end - images.first) * j->w.tiles * blocks, sweep, j);
}

static void sample_all(job *j, int64_t first)
{
    const oc_grid_sample *g = j->w.g;
    if (!j->scattered) {
        sample_part(j, (oc_span){0, g->batch}, (oc_span){first, g->channels});
        return;
    }
    for (int64_t image = 0; image < g->batch; image++)
        for (int64_t c = first; c < g->channels; c++)
            sample_part(j, (oc_span){image, image + 1}, (oc_span){c, c + 1});
}

/* Do most steps from position to position differ from the step before? */
static bool rough(const oc_taps *t, int64_t width)
{
    int n = 0;
    for (int i = 2; i < t->run; i++) {
        const int64_t step = (int64_t)t->base[i] - t->base[i - 1];
        const int64_t before = (int64_t)t->base[i - 1] - t->base[i - 2];
        n += step - before > ROUGH * width || before - step > ROUGH * width;
    }
    return n > t->run / 2;
}

/* Are positions scattered, and does a cache hold one plane but not all of them? */
static bool scattered(const oc_grid_walk *w, int64_t channels)
{
    const oc_grid_sample *g = w->g;
    const int64_t bytes = w->plane * (int64_t)w->elem;
    if (g->batch == 0 || bytes <= NEAR || bytes * channels <= FAR || g->points < w->plane / 8)
        return false;
    int n = 0;
    for (int k = 0; k < SAMPLES; k++) {
        oc_taps t;
        oc_grid_walk_taps(w, &t, 0, w->tiles * k / SAMPLES);
        n += rough(&t, g->sampler.n[g->sampler.rank - 1]);
    }
    return n > SAMPLES / 2;
}

size_t oc_grid_sample_scratch(const oc_grid_sample *g, int tasks)
{
    return oc_grid_blocks_scratch(g, tasks);
}

void oc_grid_sample_run(const oc_grid_sample *g)
{
    assert(g->batch >= 0 && g->channels >= 0 && g->width > 0 && g->points % g->width == 0);
    assert(g->sampler.mode == OC_GRID_NEAREST ? g->outside && oc_type_size(g->type) <= MOST_BYTES
                                              : oc_gather_has(g->type));
    assert(oc_is_aligned(g->scratch, OC_CACHE_LINE));
    job j = {.w = oc_grid_walk_new(g)};
    const int64_t first = g->scratch ? oc_grid_blocks_serve(g) : 0;
    if (first)
        oc_grid_blocks_run(&j.w, first);
    if (first == g->channels)
        return;
    const int64_t channels = g->channels - first;
    j.stream = OC_STREAMS && g->batch * channels * g->points > STREAM / (int64_t)j.w.elem;
    j.scattered = scattered(&j.w, channels);
    if (g->sampler.mode == OC_GRID_NEAREST)
        j.pick = oc_pick_of(j.w.elem);
    else
        j.sum = oc_gather_sum(g->type, g->cpu);
    sample_all(&j, first);
}
