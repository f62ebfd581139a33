/* SPDX-License-Identifier: Apache-2.0
 * gemm.c - Gemm: Y = alpha A' B' + beta C, where A' and B' may be transposes.
 *
 * A sum of products is made as MatMul makes it, then multiplied by alpha; beta times C is added.
 * Each of these steps is rounded by itself; float16 and bfloat16 are computed in float and rounded
 * once. Without C nothing is added. For integers, alpha and beta that are whole numbers multiply
 * with wrapping; with others the result is computed in double and cut as Cast does. */
#include "kernels/common/element.h"
#include "ops/kit/stages.h"
#include "ops/math/matrices.h"
#include "ops/math/qgemm.h"

typedef struct geometry {
    int64_t m, k, n;
    bool trans_a, trans_b;
} geometry;

static oc_status read_geometry(oc_call *c, geometry *g)
{
    const oc_dims *a = &oc_in(c, 0)->dims, *b = &oc_in(c, 1)->dims;
    OC_TRY(oc_expect_rank(c, 0, 2, 2));
    OC_TRY(oc_expect_rank(c, 1, 2, 2));
    g->trans_a = oc_attr_int(c, "transA") != 0;
    g->trans_b = oc_attr_int(c, "transB") != 0;
    g->m = a->n[g->trans_a];
    g->k = a->n[!g->trans_a];
    g->n = b->n[!g->trans_b];
    char left[OC_DIMS_TEXT], right[OC_DIMS_TEXT];
    if (b->n[g->trans_b] != g->k)
        return oc_fail(c, OC_SHAPE, "A is %s%s and B is %s%s, whose inner dims differ",
                       oc_dims_text(a, left), g->trans_a ? " transposed" : "",
                       oc_dims_text(b, right), g->trans_b ? " transposed" : "");
    const oc_dims y = {2, {g->m, g->n}};
    if (oc_call_since(c) < 7 && !oc_attr_int(c, "broadcast"))
        return oc_expect_dims(c, 2, &y, ", as attribute 'broadcast' is 0");
    return oc_in_or_null(c, 2) ? oc_expect_repeats(c, 2, &y) : OC_OK;
}

static oc_status gemm_shape(oc_call *c)
{
    geometry g;
    OC_TRY(read_geometry(c, &g));
    return oc_set_out(c, 0, oc_in(c, 0)->type, &(oc_dims){2, {g.m, g.n}});
}

/* ---- alpha and C */

enum { PART = 1 << 14 }; /* most columns between two questions to the watch */

typedef struct finish {
    oc_type type;
    int64_t m, n;
    void *y;
    const void *c;            /* NULL: none */
    int64_t row_step, c_step; /* elements of c from a row to the next, and from a column */
    double alpha, beta;
    bool wraps;      /* true for integers with whole alpha and beta */
    bool is_product; /* nothing is added, and alpha is 1: the product is the result */
    const oc_epilogue *epilogue;
    oc_work work;
} finish;

#define ELEMENT f32
#include "ops/math/gemm.inc"
#define ELEMENT f64
#include "ops/math/gemm.inc"
#define ELEMENT u32
#include "ops/math/gemm.inc"
#define ELEMENT u64
#include "ops/math/gemm.inc"

static void finish_cut(const finish *f, char *y, const char *c, int64_t n)
{
    const size_t size = oc_type_size(f->type);
    for (int64_t j = 0; j < n; j++, y += size) {
        double sum = f->alpha * oc_element_f64(f->type, y, 0);
        if (c)
            sum += f->beta * oc_element_f64(f->type, c, j * f->c_step);
        oc_convert(y, f->type, &sum, OC_F64, 1, false);
    }
}

/* Finishes n elements of row i from column j on, which are at y. */
static void finish_part(const finish *f, void *y, int64_t i, int64_t j, int64_t n)
{
    const size_t size = oc_type_size(f->type);
    const int64_t at = i * f->row_step + j * f->c_step;
    const void *c = f->c ? (const char *)f->c + (size_t)at * size : NULL;
    if (f->type == OC_F32)
        finish_f32(f, y, c, (float)f->alpha, (float)f->beta, n);
    else if (f->type == OC_F64)
        finish_f64(f, y, c, f->alpha, f->beta, n);
    else if (!f->wraps)
        finish_cut(f, y, c, n);
    else if (size == 4)
        finish_u32(f, y, c, (uint32_t)(int64_t)f->alpha, (uint32_t)(int64_t)f->beta, n);
    else
        finish_u64(f, y, c, (uint64_t)(int64_t)f->alpha, (uint64_t)(int64_t)f->beta, n);
}

static void finish_rows(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const finish *f = arg;
    const size_t size = oc_type_size(f->type);
    for (int64_t i = first; i < end; i++) {
        OC_PIECES (&f->work, p, f->n, PART)
            finish_part(f, (char *)f->y + (size_t)(i * f->n + p.first) * size, i, p.first,
                        p.end - p.first);
    }
}

