/* SPDX-License-Identifier: Apache-2.0
 * matrices.c - shares the blocks of matrix products among threads. */
#include "ops/math/matrices.h"

static oc_status misfit(oc_call *c, int a, int b, const char *what)
{
    char left[OC_DIMS_TEXT], right[OC_DIMS_TEXT];
    return oc_fail(c, OC_SHAPE, "operands are %s and %s, %s",
                   oc_dims_text(&oc_in(c, a)->dims, left), oc_dims_text(&oc_in(c, b)->dims, right),
                   what);
}

oc_status oc_matrices_read(oc_call *c, int a, int b, oc_matrices *g)
{
    *g = (oc_matrices){.a = oc_in(c, a)->dims, .b = oc_in(c, b)->dims};
    if (g->a.rank == 0 || g->b.rank == 0)
        return misfit(c, a, b, "expected rank 1 or more");
    g->m = g->a.rank == 1 ? 1 : g->a.n[g->a.rank - 2];
    g->k = g->a.n[g->a.rank - 1];
    g->n = g->b.rank == 1 ? 1 : g->b.n[g->b.rank - 1];
    const int64_t k = g->b.n[g->b.rank == 1 ? 0 : g->b.rank - 2];
    if (k != g->k)
        return misfit(c, a, b, "whose inner dims differ");
    g->a.rank = g->a.rank > 2 ? g->a.rank - 2 : 0;
    g->b.rank = g->b.rank > 2 ? g->b.rank - 2 : 0;
    g->batch = g->a;
    if (!oc_dims_broadcast(&g->batch, &g->b))
        return misfit(c, a, b, "whose batches do not broadcast");
    return OC_OK;
}

oc_status oc_matrices_shape(oc_call *c, int a, int b, oc_type type)
{
    oc_matrices g;
    OC_TRY(oc_matrices_read(c, a, b, &g));
    oc_dims y = g.batch;
    const bool rows = oc_in(c, a)->dims.rank > 1, columns = oc_in(c, b)->dims.rank > 1;
    if (y.rank + rows + columns > OC_MAX_RANK)
        return oc_fail(c, OC_LIMIT, "the result's rank would pass %d", OC_MAX_RANK);
    if (rows)
        y.n[y.rank++] = g.m;
    if (columns)
        y.n[y.rank++] = g.n;
    return oc_set_out(c, 0, type, &y);
}

int64_t oc_matrices_index(const oc_dims *batch, const oc_dims *own, int64_t i)
{
    int64_t at = 0, step = 1;
    for (int axis = batch->rank - 1, k = own->rank - 1; axis >= 0; axis--, k--) {
        const int64_t x = i % batch->n[axis];
        i /= batch->n[axis];
        if (k < 0)
            continue;
        at += own->n[k] == 1 ? 0 : x * step;
        step *= own->n[k];
    }
    return at;
}

/* ---- one unit: some rows and columns of one matrix of the batch */

enum {
    ROWS = 64, /* of a unit */
    COLUMNS = 256,
    FEW_ROWS = 4, /* with fewer rows, or fewer columns, tiles do not pay */
    FEW_COLUMNS = 3,
    LONG = 2048,     /* columns of a unit without tiles: rows of b are read in long pieces */
    PLAIN = 1 << 17, /* products at a time, without tiles */
    DEPTH = 1 << 10  /* each sum takes a multiple of this number of products at a time */
};

/* How a unit is computed. */
typedef enum algorithm {
    LOOPS,      /* by plain loops, without tiles */
    TILES,      /* by tiles of b as it is */
    TRANSPOSED, /* by tiles of strips of the transpose of b */
    HALVES      /* by tiles of halves, which are converted unit by unit in scratch memory */
} algorithm;

typedef struct job {
    const oc_matrices *g;
    algorithm algorithm;
    oc_product_fn *fn;
    oc_nchw16c_in_fn *nchw16c; /* makes strips for TRANSPOSED; NULL: element by element */
    size_t elem;
    int64_t columns; /* of a unit */
    int64_t row_blocks, column_blocks;
    const oc_half_variant *half; /* converts for HALVES, with scratch memory */
    float *scratch;
    oc_work work;
} job;

/* Computes columns first .. last-1 of some rows of one matrix of the batch. */
typedef struct unit {
    int64_t matrix, row, rows, first, last;
} unit;

