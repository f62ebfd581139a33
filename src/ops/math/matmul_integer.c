/* SPDX-License-Identifier: Apache-2.0
 * matmul_integer.c - MatMulInteger, QLinearMatMul: products of quantized matrices.
 *
 * Zero points are subtracted, then sums of products are made. Of 8-bit integers they are int32 and
 * wrap; with a float8 operand they are made in float, as MatMul makes them. QLinearMatMul
 * multiplies each sum, as float, by a_scale * b_scale / y_scale, every step rounded to float; an
 * integer result is rounded, ties to even, then y_zero_point is added, and the result saturates.
 * NaN gives the zero point. */
#include "kernels/elementwise/quantize.h"
#include "ops/math/int8_operands.h"
#include "ops/math/matrices.h"

/* ---- what belongs to rows of the left operand, or to columns of the right one */

/* Zero points or scales: element i * step belongs to row or column i of all matrices. */
typedef struct params {
    const oc_value *v; /* NULL: zero points of 0 */
    int64_t step;
} params;

static oc_status read_params(oc_call *c, int i, int operand, bool left, params *p)
{
    const oc_dims *x = &oc_in(c, operand)->dims;
    oc_dims want = *x;
    char text[OC_DIMS_TEXT], other[OC_DIMS_TEXT];
    *p = (params){oc_in_or_null(c, i), 0};
    if (!p->v || oc_value_n(p->v) == 1)
        return OC_OK;
    if (x->rank < 2)
        return oc_fail_dims(c, i, "expected one element");
    p->step = 1;
    want.n[left ? x->rank - 1 : x->rank - 2] = 1;
    const oc_dims list = oc_dims_1d(x->n[left ? 0 : 1]);
    if (oc_dims_equal(&p->v->dims, &want) || (x->rank == 2 && oc_dims_equal(&p->v->dims, &list)))
        return OC_OK;
    return oc_fail_dims(c, i, "expected one element%s%s or %s", x->rank == 2 ? ", " : "",
                        x->rank == 2 ? oc_dims_text(&list, other) : "", oc_dims_text(&want, text));
}

/* ---- products of 8-bit integers (kernels/matmul/matmul_int8.h) */

/* How sums become results of one byte: by factors a * b / y. */
typedef struct scales {
    const float *a, *b;
    int64_t a_step, b_step;
    float y, low, high; /* limits of results */
    int32_t zero;
} scales;

/* A call, and what its products have in common. */
typedef struct int8_products {
    oc_call *c;
    oc_matrices g;
    const oc_value *a, *b;
    const params *a_zero, *b_zero;
    const scales *scales; /* NULL: y is int32 */
    int64_t depth;        /* bytes of a row of the left operand as it is multiplied */
    uint8_t a_flip, b_flip;
    const uint8_t *rows; /* rows of all matrices on the left */
    int32_t *less;       /* sum of each of these rows; NULL: no zero point of the right operand
                          * matters */
    const oc_int8_right *right; /* the packed right operand; NULL: it is packed for each product */
    oc_work outer, inner;       /* threads share products, or else the rows and columns of each */
    int8_t *packed;             /* for each task the packed matrix on the right */
    int32_t *sum, *first, *z;   /* numbers for each column of that matrix */
    float *factor;
} int8_products;

/* The memory of a task, and which matrix is in it. */
typedef struct room {
    oc_int8_right right;
    int8_t *packed;
    int32_t *sum, *first, *z;
    float *factor;
    int64_t brought;
} room;

static room room_of(const int8_products *t, int task)
{
    const int64_t at = task * oc_int8_columns(t->g.n);
    room r = {.first = t->first + at, .z = t->z + at, .factor = t->factor + at, .brought = -1};
    if (t->right) {
        r.right = *t->right;
        return r;
    }
    r.packed = t->packed + task * oc_matmul_int8_packed(t->g.k, t->g.n);
    r.sum = t->sum + at;
    r.right = (oc_int8_right){r.packed, r.sum};
    return r;
}

static int number_at(const oc_value *v, int64_t i)
{
    return v->type == OC_U8 ? ((const uint8_t *)v->data)[i] : ((const int8_t *)v->data)[i];
}

