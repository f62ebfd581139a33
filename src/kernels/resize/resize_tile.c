/* SPDX-License-Identifier: Apache-2.0
 * resize_tile.c - computes one tile of a pass, or of two passes that run as one. */
#include "kernels/resize/resize_tile.h"

#include "kernels/common/half.h"
#include "kernels/common/precondition.h"
#include "kernels/common/streaming_store.h"

enum { ALL_TAPS = INT32_MAX };

/* The memory of a task. Its numbers are floats or doubles. */
typedef struct work {
    _Alignas(64) char block[OC_RESIZE_SPAN * OC_BLOCK_BYTES];
    _Alignas(64) char lines[OC_RESIZE_COLS * OC_BLOCK_BYTES];
    _Alignas(64) double between[OC_RESIZE_ROWS * OC_RESIZE_SPAN];
    _Alignas(64) double sums[OC_RESIZE_BLOCK * OC_RESIZE_SPAN];
    _Alignas(64) double wide[OC_RESIZE_STEP * OC_RESIZE_SPAN];
    _Alignas(64) char elements[OC_RESIZE_SPAN * 8];
} work;

/* A tile: planes q0 to q1-1, in each of them the rows p0 to p1-1 of outputs, and of these the
 * columns c0 to c1-1. Columns are outputs of h, or without h elements. */
typedef struct tile {
    const oc_resize_tiles *t;
    work *w;
    int64_t q0, q1, p0, p1, c0, c1;
} tile;

/* Rows of elements, or of numbers between two passes, one after another. */
typedef struct rows {
    const void *data;
    oc_type type;
    int64_t stride;
} rows;

static const void *at(const rows *r, int64_t row, int64_t column)
{
    return (const char *)r->data + (size_t)(row * r->stride + column) * oc_type_size(r->type);
}

/* Returns the inputs under outputs first to end-1. */
static oc_span under(const oc_resize_taps *t, int64_t first, int64_t end)
{
    oc_span s = {INT64_MAX, 0};
    for (int64_t o = first; o < end; o++)
        if (t->count[o] > 0) {
            s.first = oc_min(s.first, t->first[o]);
            s.end = oc_max(s.end, t->first[o] + t->count[o]);
        }
    return s.first < s.end ? s : (oc_span){0, 1};
}

/* ---- outputs */

static char *output(const oc_resize_pass *p, int64_t row, int64_t column)
{
    const int64_t width = p->b_out * p->inner;
    return (char *)p->y + (size_t)(row * width + column) * oc_type_size(p->to);
}

/* Are sums written directly to the outputs? */
static bool direct(const oc_resize_pass *p)
{
    return p->to == p->real && !p->stream;
}

/* Turns sums into n outputs at y. */
static void put(const tile *x, void *y, const void *sums, int64_t n)
{
    const oc_resize_pass *p = x->t->p;
    void *to = p->stream ? x->w->elements : y;
    if (p->to == p->real) {
        oc_stream(y, sums, (size_t)n * oc_type_size(p->to));
        return;
    }
    if (x->t->finish)
        x->t->finish(to, sums, n);
    else
        x->t->half->narrow(to, sums, n);
    if (p->stream)
        oc_stream(y, to, (size_t)n * oc_type_size(p->to));
}

/* ---- the pass along an outer axis */

/* Turns some rows of x into numbers of the type of sums, one row after another. */
static void widen(const tile *x, const rows *from, int64_t row, int64_t n_rows, int64_t column,
                  int64_t n)
{
    const oc_resize_tiles *t = x->t;
    for (int64_t i = 0; i < n_rows; i++)
        if (t->widen)
            t->widen((char *)x->w->wide + (size_t)(i * n) * oc_type_size(t->p->real),
                     at(from, row + i, column), n);
        else
            t->half->widen((float *)x->w->wide + i * n, at(from, row + i, column), n);
}

/* y becomes the sums of output o; plane is the number of the first row of its plane. */
static void row_sums(const tile *x, void *y, const rows *from, int64_t plane, int64_t o,
                     int64_t column, int64_t n)
{
    const oc_resize_tiles *t = x->t;
    const oc_resize_taps *v = t->p->v;
    const size_t real = oc_type_size(t->p->real);
    oc_resize_rows_fn *sum = from->type == t->p->real ? t->sum_real : t->sum_from;
    const int64_t count = v->count[o], row = plane + v->first[o];
    const char *w = (const char *)v->weight + (size_t)(o * v->stride) * real;
    if (count == 0)
        memset(y, 0, (size_t)n * real);
    else if (sum)
        sum(y, at(from, row, column), from->stride, w, count, n, false);
    for (int64_t k = 0; k < count && !sum; k += OC_RESIZE_STEP) {
        const int64_t taps = oc_min(count - k, OC_RESIZE_STEP);
        widen(x, from, row + k, taps, column, n);
        t->sum_real(y, x->w->wide, n, w + (size_t)k * real, taps, n, k > 0);
    }
}