/* The plain loops, in pieces along k. */
static void run_plain(const job *t, oc_product *p)
{
    const int64_t k = t->g->k, sums = p->rows * p->columns;
    const int64_t depth = sums < PLAIN / DEPTH ? PLAIN / sums / DEPTH * DEPTH : DEPTH;
    const char *a = p->a, *b = p->b;
    OC_PIECES (&t->work, some, k ? k : 1, depth) { /* runs once also if k is 0 */
        p->n = k ? some.end - some.first : 0;
        p->a = a + (size_t)some.first * t->elem;
        p->b = b + (size_t)(some.first * p->b_step) * t->elem;
        p->more = some.first > 0;
        t->fn(p);
    }
}

static unit unit_at(const job *t, int64_t at)
{
    const int64_t column = at % t->column_blocks * t->columns;
    const int64_t row = at / t->column_blocks % t->row_blocks * ROWS;
    return (unit){.matrix = at / t->column_blocks / t->row_blocks,
                  .row = row,
                  .rows = oc_min(t->g->m - row, ROWS),
                  .first = column,
                  .last = oc_min(t->g->n, column + t->columns)};
}

static void multiply_part(const job *t, const unit *u)
{
    const oc_matrices *g = t->g;
    const int64_t row = u->row, rows = u->rows, first = u->first, last = u->last;
    const int64_t a = oc_matrices_index(&g->batch, &g->a, u->matrix) * g->m * g->k + row * g->k;
    const int64_t b = oc_matrices_index(&g->batch, &g->b, u->matrix);
    char *to = (char *)g->y + (size_t)(u->matrix * g->m * g->n + row * g->n) * t->elem;
    const char *left = (const char *)g->a_data + (size_t)a * t->elem;
    const char *right = (const char *)g->b_data + (size_t)(b * g->k * g->n) * t->elem;
    if (t->algorithm == TRANSPOSED)
        oc_matmul_tiles_transposed(&t->work, t->fn, t->nchw16c, t->elem, to, left, right, rows,
                                   g->k, g->n, first, last);
    else if (t->algorithm == TILES)
        oc_matmul_tiles(&t->work, t->fn, t->elem, to, left, right, rows, g->k, g->n, first, last);
    else
        run_plain(t, &(oc_product){.y = to + (size_t)first * t->elem,
                                   .a = left,
                                   .b = right + (size_t)first * t->elem,
                                   .y_step = g->n,
                                   .a_step = g->k,
                                   .b_step = g->n,
                                   .rows = rows,
                                   .columns = last - first});
}

/* Returns the floats of scratch memory of a task: rows of a, and the sums of a unit. */
static int64_t half_room(const job *t)
{
    return oc_min(t->g->m, ROWS) * (t->g->k + t->columns);
}

/* Multiplies a part of matrices of halves, in floats. */
static void multiply_half_part(const job *t, const unit *u, float *a)
{
    const oc_matrices *g = t->g;
    const int64_t k = g->k, n = g->n, columns = u->last - u->first, row = u->row * k;
    const int64_t at_a = oc_matrices_index(&g->batch, &g->a, u->matrix) * g->m * k + row;
    const int64_t at_b = oc_matrices_index(&g->batch, &g->b, u->matrix) * k * n;
    const uint16_t *from = (const uint16_t *)g->a_data + at_a;
    float *sums = a + oc_min(g->m, ROWS) * k;
    OC_PIECES (&t->work, p, u->rows * k, 1 << 14)
        t->half->widen(a + p.first, from + p.first, p.end - p.first);
    oc_matmul_tiles_half(&t->work, t->fn, t->half, sums, a, (const uint16_t *)g->b_data + at_b,
                         u->rows, k, n, u->first, u->last);
    const int64_t each = columns == n ? u->rows : 1; /* rows without a gap */
    for (int64_t i = 0; i < u->rows; i += each, sums += each * columns) {
        const int64_t at = (u->matrix * g->m + u->row + i) * n + u->first;
        if (g->after.run)
            g->after.run(g->after.ctx, sums, at, each * columns);
        t->half->narrow((uint16_t *)g->y + at, sums, each * columns);
    }
}

static void multiply_parts(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    for (int64_t i = first; i < end; i++) {
        const unit u = unit_at(t, i);
        if (t->algorithm == HALVES) {
            multiply_half_part(t, &u, t->scratch + task * half_room(t));
            continue;
        }
        multiply_part(t, &u);
        oc_matmul_finish(&t->g->after, t->g->y, t->g->n, u.matrix * t->g->m + u.row, u.rows,
                         u.first, u.last);
    }
}

/* Makes one matrix of all those that neighbours on the innermost leading axes of a make, where b
 * is the same for all of them. */
