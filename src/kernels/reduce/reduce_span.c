/* SPDX-License-Identifier: Apache-2.0
 * reduce_span.c - folds elements of neighbouring results row by row, or those of each result by
 * itself. */
#include "kernels/reduce/reduce_span.h"

#include "kernels/common/strided.h"

enum { ROWS_DOWN = 4 * OC_REDUCE_SUMS };

/* A position in a walk along some axes. */
typedef struct place {
    int64_t at[OC_MAX_RANK], offset;
} place;

/* Moves the position by n elements, at most to the end of the innermost axis. */
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

/* Returns the position of element number k. */
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

/* Returns n elements as partial results: in place if possible, else copied or converted to `to`. */
static const void *fetch(oc_reduce_space *s, void *to, const void *from, int64_t step, int64_t n)
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

void oc_reduce_push(oc_reduce_space *s, int64_t i, const void *sum, int64_t w)
{
    int l = 0;
    for (; i >> l & 1; l++) {
        s->fold->across(s->level[l], sum, w);
        sum = s->level[l];
    }
    memcpy(s->level[l], sum, (size_t)w * s->fold->size);
}

void oc_reduce_end_pushes(oc_reduce_space *s, int64_t n, const void *rest, int64_t w, void *result)
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

/* Folds the first `used` sums of s->part into the first one, and pushes it as block `block`. */
static void end_block(oc_reduce_space *s, int64_t block, int64_t used, int64_t w)
{
    const oc_fold *f = s->fold;
    const size_t row = (size_t)w * f->size;
    char *part = (char *)s->part;
    for (int64_t half = OC_REDUCE_SUMS / 2; half; half /= 2)
        if (used > half) {
            f->across(part, part + (size_t)half * row, (used - half) * w);
            used = half;
        }
    oc_reduce_push(s, block, part, w);
}

/* Returns how many of at most n rows from p on lie behind each other and can be fetched as one. */
static int64_t rows_at_once(const oc_reduce_walk *t, const oc_reduce_space *s, const place *p,
                            int64_t w, int64_t n)
{
    if (t->reduced.step != w || t->kept.step != 1 || s->shift)
        return 1;
    const int64_t room = OC_REDUCE_BLOCK / w, left = t->reduced.n - p->at[t->r->n_reduced - 1];
    n = oc_min(n, room);
    return oc_min(n, left);
}

/* Can the next 64 rows of the current block be folded as one? */
static bool are_rows_down(const oc_reduce_walk *t, const oc_reduce_space *s, const place *p,
                          int64_t j, int64_t n)
{
    if (n < ROWS_DOWN || !s->fold->down || t->kept.step != 1 || t->r->load || s->shift)
        return false; /* nothing is reduced, and n is 1 */
    const int64_t left = t->reduced.n - p->at[t->r->n_reduced - 1];
    return left >= ROWS_DOWN && j % OC_REDUCE_SUMS == 0 && j >= OC_REDUCE_SUMS &&
           j + ROWS_DOWN <= OC_REDUCE_BLOCK;
}

static void fold_rows_down(const oc_reduce_walk *t, oc_reduce_space *s, const char *x, int64_t w)
{
    const int64_t step = t->reduced.step, size = (int64_t)s->fold->size;
    for (int64_t sum = 0; sum < OC_REDUCE_SUMS; sum++)
        s->fold->down((char *)s->part + sum * w * size, x + sum * step * size,
                      OC_REDUCE_SUMS * step, w);
}

/* Folds elements k.first to k.end-1; k.first is a multiple of a block's size. */
static void fold_rows(const oc_reduce_walk *t, oc_reduce_space *s, const char *x, int64_t w,
                      oc_span k, void *result)
{
    const oc_reduce *r = t->r;
    const size_t row = (size_t)w * s->fold->size;
    place p = place_of(r->reduced, r->n_reduced, k.first);
    const int64_t n = k.end - k.first, blocks = oc_div_up(n, OC_REDUCE_BLOCK);
    OC_LOOP (&t->work, block, blocks, 4) {
        const int64_t all = n - block * OC_REDUCE_BLOCK;
        const int64_t end = oc_min(all, OC_REDUCE_BLOCK);
        for (int64_t j = 0, some; j < end; j += some) {
            const int64_t sum = j % OC_REDUCE_SUMS;
            /* number of rows up to the last partial result */
            const int64_t left = OC_REDUCE_SUMS - sum;
            const char *at = x + p.offset * (int64_t)r->x_size;
            if (are_rows_down(t, s, &p, j, all - j)) {
                some = ROWS_DOWN;
                fold_rows_down(t, s, at, w);
            } else {
                some = rows_at_once(t, s, &p, w, oc_min(end - j, left));
                const void *from = fetch(s, s->load, at, t->kept.step, some * w);
                char *part = (char *)s->part + (size_t)sum * row;
                if (j < OC_REDUCE_SUMS)
                    memcpy(part, from, (size_t)some * row);
                else
                    s->fold->across(part, from, some * w);
            }
            advance(&p, r->reduced, r->n_reduced, some);
        }
        end_block(s, block, oc_min(end, OC_REDUCE_SUMS), w);
    }
    oc_reduce_end_pushes(s, blocks, NULL, w, result);
}

