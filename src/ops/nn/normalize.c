/* SPDX-License-Identifier: Apache-2.0
 * normalize.c - reads and normalises the rows of a tensor, for the normalising operators. */
#include "ops/nn/normalize.h"

#include "kernels/normalize/normalize.h"

#include <math.h>

enum {
    READS = 3,      /* reads of an element: for the mean, the variance, and the result */
    LINES = 16,     /* most rows read together if neighbouring elements belong to different rows */
    TOGETHER = 16,  /* most short rows that are measured together */
    WIDE = 1 << 11, /* most converted elements of short rows that are measured together */
    PIECE = 1024    /* elements of a row that are mapped at a time */
};

typedef struct job {
    const oc_norm *norm;
    const oc_row_fns *fns, *last_fns; /* row functions in the types norm->real and norm->last */
    const oc_value *x;
    oc_value *y;
    unsigned cpu;
    bool dense; /* the elements of a row are contiguous */
    /* true: a row has few elements, in one type, so several rows are computed together */
    bool is_short;
    int64_t together;
    int64_t rows, n;   /* number of rows; elements of a row */
    oc_dims kept, box; /* axes between rows; axes of a row, and then, if not dense, the lines */
    int64_t kept_step[OC_MAX_RANK], step[OC_MAX_RANK], row_step[OC_MAX_RANK];
    int64_t lines, line_blocks, blocks;
    uint64_t part; /* bytes of one of a task's buffers */
    char *scratch; /* BUFFERS buffers for each task */
    oc_work work;
} job;

enum { RAW_IN, WIDE_IN, TO_SCALE, RAW_OUT, BUFFERS };

/* ---- where rows are ---- */

/* Puts the axes of a row into box and the others into kept; drops those of size 1. */
static void divide_axes(job *t)
{
    int64_t steps[OC_MAX_RANK];
    const oc_dims *d = &t->x->dims;
    oc_dims_strides(d, steps);
    t->dense = true;
    for (int a = 0; a < d->rank; a++) {
        if (d->n[a] == 1)
            continue;
        const bool in_row = t->norm->axes[a];
        oc_dims *to = in_row ? &t->box : &t->kept;
        (in_row ? t->step : t->kept_step)[to->rank] = steps[a];
        to->n[to->rank++] = d->n[a];
        t->dense = t->dense && (in_row || t->box.rank == 0);
    }
    t->n = oc_dims_count(&t->box);
    t->rows = oc_dims_count(&t->kept);
    t->lines = 1;
    if (!t->dense && t->rows && t->kept_step[t->kept.rank - 1] == 1)
        t->lines = t->kept.n[t->kept.rank - 1] < LINES ? t->kept.n[t->kept.rank - 1] : LINES;
}

static void plan(job *t)
{
    divide_axes(t);
    if (t->rows == 0)
        return;
    const int64_t last = t->lines > 1 ? t->kept.n[t->kept.rank - 1] : 1;
    t->line_blocks = oc_div_up(last, t->lines);
    t->blocks = t->rows / last * t->line_blocks;
    oc_dims_strides(&t->box, t->row_step);
    if (t->dense)
        return;
    t->step[t->box.rank] = 1; /* the lines are one more axis */
    t->row_step[t->box.rank] = t->n;
    t->box.rank++;
}

/* Returns the first row of a block; *lines becomes the number of its rows. */
static int64_t first_row(const job *t, int64_t block, int64_t *lines)
{
    const int64_t last = t->lines > 1 ? t->kept.n[t->kept.rank - 1] : 1;
    const int64_t line = block % t->line_blocks * t->lines;
    *lines = oc_min(last - line, t->lines);
    return block / t->line_blocks * last + line;
}

/* Returns the offset of a row in x, in elements. */
static int64_t row_offset(const job *t, int64_t row)
{
    int64_t at = 0;
    if (t->dense)
        return row * t->n;
    for (int a = t->kept.rank - 1; a >= 0; a--) {
        at += row % t->kept.n[a] * t->kept_step[a];
        row /= t->kept.n[a];
    }
    return at;
}

/* ---- one row ---- */

static double in_real(const oc_norm *norm, double x)
{
    return norm->real == OC_F64 ? x : (double)(float)x;
}

