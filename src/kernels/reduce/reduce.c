/* SPDX-License-Identifier: Apache-2.0
 * reduce.c - shares the elements of a reduction among threads, in the order that reduce.h states.
 *
 * Results are computed in tiles along the innermost kept axis. Where elements of neighbouring
 * results are neighbours in memory, all results of a tile fold in a row of elements at a time.
 * Elsewhere each result is computed alone, along its own elements. Where tiles are few and have
 * many elements, each is cut into parts that are branches of the tree of blocks. The order does not
 * depend on which of the three is done. */
#include "kernels/reduce/reduce.h"

#include "kernels/common/precondition.h"
#include "kernels/reduce/reduce_span.h"

#include <math.h>

/* WORK: elements that make a task worth its start. With fewer elements than SHORT, or fewer
 * results than NARROW, the inner loop would be too short to gain. */
enum { WORK = 2 * OC_GRAIN_ELEMENTS, SHORT = 16, NARROW = 8 };
/* Fewer tiles than FEW are computed one after the other, each in at most PARTS parts. */
enum { FEW = 8, PARTS = 64 };

/* A tile that is cut into parts. */
typedef struct split {
    const oc_reduce_walk *t;
    const oc_reduce_space *s;
    const char *x;
    int64_t w;
    uint64_t part[PARTS][OC_REDUCE_WIDTH];
} split;

static void fold_parts(void *arg, OC_UNUSED int task, int64_t part, int64_t end)
{
    split *q = arg;
    const oc_reduce_walk *t = q->t;
    oc_reduce_space s;
    s.r = t->r;
    s.fold = q->s->fold;
    s.shift = q->s->shift;
    for (int64_t i = part; i < end; i++) {
        const int64_t first = i * t->part_n, left = t->n - first;
        const oc_span k = {first, first + oc_min(left, t->part_n)};
        oc_reduce_span(t, &s, q->x, q->w, k, q->part[i]);
    }
}

static void fold_tile(const oc_reduce_walk *t, oc_reduce_space *s, const char *x, int64_t w,
                      void *result)
{
    if (t->parts == 1) {
        oc_reduce_span(t, s, x, w, (oc_span){0, t->n}, result);
        return;
    }
    split q;
    q.t = t;
    q.s = s;
    q.x = x;
    q.w = w;
    oc_work_run(&t->work, t->parts, fold_parts, &q);
    const int64_t whole = t->n / t->part_n;
    for (int64_t i = 0; i < whole; i++)
        oc_reduce_push(s, i, q.part[i], w);
    oc_reduce_end_pushes(s, whole, whole < t->parts ? q.part[whole] : NULL, w, result);
}

static void reduce_tile(const oc_reduce_walk *t, oc_reduce_space *s, const char *x, int64_t w,
                        void *result)
{
    s->fold = t->r->fold;
    s->shift = NULL;
    if (!t->r->log_sum_exp) {
        fold_tile(t, s, x, w, result);
        return;
    }
    double max[OC_REDUCE_WIDTH], *y = result;
    s->fold = &t->r->folds->max;
    fold_tile(t, s, x, w, max);
    for (int64_t i = 0; i < w; i++) /* the sum gives infinities and NaN by itself */
        max[i] = isfinite(max[i]) ? max[i] : 0;
    s->fold = &t->r->folds->sum;
    s->shift = max;
    fold_tile(t, s, x, w, y);
    oc_elementary_apply(t->r->log_sum_exp->log, y, w);
    for (int64_t i = 0; i < w; i++)
        y[i] += max[i];
}

static size_t result_size(const oc_reduce *r)
{
    return r->log_sum_exp ? sizeof(double) : r->fold->size;
}

static void reduce_tiles(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const oc_reduce_walk *t = arg;
    const oc_reduce *r = t->r;
    oc_reduce_space s;
    s.r = r;
    uint64_t result[OC_REDUCE_WIDTH];
    const size_t size = result_size(r);
    for (int64_t u = first; u < end; u++) {
        const int64_t outer = u / t->tiles, from = u % t->tiles * t->width;
        int64_t offset = from * t->kept.step, rest = outer;
        for (int a = r->n_kept - 2; a >= 0; a--) {
            offset += rest % r->kept[a].n * r->kept[a].step;
            rest /= r->kept[a].n;
        }
        const int64_t left = t->kept.n - from, w = oc_min(left, t->width);
        reduce_tile(t, &s, (const char *)r->x + offset * (int64_t)r->x_size, w, result);
        if (oc_work_ended(&t->work))
            return; /* the work has ended, and nobody looks at the results */
        for (int64_t i = 0; i < w; i += OC_REDUCE_WIDTH)
            r->store(r->ctx, (const char *)result + (size_t)i * size, outer * t->kept.n + from + i,
                     w - i < OC_REDUCE_WIDTH ? w - i : OC_REDUCE_WIDTH);
    }
}

/* Returns how many results a tile has: as many as its space allows, because the next row of a
 * tile is on another page, but few enough that all threads find tiles. outer is the number of
 * results divided by those along the innermost kept axis. */
static int64_t tile_width(const oc_reduce_walk *t, int64_t outer)
{
    int64_t width = OC_REDUCE_WIDTH;
    const int64_t size = (int64_t)result_size(t->r);
    while (t->rows && 2 * width * size <= OC_REDUCE_WIDTH * 8 &&
           (t->work.threads < 2 || t->kept.n / (2 * width) * outer >= FEW))
        width *= 2;
    return width;
}

/* Cuts tiles into parts of a power of two of blocks, with enough elements to be worth a task. */
static void cut_tiles(oc_reduce_walk *t)
{
    const int64_t width = oc_min(t->kept.n, t->width);
    t->part_n = OC_REDUCE_BLOCK;
    while (t->part_n * width < WORK || t->n / t->part_n >= PARTS)
        t->part_n *= 2;
    if (t->n > t->part_n)
        t->parts = (int)((t->n - 1) / t->part_n + 1);
}

void oc_reduce_run(const oc_reduce *r)
{
    const oc_reduce_axis none = {1, 0};
    oc_reduce_walk t = {.r = r, .n = 1, .kept = none, .reduced = none, .work = r->work};
    int64_t results = 1;
    assert(r->n_kept >= 0 && r->n_kept <= OC_MAX_RANK);
    assert(r->n_reduced >= 0 && r->n_reduced <= OC_MAX_RANK);
    assert((r->log_sum_exp ? r->folds != NULL : r->fold != NULL) && r->store);
    for (int a = 0; a < r->n_kept; a++)
        results *= r->kept[a].n;
    assert(results >= 1);
    for (int a = 0; a < r->n_reduced; a++)
        t.n *= r->reduced[a].n;
    assert(t.n >= 1);
    if (r->n_kept)
        t.kept = r->kept[r->n_kept - 1];
    if (r->n_reduced)
        t.reduced = r->reduced[r->n_reduced - 1];
    t.rows = t.kept.n >= NARROW && (t.kept.step == 1 || t.n < SHORT);
    t.width = tile_width(&t, results / t.kept.n);
    t.tiles = oc_div_up(t.kept.n, t.width);
    t.units = results / t.kept.n * t.tiles;
    t.parts = 1;
    if (t.units < FEW)
        cut_tiles(&t);
    t.work = oc_work_for(&r->work, (double)(results * t.n) / WORK * OC_GRAIN);
    const oc_work alone = oc_work_alone(&t.work);
    if (t.parts > 1) /* each part is worth a task */
        t.work.threads = r->work.threads;
    oc_work_run(t.parts > 1 ? &alone : &t.work, t.units, reduce_tiles, &t);
}