/* An oc_matmul_epilogue. */
static void finish_elements(const void *ctx, float *y, int64_t at, int64_t n)
{
    const finish *f = ctx;
    for (int64_t i = at, some; i < at + n && !f->is_product; i += some) {
        const int64_t column = i % f->n;
        some = oc_min(at + n - i, f->n - column);
        finish_part(f, y + (i - at), i / f->n, column, some);
    }
    if (f->epilogue)
        oc_epilogue_run_elements(f->epilogue, y, at, n);
}

static bool is_whole(double x)
{
    return fabs(x) < 0x1p62 && x == rint(x);
}

static oc_status read_finish(oc_call *c, const geometry *g, oc_type type, void *y, finish *f)
{
    *f = (finish){.type = type, .m = g->m, .n = g->n, .y = y, .epilogue = oc_call_epilogue(c)};
    f->alpha = (double)oc_attr_float(c, "alpha");
    f->beta = (double)oc_attr_float(c, "beta");
    f->wraps = is_whole(f->alpha) && is_whole(f->beta);
    const oc_value *added = oc_in_or_null(c, 2);
    OC_TRY(oc_in_as(c, 2, type, &f->c));
    f->is_product = !f->c && f->alpha == 1;
    if (added) {
        const oc_dims *d = &added->dims;
        const int64_t columns = d->rank > 0 ? d->n[d->rank - 1] : 1;
        f->c_step = columns != 1;
        f->row_step = d->rank > 1 && d->n[0] != 1 ? columns : 0;
    }
    f->work = oc_call_work(c, (double)(g->m * g->n) * OC_ELEMENT);
    return OC_OK;
}

/* ---- the product */

/* *to becomes the transpose of from, a matrix of rows x columns. */
static oc_status transpose(oc_call *c, const void *from, int64_t rows, int64_t columns, size_t size,
                           const void **to)
{
    void *copy;
    *to = from;
    if (rows == 1 || columns == 1)
        return OC_OK;
    OC_TRY(OC_SCRATCH_OF(c, copy, rows * columns, size));
    oc_matrix_transpose(c, copy, from, rows, columns, size);
    *to = copy;
    return OC_OK;
}

static oc_status multiply(oc_call *c, const geometry *g, oc_matrices *p)
{
    const size_t size = oc_type_size(p->type);
    const bool real = oc_type_in(p->type, OC_SET_FLOAT);
    if (g->trans_a)
        OC_TRY(transpose(c, p->a_data, g->k, g->m, size, &p->a_data));
    if (g->trans_b && !real)
        OC_TRY(transpose(c, p->b_data, g->n, g->k, size, &p->b_data));
    p->transposed = g->trans_b && real;
    return oc_matrices_multiply(c, p);
}

static oc_status gemm_run(oc_call *c)
{
    const oc_value *y = oc_out(c, 0);
    geometry g;
    OC_TRY(read_geometry(c, &g));
    oc_matrices p = {.m = g.m, .k = g.k, .n = g.n};
    const oc_type type = oc_type_is_half(y->type) ? OC_F32 : y->type; /* type of the sums */
    if (oc_value_n(y) == 0)
        return OC_OK;
    p.packed = oc_call_prepared(c);
    p.type = y->type;
    p.a_data = oc_in(c, 0)->data;
    p.b_data = oc_in(c, 1)->data;
    p.y = y->data;
    finish f;
    OC_TRY(read_finish(c, &g, type, p.y, &f));
    if (type == OC_F32 && (!f.is_product || f.epilogue))
        p.after = (oc_matmul_epilogue){finish_elements, &f};
    OC_TRY(multiply(c, &g, &p));
    if (type != OC_F32 && !f.is_product)
        oc_work_run(&f.work, g.m, finish_rows, &f);
    return OC_OK;
}

OC_CALL_FN(gemm_prepare, oc_matrices_prepare(c, 1, oc_attr_int(c, "transB") != 0))

/* Plain products alone, with a bias for each column. */
static bool columns(const oc_call *c, int *axis)
{
    *axis = oc_attr_int(c, "transB") ? 0 : 1;
    return oc_call_since(c) >= 7 && !oc_attr_int(c, "transA") && oc_attr_float(c, "alpha") == 1 &&
           oc_attr_float(c, "beta") == 1;
}

static const oc_on_codes on_codes = {
    .version = oc_qgemm, .ports = "0x0s0z1x1s1zysyz2b", .columns = columns};

/* clang-format off */
#define SIG(old, c, set)                                                                           \
    "Gemm <float alpha = 1.0, float beta = 1.0, " old "int transA = 0, int transB = 0> "           \
    "(T A, T B=, " c ") => (T Y*) | T: " set
#define ROW(since, old, c, set) {since, SIG(old, c, set), gemm_shape, gemm_run, gemm_prepare, \
                                 OC_TRAITS(.on_codes = &on_codes)}
#define OLD "int broadcast = 0, "
const oc_op oc_ops_gemm[] = {
    ROW(13, "",  "T C?", "high_precision_ir4"),
    ROW(11, "",  "T C?", "high_precision"),
    ROW( 9, "",  "T C",  "high_precision"),
    ROW( 7, "",  "T C",  "ieee; change dropped broadcast"),
    ROW( 6, OLD, "T C",  "ieee"),
    ROW( 1, OLD, "T C",  "ieee"),
    {0}
};