static void fold_batch(oc_matrices *g)
{
    while (g->batch.rank > 0) {
        const int64_t n = g->batch.n[g->batch.rank - 1];
        const int64_t a = g->a.rank ? g->a.n[g->a.rank - 1] : 1;
        const int64_t b = g->b.rank ? g->b.n[g->b.rank - 1] : 1;
        if (a != n || b != 1)
            return;
        g->m *= n;
        g->batch.rank--;
        g->a.rank -= g->a.rank > 0;
        g->b.rank -= g->b.rank > 0;
    }
}

static bool is_real(const oc_matrices *g)
{
    return g->type == OC_F32 || g->type == OC_F64;
}

/* One row times the transpose of b is b times a column, which needs no copy. Floats are
 * transposed faster than they are added one after the other. */
static void transpose_row(oc_matrices *g)
{
    if (!g->transposed || g->m != 1 || is_real(g))
        return;
    const oc_matrices row = *g;
    g->transposed = false;
    g->m = row.n;
    g->n = 1;
    g->a = row.b;
    g->b = row.a;
    g->a_data = row.b_data;
    g->b_data = row.a_data;
}

/* A processor that adds one register of 16 floats at a time would leave half of it empty where
 * it adds two of 8. */
static unsigned suited(const oc_matrices *g, unsigned cpu)
{
    return g->type == OC_F32 && g->n <= 8 ? cpu & ~(unsigned)OC_CPU_AVX512 : cpu;
}

static algorithm choose(const oc_matrices *g)
{
    const bool many = g->m >= FEW_ROWS && g->n >= FEW_COLUMNS, half = oc_type_is_half(g->type);
    if (g->transposed)
        return TRANSPOSED;
    if (half && many && g->k > 0)
        return HALVES;
    return many && (half || is_real(g)) ? TILES : LOOPS;
}

/* Multiplies operands that are no halves, except for HALVES. */
static void pick(job *t, unsigned cpu)
{
    const oc_matrices *g = t->g;
    t->elem = oc_type_size(g->type);
    t->columns = t->algorithm != LOOPS || g->m >= FEW_ROWS ? COLUMNS : LONG;
    t->fn = t->algorithm == LOOPS ? oc_matmul_pick(g->type, cpu)
                                  : oc_product_pick(g->type, suited(g, cpu));
    if (t->algorithm == TRANSPOSED && is_real(g))
        t->nchw16c = oc_nchw16c_in(g->type, cpu);
}

/* Multiplies all rows of a by one packed matrix of halves. */
static oc_status multiply_halves(oc_call *c, const oc_matrices *g)
{
    oc_half_matmul p = {.cpu = oc_call_cpu(c),
                        .type = g->type,
                        .a = g->a_data,
                        .b = g->packed,
                        .y = g->y,
                        .m = g->m * oc_dims_count(&g->a),
                        .k = g->k,
                        .n = g->n,
                        .after = g->after};
    char *scratch;
    p.work = oc_call_work(c, (double)p.m * (double)p.k * (double)p.n);
    OC_TRY(OC_SCRATCH(c, scratch, oc_half_matmul_scratch(&p)));
    oc_half_matmul_run(&p, scratch);
    return OC_OK;
}

/* Multiplies all rows of a by one packed matrix of floats. */
static oc_status multiply_packed(oc_call *c, const oc_matrices *g)
{
    oc_packed_matmul p = {.cpu = oc_call_cpu(c),
                          .a = g->a_data,
                          .b = g->packed,
                          .y = g->y,
                          .m = g->m * oc_dims_count(&g->a),
                          .k = g->k,
                          .n = g->n,
                          .after = g->after};
    p.work = oc_call_work(c, (double)p.m * (double)p.k * (double)p.n);
    oc_packed_matmul_run(&p);
    return OC_OK;
}

oc_status oc_matrices_prepare(oc_call *c, int b, bool transposed)
{
    const oc_value *v = oc_in(c, b);
    const bool half = oc_type_is_half(v->type);
    if ((v->type != OC_F32 && !half) || v->dims.rank != 2 || oc_value_n(v) == 0)
        return OC_OK;
    const int64_t k = v->dims.n[transposed], n = v->dims.n[!transposed];
    const uint64_t size = (uint64_t)oc_packed_matmul_size(k, n) * oc_type_size(v->type);
    const oc_work w = oc_call_work(c, 0);
    void *packed = transposed && !half ? oc_keep_over(c, b, size) : NULL;
    if (packed) {
        float *room;
        OC_TRY(OC_SCRATCH(c, room, k * OC_BLOCK_CHANNELS));
        oc_packed_matmul_pack_over(&w, oc_call_cpu(c), packed, room, k, n);
        return OC_OK;
    }
    packed = oc_keep_room(c, size);
    if (!packed)
        return OC_NOMEM;
    if (half)
        oc_half_matmul_pack(&w, oc_call_cpu(c), packed, v->data, k, n, transposed);
    else
        oc_packed_matmul_pack(&w, oc_call_cpu(c), packed, v->data, k, n, transposed);
    oc_call_consume(c);
    return OC_OK;
}