/* Computes outputs of the tile from rows. Each plane has `plane` of the rows; the first row has
 * number `first` in its plane. */
static void outer_pass(const tile *x, const rows *from, int64_t plane, int64_t first,
                       int64_t column)
{
    const oc_resize_pass *p = x->t->p;
    const int64_t inner = p->h ? p->inner : 1, n = (x->c1 - x->c0) * inner;
    for (int64_t q = x->q0; q < x->q1; q++)
        for (int64_t o = x->p0; o < x->p1; o++) {
            char *y = output(p, q * p->a_out + o, x->c0 * inner);
            void *sums = direct(p) ? (void *)y : x->w->sums;
            row_sums(x, sums, from, (q - x->q0) * plane - first, o, column, n);
            if (!direct(p))
                put(x, y, sums, n);
        }
}

/* ---- the pass along the innermost axis */

/* Computes lines of the sums of up to 16 rows, for outputs c0 to c1-1. */
static void line_sums(const tile *x, const rows *from, int64_t row, int64_t column, int n,
                      oc_span span)
{
    const oc_resize_tiles *t = x->t;
    const oc_resize_taps *h = t->p->h;
    const int64_t inner = t->p->inner, step = OC_RESIZE_SPAN / inner;
    oc_nchw16c_in_fn *in = from->type == t->p->real ? t->in_real : t->in_from;
    oc_resize_part part = {x->c0, x->c1, span.first, inner, 0, ALL_TAPS};
    if (span.end - span.first <= step) {
        in(x->w->block, at(from, row, column), from->stride, n, (span.end - span.first) * inner);
        t->lines(x->w->lines, x->w->block, h, &part);
        return;
    }
    /* an output with more taps than a block holds is computed step by step */
    assert(x->c1 - x->c0 == 1);
    OC_LOOP (&t->work, i, oc_div_up(h->count[x->c0], step), 4) {
        const int64_t k = i * step, taps = oc_min(step, h->count[x->c0] - k);
        in(x->w->block, at(from, row, column + k * inner), from->stride, n, taps * inner);
        part.from = span.first + k;
        part.tap_begin = k;
        part.tap_end = k + taps;
        t->lines(x->w->lines, x->w->block, h, &part);
    }
}

/* Can `halve` compute the tile's outputs from rows of this type? `halve` itself does not ask. */
static bool can_halve(const tile *x, const rows *from)
{
    const oc_resize_pass *p = x->t->p;
    return p->inner == 1 && from->type == OC_F32 && p->h->count[x->c0] > 1 &&
           p->h->count[x->c0] <= OC_RESIZE_SPAN && x->c0 >= p->h->halves.first &&
           x->c1 <= p->h->halves.end;
}

/* Returns those outputs of the tile that `stretch` can compute from rows of this type; none where
 * it is missing, or leaves more outputs than a few, which are computed one by one. */
static oc_span stretchable(const tile *x, const rows *from)
{
    const oc_resize_taps *h = x->t->p->h;
    const oc_span s = {oc_max(x->c0, h->doubles.first), oc_min(x->c1, h->doubles.end)};
    const int64_t n = s.end - s.first, others = x->c1 - x->c0 - n;
    const bool can = x->t->stretch && x->t->p->inner == 1 && from->type == OC_F32 && n >= 16 &&
                     others <= 4 && h->count[s.first] > 1 && h->count[s.first] <= 4;
    return can ? s : (oc_span){0, 0};
}

/* Computes output o from a row that begins with element number `first`. */
static float sum_one(const oc_resize_taps *h, const float *row, int64_t first, int64_t o)
{
    const float *w = (const float *)h->weight + o * h->stride;
    float sum = 0;
    for (int64_t k = 0; k < h->count[o]; k++) {
        const float product = w[k] * row[h->first[o] - first + k];
        sum = k ? sum + product : product;
    }
    return sum;
}

/* Computes the tile's outputs of such a row, those of s by stretch. */
static void stretch_row(const tile *x, float *y, const float *row, int64_t first, oc_span s)
{
    const oc_resize_taps *h = x->t->p->h;
    const float *const w = (const float *)h->weight + s.first * h->stride;
    const float *const from[] = {row + (h->first[s.first] - first),
                                 row + (h->first[s.first + 1] - first)};
    const float *const weights[] = {w, w + h->stride};
    for (int64_t o = x->c0; o < s.first; o++)
        y[o - x->c0] = sum_one(h, row, first, o);
    x->t->stretch(y + (s.first - x->c0), from, weights, h->count[s.first], s.end - s.first);
    for (int64_t o = s.end; o < x->c1; o++)
        y[o - x->c0] = sum_one(h, row, first, o);
}

/* Writes the sums of n_rows rows to rows of `stride` numbers at y. column is the first column of
 * `from` to read. */
