/* SPDX-License-Identifier: Apache-2.0
 * pool.c - folds windows over planes, in blocks of one row of the result.
 *
 * The rows of x that a block's windows cover are folded to one row, at full width, and its
 * columns then to the results: tap by tap, or for floats in registers (pool_rows.h). */
#include "kernels/pool/pool.h"

#include <math.h>

#include "kernels/common/precondition.h"
#include "kernels/pool/pool_walk.h"

enum {
    KEPT = 16, /* taps whose reach is computed only once */
    LEAST_BLOCK = 64,
    LINE_ROOM = 64,      /* floats by which a line may be longer than a row of x */
    LINE_MOST = 1 << 22, /* most floats of a line */
    /* most taps of the last axis in a block, unless it has only LEAST_BLOCK columns */
    BLOCK_WORK = 1 << 20
};

/* The reach of tap k of the last axis: columns first to end-1 have it in the image, the first of
 * them at pixel `at` of the row. */
typedef struct reach {
    int64_t first, end, at;
} reach;

/* What every unit shares. A unit is a block of a row. */
typedef struct job {
    const oc_pooling *g;
    const oc_pool_fold *fold;
    size_t elem;
    int64_t pixels, rows;  /* pixels of a plane of x; rows of a plane of y */
    int64_t block, blocks; /* columns of a block; blocks of a row of y */
    /* for all columns of y: the taps of the last axis that lie in the image, and the reach of
     * the first of them */
    oc_window_part useful;
    reach reach[KEPT];
    oc_pool_count count_of;
    /* taps that an average counts for each column of y, as elements of the type; NULL for a
     * maximum */
    void *count;
    char *folded; /* room for a row or line for each task */
    uint64_t row_bytes;
    oc_pool_row line; /* what all rows of y share; out is 0 where taps are folded one by one */
} job;

/* ---- a block: columns first to end-1 of a row of y */

static reach reach_of(const oc_window *w, int64_t k, int64_t first, int64_t end)
{
    const int last = w->axes - 1;
    const int64_t step = w->stride[last], x = k * w->dilation[last] - w->pad[last];
    const int64_t least = x < 0 ? oc_window_quotient_up(-x, step) : 0;
    const int64_t most = x < w->in[last] ? oc_window_quotient_up(w->in[last] - x, step) : 0;
    reach r = {least > first ? least : first, oc_min(most, end), 0};
    r.at = r.first * step + x;
    return r;
}

/* Returns the taps of the last axis that lie in the image for any of the columns. */
static oc_window_part useful_taps(const oc_window *w, int64_t first, int64_t end)
{
    const int last = w->axes - 1;
    const int64_t low = first * w->stride[last] - w->pad[last];
    const int64_t high = (end - 1) * w->stride[last] - w->pad[last];
    return (oc_window_part){oc_window_taps_in(w, last, high, 0, w->in[last]).first,
                            oc_window_taps_in(w, last, low, 0, w->in[last]).end};
}

static void fill_empty(const oc_pooling *g, void *y, int64_t n)
{
    if (g->kind != OC_POOL_MAX)
        memset(y, 0, (size_t)n * (g->type == OC_F64 ? sizeof(double) : sizeof(float)));
    else if (g->type == OC_I8 || g->type == OC_U8)
        memset(y, g->type == OC_I8 ? 0x80 : 0, (size_t)n);
    else if (g->type == OC_F64)
        for (int64_t i = 0; i < n; i++)
            ((double *)y)[i] = -INFINITY;
    else
        for (int64_t i = 0; i < n; i++)
            ((float *)y)[i] = -INFINITY;
}

/* folded becomes the fold of n elements of a and b; of folded itself and b if a is NULL. */
static void fold_row(const job *t, char *folded, const char *a, const char *b, int64_t n)
{
    OC_PIECES (&t->g->work, p, n, 1 << 16) {
        const size_t at = (size_t)p.first * t->elem;
        if (a)
            t->fold->pair(folded + at, a + at, b + at, p.end - p.first);
        else
            t->fold->across(folded + at, b + at, p.end - p.first);
    }
}