/* Returns the next n elements of a line, after the `done` that have been passed in the innermost
 * axis. */
static const void *fetch_line(const oc_reduce_walk *t, oc_reduce_space *s, const char *x, place *p,
                              int64_t *done, int64_t n)
{
    const oc_reduce *r = t->r;
    const void *first = s->load;
    for (int64_t have = 0; have < n;) {
        const int64_t left = t->reduced.n - *done, piece = oc_min(n - have, left);
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

/* Folds a block, or less, of several lines each. When elements are loaded, they lie in s->load
 * for as many lines as fit. */
static void fold_some_lines(const oc_reduce *r, oc_reduce_space *s, char *result, const char *x,
                            int64_t n, int64_t step, int64_t lines)
{
    const int64_t most = step == n ? OC_REDUCE_BLOCK / n : 1;
    if (r->lines)
        r->lines(result, x, n, step, lines);
    for (int64_t i = 0, some; i < lines && !r->lines; i += some) {
        some = oc_min(lines - i, most);
        r->load(r->ctx, s->load, x + i * step * (int64_t)r->x_size, some * n);
        s->fold->lines(result + i * (int64_t)s->fold->size, s->load, n, n, some);
    }
}

/* Folds lines whose elements lie side by side, block by block: several blocks of one line at a
 * time, or one block of each of w lines. */
static void fold_lines(const oc_reduce_walk *t, oc_reduce_space *s, const char *x, int64_t w,
                       oc_span k, void *result)
{
    const oc_reduce *r = t->r;
    const int64_t n = k.end - k.first, blocks = oc_div_up(n, OC_REDUCE_BLOCK);
    const int64_t step = t->kept.step * (int64_t)r->x_size, size = (int64_t)s->fold->size;
    x += k.first * (int64_t)r->x_size;
    if (blocks == 1) {
        fold_some_lines(r, s, result, x, n, t->kept.step, w);
        return;
    }
    for (int64_t i = 0; i < w; i++, x += step) {
        const char *at = x;
        OC_LOOP (&t->work, group, (blocks + OC_REDUCE_SUMS - 1) / OC_REDUCE_SUMS, 4) {
            const int64_t done = group * OC_REDUCE_SUMS;
            const int64_t whole = n / OC_REDUCE_BLOCK - done, most = OC_REDUCE_SUMS;
            const int64_t some = oc_min(whole, most);
            char *sums = (char *)s->part;
            fold_some_lines(r, s, sums, at, OC_REDUCE_BLOCK, OC_REDUCE_BLOCK, some);
            at += some * OC_REDUCE_BLOCK * (int64_t)r->x_size;
            if (some < most && n % OC_REDUCE_BLOCK)
                fold_some_lines(r, s, sums + some * size, at, n % OC_REDUCE_BLOCK, 0, 1);
            for (int64_t j = 0; j < most && done + j < blocks; j++)
                oc_reduce_push(s, done + j, sums + j * size, 1);
        }
        oc_reduce_end_pushes(s, blocks, NULL, 1, (char *)result + i * size);
    }
}

static void fold_line(const oc_reduce_walk *t, oc_reduce_space *s, const char *x, oc_span k,
                      void *result)
{
    const size_t size = s->fold->size;
    const oc_reduce *r = t->r;
    place p = place_of(r->reduced, r->n_reduced - 1, k.first / t->reduced.n);
    const int64_t blocks = oc_div_up(k.end - k.first, OC_REDUCE_BLOCK);
    int64_t done = k.first % t->reduced.n;
    OC_LOOP (&t->work, block, blocks, 8) {
        const int64_t i = k.first + block * OC_REDUCE_BLOCK;
        const int64_t n = oc_min(k.end - i, OC_REDUCE_BLOCK);
        const int64_t used = oc_min(n, OC_REDUCE_SUMS);
        const char *from = fetch_line(t, s, x, &p, &done, n);
        memcpy(s->part, from, (size_t)used * size);
        if (n > used)
            s->fold->along(s->part, from + (size_t)used * size, n - used);
        end_block(s, block, used, 1);
    }
    oc_reduce_end_pushes(s, blocks, NULL, 1, result);
}

/* ---- a tile */

/* Are the elements one block of 16 results side by side, as channels in NCHW16c are? */
static bool is_beside(const oc_reduce_walk *t, const oc_reduce_space *s, int64_t w, oc_span k)
{
    return s->fold->beside && w == OC_REDUCE_SUMS && t->kept.step == 1 && t->r->n_reduced == 1 &&
           t->reduced.step == w && k.end - k.first <= OC_REDUCE_BLOCK && !t->r->load && !s->shift;
}

void oc_reduce_span(const oc_reduce_walk *t, oc_reduce_space *s, const char *x, int64_t w,
                    oc_span k, void *result)
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
    const bool loads = t->r->load && s->fold->lines && !s->shift;
    if ((t->r->lines || loads) && t->reduced.step == 1 && t->r->n_reduced == 1) {
        fold_lines(t, s, x, w, k, result);
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
