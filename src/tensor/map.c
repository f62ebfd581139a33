/* SPDX-License-Identifier: Apache-2.0
 * map.c - the loop over rows behind element-by-element functions. */
#include "tensor/map.h"

#include "base/int.h"

/* PIECE is the number of elements in a piece of a row, STRIP how many are converted at a time. */
enum { PIECE = OC_GRAIN_ELEMENTS, STRIP = 512 };

/* One call of oc_map or oc_map_wide. n counts the axes of the result after merging, innermost
 * last. step is in elements; 0 where an operand repeats. */
typedef struct walk {
    int rank, n_x;
    int64_t n[OC_MAX_RANK];
    int64_t step[OC_MAP_OPERANDS][OC_MAX_RANK];
    int64_t rows, row;  /* number of rows, and of elements in one row */
    int64_t row_pieces; /* number of pieces that a row is cut into */
    int64_t piece;
    char *y;
    size_t y_size;
    const char *x[OC_MAP_OPERANDS];
    size_t x_size[OC_MAP_OPERANDS];
    oc_type x_type, y_type;
    const oc_wide *wide; /* NULL: fn gets the elements without conversion */
    oc_row_fn *fn;
    const void *ctx; /* passed to fn */
} walk;

/* Finds the steps of operand x along the axes of y. */
static void operand_steps(const oc_dims *y, const oc_dims *x, int64_t step[OC_MAX_RANK])
{
    int64_t s = 1;
    for (int a = y->rank - 1, b = x->rank - 1; a >= 0; a--, b--) {
        const int64_t n = b < 0 ? 1 : x->n[b];
        step[a] = n == 1 ? 0 : s;
        s *= n;
    }
}

static bool may_merge(const walk *w, int last, int64_t n, const int64_t step[])
{
    for (int k = 0; k < w->n_x; k++)
        if (w->step[k][last] != step[k] * n)
            return false;
    return true;
}

/* Drops axes of size 1. Merges an axis with the one outside of it when every operand steps
 * through both as through one axis. */
static void merge_axes(walk *w, const oc_dims *y, int64_t all[OC_MAP_OPERANDS][OC_MAX_RANK])
{
    for (int a = 0; a < y->rank; a++) {
        int64_t step[OC_MAP_OPERANDS] = {0};
        for (int k = 0; k < w->n_x; k++)
            step[k] = all[k][a];
        if (y->n[a] == 1)
            continue;
        const bool merged = w->rank && may_merge(w, w->rank - 1, y->n[a], step);
        const int at = merged ? w->rank - 1 : w->rank++;
        w->n[at] = merged ? w->n[at] * y->n[a] : y->n[a];
        for (int k = 0; k < w->n_x; k++)
            w->step[k][at] = step[k];
    }
    if (w->rank == 0) {
        w->n[0] = 1;
        w->rank = 1;
    }
}

/* Runs fn on n elements, strip by strip. */
static void run_wide(const walk *w, char *y, const void *const x[], const int64_t step[], int64_t n)
{
    enum { GAP = 64 }; /* in bytes; keeps the strips from sharing places in the cache */
    _Alignas(GAP) char room[(OC_MAP_OPERANDS + 1) * (STRIP * sizeof(double) + GAP)];
    const oc_wide *wide = w->wide;
    const size_t size = STRIP * oc_type_size(wide->type) + GAP;
    char *result = room + (size_t)w->n_x * size;
    const void *row[OC_MAP_OPERANDS];
    for (int k = 0; k < w->n_x; k++)
        row[k] = room + (size_t)k * size;
    for (int64_t done = 0; done < n; done += STRIP) {
        const int64_t part = oc_min(n - done, STRIP);
        char *to = y + (size_t)done * w->y_size;
        for (int k = 0; k < w->n_x; k++)
            if (step[k] || done == 0)
                wide->convert(wide->cpu, room + (size_t)k * size, wide->type,
                              (const char *)x[k] + (size_t)(done * step[k]) * w->x_size[k],
                              w->x_type, step[k] ? part : 1);
        if (w->y_type != w->x_type) {
            w->fn(to, row, step, part, w->ctx);
            continue;
        }
        w->fn(result, row, step, part, w->ctx);
        wide->convert(wide->cpu, to, w->y_type, result, wide->type, part);
    }
}