/* Returns the row under the block, n pixels from pixel x0 on: the only row, or the fold of all.
 * Ends the walk. */
static const char *fold_rows(const job *t, oc_pool_walk *k, const char *plane, int64_t x0,
                             int64_t n, char *folded)
{
    const oc_window *w = &t->g->window;
    const char *only = plane + (size_t)(k->at + x0) * t->elem;
    if (!oc_pool_next_row(w, k))
        return only;
    /* counts rows, because a window may have any number of them */
    oc_count count = oc_count_of(&t->g->work);
    fold_row(t, folded, only, plane + (size_t)(k->at + x0) * t->elem, n);
    while (oc_pool_next_row(w, k) && oc_counts(&count))
        fold_row(t, folded, NULL, plane + (size_t)(k->at + x0) * t->elem, n);
    return folded;
}

#define T         float
#define NAME(x)   x##_f32
#define IS_NAN(x) ((x) != (x))
#include "kernels/pool/pool_index.inc"

#define T         double
#define NAME(x)   x##_f64
#define IS_NAN(x) ((x) != (x))
#include "kernels/pool/pool_index.inc"

#define T         int8_t
#define NAME(x)   x##_i8
#define IS_NAN(x) false
#include "kernels/pool/pool_index.inc"

#define T         uint8_t
#define NAME(x)   x##_u8
#define IS_NAN(x) false
#include "kernels/pool/pool_index.inc"

static void find_index(const job *t, oc_pool_walk *k, int64_t plane, const void *y, int64_t first,
                       int64_t end, int64_t *index)
{
    const oc_type type = t->g->type;
    (type == OC_F32   ? find_f32
     : type == OC_F64 ? find_f64
     : type == OC_I8  ? find_i8
                      : find_u8)(t, k, plane, y, first, end, index);
}

static void divide(const job *t, char *y, int64_t first, int64_t n, double count)
{
    const oc_pool_loops *loops = t->g->loops;
    if (t->g->type == OC_F64)
        loops->divide_f64((double *)(void *)y, (double *)t->count + first, count, n);
    else
        loops->divide_f32((float *)(void *)y, (float *)t->count + first, (float)count, n);
}

static void pool_outer_row(const job *t, int64_t unit, char *folded)
{
    const oc_pooling *g = t->g;
    const oc_window *w = &g->window;
    const int last = w->axes - 1;
    /* row numbers run through all planes */
    const int64_t block = unit % t->blocks, row = unit / t->blocks;
    const int64_t plane = row / t->rows, first = block * t->block;
    const int64_t end = w->out[last] - first < t->block ? w->out[last] : first + t->block;
    const char *x = (const char *)g->x + (size_t)(plane * t->pixels) * t->elem;
    char *y = (char *)g->y + (size_t)(row * w->out[last] + first) * t->elem;
    const oc_window_part useful = t->blocks == 1 ? t->useful : useful_taps(w, first, end);
    oc_pool_walk k;
    oc_pool_first_row(w, row % t->rows, t->count_of, &k);
    fill_empty(g, y, end - first);
    if (k.any && useful.end > useful.first) {
        const int64_t from = first * w->stride[last] - w->pad[last], x0 = oc_max(from, 0);
        const int64_t to =
            (end - 1) * w->stride[last] - w->pad[last] + (useful.end - 1) * w->dilation[last] + 1;
        const int64_t n = oc_min(to, w->in[last]) - x0;
        const char *line = fold_rows(t, &k, x, x0, n, folded);
        OC_LOOP (&g->work, i, useful.end - useful.first, 64) {
            const int64_t tap = useful.first + i;
            const bool kept = t->blocks == 1 && tap < KEPT;
            const reach r = kept ? t->reach[tap] : reach_of(w, tap, first, end);
            if (r.end > r.first)
                t->fold->along(y + (size_t)(r.first - first) * t->elem,
                               line + (size_t)(r.at - x0) * t->elem, w->stride[last],
                               r.end - r.first);
        }
    }
    if (g->kind == OC_POOL_AVERAGE)
        divide(t, y, first, end - first, k.count);
    if (g->index) {
        oc_pool_first_row(w, row % t->rows, OC_COUNT_NONE, &k);
        find_index(t, &k, plane, y, first, end, g->index + row * w->out[last] + first);
    }
}