static void save(oc_value *to, int64_t row, double x)
{
    if (to)
        oc_convert((char *)to->data + (size_t)row * oc_type_size(to->type), to->type, &x, OC_F64, 1,
                   false);
}

/* Sums the elements of count rows, which are several if rows are short. */
static void sum_rows(const job *t, const void *x, int64_t count, double *sum)
{
    if (t->is_short)
        t->fns->sums(sum, x, t->n, count);
    else
        *sum = t->fns->sum(x, t->n, &t->work);
}

static void sum_squares(const job *t, const void *x, int64_t count, double *sum)
{
    if (t->is_short)
        t->fns->square_sums(sum, x, t->n, count);
    else
        *sum = t->fns->sum_squares(x, t->n, &t->work);
}

static void find_moments(const job *t, const void *x, int64_t count, const double *mean,
                         oc_row_moments *m)
{
    if (t->is_short)
        t->fns->moments_of_rows(m, x, t->n, count, mean);
    else
        *m = t->fns->moments(x, t->n, *mean, &t->work);
}

/* Returns the mean. It was rounded twice, as a sum and to norm->real, so the deviations from it do
 * not add up to 0; their sum corrects both the mean and the variance. The mean of a row of equal
 * numbers is exact. */
static double correct_mean(const job *t, double mean, const oc_row_moments *m, double *variance)
{
    const double n = (double)t->n, error = m->sum / n;
    *variance = m->squares / n;
    if (!isfinite(error))
        return mean;
    if (isfinite(*variance)) {
        const double less = *variance - error * error;
        *variance = less > 0 ? less : 0;
    }
    return in_real(t->norm, mean + error);
}

/* Squares of deviations that are but rounding errors of a huge mean may overflow. Around the
 * corrected mean, which is the center, they do not. */
static double find_variance(const job *t, const void *x, double center)
{
    oc_row_moments m;
    double variance;
    find_moments(t, x, 1, &center, &m);
    correct_mean(t, center, &m, &variance);
    return variance;
}

/* Finds the centers and variances of rows. */
static void center_rows(const job *t, const void *x, int64_t count, double *center,
                        double *variance)
{
    oc_row_moments m[TOGETHER];
    const double n = (double)t->n;
    sum_rows(t, x, count, center);
    for (int64_t i = 0; i < count; i++)
        center[i] = in_real(t->norm, center[i] / n);
    find_moments(t, x, count, center, m);
    for (int64_t i = 0; i < count; i++) {
        center[i] = correct_mean(t, center[i], &m[i], &variance[i]);
        if (!isfinite(variance[i]) && isfinite(center[i]))
            variance[i] = find_variance(
                t, (const char *)x + (size_t)(i * t->n) * oc_type_size(t->norm->real), center[i]);
    }
}

/* Computes centers and divisors of rows from number `row` on. */
static void measure(const job *t, const void *x, int64_t row, int64_t count, oc_row_map *map)
{
    const oc_norm *m = t->norm;
    double center[TOGETHER] = {0}, divisor[TOGETHER];
    if (m->kind == OC_NORM_VARIANCE)
        center_rows(t, x, count, center, divisor);
    else if (m->kind == OC_NORM_L1)
        *divisor = t->fns->sum_abs(x, t->n, &t->work);
    else
        sum_squares(t, x, count, divisor);
    for (int64_t i = 0; i < count; i++) {
        double d = divisor[i];
        if (m->kind == OC_NORM_VARIANCE)
            d = sqrt(d + m->epsilon) + m->extra;
        else if (m->kind == OC_NORM_RMS)
            d = sqrt(d / (double)t->n + m->epsilon);
        else if (m->kind == OC_NORM_L2)
            d = sqrt(d);
        d = in_real(m, d);
        if (m->kind >= OC_NORM_L1 && d == 0)
            d = INFINITY; /* the elements are zeros and stay zeros */
        map[i] = (oc_row_map){.center = center[i], .divisor = d};
        save(m->mean, row + i, center[i]);
        save(m->inverse, row + i, 1 / d);
    }
}

