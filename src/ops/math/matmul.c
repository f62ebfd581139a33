/* SPDX-License-Identifier: Apache-2.0
 * matmul.c - MatMul, with numpy's rules for vectors and batches. */
#include "kernels/product/matmul.h"
#include "kernels/common/rounds.h"

#include "ops/kit/op.h"

/* The operands and the product as matrices: a vector on the left is a row, on the right a column.
 */
typedef struct geometry {
    oc_dims a, b, batch; /* batch: leading axes, broadcast */
    int64_t m, k, n;
} geometry;

static oc_status misfit(oc_call *c, const char *what)
{
    char a[OC_DIMS_TEXT], b[OC_DIMS_TEXT];
    return oc_fail(c, OC_SHAPE, "operands are %s and %s, %s", oc_dims_text(&oc_in(c, 0)->dims, a),
                   oc_dims_text(&oc_in(c, 1)->dims, b), what);
}

static oc_status read_geometry(oc_call *c, geometry *g)
{
    g->a = oc_in(c, 0)->dims;
    g->b = oc_in(c, 1)->dims;
    if (g->a.rank == 0 || g->b.rank == 0)
        return misfit(c, "expected rank 1 or more");
    g->m = g->a.rank == 1 ? 1 : g->a.n[g->a.rank - 2];
    g->k = g->a.n[g->a.rank - 1];
    g->n = g->b.rank == 1 ? 1 : g->b.n[g->b.rank - 1];
    const int64_t k = g->b.n[g->b.rank == 1 ? 0 : g->b.rank - 2];
    if (k != g->k)
        return misfit(c, "whose inner dims differ");
    g->a.rank = g->a.rank > 2 ? g->a.rank - 2 : 0;
    g->b.rank = g->b.rank > 2 ? g->b.rank - 2 : 0;
    g->batch = g->a;
    if (!oc_dims_broadcast(&g->batch, &g->b))
        return misfit(c, "whose batches do not broadcast");
    return OC_OK;
}

static oc_status matmul_shape(oc_call *c)
{
    geometry g;
    OC_TRY(read_geometry(c, &g));
    oc_dims y = g.batch;
    const int more = (oc_in(c, 0)->dims.rank > 1) + (oc_in(c, 1)->dims.rank > 1);
    if (y.rank + more > OC_MAX_RANK)
        return oc_fail(c, OC_LIMIT, "the result's rank would pass %d", OC_MAX_RANK);
    if (oc_in(c, 0)->dims.rank > 1)
        y.n[y.rank++] = g.m;
    if (oc_in(c, 1)->dims.rank > 1)
        y.n[y.rank++] = g.n;
    return oc_set_out(c, 0, oc_in(c, 0)->type, y);
}

/* ---- one task: some rows and columns of one matrix of the batch */

enum {
    ROWS = 64, /* of a task */
    COLUMNS = 256,
    FEW_ROWS = 4, /* with fewer rows, or fewer columns, tiles do not pay */
    FEW_COLUMNS = 8
};

typedef struct job {
    const geometry *g;
    oc_matmul_fn *fn;
    oc_product_fn *tiles; /* NULL: fn is used */
    size_t elem;
    char *y;
    const char *a, *b;
    int64_t row_blocks, column_blocks;
    oc_rounds blocks;
} job;

/* The index of the operand's matrix that the i-th product of the batch uses. */
static int64_t operand_index(const oc_dims *batch, const oc_dims *own, int64_t i)
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

static void run_block(void *arg, int task)
{
    const job *t = arg;
    const geometry *g = t->g;
    const int64_t at = t->blocks.first + task;
    const int64_t column_block = at % t->column_blocks;
    const int64_t row_block = at / t->column_blocks % t->row_blocks;
    const int64_t matrix = at / t->column_blocks / t->row_blocks;
    const int64_t row = row_block * ROWS, rows = g->m - row < ROWS ? g->m - row : ROWS;
    const int64_t first = column_block * COLUMNS;
    const int64_t last = g->n - first < COLUMNS ? g->n : first + COLUMNS;
    const int64_t a = operand_index(&g->batch, &g->a, matrix) * g->m * g->k + row * g->k;
    const int64_t b = operand_index(&g->batch, &g->b, matrix) * g->k * g->n;
    char *to = t->y + (size_t)(matrix * g->m * g->n + row * g->n) * t->elem;
    const char *left = t->a + (size_t)a * t->elem, *right = t->b + (size_t)b * t->elem;
    if (t->tiles)
        oc_matmul_tiles(t->tiles, t->elem, to, left, right, rows, g->k, g->n, first, last);
    else
        t->fn(to, left, right, rows, g->k, g->n, first, last);
}

/* y = a b; the elements of all three are of type `type`. */
static oc_status multiply(oc_call *c, const geometry *g, oc_type type, void *y, const void *a,
                          const void *b)
{
    job t = {.g = g, .elem = oc_type_size(type), .y = y, .a = a, .b = b};
    t.fn = type == OC_F32   ? oc_matmul_f32
           : type == OC_F64 ? oc_matmul_f64
           : t.elem == 4    ? oc_matmul_i32
                            : oc_matmul_i64;
    if ((type == OC_F32 || type == OC_F64) && g->m >= FEW_ROWS && g->n >= FEW_COLUMNS)
        t.tiles = oc_product_pick(type, oc_call_cpu(c));
    t.row_blocks = (g->m + ROWS - 1) / ROWS;
    t.column_blocks = (g->n + COLUMNS - 1) / COLUMNS;
    const int64_t tasks = oc_dims_count(&g->batch) * t.row_blocks * t.column_blocks;
    if (tasks > INT32_MAX)
        return oc_fail(c, OC_LIMIT, "the product has too many blocks");
    const int64_t rows = g->m < ROWS ? g->m : ROWS, columns = g->n < COLUMNS ? g->n : COLUMNS;
    const double work = (double)rows * (double)columns * (double)g->k;
    t.blocks = oc_rounds_new(oc_call_go_on(c), tasks, work, oc_call_threads(c));
    while (oc_rounds_next(&t.blocks))
        oc_parallel_run(oc_call_parallel(c), (int)(t.blocks.end - t.blocks.first), run_block, &t);
    return oc_call_error(c)->code;
}

/* float16 and bfloat16 are summed in float; each sum is rounded once, at the end. */
static oc_status matmul_run(oc_call *c)
{
    geometry g;
    OC_TRY(read_geometry(c, &g));
    const oc_value *y = oc_out(c, 0);
    const oc_type type = oc_type_is_half(y->type) ? OC_F32 : y->type;
    const void *a, *b;
    void *sums;
    OC_TRY(oc_in_as(c, 0, type, &a));
    OC_TRY(oc_in_as(c, 1, type, &b));
    OC_TRY(oc_out_as(c, 0, type, oc_value_n(y), &sums));
    OC_TRY(multiply(c, &g, type, sums, a, b));
    oc_out_from(c, 0, type, sums);
    return OC_OK;
}

/* clang-format off */
#define SIG(set) "MatMul (T A, T B) => (T Y) | T: " set
const oc_op oc_ops_matmul[] = {
    {13, SIG("high_precision_ir4"), matmul_shape, matmul_run},
    { 9, SIG("high_precision"),     matmul_shape, matmul_run},
    { 1, SIG("ieee"),               matmul_shape, matmul_run},
    {0}
};
/* clang-format on */