static int zero_at(const params *p, int64_t i)
{
    return p->v ? number_at(p->v, i * p->step) : 0;
}

static void sum_some(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const int8_products *t = arg;
    const oc_work alone = oc_work_alone(&t->inner);
    oc_matmul_int8_sums(t->less + first, (const uint8_t *)t->a->data + first * t->g.k, end - first,
                        t->g.k, t->a_flip, 0, &alone);
    for (int64_t i = first; i < end; i++)
        t->less[i] = (int32_t)((uint32_t)t->less[i] -
                               (uint32_t)t->g.k * (uint32_t)(zero_at(t->a_zero, i) + t->a_flip));
}

/* Sums the numbers of each row, which a zero point on the right takes off times itself. */
static oc_status sum_rows(int8_products *t)
{
    const int64_t rows = oc_dims_count(&t->g.a) * t->g.m,
                  n = t->b_zero->v ? oc_value_n(t->b_zero->v) : 1;
    bool any = false;
    OC_CALL_LOOP (t->c, i, n, 1024)
        any = any || zero_at(t->b_zero, i) != t->b_flip;
    if (!any)
        return OC_OK;
    OC_TRY(OC_SCRATCH(t->c, t->less, rows));
    return oc_call_units(t->c, (double)rows * (double)t->g.k, rows, sum_some, t);
}

/* Packs the matrix on the right with this index, and reads the zero points of its columns. */
static void bring_right(const int8_products *t, room *r, int64_t index)
{
    const int64_t k = t->g.k, n = t->g.n;
    if (r->brought == index)
        return;
    r->brought = index;
    if (r->packed)
        oc_matmul_int8_pack(oc_call_cpu(t->c), r->packed, r->sum,
                            (const uint8_t *)t->b->data + index * k * n, k, n, false, t->b_flip,
                            &t->inner);
    for (int64_t j = 0; j < n; j++)
        r->z[j] = zero_at(t->b_zero, index * n + j) - t->b_flip;
}

/* Multiplies rows `row` to row + rows - 1 of all, which have one zero point and one scale. */
static void multiply_rows(const int8_products *t, const room *r, int64_t row, int64_t rows, void *y)
{
    const scales *s = t->scales;
    const int64_t n = t->g.n;
    const int zero = zero_at(t->a_zero, row) + t->a_flip;
    oc_rescale rescale;
    for (int64_t j = 0; j < n; j++)
        r->first[j] = (int32_t)(0 - (uint32_t)zero * (uint32_t)r->right.sum[j]);
    oc_matmul_int8 p = {.cpu = oc_call_cpu(t->c),
                        .a = t->rows + row * oc_int8_left_row(t->c, t->g.k),
                        .b = r->right.packed,
                        .first = r->first,
                        .less = t->less ? t->less + row : NULL,
                        .z = r->z,
                        .y = y,
                        .m = rows,
                        .k = t->depth,
                        .n = n};
    if (s) {
        for (int64_t j = 0; j < n; j++)
            r->factor[j] = oc_rescale_factor(s->a[row * s->a_step] *
                                             s->b[(r->brought * n + j) * s->b_step] / s->y);
        rescale = (oc_rescale){r->factor, s->zero, (int32_t)s->low, (int32_t)s->high};
        p.rescale = &rescale;
    }
    p.work = oc_work_for(&t->inner, oc_matmul_int8_work(rows, t->depth, n));
    oc_matmul_int8_run(&p);
}

static void run_products(void *arg, int task, int64_t from, int64_t end)
{
    const int8_products *t = arg;
    const oc_matrices *g = &t->g;
    const bool alike = t->a_zero->step == 0 && (!t->scales || t->scales->a_step == 0);
    const int64_t size = t->scales ? 1 : (int64_t)sizeof(int32_t), rows = alike ? g->m : 1;
    room r = room_of(t, task);
    OC_LOOP (&t->inner, at, end - from, 1) {
        const int64_t i = from + at;
        const int64_t first = oc_matrices_index(&g->batch, &g->a, i) * g->m;
        bring_right(t, &r, oc_matrices_index(&g->batch, &g->b, i));
        for (int64_t row = 0; row < g->m; row += rows)
            multiply_rows(t, &r, first + row, rows, (char *)g->y + (i * g->m + row) * g->n * size);
    }
}