/* Computes the piece of the row that begins at element from. */
static void map_piece(const walk *w, int64_t row, int64_t from)
{
    const int inner = w->rank - 1;
    const void *x[OC_MAP_OPERANDS];
    int64_t step[OC_MAP_OPERANDS], at[OC_MAP_OPERANDS] = {0}, rest = row;
    for (int a = inner - 1; a >= 0; a--) {
        const int64_t i = rest % w->n[a];
        rest /= w->n[a];
        for (int k = 0; k < w->n_x; k++)
            at[k] += i * w->step[k][a];
    }
    for (int k = 0; k < w->n_x; k++) {
        step[k] = w->step[k][inner];
        x[k] = w->x[k] + (size_t)(at[k] + from * step[k]) * w->x_size[k];
    }
    const int64_t n = oc_min(w->row - from, w->piece);
    char *y = w->y + (size_t)(row * w->row + from) * w->y_size;
    if (w->wide)
        run_wide(w, y, x, step, n);
    else
        w->fn(y, x, step, n, w->ctx);
}

static void map_pieces(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const walk *w = arg;
    for (int64_t i = first; i < end; i++)
        map_piece(w, i / w->row_pieces, i % w->row_pieces * w->piece);
}

/* Fills y. The caller has set wide, fn and ctx of w; this function sets the rest. */
static void map(walk *w, oc_value *y, const oc_value *const x[], int n_x, const oc_work *work)
{
    w->n_x = n_x;
    w->y = y->data;
    w->y_type = y->type;
    w->x_type = x[0]->type;
    w->y_size = oc_type_size(y->type);
    int64_t all[OC_MAP_OPERANDS][OC_MAX_RANK];
    const int64_t count = oc_value_n(y);
    if (count == 0)
        return;
    for (int k = 0; k < n_x; k++) {
        w->x[k] = x[k]->data;
        w->x_size[k] = oc_type_size(x[k]->type);
        operand_steps(&y->dims, &x[k]->dims, all[k]);
    }
    merge_axes(w, &y->dims, all);
    w->row = w->n[w->rank - 1];
    w->rows = count / w->row;
    w->piece = PIECE;
    w->row_pieces = oc_div_up(w->row, PIECE);
    const oc_work some = oc_work_for(work, (double)count * OC_ELEMENT);
    oc_work_run(&some, w->rows * w->row_pieces, map_pieces, w);
}

void oc_map(oc_value *y, const oc_value *const x[], int n_x, oc_row_fn *row, const void *ctx,
            const oc_work *w)
{
    oc_map_wide(y, x, n_x, row, ctx, NULL, w);
}

/* Are all elements one short row? Then an operand with as many elements as y steps along with y,
 * and an operand of one element repeats. */
static bool is_short_row(const oc_value *y, const oc_value *const x[], int n_x, const void **data,
                         int64_t *step)
{
    const int64_t count = oc_value_n(y);
    for (int k = 0; k < n_x; k++) {
        const int64_t n = oc_value_n(x[k]);
        if (n != count && n != 1)
            return false;
        data[k] = x[k]->data;
        step[k] = n > 1;
    }
    return count > 0 && count <= PIECE;
}

void oc_map_wide(oc_value *y, const oc_value *const x[], int n_x, oc_row_fn *row, const void *ctx,
                 const oc_wide *wide, const oc_work *w)
{
    const void *data[OC_MAP_OPERANDS];
    int64_t step[OC_MAP_OPERANDS];
    if (!wide && is_short_row(y, x, n_x, data, step)) {
        if (!oc_work_ended(w))
            row(y->data, data, step, oc_value_n(y), ctx);
        return;
    }
    map(&(walk){.wide = wide, .fn = row, .ctx = ctx}, y, x, n_x, w);
}