/* ---- a row of floats, by way of a line */

/* Returns the number of pixels that windows reach along the last axis, from the first tap of the
 * first window on. */
static int64_t line_reach(const oc_window *w)
{
    const int last = w->axes - 1;
    return (w->out[last] - 1) * w->stride[last] + (w->kernel[last] - 1) * w->dilation[last] + 1;
}

static bool suits_line(const oc_pooling *g)
{
    const oc_window *w = &g->window;
    const int last = w->axes - 1;
    int64_t rows = 1;
    for (int a = 0; a < last; a++) {
        if (w->kernel[a] > OC_POOL_ROWS)
            return false;
        rows *= w->kernel[a];
    }
    const int64_t all = line_reach(w);
    return g->rows && g->type == OC_F32 && rows <= OC_POOL_ROWS && w->stride[last] <= 2 &&
           w->out[last] > 0 && w->in[last] > -w->pad[last] && all > w->pad[last] &&
           all <= w->in[last] + LINE_ROOM && all <= LINE_MOST;
}

/* Sets the line, except for the rows and for the memory that each task has of its own. */
static oc_pool_row line_of(const oc_window *w)
{
    const int last = w->axes - 1;
    const int64_t first = w->pad[last] < 0 ? -w->pad[last] : 0;
    const int64_t end = line_reach(w) - w->pad[last];
    return (oc_pool_row){.n = oc_min(end, w->in[last]) - first,
                         .out = w->out[last],
                         .taps = w->kernel[last],
                         .tap_step = w->dilation[last],
                         .stride = w->stride[last]};
}

static void pool_float_row(const job *t, int64_t row, oc_pool_row *r)
{
    const oc_pooling *g = t->g;
    const oc_window *w = &g->window;
    const int64_t plane = row / t->rows, pad = w->pad[w->axes - 1];
    const float *x = (const float *)g->x + plane * t->pixels + (pad < 0 ? -pad : 0);
    oc_pool_walk k;
    oc_pool_first_row(w, row - plane * t->rows, t->count_of, &k);
    r->y = (float *)g->y + row * r->out;
    r->rows = 0;
    if (k.any) {
        do
            r->row[r->rows++] = x + k.at;
        while (oc_pool_next_row(w, &k));
        (g->kind == OC_POOL_MAX ? g->rows->max : g->rows->sum)(r);
    } else {
        fill_empty(g, r->y, r->out);
    }
    if (g->kind == OC_POOL_AVERAGE)
        divide(t, (char *)r->y, 0, r->out, k.count);
    if (g->index) {
        oc_pool_first_row(w, row - plane * t->rows, OC_COUNT_NONE, &k);
        find_index(t, &k, plane, r->y, 0, r->out, g->index + row * r->out);
    }
}

static void pool_float_rows(const job *t, int64_t first, int64_t end, float *line)
{
    const oc_window *w = &t->g->window;
    const int64_t pad = w->pad[w->axes - 1];
    oc_pool_row r = t->line;
    r.line = line;
    r.to = line + oc_max(pad, 0);
    fill_empty(t->g, line, line_reach(w) + OC_POOL_SLACK);
    for (int64_t row = first; row < end; row++)
        pool_float_row(t, row, &r);
}

static void pool_rows(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    char *folded = t->folded + (uint64_t)task * t->row_bytes;
    if (t->line.out)
        pool_float_rows(t, first, end, (float *)(void *)folded);
    else
        for (int64_t unit = first; unit < end; unit++)
            pool_outer_row(t, unit, folded);
}

/* ---- the whole */

static const oc_pool_fold *pick_fold(const oc_pooling *g)
{
    const oc_pool_loops *loops = g->loops;
    if (g->kind != OC_POOL_MAX)
        return g->type == OC_F64 ? &loops->sum_f64 : &loops->sum_f32;
    return g->type == OC_F64   ? &loops->max_f64
           : g->type == OC_F32 ? &loops->max_f32
           : g->type == OC_I8  ? &loops->max_i8
                               : &loops->max_u8;
}

