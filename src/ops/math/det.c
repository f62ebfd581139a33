/* SPDX-License-Identifier: Apache-2.0
 * det.c - Det: determinants of square matrices.
 *
 * All types are computed in double by elimination: in each column the row with the largest element
 * is the pivot's, the first of equal ones; the result is rounded once. The columns are eliminated
 * in panels, so that most of the work is a matrix product. */
#include "kernels/matmul/product.h"

#include "ops/kit/op.h"

#include <math.h>

enum {
    PANEL = 32,
    LARGE = 128,          /* rows from which on one matrix is shared among threads */
    MATRIX = 4 * OC_PLACE /* a matrix of one element takes as long as this number of products */
};

static oc_status det_shape(oc_call *c)
{
    oc_dims d = oc_in(c, 0)->dims;
    OC_TRY(oc_expect_rank(c, 0, 2, OC_MAX_RANK));
    if (d.n[d.rank - 1] != d.n[d.rank - 2])
        return oc_fail_dims(c, 0, "expected square matrices");
    d.rank -= 2;
    return oc_set_out(c, 0, oc_in(c, 0)->type, &d);
}

/* One matrix on its way to a triangle. */
typedef struct matrix {
    double *x;              /* [n][n] */
    double *factors;        /* [n][PANEL]: a panel's factors, negated */
    int64_t n, first, last; /* columns of the panel */
    oc_product_fn *product;
    const oc_work *work;
} matrix;

static void swap_rows(double *a, double *b, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const double t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
}

/* Returns the row, from row `column` on, whose element in that column is the largest, or NaN. */
static int64_t find_pivot(const matrix *m, int64_t column)
{
    int64_t best = column;
    for (int64_t i = column + 1; i < m->n; i++) {
        const double most = fabs(m->x[best * m->n + column]);
        if (!isnan(most) && !(fabs(m->x[i * m->n + column]) <= most))
            best = i;
    }
    return best;
}

/* Eliminates the panel's columns within the panel. Multiplies *det by the pivots; a pivot of 0 ends
 * it. */
static void reduce_panel(const matrix *m, double *det)
{
    const int64_t n = m->n;
    for (int64_t k = m->first; k < m->last; k++) {
        const int64_t pivot = find_pivot(m, k);
        double *top = m->x + k * n;
        if (pivot != k) {
            swap_rows(top, m->x + pivot * n, n);
            swap_rows(m->factors + k * PANEL, m->factors + pivot * PANEL, k - m->first);
            *det = -*det;
        }
        *det *= top[k];
        if (top[k] == 0)
            return;
        for (int64_t i = k + 1; i < n; i++) {
            double *row = m->x + i * n;
            const double factor = row[k] / top[k];
            m->factors[i * PANEL + k - m->first] = -factor;
            for (int64_t j = k + 1; j < m->last; j++)
                row[j] -= factor * top[j];
        }
    }
}

/* Eliminates in the panel's own rows, right of the panel. */
static void reduce_top(const matrix *m)
{
    for (int64_t k = m->first; k < m->last; k++)
        for (int64_t i = k + 1; i < m->last; i++) {
            const double factor = m->factors[i * PANEL + k - m->first];
            const double *top = m->x + k * m->n;
            double *row = m->x + i * m->n;
            for (int64_t j = m->last; j < m->n; j++)
                row[j] += factor * top[j];
        }
}

/* Subtracts factors times the panel's rows from the rows below, right of the panel. */
static void reduce_rest(void *arg, OC_UNUSED int task, int64_t row, int64_t end)
{
    const matrix *m = arg;
    const int64_t first = m->last + row;
    const oc_product p = {.y = m->x + first * m->n + m->last,
                          .a = m->factors + first * PANEL,
                          .b = m->x + m->first * m->n + m->last,
                          .y_step = m->n,
                          .a_step = PANEL,
                          .b_step = m->n,
                          .rows = end - row,
                          .columns = m->n - m->last,
                          .n = m->last - m->first,
                          .more = true};
    m->product(&p);
}

/* Returns the determinant, which is undefined once the work has ended. */
static double determinant(matrix *m)
{
    double det = 1;
    for (m->first = 0; m->first < m->n; m->first = m->last) {
        m->last = m->n - m->first < PANEL ? m->n : m->first + PANEL;
        reduce_panel(m, &det);
        if (det == 0)
            return 0; /* not -0 */
        if (m->last == m->n)
            break;
        const int64_t rows = m->n - m->last;
        const oc_work below = oc_work_for(m->work, (double)rows * PANEL * (double)rows);
        reduce_top(m);
        oc_work_run(&below, rows, reduce_rest, m);
    }
    return det;
}

typedef struct job {
    const oc_value *x;
    oc_value *y;
    double *memory; /* for each task a matrix and its factors */
    int64_t n;
    oc_product_fn *product;
    oc_work work; /* the work of one matrix */
} job;

static matrix load(const job *t, int task, int64_t i)
{
    const int64_t n = t->n;
    double *x = t->memory + task * n * (n + PANEL);
    const size_t size = oc_type_size(t->x->type);
    const char *from = (const char *)t->x->data + (size_t)(i * n * n) * size;
    oc_work_convert(&t->work, 0, x, OC_F64, from, t->x->type, n * n);
    return (matrix){.x = x, .factors = x + n * n, .n = n, .product = t->product, .work = &t->work};
}

static void store(const job *t, int64_t i, double det)
{
    char *y = (char *)t->y->data + (size_t)i * oc_type_size(t->y->type);
    oc_convert(y, t->y->type, &det, OC_F64, 1, false);
}

static void run_matrices(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    for (int64_t i = first; i < end; i++) {
        matrix m = load(t, task, i);
        store(t, i, determinant(&m));
    }
}

static oc_status det_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    job t = {.x = x, .y = oc_out(c, 0), .n = x->dims.n[x->dims.rank - 1]};
    const int64_t count = oc_value_n(t.y);
    if (count == 0)
        return OC_OK;
    t.product = oc_product_pick(OC_F64, oc_call_cpu(c));
    const double work = MATRIX + (double)t.n * (double)t.n * (double)(t.n + 1);
    const oc_work all = oc_call_work(c, work * (double)count), alone = oc_work_alone(&all);
    const bool large = t.n >= LARGE; /* each matrix is shared by threads */
    t.work = large ? all : alone;
    OC_TRY(OC_SCRATCH(c, t.memory, t.n * (t.n + PANEL) * (large ? 1 : all.threads)));
    oc_work_run(large ? &alone : &all, count, run_matrices, &t);
    return OC_OK;
}

/* clang-format off */
#define SIG(set) "Det (T X) => (T Y) | T: " set
const oc_op oc_ops_det[] = {
    {22, SIG("float_ir4"), det_shape, det_run},
    {11, SIG("ieee"),      det_shape, det_run},
    {0}
};
