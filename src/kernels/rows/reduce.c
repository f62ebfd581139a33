/* SPDX-License-Identifier: Apache-2.0
 * reduce.c - which thread visits which elements, in the order that reduce.h states?
 *
 * Results are computed in tiles along the innermost kept axis. Where elements of neighbouring
 * results are neighbours in memory, all results of a tile fold in a row of elements at a time.
 * Elsewhere each result is computed alone, along its own elements. Where tiles are few and have
 * many elements, each is cut into parts that are branches of the tree of blocks. The order is the
 * same in all three cases. */
#include "kernels/rows/reduce.h"

#include "kernels/common/precondition.h"
#include "kernels/common/share.h"
#include "kernels/common/strided.h"

#include <math.h>
#include <string.h>

/* WORK: elements that make a task worth its start. With fewer elements than SHORT, or fewer results
 * than NARROW, the inner loop would be too short to gain. */
enum { WORK = 2 * OC_GRAIN_ELEMENTS, TASKS = 256, SHORT = 16, NARROW = 8, LEVELS = 54 };
/* Fewer tiles than FEW go one after the other, each in at most PARTS parts. */
enum { FEW = 8, PARTS = 64 };

typedef struct walk {
    const oc_reduce *r;
    oc_reduce_axis kept, reduced; /* the innermost of each */
    int64_t n;                    /* elements of a result */
    int64_t width;                /* results of a tile */
    int64_t tiles, units;         /* tiles along the innermost kept axis; in all */
    int tasks;
    bool rows; /* all results of a tile at a time */
    int parts; /* of a tile, each of part_n elements, the last of what is left */
    int64_t part_n;
    const oc_parallel *parallel; /* for the parts */
} walk;

/* What one task works in: level[l] holds 2^l blocks, folded. */
typedef struct space {
    const oc_reduce *r;
    const oc_fold *fold;
    const double *shift; /* not NULL: exp(x - shift) is folded instead of x */
    int64_t shift_step;
    uint64_t part[OC_REDUCE_LANES * OC_REDUCE_WIDTH];
    uint64_t level[LEVELS][OC_REDUCE_WIDTH];
    uint64_t load[OC_REDUCE_BLOCK], raw[OC_REDUCE_BLOCK];
} space;

/* A position in a walk along some axes. */
typedef struct place {
    int64_t at[OC_MAX_RANK], offset;
} place;

/* By n places, which do not go beyond the innermost axis. */
static void advance(place *p, const oc_reduce_axis *axis, int n_axes, int64_t n)
{
    for (int a = n_axes - 1; a >= 0; a--, n = 1) {
        p->offset += n * axis[a].step;
        p->at[a] += n;
        if (p->at[a] < axis[a].n)
            return;
        p->offset -= axis[a].n * axis[a].step;
        p->at[a] = 0;
    }
}

/* Element number k. */
static place place_of(const oc_reduce_axis *axis, int n_axes, int64_t k)
{
    place p = {.offset = 0};
    for (int a = n_axes - 1; a >= 0; a--) {
        p.at[a] = k % axis[a].n;
        p.offset += p.at[a] * axis[a].step;
        k /= axis[a].n;
    }
    return p;
}

/* ---- elements */

/* n elements as partial results: in place where that is possible, else copied or converted
 * to `to`. */
static const void *fetch(space *s, void *to, const void *from, int64_t step, int64_t n)
{
    const oc_reduce *r = s->r;
    if (step == 1 && !r->load && !s->shift)
        return from;
    if (step != 1) {
        void *dense = r->load ? s->raw : to;
        oc_copy_strided(dense, from, step, n, r->x_size);
        from = dense;
    }
    if (r->load)
        r->load(r->ctx, to, from, n);
    else if (from != to)
        memcpy(to, from, (size_t)n * r->x_size);
    double *x = to;
    for (int64_t k = 0; s->shift && k < n; k++)
        x[k] -= s->shift[k * s->shift_step];
    if (s->shift)
        oc_elementary_apply(r->log_sum_exp->exp, x, n);
    return to;
}

/* ---- partial results of w neighbours */

/* Folds number i of what is folded in pairs into the levels. */
static void push(space *s, int64_t i, const void *sum, int64_t w)
{
    int l = 0;
    for (; i >> l & 1; l++) {
        s->fold->across(s->level[l], sum, w);
        sum = s->level[l];
    }
    memcpy(s->level[l], sum, (size_t)w * s->fold->size);
}

/* Folds n pushed items, then the rest, which may be NULL, into the result. */
static void end_pushes(space *s, int64_t n, const void *rest, int64_t w, void *result)
{
    const void *sum = rest;
    for (int l = 0; n >> l; l++)
        if (n >> l & 1) {
            if (sum)
                s->fold->across(s->level[l], sum, w);
            sum = s->level[l];
        }
    memcpy(result, sum, (size_t)w * s->fold->size);
}

