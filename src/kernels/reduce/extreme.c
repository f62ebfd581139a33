/* SPDX-License-Identifier: Apache-2.0
 * extreme.c - compares the keys of elements: along a row, or a row of results at a time. */
#include "kernels/reduce/extreme.h"

#include "kernels/common/precondition.h"
#include "kernels/common/strided.h"
#include "kernels/sort/order.h"

/* CHUNK: elements whose keys are made at a time, and most results of a tile. If fewer than
 * NARROW results are neighbours, a tile takes results from up to CHUNK slices of the outer axes
 * when a line has at most SHORT elements; else it computes one result after the other. A tile
 * reads its lines in segments of SEGMENT elements, and its indices count from the beginning of
 * the segment. */
enum { CHUNK = 512, NARROW = 12, SHORT = 64, SEGMENT = 1 << 12 };

typedef struct job {
    const oc_extreme *e;
    oc_keys keys;
    size_t size;          /* bytes of an element */
    bool by_slices;       /* true: a tile takes its results from several slices */
    int64_t tiles, lines; /* tiles of a slice; results of a tile */
} job;

/* Returns n elements that are step elements apart side by side: where they are, or copied to
 * `to`. */
static const void *dense(void *to, const void *from, int64_t step, int64_t n, size_t size)
{
    if (step == 1)
        return from;
    oc_copy_strided(to, from, step, n, size);
    return to;
}

#define K       int64_t
#define NAME(x) x##_wide
#include "kernels/reduce/extreme.inc"

#define K       int32_t
#define NAME(x) x##_narrow
#include "kernels/reduce/extreme.inc"

/* Computes all results of up to CHUNK slices. */
static void find_in_slices(const job *t, int64_t tile)
{
    const oc_extreme *e = t->e;
    const bool wide = oc_keys_are_wide(e->type);
    const int64_t first = tile * CHUNK, slice = e->n * e->inner;
    const int64_t slices = e->outer - first < CHUNK ? e->outer - first : CHUNK;
    const char *x = (const char *)e->x + (size_t)(first * slice) * t->size;
    for (int64_t j = 0; j < e->inner; j++)
        (wide ? tile_wide : tile_narrow)(t, e->y + first * e->inner + j, e->inner,
                                         x + (size_t)j * t->size, slice, slices);
}

static void find_in_tile(const job *t, int64_t tile)
{
    const oc_extreme *e = t->e;
    const bool wide = oc_keys_are_wide(e->type);
    if (t->by_slices) {
        find_in_slices(t, tile);
        return;
    }
    const int64_t slice = tile / t->tiles, first = tile % t->tiles * t->lines;
    const int64_t width = e->inner - first < t->lines ? e->inner - first : t->lines;
    const char *x = (const char *)e->x + (size_t)(slice * e->n * e->inner + first) * t->size;
    int64_t *y = e->y + slice * e->inner + first;
    if (width >= NARROW) {
        (wide ? tile_wide : tile_narrow)(t, y, 1, x, 1, width);
        return;
    }
    for (int64_t j = 0; j < width; j++, x += t->size)
        y[j] = (wide ? line_wide : line_narrow)(t, x, e->inner);
}

static void find_in_tiles(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const job *t = arg;
    for (int64_t tile = first; tile < end; tile++)
        find_in_tile(t, tile);
}

void oc_extreme_run(const oc_extreme *e)
{
    assert(e->n > 0 && e->outer >= 0 && e->inner >= 0);
    if (e->inner == 0)
        return; /* the work has ended; the other slices stay undone */
    job t = {.e = e, .keys = {e->type, e->least, true}, .size = oc_type_size(e->type)};
    t.by_slices = e->inner < NARROW && e->n <= SHORT;
    t.lines = e->inner < CHUNK ? e->inner : CHUNK;
    t.tiles = (e->inner - 1) / CHUNK + 1;
    const int64_t all = t.by_slices ? (e->outer + CHUNK - 1) / CHUNK : e->outer * t.tiles;
    oc_work_run(&e->work, all, find_in_tiles, &t);
}
