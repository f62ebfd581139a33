/* SPDX-License-Identifier: Apache-2.0
 * matmul_integer.c - MatMulInteger, QLinearMatMul: products of quantized matrices.
 *
 * Zero points are subtracted, then sums of products are made. Of 8-bit integers they are int32 and
 * wrap; with a float8 operand they are made in float, as MatMul makes them. QLinearMatMul
 * multiplies each sum, as float, by a_scale * b_scale / y_scale, every step rounded to float; an
 * integer result is rounded, ties to even, then y_zero_point is added, and the result saturates.
 * NaN gives the zero point. */
#include "kernels/elementwise/quantize.h"
#include "ops/math/matrices.h"

/* ---- what belongs to rows of the left operand, or to columns of the right one */

/* Which element of a zero point or scale belongs to row or column i of all matrices: i * step. */
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

/* ---- products of 8-bit integers as pairs of int16 (kernels/matmul/product.h) */

/* What an 8-bit integer x less its zero point is: (x ^ flip) - offset, for both signs. */
static uint8_t flip_of(const oc_value *v)
{
    return v->type == OC_I8 ? 128 : 0;
}

static oc_status offsets_of(oc_call *c, int operand, const params *zero, int16_t **offset)
{
    const int64_t n = zero->v ? oc_value_n(zero->v) : 1;
    OC_TRY(OC_SCRATCH(c, *offset, n));
    **offset = 0;
    if (zero->v)
        oc_call_convert(c, *offset, OC_I16, zero->v->data, zero->v->type, n);
    OC_CALL_LOOP (c, i, n, 1024)
        (*offset)[i] = (int16_t)((*offset)[i] + flip_of(oc_in(c, operand)));
    return OC_OK;
}

/* The rows of the left operand as pairs. */
typedef struct packing {
    const uint8_t *x;
    uint8_t flip;
    const int16_t *offset; /* offset[i * step]: of row i */
    int64_t step;
    uint32_t *to;
    int64_t columns; /* of all matrices */
    oc_work work;
} packing;

static inline uint32_t pair(int32_t low, int32_t high)
{
    return (uint32_t)(uint16_t)low | (uint32_t)high << 16;
}

static void pack_row(const packing *p, int64_t row)
{
    const int64_t k = p->columns;
    const int32_t offset = p->offset[row * p->step];
    const uint8_t *x = p->x + row * k, flip = p->flip;
    uint32_t *to = p->to + row * ((k + 1) / 2);
    OC_LOOP (&p->work, i, k / 2, 4096)
        to[i] = pair((x[2 * i] ^ flip) - offset, (x[2 * i + 1] ^ flip) - offset);
    if (k % 2)
        to[k / 2] = pair((x[k - 1] ^ flip) - offset, 0);
}

static void pack_rows(void *arg, int task, int64_t first, int64_t end)
{
    const packing *p = arg;
    (void)task;
    for (int64_t i = first; i < end; i++)
        pack_row(p, i);
}

static oc_status pack(oc_call *c, int operand, const params *zero, const oc_matrices *g,
                      const void **to)
{
    int16_t *offset;
    OC_TRY(offsets_of(c, operand, zero, &offset));
    packing p = {.x = oc_in(c, operand)->data,
                 .flip = flip_of(oc_in(c, operand)),
                 .offset = offset,
                 .step = zero->step,
                 .columns = g->k};
    const int64_t rows = oc_dims_count(&g->a) * g->m, pairs = (g->k + 1) / 2;
    OC_TRY(OC_SCRATCH(c, p.to, rows * pairs));
    p.work = oc_call_work(c, (double)(rows * pairs) * 2 * OC_ELEMENT);
    oc_work_run(&p.work, rows, pack_rows, &p);
    *to = p.to;
    return OC_OK;
}

/* The sums. a_zero, b_zero: those of inputs a and b. */
static oc_status multiply(oc_call *c, int a, int b, const params *a_zero, const params *b_zero,
                          oc_matrices g)
{
    int16_t *offset;
    OC_TRY(pack(c, a, a_zero, &g, &g.a_data));
    OC_TRY(offsets_of(c, b, b_zero, &offset));
    const oc_matmul_bytes right = {oc_in(c, b)->data, offset, g.k, b_zero->step,
                                   flip_of(oc_in(c, b))};
    g.type = OC_I32;
    g.bytes = &right;
    g.k = (g.k + 1) / 2;
    return oc_matrices_multiply(c, &g);
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
    return multiply(c, 0, 1, &a, &b, g);
}

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

typedef struct scaling {
    oc_matrices g;
    const void *sums; /* int32, or float where real */
    bool real;
    const float *a, *b; /* scales */
    int64_t a_step, b_step;
    float y, zero;
    const oc_quantize_variant *kernel;
    oc_value *out;
    oc_work work;
} scaling;

enum { PART = 256 }; /* columns at a time */