/* Folds the first `used` lanes of s->part into its first, and pushes that as block `block`. */
static void end_block(space *s, int64_t block, int64_t used, int64_t w)
{
    const oc_fold *f = s->fold;
    const size_t row = (size_t)w * f->size;
    char *part = (char *)s->part;
    for (int64_t half = OC_REDUCE_LANES / 2; half; half /= 2)
        if (used > half) {
            f->across(part, part + (size_t)half * row, (used - half) * w);
            used = half;
        }
    push(s, block, part, w);
}

/* How many of at most n rows from p on are fetched as one, since each lies behind the other. */
static int64_t rows_at_once(const walk *t, const space *s, const place *p, int64_t w, int64_t n)
{
    if (t->reduced.step != w || t->kept.step != 1 || s->shift)
        return 1;
    const int64_t room = OC_REDUCE_BLOCK / w, left = t->reduced.n - p->at[t->r->n_reduced - 1];
    n = n < room ? n : room;
    return n < left ? n : left;
}

/* Elements k.first .. k.end-1; k.first is a multiple of a block's size. */
static void fold_rows(const walk *t, space *s, const char *x, int64_t w, oc_span k, void *result)
{
    const oc_reduce *r = t->r;
    const size_t row = (size_t)w * s->fold->size;
    place p = place_of(r->reduced, r->n_reduced, k.first);
    const int64_t n = k.end - k.first;
    for (int64_t i = 0, some; i < n; i += some) {
        const int64_t j = i % OC_REDUCE_BLOCK, lane = j % OC_REDUCE_LANES;
        const int64_t lanes = OC_REDUCE_LANES - lane; /* to the last one */
        const char *at = x + p.offset * (int64_t)r->x_size;
        some = rows_at_once(t, s, &p, w, n - i < lanes ? n - i : lanes);
        const void *from = fetch(s, s->load, at, t->kept.step, some * w);
        char *part = (char *)s->part + (size_t)lane * row;
        if (j < OC_REDUCE_LANES)
            memcpy(part, from, (size_t)some * row);
        else
            s->fold->across(part, from, some * w);
        const int64_t end = j + some;
        if (end == OC_REDUCE_BLOCK || i + some == n)
            end_block(s, i / OC_REDUCE_BLOCK, end < OC_REDUCE_LANES ? end : OC_REDUCE_LANES, w);
        advance(&p, r->reduced, r->n_reduced, some);
    }
    end_pushes(s, (n - 1) / OC_REDUCE_BLOCK + 1, NULL, w, result);
}

/* The next n elements of a line, of which `done` have been passed in the innermost axis. */
static const void *fetch_line(const walk *t, space *s, const char *x, place *p, int64_t *done,
                              int64_t n)
{
    const oc_reduce *r = t->r;
    const void *first = s->load;
    for (int64_t have = 0; have < n;) {
        const int64_t left = t->reduced.n - *done, piece = n - have < left ? n - have : left;
        const int64_t offset = p->offset + *done * t->reduced.step;
        char *to = (char *)s->load + (size_t)have * s->fold->size;
        const void *from = fetch(s, to, x + offset * (int64_t)r->x_size, t->reduced.step, piece);
        if (piece == n)
            first = from;
        else if (from != to)
            memcpy(to, from, (size_t)piece * s->fold->size);
        have += piece;
        *done += piece;
        if (*done == t->reduced.n) {
            *done = 0;
            advance(p, r->reduced, r->n_reduced - 1, 1);
        }
    }
    return first;
}

static void fold_line(const walk *t, space *s, const char *x, oc_span k, void *result)
{
    const size_t size = s->fold->size;
    const oc_reduce *r = t->r;
    place p = place_of(r->reduced, r->n_reduced - 1, k.first / t->reduced.n);
    int64_t done = k.first % t->reduced.n, block = 0;
    for (int64_t i = k.first; i < k.end; i += OC_REDUCE_BLOCK, block++) {
        const int64_t n = k.end - i < OC_REDUCE_BLOCK ? k.end - i : OC_REDUCE_BLOCK;
        const int64_t used = n < OC_REDUCE_LANES ? n : OC_REDUCE_LANES;
        const char *from = fetch_line(t, s, x, &p, &done, n);
        memcpy(s->part, from, (size_t)used * size);
        if (n > used)
            s->fold->along(s->part, from + (size_t)used * size, n - used);
        end_block(s, block, used, 1);
    }
    end_pushes(s, block, NULL, 1, result);
}

/* ---- tiles */

/* Are the elements one block of 16 results side by side, as channels in lanes are? */
static bool is_beside(const walk *t, const space *s, int64_t w, oc_span k)
{
    return s->fold->beside && w == OC_REDUCE_LANES && t->kept.step == 1 && t->r->n_reduced == 1 &&
           t->reduced.step == w && k.end - k.first <= OC_REDUCE_BLOCK && !t->r->load && !s->shift;
}