/* Maps n elements by fns->divide, in pieces that become elements of type `to` at y. */
static void map_row(const job *t, const oc_row_fns *fns, oc_type type, void *y, oc_type to,
                    const void *x, int64_t n, oc_row_map map)
{
    double made[PIECE];
    const size_t size = oc_type_size(type), step = map.step ? size : 0;
    const oc_row_map all = map;
    OC_LOOP (&t->work, i, oc_div_up(n, PIECE), 16) {
        const size_t at = (size_t)i * PIECE;
        const int64_t some = oc_min(n - i * PIECE, PIECE);
        char *result = (char *)y + at * oc_type_size(to);
        if (all.scale)
            map.scale = (const char *)all.scale + step * at;
        if (all.bias)
            map.bias = (const char *)all.bias + step * at;
        fns->divide(to == type ? (void *)result : made, (const char *)x + size * at, some, &map);
        if (to != type)
            oc_convert_fast(t->cpu, result, to, made, type, some);
    }
}

static void normalize_row(const job *t, void *y, const void *x, int64_t row, char *scratch)
{
    const oc_norm *m = t->norm;
    const oc_row_fns *fns = t->fns;
    oc_row_map map;
    measure(t, x, row, 1, &map);
    if (m->last != m->real) {
        map_row(t, fns, m->real, scratch + TO_SCALE * t->part, m->last, x, t->n, map);
        x = scratch + TO_SCALE * t->part;
        fns = t->last_fns;
        map = (oc_row_map){.divisor = 1};
    }
    const size_t size = oc_type_size(m->last);
    const int64_t piece = m->piece > 1 ? m->piece : t->n;
    map.step = m->piece == 1;
    OC_LOOP (&t->work, i, piece ? oc_div_up(t->n, piece) : 0, 64) {
        const int64_t at = i * piece;
        if (m->scale) {
            const int64_t factor = (row * t->n + at) / m->piece;
            map.scale = (const char *)m->scale + (size_t)(factor % m->scales) * size;
            if (m->bias)
                map.bias = (const char *)m->bias + (size_t)(factor % m->biases) * size;
        }
        map_row(t, fns, m->last, (char *)y + (size_t)at * oc_type_size(t->y->type), t->y->type,
                (const char *)x + (size_t)at * size, piece, map);
    }
}

/* ---- all rows ---- */

/* Reads, computes and writes the rows of a block. A conversion or a copy is left out where the
 * types or the places of the elements do not require it. */
static void normalize_block(const job *t, int64_t block, char *scratch)
{
    const oc_work *w = &t->work;
    const oc_type real = t->norm->real, in = t->x->type, out = t->y->type;
    int64_t lines;
    const int64_t first = first_row(t, block, &lines), at = row_offset(t, first);
    const char *x = (const char *)t->x->data + (size_t)at * oc_type_size(in);
    char *y = (char *)t->y->data + (size_t)at * oc_type_size(out);
    char *to = t->dense ? y : scratch + RAW_OUT * t->part;
    oc_dims box = t->box;
    if (!t->dense) {
        box.n[box.rank - 1] = lines;
        oc_work_move(w, scratch + RAW_IN * t->part, t->row_step, x, t->step, &box,
                     oc_type_size(in));
        x = scratch + RAW_IN * t->part;
    }
    if (in != real) {
        oc_work_convert(w, t->cpu, scratch + WIDE_IN * t->part, real, x, in, lines * t->n);
        x = scratch + WIDE_IN * t->part;
    }
    const int64_t step = t->n * (int64_t)oc_type_size(real);
    const int64_t to_step = t->n * (int64_t)oc_type_size(out);
    for (int64_t i = 0; i < lines; i++)
        normalize_row(t, to + i * to_step, x + i * step, first + i, scratch);
    if (!t->dense)
        oc_work_move(w, y, t->step, to, t->row_step, &box, oc_type_size(out));
}

/* Returns elements from number `at` on in norm's type: in place, or converted in scratch memory. */
static char *place_of(const job *t, const oc_value *v, int64_t at, char *scratch)
{
    const size_t size = oc_type_size(v->type);
    return v->type == t->norm->real ? (char *)v->data + (size_t)at * size : scratch;
}