static size_t elem_size(oc_type type)
{
    return type == OC_F64 ? sizeof(double) : type == OC_F32 ? sizeof(float) : 1;
}

/* Returns the bytes of a folded row, or of a line. */
static uint64_t row_bytes(const oc_pooling *g)
{
    const uint64_t more = suits_line(g) ? LINE_ROOM + OC_POOL_SLACK : 0;
    return oc_cache_lines(((uint64_t)g->window.in[g->window.axes - 1] + more) * elem_size(g->type));
}

bool oc_pooling_scratch(const oc_pooling *g, int threads, uint64_t *bytes)
{
    const int last = g->window.axes - 1;
    const uint64_t elem = elem_size(g->type), most = UINT64_MAX / 4 / (uint64_t)oc_max(threads, 1);
    const uint64_t in = (uint64_t)g->window.in[last], out = (uint64_t)g->window.out[last];
    if (in > most / elem - LINE_ROOM - OC_POOL_SLACK - OC_CACHE_LINE || out > UINT64_MAX / 4 / elem)
        return false;
    *bytes = row_bytes(g) * (uint64_t)oc_max(threads, 1) +
             (g->kind == OC_POOL_AVERAGE ? oc_cache_lines(out * elem) : 0);
    return true;
}

/* Writes the counts of all columns to the end of the scratch memory. */
static void count_columns(job *t, void *count)
{
    const oc_pooling *g = t->g;
    const int last = g->window.axes - 1;
    t->count = count;
    OC_LOOP (&g->work, i, g->window.out[last], 1024) {
        const int64_t n = oc_window_count(&g->window, last, i, g->count_pad);
        if (g->type == OC_F64)
            ((double *)count)[i] = (double)n;
        else
            ((float *)count)[i] = (float)n;
    }
}

/* Chooses the blocks of a row. */
static void cut_blocks(job *t)
{
    const oc_window *w = &t->g->window;
    const int last = w->axes - 1;
    const int64_t columns = w->out[last];
    const int64_t most = oc_min(w->kernel[last], w->in[last]);
    const int64_t block = most ? BLOCK_WORK / most : columns;
    t->block = oc_max(block, LEAST_BLOCK);
    t->blocks = oc_div_up(columns, t->block);
}

void oc_pooling_run(const oc_pooling *g, void *scratch)
{
    const oc_window *w = &g->window;
    job t = {.g = g, .fold = pick_fold(g), .elem = elem_size(g->type), .pixels = 1, .rows = 1};
    assert(w->axes >= 1 && w->axes <= OC_WINDOW_AXES && g->planes >= 0);
    assert(g->type == OC_F32 || g->type == OC_F64 ||
           (g->kind == OC_POOL_MAX && (g->type == OC_I8 || g->type == OC_U8)));
    assert(!g->index || g->kind == OC_POOL_MAX);
    for (int a = 0; a < w->axes; a++) {
        assert(w->in[a] >= 0 && w->kernel[a] >= 1 && w->out[a] >= 0);
        assert(w->stride[a] >= 1 && w->dilation[a] >= 1);
        t.pixels *= w->in[a];
        t.rows *= a + 1 < w->axes ? w->out[a] : 1;
    }
    if (g->kind == OC_POOL_AVERAGE)
        t.count_of = g->count_pad ? OC_COUNT_ALL : OC_COUNT_IMAGE;
    cut_blocks(&t);
    t.useful = useful_taps(w, 0, w->out[w->axes - 1]);
    for (int64_t tap = 0; tap < KEPT && tap < w->kernel[w->axes - 1]; tap++)
        t.reach[tap] = reach_of(w, tap, 0, w->out[w->axes - 1]);
    t.folded = scratch;
    t.row_bytes = row_bytes(g);
    if (t.blocks == 1 && suits_line(g))
        t.line = line_of(w);
    if (g->kind == OC_POOL_AVERAGE)
        count_columns(&t, t.folded + t.row_bytes * (uint64_t)oc_work_most_tasks(&g->work));
    oc_work_run(&g->work, g->planes * t.rows * t.blocks, pool_rows, &t);
}