/* Converts halves to floats, unless HALVES does so unit by unit. *y is the memory of halves that
 * the results become afterwards; NULL: they stay floats. */
static oc_status widen_operands(oc_call *c, job *t, oc_matrices *g, void **y)
{
    const oc_type type = g->type;
    *y = NULL;
    if (!oc_type_is_half(type))
        return OC_OK;
    g->type = OC_F32;
    if (t->algorithm == HALVES) {
        t->half = oc_half_pick(type, oc_call_cpu(c));
        return OC_OK;
    }
    const int64_t of_a = oc_dims_count(&g->a) * g->m * g->k;
    const int64_t of_b = oc_dims_count(&g->b) * g->k * g->n;
    OC_TRY(oc_as_type(c, OC_F32, g->a_data, type, of_a, &g->a_data));
    OC_TRY(oc_as_type(c, OC_F32, g->b_data, type, of_b, &g->b_data));
    *y = g->y;
    return OC_SCRATCH_OF(c, g->y, oc_dims_count(&g->batch) * g->m * g->n, sizeof(float));
}

oc_status oc_matrices_multiply(oc_call *c, oc_matrices *g)
{
    const int64_t all = oc_dims_count(&g->batch);
    if (all == 0 || g->m == 0 || g->n == 0)
        return OC_OK;
    if (g->packed)
        return (oc_type_is_half(g->type) ? multiply_halves : multiply_packed)(c, g);
    fold_batch(g);
    transpose_row(g);
    const oc_type type = g->type;
    void *halves;
    job t = {.g = g, .algorithm = choose(g)};
    OC_TRY(widen_operands(c, &t, g, &halves));
    pick(&t, oc_call_cpu(c));
    t.row_blocks = oc_div_up(g->m, ROWS);
    t.column_blocks = oc_div_up(g->n, t.columns);
    const int64_t units = oc_dims_count(&g->batch) * t.row_blocks * t.column_blocks;
    const int64_t rows = oc_min(g->m, ROWS), columns = oc_min(g->n, t.columns);
    const double work = (double)rows * (double)columns * (double)(g->k ? g->k : 1);
    t.work = oc_call_work(c, work * (double)units);
    if (t.half)
        OC_TRY(OC_SCRATCH(c, t.scratch, oc_work_most_tasks(&t.work) * half_room(&t)));
    oc_work_run(&t.work, units, multiply_parts, &t);
    if (halves)
        oc_call_convert(c, halves, type, g->y, OC_F32, oc_dims_count(&g->batch) * g->m * g->n);
    return OC_OK;
}

/* ---- the transpose */

enum { SIDE = 16 }; /* side of a square that fits in the first cache twice */

typedef struct transposition {
    char *y;
    const char *x;
    int64_t rows, columns;
    size_t size;
    oc_work work;
} transposition;

#define TRANSPOSE(T)                                                                               \
    for (int64_t i = row; i < end; i++)                                                            \
        for (int64_t j = column; j < last; j++)                                                    \
            ((T *)(void *)t->y)[j * t->rows + i] =                                                 \
                ((const T *)(const void *)t->x)[i * t->columns + j];

/* A unit is a square. */
static void transpose_squares(void *arg, OC_UNUSED int task, int64_t first, int64_t last_square)
{
    const transposition *t = arg;
    const int64_t columns = oc_div_up(t->columns, SIDE);
    for (int64_t at = first; at < last_square; at++) {
        const int64_t row = at / columns * SIDE, column = at % columns * SIDE;
        const int64_t end = t->rows - row < SIDE ? t->rows : row + SIDE;
        const int64_t last = t->columns - column < SIDE ? t->columns : column + SIDE;
        if (t->size == 2) {
            TRANSPOSE(uint16_t)
        } else if (t->size == 4) {
            TRANSPOSE(uint32_t)
        } else {
            TRANSPOSE(uint64_t)
        }
    }
}
#undef TRANSPOSE

void oc_matrix_transpose(oc_call *c, void *y, const void *x, int64_t rows, int64_t columns,
                         size_t size)
{
    transposition t = {y,       x,    rows,
                       columns, size, oc_call_work(c, (double)(rows * columns) * OC_ELEMENT)};
    if (rows == 1 || columns == 1) {
        oc_call_copy(c, y, x, (size_t)(rows * columns) * size);
        return;
    }
    oc_work_run(&t.work, oc_div_up(rows, SIDE) * oc_div_up(columns, SIDE), transpose_squares, &t);
}