/* Elements k.first .. k.end-1 of each result. */
static void fold_span(const walk *t, space *s, const char *x, int64_t w, oc_span k, void *result)
{
    if (is_beside(t, s, w, k)) {
        const int64_t first = k.first * t->reduced.step * (int64_t)t->r->x_size;
        s->fold->beside(result, x + first, k.end - k.first);
        return;
    }
    if (t->rows) {
        s->shift_step = 1;
        fold_rows(t, s, x, w, k, result);
        return;
    }
    const double *shift = s->shift;
    s->shift_step = 0;
    for (int64_t i = 0; i < w; i++) {
        s->shift = shift ? shift + i : NULL;
        fold_line(t, s, x + i * t->kept.step * (int64_t)t->r->x_size, k,
                  (char *)result + (size_t)i * s->fold->size);
    }
    s->shift = shift;
}

/* A tile in parts. */
typedef struct split {
    const walk *t;
    const space *s;
    const char *x;
    int64_t w;
    uint64_t part[PARTS][OC_REDUCE_WIDTH];
} split;

static void fold_part(void *arg, int i)
{
    split *q = arg;
    const walk *t = q->t;
    const int64_t first = i * t->part_n, left = t->n - first;
    const oc_span k = {first, first + (left < t->part_n ? left : t->part_n)};
    space s;
    s.r = t->r;
    s.fold = q->s->fold;
    s.shift = q->s->shift;
    fold_span(t, &s, q->x, q->w, k, q->part[i]);
}

static void fold_tile(const walk *t, space *s, const char *x, int64_t w, void *result)
{
    if (t->parts == 1) {
        fold_span(t, s, x, w, (oc_span){0, t->n}, result);
        return;
    }
    split q;
    q.t = t;
    q.s = s;
    q.x = x;
    q.w = w;
    oc_parallel_run(t->parallel, t->parts, fold_part, &q);
    const int64_t whole = t->n / t->part_n;
    for (int64_t i = 0; i < whole; i++)
        push(s, i, q.part[i], w);
    end_pushes(s, whole, whole < t->parts ? q.part[whole] : NULL, w, result);
}

static void run_tile(const walk *t, space *s, const char *x, int64_t w, void *result)
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
    for (int64_t i = 0; i < w; i++) /* infinities and NaN come out of the sum by themselves */
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

static void run_task(void *arg, int task)
{
    const walk *t = arg;
    const oc_reduce *r = t->r;
    space s;
    s.r = r;
    uint64_t result[OC_REDUCE_WIDTH];
    const size_t size = result_size(r);
    const oc_span units = oc_share(t->units, t->tasks, task);
    for (int64_t u = units.first; u < units.end; u++) {
        const int64_t outer = u / t->tiles, from = u % t->tiles * t->width;
        int64_t offset = from * t->kept.step, rest = outer;
        for (int a = r->n_kept - 2; a >= 0; a--) {
            offset += rest % r->kept[a].n * r->kept[a].step;
            rest /= r->kept[a].n;
        }
        const int64_t left = t->kept.n - from, w = left < t->width ? left : t->width;
        run_tile(t, &s, (const char *)r->x + offset * (int64_t)r->x_size, w, result);
        for (int64_t i = 0; i < w; i += OC_REDUCE_WIDTH)
            r->store(r->ctx, (const char *)result + (size_t)i * size, outer * t->kept.n + from + i,
                     w - i < OC_REDUCE_WIDTH ? w - i : OC_REDUCE_WIDTH);
    }
}

/* Rows of a tile are as long as its space allows: the next one is on another page. But threads must
 * find tiles enough. outer: results / those along the innermost kept axis. */
static int64_t tile_width(const walk *t, int64_t outer)
{
    int64_t width = OC_REDUCE_WIDTH;
    const int64_t size = (int64_t)result_size(t->r);
    while (t->rows && 2 * width * size <= OC_REDUCE_WIDTH * 8 &&
           (!t->parallel || !t->parallel->run || t->kept.n / (2 * width) * outer >= FEW))
        width *= 2;
    return width;
}

/* A part has a power of two of blocks, and enough elements to be worth a task. */
static void cut_tiles(walk *t)
{
    const int64_t width = t->kept.n < t->width ? t->kept.n : t->width;
    t->part_n = OC_REDUCE_BLOCK;
    while (t->part_n * width < WORK || t->n / t->part_n >= PARTS)
        t->part_n *= 2;
    if (t->n > t->part_n)
        t->parts = (int)((t->n - 1) / t->part_n + 1);
}

void oc_reduce_run(const oc_reduce *r, const oc_parallel *parallel)
{
    const oc_reduce_axis none = {1, 0};
    walk t = {.r = r, .n = 1, .kept = none, .reduced = none, .parallel = parallel};
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
    t.tiles = (t.kept.n + t.width - 1) / t.width;
    t.units = results / t.kept.n * t.tiles;
    t.parts = 1;
    if (t.units < FEW)
        cut_tiles(&t);
    const int tasks = oc_share_threads((double)(results * t.n / WORK) * OC_GRAIN, TASKS);
    t.tasks = oc_share_tasks(t.parts > 1 ? 1 : t.units, tasks);
    oc_parallel_run(parallel, t.tasks, run_task, &t);
}