/* Normalises short rows, several at a time. */
static void normalize_short_rows(const job *t, int64_t first, int64_t end, char *scratch)
{
    const oc_norm *m = t->norm;
    const size_t size = oc_type_size(m->real);
    for (int64_t row = first, count; row < end; row += count) {
        oc_row_map map[TOGETHER];
        const int64_t at = row * t->n;
        char *x = place_of(t, t->x, at, scratch);
        char *y = place_of(t, t->y, at, scratch ? scratch + t->part : NULL);
        count = oc_min(end - row, t->together);
        if (t->x->type != m->real)
            oc_convert_fast(t->cpu, x, m->real,
                            (const char *)t->x->data + (size_t)at * oc_type_size(t->x->type),
                            t->x->type, count * t->n);
        measure(t, x, row, count, map);
        for (int64_t i = 0; i < count && m->scale; i++) {
            const int64_t factor = (row + i) * t->n;
            map[i].step = 1;
            map[i].scale = (const char *)m->scale + (size_t)(factor % m->scales) * size;
            if (m->bias)
                map[i].bias = (const char *)m->bias + (size_t)(factor % m->biases) * size;
        }
        t->fns->divide_rows(y, x, t->n, count, map);
        if (t->y->type != m->real)
            oc_convert_fast(t->cpu, (char *)t->y->data + (size_t)at * oc_type_size(t->y->type),
                            t->y->type, y, m->real, count * t->n);
    }
}

static void normalize_blocks(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    char *scratch = t->scratch ? t->scratch + (size_t)task * BUFFERS * t->part : NULL;
    if (t->is_short) {
        normalize_short_rows(t, first, end, scratch);
        return;
    }
    for (int64_t block = first; block < end; block++)
        normalize_block(t, block, scratch);
}

oc_status oc_norm_run(oc_call *c, const oc_value *x, const oc_norm *norm)
{
    job t = {.norm = norm, .x = x, .y = oc_out(c, 0), .cpu = oc_call_cpu(c)};
    t.fns = oc_row_fns_pick(norm->real, t.cpu);
    t.last_fns = oc_row_fns_pick(norm->last, t.cpu);
    plan(&t);
    if (t.rows == 0 || (t.n == 0 && !oc_wants(c, 1) && !oc_wants(c, 2)))
        return OC_OK; /* no elements are written, even if there are rows */
    t.work = oc_call_work(c, (double)oc_value_n(t.x) * READS * OC_ELEMENT);
    const bool as_it_is =
        t.dense && t.x->type == norm->real && t.y->type == norm->real && norm->last == norm->real;
    t.is_short = t.dense && norm->last == norm->real && t.n > 0 && t.n <= OC_SHORT_ROW &&
                 norm->kind <= OC_NORM_RMS && (norm->piece == 1 || !norm->scale);
    t.together = as_it_is ? TOGETHER : oc_min(WIDE / oc_max(t.n, 1) + 1, TOGETHER);
    if (!as_it_is) {
        t.part = (uint64_t)(t.n * (t.is_short ? t.together : t.lines)) * sizeof(double);
        OC_TRY(OC_SCRATCH(c, t.scratch, t.part * BUFFERS * (uint64_t)t.work.threads));
    }
    oc_work_run(&t.work, t.blocks, normalize_blocks, &t);
    return OC_OK;
}

/* ---- services ---- */

void oc_norm_types(const oc_call *c, oc_type stage, oc_norm *norm)
{
    norm->real = oc_type_real(stage);
    norm->last = oc_type_real(oc_in(c, 0)->type);
}

/* Finds the steps that repeat x to dims d. */
static void repeat_steps(const oc_dims *d, const oc_dims *x, int64_t step[OC_MAX_RANK])
{
    int64_t s = 1;
    for (int a = d->rank - 1, b = x->rank - 1; a >= 0; a--, b--) {
        const int64_t n = b < 0 ? 1 : x->n[b];
        step[a] = n == 1 ? 0 : s;
        s *= n;
    }
}

oc_status oc_norm_widen(oc_call *c, const oc_norm *norm, const oc_value *v, const oc_dims *dims,
                        const void **data)
{
    const size_t size = oc_type_size(norm->last);
    const int64_t n = oc_value_n(v);
    OC_TRY(oc_as_type(c, norm->last, v->data, v->type, n, data));
    if (!dims || oc_dims_count(dims) == n)
        return OC_OK;
    int64_t to[OC_MAX_RANK], from[OC_MAX_RANK];
    void *all;
    OC_TRY(OC_SCRATCH_OF(c, all, oc_dims_count(dims), size));
    oc_dims_strides(dims, to);
    repeat_steps(dims, &v->dims, from);
    oc_call_move(c, all, to, *data, from, dims, size);
    *data = all;
    return OC_OK;
}
