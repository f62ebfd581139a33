/* SPDX-License-Identifier: Apache-2.0
 * resize_nearest.c - picks rows, and writes them to all outputs that they give. */
#include "kernels/resize/resize_nearest.h"

#include "kernels/common/streaming_store.h"
#include "kernels/resize/resize_sum.h"

enum { PART = 16 << 10, ROWS_OF_UNIT = 16 };

typedef struct walk {
    const oc_resize *r;
    int axis;                /* the last axis that changes */
    const int64_t *index;    /* the element picked for each output along this axis */
    int64_t rows;            /* rows of outputs */
    int64_t n_in, n_out;     /* blocks of a row of x, and of a row of outputs */
    size_t block;            /* bytes of a block */
    int64_t part, parts;     /* blocks of a part of a row, an even number; parts of a row */
    oc_resize_move_fn *move; /* skip or twice, where every second block is picked, or each twice */
    oc_resize_pick_fn *pick; /* NULL: blocks are copied one by one */
    bool stream;
} walk;

/* Returns the number of outputs along axes first to end-1. */
static int64_t product(const oc_resize *r, int first, int end)
{
    int64_t n = 1;
    for (int a = first; a < end; a++)
        n *= r->n_out[a];
    return n;
}

/* Does the index name every second block? */
static bool skips(const walk *w)
{
    OC_LOOP (&w->r->work, i, w->n_out - 1, 1024)
        if (w->index[i + 1] != w->index[i] + 2)
            return false;
    return true;
}

/* Does the index name blocks 0, 0, 1, 1, 2 and so on? */
static bool repeats(const walk *w)
{
    OC_LOOP (&w->r->work, i, w->n_out, 1024)
        if (w->index[i] != i / 2)
            return false;
    return true;
}

static void pick_by_size(walk *w)
{
    const oc_resize_variant *v;
    for (int k = 0; k < 5; k++)
        if (w->block == (size_t)1 << k) {
            OC_VARIANT_PICK(v, oc_resize_variants, pick[k], w->r->cpu);
            w->pick = v->pick[k];
        }
    for (int k = 0; k < 3; k++)
        if (w->block == (size_t)1 << k) {
            OC_VARIANT_PICK(v, oc_resize_variants, skip[k], w->r->cpu);
            w->move = skips(w) ? v->skip[k] : repeats(w) ? v->twice[k] : NULL;
        }
}

static walk walk_new(const oc_resize *r)
{
    walk w = {.r = r};
    for (int a = 0; a < r->rank; a++)
        if (r->taps[a] && !r->taps[a]->identity)
            w.axis = a;
    w.index = r->taps[w.axis]->first;
    w.rows = product(r, 0, w.axis);
    w.n_in = r->n_in[w.axis];
    w.n_out = r->n_out[w.axis];
    w.block = (size_t)product(r, w.axis + 1, r->rank) * oc_type_size(r->type);
    w.part = w.block < PART ? PART / (int64_t)w.block : 1;
    w.parts = oc_div_up(w.n_out, w.part);
    w.stream = OC_STREAMS && w.rows * w.n_out > OC_RESIZE_STREAM / (int64_t)w.block;
    pick_by_size(&w);
    return w;
}

/* Returns the number of the row of x that gives a row of outputs. */
static int64_t source(const walk *w, int64_t row)
{
    const oc_resize *r = w->r;
    int64_t from = 0, step = 1;
    for (int a = w->axis - 1; a >= 0; a--) {
        const int64_t o = row % r->n_out[a];
        row /= r->n_out[a];
        from += (r->taps[a] ? r->taps[a]->first[o] : o) * step;
        step *= r->n_in[a];
    }
    return from;
}

static void pick(const walk *w, char *y, const char *x, int64_t first, int64_t n)
{
    if (w->move)
        w->move(y, x + (size_t)w->index[first] * w->block, n);
    else if (w->pick)
        w->pick(y, x, w->index + first, n);
    for (int64_t i = 0; i < n && !w->pick; i++)
        memcpy(y + (size_t)i * w->block, x + (size_t)w->index[first + i] * w->block, w->block);
}

/* Part `part` of some rows of outputs. Large blocks go straight to their place. */
static void copy_part_of_rows(const walk *w, oc_span rows, int64_t part)
{
    _Alignas(OC_CACHE_LINE) char picked[PART];
    const int64_t first = part * w->part;
    const int64_t n = oc_min(w->n_out - first, w->part);
    const size_t size = (size_t)n * w->block;
    int64_t held = -1, next = source(w, rows.first);
    for (int64_t row = rows.first; row < rows.end; row++) {
        const int64_t from = next;
        char *y = (char *)w->r->y + (size_t)(row * w->n_out + first) * w->block;
        const char *x = (const char *)w->r->x + (size_t)(from * w->n_in) * w->block;
        next = row + 1 < rows.end ? source(w, row + 1) : -1;
        if (size > PART || (!w->stream && held != from && next != from)) {
            pick(w, y, x, first, n);
            continue;
        }
        if (held != from)
            pick(w, picked, x, first, n);
        held = from;
        if (w->stream)
            oc_stream(y, picked, size);
        else
            memcpy(y, picked, size);
    }
}

static void copy_rows(void *arg, OC_UNUSED int task, int64_t first, int64_t last)
{
    const walk *w = arg;
    for (int64_t u = first; u < last; u++) {
        const int64_t row = u / w->parts * ROWS_OF_UNIT;
        const int64_t end = w->rows - row < ROWS_OF_UNIT ? w->rows : row + ROWS_OF_UNIT;
        copy_part_of_rows(w, (oc_span){row, end}, u % w->parts);
    }
    if (w->stream)
        oc_stream_end();
}

void oc_resize_nearest_run(const oc_resize *r)
{
    walk w = walk_new(r);
    oc_work_run(&r->work, oc_div_up(w.rows, ROWS_OF_UNIT) * w.parts, copy_rows, &w);
}