static void scale_part(const scaling *t, int64_t at, float a, const float *b, int64_t n)
{
    static const float one = 1;
    float x[PART], factor[PART];
    const oc_type type = t->out->type;
    const bool bytes = type == OC_I8 || type == OC_U8;
    const float low = type == OC_I8 ? -128 : 0;
    uint8_t *y = (uint8_t *)t->out->data + at; /* all types that it may have are of one byte */
    oc_codes codes = {factor, &t->zero, t->b_step, low, low + 255};
    for (int64_t j = 0; j < (t->b_step ? n : 1); j++)
        factor[j] = a * b[j] / t->y;
    if (bytes && !t->real) {
        t->kernel->of_sums(y, (const int32_t *)t->sums + at, 0, &codes, n);
        return;
    }
    for (int64_t j = 0; j < n; j++)
        x[j] = (t->real ? ((const float *)t->sums)[at + j]
                        : (float)((const int32_t *)t->sums)[at + j]) *
               factor[j * t->b_step];
    if (bytes) {
        codes.scale = &one;
        codes.step = 0;
        t->kernel->to_8(y, x, &codes, n);
        return;
    }
    for (int64_t j = 0; j < n && t->zero != 0; j++)
        x[j] += t->zero;
    oc_convert(y, type, x, OC_F32, n, true);
}

static void scale_rows(void *arg, int task, int64_t first, int64_t end)
{
    const scaling *t = arg;
    const oc_matrices *g = &t->g;
    (void)task;
    for (int64_t i = first; i < end; i++) {
        const int64_t product = i / g->m;
        const int64_t row = oc_matrices_index(&g->batch, &g->a, product) * g->m + i % g->m;
        const int64_t column = oc_matrices_index(&g->batch, &g->b, product) * g->n;
        OC_PIECES (&t->work, p, g->n, 4 * PART)
            for (int64_t j = p.first; j < p.end; j += PART)
                scale_part(t, i * g->n + j, t->a[row * t->a_step], t->b + (column + j) * t->b_step,
                           p.end - j < PART ? p.end - j : PART);
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

static bool is_float8(const oc_value *v)
{
    return oc_type_in(v->type, OC_SET_F8);
}

static oc_status set_scales(oc_call *c, scaling *t)
{
    params a, b;
    const void *a_scale, *b_scale, *y_scale;
    OC_TRY(read_params(c, A_SCALE, A, true, &a));
    OC_TRY(read_params(c, B_SCALE, B, false, &b));
    OC_TRY(oc_in_as(c, A_SCALE, OC_F32, &a_scale));
    OC_TRY(oc_in_as(c, B_SCALE, OC_F32, &b_scale));
    OC_TRY(oc_in_as(c, Y_SCALE, OC_F32, &y_scale));
    t->a = a_scale;
    t->b = b_scale;
    t->a_step = a.step;
    t->b_step = b.step;
    t->y = *(const float *)y_scale;
    t->zero = (float)oc_element_f64(oc_in(c, Y_ZERO)->type, oc_in(c, Y_ZERO)->data, 0);
    return OC_OK;
}

static oc_status linear_run(oc_call *c)
{
    scaling t = {.out = oc_out(c, 0), .kernel = oc_quantize_pick(oc_call_cpu(c))};
    params a, b;
    uint32_t *sums;
    OC_TRY(oc_matrices_read(c, A, B, &t.g));
    OC_TRY(read_params(c, A_ZERO, A, true, &a));
    OC_TRY(read_params(c, B_ZERO, B, false, &b));
    OC_TRY(set_scales(c, &t));
    if (oc_value_n(t.out) == 0)
        return OC_OK;
    OC_TRY(OC_SCRATCH(c, sums, oc_value_n(t.out)));
    oc_matrices g = t.g;
    g.y = sums;
    t.sums = sums;
    t.real = is_float8(oc_in(c, A)) || is_float8(oc_in(c, B));
    OC_TRY(t.real ? multiply_real(c, &a, &b, g) : multiply(c, A, B, &a, &b, g));
    const int64_t rows = oc_dims_count(&t.g.batch) * t.g.m;
    t.work = oc_call_work(c, (double)oc_value_n(t.out) * OC_ELEMENT);
    oc_work_run(&t.work, rows, scale_rows, &t);
    return OC_OK;
}

/* clang-format off */
#define LINEAR(ts, set)                                                                            \
    "QLinearMatMul (T1 a, " ts " a_scale, T1 a_zero_point, T2 b, " ts " b_scale, T2 b_zero_point, " \
    ts " y_scale, T3 y_zero_point) => (T3 y) | T1: " set "; T2: " set "; T3: " set
#define INT8 "int8 uint8"
const oc_op oc_ops_matmul_integer[] = {
    {10, "MatMulInteger (T1 A, T2 B, T1 a_zero_point?, T2 b_zero_point?) => (T3 Y) "
         "| T1: " INT8 "; T2: " INT8 "; T3: int32", integer_shape, integer_run},
    {21, LINEAR("TS", INT8 " float8") "; TS: float float16 bfloat16", linear_shape, linear_run},
    {10, LINEAR("float", INT8), linear_shape, linear_run},
    {0}
};
/* clang-format on */