/* Threads share many products, or else each product. */
static void choose_work(int8_products *t)
{
    enum { MANY = 8 };
    const int64_t n = oc_dims_count(&t->g.batch);
    const oc_work all =
        oc_call_work(t->c, (double)n * oc_matmul_int8_work(t->g.m, t->depth, t->g.n));
    const int tasks = oc_work_most_tasks(&all);
    const bool many = n > 1 && (n % tasks == 0 || n >= MANY * (int64_t)tasks);
    const oc_work alone = oc_work_alone(&all);
    t->outer = many ? all : alone;
    t->inner = many ? alone : all;
}

/* Makes one matrix of all those on the left that the same one on the right multiplies. */
static void fold_batch(oc_matrices *g)
{
    if (oc_dims_count(&g->b) != 1)
        return;
    g->m *= oc_dims_count(&g->a);
    g->a.rank = g->b.rank = g->batch.rank = 0;
}

/* Multiplies inputs a and b, whose zero points are a_zero and b_zero. */
static oc_status multiply(oc_call *c, int a, int b, const params *a_zero, const params *b_zero,
                          const oc_matrices *g, const scales *s)
{
    const oc_int8_right *kept = oc_call_prepared(c);
    int8_products t = {.c = c,
                       .g = *g,
                       .a = oc_in(c, a),
                       .b = oc_in(c, b),
                       .a_zero = a_zero,
                       .b_zero = b_zero,
                       .scales = s,
                       .right = kept,
                       .depth = oc_matmul_int8_depth(g->k),
                       .a_flip = oc_int8_left_flip(oc_in(c, a)),
                       .b_flip = oc_int8_right_flip(oc_in(c, b))};
    fold_batch(&t.g);
    choose_work(&t);
    const int64_t tasks = oc_work_most_tasks(&t.outer), columns = tasks * oc_int8_columns(g->n);
    OC_TRY(oc_int8_left(c, t.a, oc_dims_count(&t.g.a) * t.g.m, t.g.k, &t.rows));
    OC_TRY(sum_rows(&t));
    OC_TRY(OC_SCRATCH(c, t.first, columns));
    OC_TRY(OC_SCRATCH(c, t.z, columns));
    OC_TRY(OC_SCRATCH(c, t.factor, columns));
    if (!kept) {
        OC_TRY(OC_SCRATCH(c, t.packed, tasks * oc_matmul_int8_packed(g->k, g->n)));
        OC_TRY(OC_SCRATCH(c, t.sum, columns));
    }
    memset(t.first, 0, (size_t)columns * sizeof *t.first);
    memset(t.z, 0, (size_t)columns * sizeof *t.z);
    memset(t.factor, 0, (size_t)columns * sizeof *t.factor);
    oc_work_run(&t.outer, oc_dims_count(&t.g.batch), run_products, &t);
    return oc_check_limits(c);
}

/* ---- MatMulInteger */

static oc_status integer_shape(oc_call *c)
{
    params zero;
    OC_TRY(oc_matrices_shape(c, 0, 1, OC_I32));
    OC_TRY(read_params(c, 2, 0, true, &zero));
    return read_params(c, 3, 1, false, &zero);
}

static oc_status integer_run(oc_call *c)
{
    oc_matrices g;
    params a, b;
    OC_TRY(oc_matrices_read(c, 0, 1, &g));
    OC_TRY(read_params(c, 2, 0, true, &a));
    OC_TRY(read_params(c, 3, 1, false, &b));
    if (oc_value_n(oc_out(c, 0)) == 0)
        return OC_OK;
    g.y = oc_out(c, 0)->data;
    return multiply(c, 0, 1, &a, &b, &g, NULL);
}

OC_CALL_FN(integer_prepare, oc_int8_prepare(c, oc_in(c, 1), false, true))

/* ---- QLinearMatMul */

enum { A, A_SCALE, A_ZERO, B, B_SCALE, B_ZERO, Y_SCALE, Y_ZERO };

