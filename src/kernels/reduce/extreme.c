/* SPDX-License-Identifier: Apache-2.0
 * extreme.c - compares the keys of elements: along a row, or a row of results at a time. */
#include "kernels/reduce/extreme.h"

#include "kernels/common/precondition.h"
#include "kernels/common/strided.h"
#include "kernels/sort/order.h"

#include <string.h>

/* CHUNK: elements whose keys are made at a time, and results of a tile. Where fewer than NARROW
 * results are neighbours, a tile takes them from up to CHUNK slices of the outer axes if a line has
 * at most SHORT elements; else it computes one result after the other. The indices of a tile count
 * from the beginning of a segment of SEGMENT elements. */
enum { CHUNK = 512, NARROW = 12, SHORT = 64, SEGMENT = 1 << 12 };

typedef struct job {
    const oc_extreme *e;
    oc_keys keys;
    size_t size;          /* of an element */
    bool by_slices;       /* tiles are of slices */
    int64_t tiles, lines; /* tiles of a slice; results of a tile */
} job;

/* n elements that are step elements apart, side by side: where they are, or at to. */
static const void *dense(void *to, const void *from, int64_t step, int64_t n, size_t size)
{
    if (step == 1)
        return from;
    oc_copy_strided(to, from, step, n, size);
    return to;
}

/* Defines name_line, the index along n elements that are step apart, and name_tile, the indices
 * along width lines, which begin x_step apart, as do their results y_step. Keys of type K are made
 * by make. A greater key wins, and where the last of equal ones is wanted, an equal one. */
#define EXTREME(name, K, make)                                                                     \
    static int64_t name##_line(const job *t, const char *x, int64_t step)                          \
    {                                                                                              \
        uint64_t raw[CHUNK];                                                                       \
        K key[CHUNK], best = 0;                                                                    \
        int64_t index = -1;                                                                        \
        oc_pieces p = oc_pieces_of(&t->e->work, t->e->n, 4 * CHUNK);                               \
        while (oc_pieces_next(&p))                                                                 \
            for (int64_t at = p.first; at < p.end; at += CHUNK) {                                  \
                const int64_t n = p.end - at < CHUNK ? p.end - at : CHUNK;                         \
                make(&t->keys, key,                                                                \
                     dense(raw, x + (size_t)(at * step) * t->size, step, n, t->size), n);          \
                K top = key[0];                                                                    \
                for (int64_t i = 0; i < n; i++)                                                    \
                    top = key[i] > top ? key[i] : top;                                             \
                if (index >= 0 && top <= best && !(t->e->last && top == best))                     \
                    continue;                                                                      \
                int64_t i = t->e->last ? n - 1 : 0;                                                \
                while (key[i] != top)                                                              \
                    i += t->e->last ? -1 : 1;                                                      \
                best = top;                                                                        \
                index = at + i;                                                                    \
            }                                                                                      \
        return index;                                                                              \
    }                                                                                              \
                                                                                                   \
    static void name##_tile(const job *t, int64_t *y, int64_t y_step, const char *x,               \
                            int64_t x_step, int64_t width)                                         \
    {                                                                                              \
        uint64_t raw[CHUNK];                                                                       \
        K key[CHUNK], best[CHUNK] = {0};                                                           \
        int32_t index[CHUNK];                                                                      \
        const bool last = t->e->last;                                                              \
        oc_pieces p = oc_pieces_of(&t->e->work, (t->e->n + SEGMENT - 1) / SEGMENT, 1);             \
        while (oc_pieces_next(&p))                                                                 \
            for (int64_t s = p.first; s < p.end; s++) {                                            \
                const int64_t at = s * SEGMENT;                                                    \
                const int64_t n = t->e->n - at < SEGMENT ? t->e->n - at : SEGMENT;                 \
                for (int64_t j = 0; j < width; j++)                                                \
                    index[j] = -1;                                                                 \
                for (int32_t i = 0; i < (int32_t)n; i++) {                                         \
                    make(&t->keys, key, dense(raw, x, x_step, width, t->size), width);             \
                    x += (size_t)t->e->inner * t->size;                                            \
                    for (int64_t j = 0; j < width; j++) {                                          \
                        const bool wins = (at == 0 && i == 0) | (key[j] > best[j]) |               \
                                          ((key[j] == best[j]) & last);                            \
                        best[j] = wins ? key[j] : best[j];                                         \
                        index[j] = wins ? i : index[j];                                            \
                    }                                                                              \
                }                                                                                  \
                for (int64_t j = 0; j < width; j++)                                                \
                    y[j * y_step] = index[j] < 0 ? y[j * y_step] : at + index[j];                  \
            }                                                                                      \
    }
EXTREME(wide, int64_t, oc_keys_wide)
EXTREME(narrow, int32_t, oc_keys_narrow)

/* Computes all results of up to CHUNK slices. */
static void run_slices(const job *t, int64_t tile)
{
    const oc_extreme *e = t->e;
    const bool wide = oc_keys_are_wide(e->type);
    const int64_t first = tile * CHUNK, slice = e->n * e->inner;
    const int64_t slices = e->outer - first < CHUNK ? e->outer - first : CHUNK;
    const char *x = (const char *)e->x + (size_t)(first * slice) * t->size;
    for (int64_t j = 0; j < e->inner; j++)
        (wide ? wide_tile : narrow_tile)(t, e->y + first * e->inner + j, e->inner,
                                         x + (size_t)j * t->size, slice, slices);
}

static void run_tile(const job *t, int64_t tile)
{
    const oc_extreme *e = t->e;
    const bool wide = oc_keys_are_wide(e->type);
    if (t->by_slices) {
        run_slices(t, tile);
        return;
    }
    const int64_t slice = tile / t->tiles, first = tile % t->tiles * t->lines;
    const int64_t width = e->inner - first < t->lines ? e->inner - first : t->lines;
    const char *x = (const char *)e->x + (size_t)(slice * e->n * e->inner + first) * t->size;
    int64_t *y = e->y + slice * e->inner + first;
    if (width >= NARROW) {
        (wide ? wide_tile : narrow_tile)(t, y, 1, x, 1, width);
        return;
    }
    for (int64_t j = 0; j < width; j++, x += t->size)
        y[j] = (wide ? wide_line : narrow_line)(t, x, e->inner);
}

static void run_tiles(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    (void)task;
    for (int64_t tile = first; tile < end; tile++)
        run_tile(t, tile);
}

void oc_extreme_run(const oc_extreme *e)
{
    assert(e->n > 0 && e->outer >= 0 && e->inner >= 0);
    if (e->inner == 0)
        return; /* however many slices there are */
    job t = {.e = e, .keys = {e->type, e->least, true}, .size = oc_type_size(e->type)};
    t.by_slices = e->inner < NARROW && e->n <= SHORT;
    t.lines = e->inner < CHUNK ? e->inner : CHUNK;
    t.tiles = (e->inner - 1) / CHUNK + 1;
    const int64_t all = t.by_slices ? (e->outer + CHUNK - 1) / CHUNK : e->outer * t.tiles;
    oc_work_run(&e->work, all, run_tiles, &t);
}