static void sum_lines(const tile *x, const rows *from, int64_t row, int64_t n_rows, int64_t column,
                      void *y, int64_t stride)
{
    const oc_resize_tiles *t = x->t;
    const size_t real = oc_type_size(t->p->real);
    const int width = OC_BLOCK_BYTES / (int)real;
    const oc_resize_taps *h = t->p->h;
    if (can_halve(x, from)) {
        const float *w = (const float *)h->weight + x->c0 * h->stride;
        for (int64_t i = 0; i < n_rows; i++)
            t->halve((float *)y + i * stride, at(from, row + i, column), w, h->count[x->c0],
                     x->c1 - x->c0);
        return;
    }
    const oc_span span = under(h, x->c0, x->c1), some = stretchable(x, from);
    for (int64_t i = 0; i < n_rows && some.end; i++)
        stretch_row(x, (float *)y + i * stride, at(from, row + i, column), span.first, some);
    for (int64_t i = 0; i < n_rows && !some.end; i += width) {
        const int n = (int)oc_min(width, n_rows - i);
        line_sums(x, from, row + i, column, n, span);
        t->out_real((char *)y + (size_t)(i * stride) * real, stride, x->w->lines, n,
                    (x->c1 - x->c0) * t->p->inner);
    }
}

/* Computes outputs of the tile from rows that give one row of outputs each. */
static void inner_pass(const tile *x, const rows *from, int64_t row, int64_t column)
{
    const oc_resize_pass *p = x->t->p;
    const int64_t first = x->q0 * p->a_out + x->p0, start = x->c0 * p->inner;
    const int64_t n_rows = (x->q1 - x->q0) * (x->p1 - x->p0), n = (x->c1 - x->c0) * p->inner;
    if (direct(p)) {
        sum_lines(x, from, row, n_rows, column, output(p, first, start), p->b_out * p->inner);
        return;
    }
    const size_t real = oc_type_size(p->real);
    for (int64_t i = 0; i < n_rows; i += OC_RESIZE_BLOCK) {
        const int64_t some = oc_min(OC_RESIZE_BLOCK, n_rows - i);
        sum_lines(x, from, row + i, some, column, x->w->sums, n);
        for (int64_t k = 0; k < some; k++)
            put(x, output(p, first + i + k, start), (char *)x->w->sums + (size_t)(k * n) * real, n);
    }
}

/* ---- tiles */

static void columns_first(const tile *x, const rows *from, oc_span cols)
{
    const oc_resize_pass *p = x->t->p;
    const oc_span high = under(p->v, x->p0, x->p1);
    const bool whole = x->q1 - x->q0 > 1;
    const oc_span need = whole ? (oc_span){0, p->a_in} : high;
    const int64_t plane = need.end - need.first, n = (x->c1 - x->c0) * p->inner;
    const rows between = {x->w->between, p->real, n};
    sum_lines(x, from, x->q0 * p->a_in + need.first, (x->q1 - x->q0) * plane, cols.first * p->inner,
              x->w->between, n);
    outer_pass(x, &between, plane, need.first, 0);
}

static void rows_first(const tile *x, const rows *from, oc_span cols)
{
    const oc_resize_pass *p = x->t->p;
    const int64_t n = (cols.end - cols.first) * p->inner;
    const rows between = {x->w->between, p->real, n};
    char *y = (char *)x->w->between;
    for (int64_t q = x->q0; q < x->q1; q++)
        for (int64_t o = x->p0; o < x->p1; o++, y += (size_t)n * oc_type_size(p->real))
            row_sums(x, y, from, q * p->a_in, o, cols.first * p->inner, n);
    inner_pass(x, &between, 0, 0);
}

static void resample_tile(const tile *x)
{
    const oc_resize_pass *p = x->t->p;
    const rows from = {p->x, p->from, p->b_in * p->inner};
    if (!p->h) {
        const rows plane = {at(&from, x->q0 * p->a_in, 0), p->from, from.stride};
        outer_pass(x, &plane, p->a_in, 0, x->c0);
        return;
    }
    const oc_span cols = under(p->h, x->c0, x->c1);
    if (!p->v)
        inner_pass(x, &from, x->q0 * p->a_in + x->p0, cols.first * p->inner);
    else if (p->h_first)
        columns_first(x, &from, cols);
    else
        rows_first(x, &from, cols);
}

void oc_resize_tiles_run(const oc_resize_tiles *t, int64_t first, int64_t end, int task)
{
    const int64_t across = t->cols.n, down = t->rows.n;
    work *w = (work *)(void *)(t->memory + (size_t)task * oc_resize_tile_bytes());
    for (int64_t i = first; i < end; i++) {
        const int64_t c = i % across, r = i / across % down, q = i / across / down * t->group;
        const tile x = {.t = t,
                        .w = w,
                        .q0 = q,
                        .q1 = oc_min(q + t->group, t->p->planes),
                        .p0 = t->rows.cut[r],
                        .p1 = t->rows.cut[r + 1],
                        .c0 = t->cols.cut[c],
                        .c1 = t->cols.cut[c + 1]};
        resample_tile(&x);
    }
    if (t->p->stream)
        oc_stream_end();
}

size_t oc_resize_tile_bytes(void)
{
    return sizeof(work);
}