static oc_status linear_shape(oc_call *c)
{
    params p;
    OC_TRY(oc_matrices_shape(c, A, B, oc_in(c, Y_ZERO)->type));
    OC_TRY(read_params(c, A_SCALE, A, true, &p));
    OC_TRY(read_params(c, A_ZERO, A, true, &p));
    OC_TRY(read_params(c, B_SCALE, B, false, &p));
    OC_TRY(read_params(c, B_ZERO, B, false, &p));
    OC_TRY(oc_expect_one(c, Y_SCALE));
    return oc_expect_one(c, Y_ZERO);
}

/* Sums in float, and how they become results. */
typedef struct scaling {
    oc_matrices g;
    const float *sums;
    scales by;
    const oc_quantize_variant *kernel;
    oc_value *out;
    float zero; /* zero point of a float8 result */
    oc_work work;
} scaling;

enum { PART = 256 }; /* columns at a time */

static void scale_part(const scaling *t, int64_t at, float a, const float *b, int64_t n)
{
    static const float one = 1;
    const float zero = (float)t->by.zero;
    float x[PART];
    const oc_type type = t->out->type;
    uint8_t *y = (uint8_t *)t->out->data + at; /* its type has one byte */
    for (int64_t j = 0; j < n; j++)
        x[j] = t->sums[at + j] * (a * b[j * t->by.b_step] / t->by.y);
    if (!oc_type_in(type, OC_SET_F8)) {
        const oc_codes codes = {&one, &zero, 0, t->by.low, t->by.high};
        t->kernel->to_8(y, x, &codes, n);
        return;
    }
    for (int64_t j = 0; j < n && t->zero != 0; j++)
        x[j] += t->zero;
    oc_convert(y, type, x, OC_F32, n, true);
}

static void scale_rows(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const scaling *t = arg;
    const oc_matrices *g = &t->g;
    const scales *s = &t->by;
    for (int64_t i = first; i < end; i++) {
        const int64_t product = i / g->m;
        const int64_t row = oc_matrices_index(&g->batch, &g->a, product) * g->m + i % g->m;
        const int64_t column = oc_matrices_index(&g->batch, &g->b, product) * g->n;
        OC_PIECES (&t->work, p, g->n, 4 * PART)
            for (int64_t j = p.first; j < p.end; j += PART)
                scale_part(t, i * g->n + j, s->a[row * s->a_step], s->b + (column + j) * s->b_step,
                           oc_min(p.end - j, PART));
    }
}

/* *data becomes the operand less its zero points, in float. */
static oc_status subtract(oc_call *c, int i, const params *zero, bool left, int64_t rows,
                          int64_t columns, const void **data)
{
    const oc_value *x = oc_in(c, i);
    const void *points;
    float *to;
    OC_TRY(OC_SCRATCH(c, to, oc_value_n(x)));
    OC_TRY(oc_as_type(c, OC_F32, zero->v->data, zero->v->type, oc_value_n(zero->v), &points));
    oc_call_convert(c, to, OC_F32, x->data, x->type, oc_value_n(x));
    OC_CALL_LOOP (c, at, oc_value_n(x), 1024) {
        const int64_t r = at / columns, j = at % columns;
        to[at] -= ((const float *)points)[(left ? r : r / rows * columns + j) * zero->step];
    }
    *data = to;
    return OC_OK;
}

static oc_status multiply_real(oc_call *c, const params *a_zero, const params *b_zero,
                               oc_matrices g)
{
    OC_TRY(subtract(c, A, a_zero, true, g.m, g.k, &g.a_data));
    OC_TRY(subtract(c, B, b_zero, false, g.k, g.n, &g.b_data));
    g.type = OC_F32;
    return oc_matrices_multiply(c, &g);
}

/* May a sum of k products pass int32? Sums that stand for numbers must not wrap. */
static bool may_pass(const oc_call *c, int64_t k)
{
    enum { LARGEST = 255 * 255 }; /* greatest product of two codes less their zero points */
    return oc_call_made_of_numbers(c) && k > INT32_MAX / LARGEST;
}

static bool is_float8(const oc_value *v)
{
    return oc_type_in(v->type, OC_SET_F8);
}

static oc_status read_scales(oc_call *c, scales *s)
{
    const oc_value *y = oc_out(c, 0);
    params a, b;
    const void *a_scale, *b_scale, *y_scale;
    OC_TRY(read_params(c, A_SCALE, A, true, &a));
    OC_TRY(read_params(c, B_SCALE, B, false, &b));
    OC_TRY(oc_in_as(c, A_SCALE, OC_F32, &a_scale));
    OC_TRY(oc_in_as(c, B_SCALE, OC_F32, &b_scale));
    OC_TRY(oc_in_as(c, Y_SCALE, OC_F32, &y_scale));
    *s = (scales){a_scale, b_scale, a.step, b.step, *(const float *)y_scale, 0, 0, 0};
    if (is_float8(y))
        return OC_OK;
    s->zero = number_at(oc_in(c, Y_ZERO), 0);
    oc_call_code_limits(c, y->type, &s->low, &s->high);
    return OC_OK;
}

/* Computes sums in float and then the results, for operands of float8, and for sums that int32 may
 * not hold. */
static oc_status run_real(oc_call *c, const params *a, const params *b, const scales *s,
                          oc_matrices g)
{
    const oc_value *zero = oc_in(c, Y_ZERO);
    float *sums;
    scaling t = {.g = g, .by = *s, .kernel = oc_quantize_pick(oc_call_cpu(c)), .out = oc_out(c, 0)};
    OC_TRY(OC_SCRATCH(c, sums, oc_value_n(t.out)));
    g.y = sums;
    t.sums = sums;
    t.zero = (float)oc_element_f64(zero->type, zero->data, 0);
    OC_TRY(multiply_real(c, a, b, g));
    const int64_t rows = oc_dims_count(&t.g.batch) * t.g.m;
    t.work = oc_call_work(c, (double)oc_value_n(t.out) * OC_ELEMENT);
    oc_work_run(&t.work, rows, scale_rows, &t);
    return OC_OK;
}

static oc_status linear_run(oc_call *c)
{
    oc_matrices g;
    params a, b;
    scales s;
    OC_TRY(oc_matrices_read(c, A, B, &g));
    OC_TRY(read_params(c, A_ZERO, A, true, &a));
    OC_TRY(read_params(c, B_ZERO, B, false, &b));
    OC_TRY(read_scales(c, &s));
    if (oc_value_n(oc_out(c, 0)) == 0)
        return OC_OK;
    if (is_float8(oc_in(c, A)) || is_float8(oc_in(c, B)) || may_pass(c, g.k))
        return run_real(c, &a, &b, &s, g);
    g.y = oc_out(c, 0)->data;
    return multiply(c, A, B, &a, &b, &g, &s);
}

static bool is_int8(const oc_value *v)
{
    return v->type == OC_U8 || v->type == OC_I8;
}

/* If A is float8, the run reads B itself. The type of A is that of its zero point, which is known
 * here. */
static oc_status linear_prepare(oc_call *c)
{
    const oc_dims *b = &oc_in(c, B)->dims;
    if (b->rank == 2 && may_pass(c, b->n[0]))
        return OC_OK;
    return oc_int8_prepare(c, oc_in(c, B), false,
                           is_int8(oc_in(c, A)) || is_int8(oc_in(c, A_ZERO)));
}

/* clang-format off */
#define LINEAR(ts, set)                                                                            \
    "QLinearMatMul (T1 a, " ts " a_scale, T1 a_zero_point, T2 b=, " ts " b_scale, T2 b_zero_point, " \
    ts " y_scale, T3 y_zero_point) => (T3 y) | T1: " set "; T2: " set "; T3: " set
#define INT8 "int8 uint8"
const oc_op oc_ops_matmul_integer[] = {
    {10, "MatMulInteger (T1 A, T2 B=, T1 a_zero_point?, T2 b_zero_point?) => (T3 Y) "
         "| T1: " INT8 "; T2: " INT8 "; T3: int32", integer_shape, integer_run, integer_prepare},
    {21, LINEAR("TS", INT8 " float8") "; TS: float float16 bfloat16", linear_shape, linear_run, linear_prepare},
    {10, LINEAR("float", INT8), linear_shape, linear_run, linear_prepare},
    {0}
};
