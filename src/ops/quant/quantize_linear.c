/* SPDX-License-Identifier: Apache-2.0
 * quantize_linear.c - QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear.
 *
 * y = saturate(round(x / scale) + zero point), ties to even, and x = (y - zero point) * scale.
 * There is one scale and zero point for all elements, one for each index of an axis, or one for
 * block_size neighbours along it.
 *
 * Rows of elements are widened to double. Operands and quotient are rounded to the precision that
 * the operator asks for; dividing in double and then rounding once gives the same result. Products
 * of integers of up to 16 bits are exact in double, so results are rounded once. A quotient that is
 * NaN (0 / 0) gives the zero point, the code of 0. A zero point of 0 is not added, so that -0 stays
 * -0.
 *
 * Floats that become 8-bit integers by one scale stay floats: their quotient is rounded once, too.
 */
#include "kernels/common/saturate.h"
#include "ops/kit/op.h"

#include <inttypes.h>
#include <math.h>

enum { BLOCK = 256 }; /* elements widened at a time */

/* Which scale belongs to which element: x is [outer, size, inner], and element (o, i, k) has scale
 * [o * o_step + i / block * i_step + k * k_step]. */
typedef struct geometry {
    int64_t outer, size, inner, block;
    int64_t o_step, i_step, k_step;
} geometry;

/* Does s have the dims of x, except on axis, where it has one element for each block? */
static bool is_blocked(const oc_dims *x, const oc_dims *s, int axis, int64_t block)
{
    return oc_dims_same_but(x, s, axis) &&
           s->n[axis] == x->n[axis] / block + (x->n[axis] % block != 0);
}

static bool is_single(const oc_dims *d)
{
    return d->rank <= 1 && oc_dims_count(d) == 1;
}

static oc_status read_geometry(oc_call *c, geometry *g)
{
    const oc_dims *x = &oc_in(c, 0)->dims, *s = &oc_in(c, 1)->dims;
    const int64_t block = oc_attr_has(c, "block_size") ? oc_attr_int(c, "block_size") : 0;
    char text[OC_DIMS_TEXT];
    const bool single = is_single(s);
    if (oc_in(c, 2) && !(single && is_single(&oc_in(c, 2)->dims)))
        OC_TRY(oc_expect_dims(c, 2, s, " as the scale"));
    if (block < 0)
        return oc_fail(c, OC_VALUE, "attribute 'block_size' is %" PRId64 ", expected 0 or more",
                       block);
    *g = (geometry){1, 1, oc_dims_count(x), 1, 0, 0, 0};
    if (single)
        return OC_OK;
    int axis;
    if (oc_call_since(c) < 13)
        return oc_fail_dims(c, 1, "expected a scalar");
    OC_TRY(oc_attr_axis(c, "axis", x->rank, &axis));
    if (block ? !is_blocked(x, s, axis, block) : s->rank != 1 || s->n[0] != x->n[axis])
        return oc_fail_dims(c, 1, "expected one scale for each %s of axis %d of %s",
                            block ? "block" : "index", axis, oc_dims_text(x, text));
    g->outer = oc_dims_product(x, 0, axis);
    g->size = x->n[axis];
    g->inner = oc_dims_product(x, axis + 1, x->rank);
    g->block = block ? block : 1;
    g->i_step = block ? g->inner : 1;
    g->k_step = block != 0;
    g->o_step = block ? s->n[axis] * g->inner : 0;
    return OC_OK;
}

/* ---- rows */

typedef struct job job;
/* y = f(x, scale, zero point) for n elements. step, 0 or 1, is that of scale and zero. */
typedef void row_fn(const job *j, double *x, const double *scale, const double *zero, int64_t step,
                    int64_t n);

struct job {
    const oc_value *x, *scale, *zero, *y; /* zero may be NULL */
    oc_type precision;                    /* of the division */
    double low, high;                     /* the range of y's type; high 0: a float type */
    bool saturate;
    bool to_bytes; /* floats by float scales become 8-bit integers */
    row_fn *row;
};

static const void *element(const oc_value *v, int64_t i)
{
    return (const char *)v->data + oc_type_size(v->type) * (size_t)i;
}

/* Rounds n doubles to values of `type`. */
static void round_to(oc_type type, double *x, int64_t n)
{
    float narrow[BLOCK]; /* large enough for BLOCK elements of 16 bits, too */
    if (type == OC_F64)
        return;
    oc_convert(narrow, type, x, OC_F64, n, true);
    oc_convert(x, OC_F64, narrow, type, n, true);
}

/* Quantizes n elements from x[at] on, of which all have scale[s]. */
static void to_bytes(const job *j, int64_t at, int64_t s, int64_t n)
{
    const float *x = element(j->x, at), scale = *(const float *)element(j->scale, s);
    const int zero = j->zero ? (int)oc_element_f64(j->zero->type, j->zero->data, s) : 0;
    const float low = (float)j->low - (float)zero, high = (float)j->high - (float)zero;
    uint8_t *y = (uint8_t *)j->y->data + at;
    for (int64_t k = 0; k < n; k++)
        y[k] = oc_to_byte(x[k] / scale, low, high, zero);
}

/* Computes n elements from x[at] on; their scales begin at scale[s]. */
static void run_row(const job *j, int64_t at, int64_t s, int64_t step, int64_t n)
{
    double x[BLOCK], scale[BLOCK], zero[BLOCK] = {0};
    if (j->to_bytes && step == 0) {
        to_bytes(j, at, s, n);
        return;
    }
    for (int64_t done = 0; done < n; done += BLOCK) {
        const int64_t part = n - done < BLOCK ? n - done : BLOCK;
        const int64_t scales = step ? part : 1, first = s + step * done;
        oc_convert(x, OC_F64, element(j->x, at + done), j->x->type, part, true);
        oc_convert(scale, OC_F64, element(j->scale, first), j->scale->type, scales, true);
        if (j->zero)
            oc_convert(zero, OC_F64, element(j->zero, first), j->zero->type, scales, true);
        if (j->scale->type != j->precision)
            round_to(j->precision, scale, scales);
        j->row(j, x, scale, zero, step, part);
        oc_convert((char *)j->y->data + oc_type_size(j->y->type) * (size_t)(at + done), j->y->type,
                   x, OC_F64, part, j->saturate);
    }
}

static void run_all(const job *j, const geometry *g)
{
    const bool last = g->inner == 1; /* neighbours along the axis then make a row */
    const int64_t run = !last ? 1 : g->block > 1 ? g->block : g->size;
    const int64_t step = last && g->block == 1 ? g->i_step : g->k_step * !last;
    int64_t at = 0;
    if (g->inner == 0) /* no elements, even if there are rows */
        return;
    for (int64_t o = 0; o < g->outer; o++)
        for (int64_t i = 0; i < g->size; i += run) {
            const int64_t n = (g->size - i < run ? g->size - i : run) * g->inner;
            run_row(j, at, o * g->o_step + i / g->block * g->i_step, step, n);
            at += n;
        }
}

static void quantize_row(const job *j, double *x, const double *scale, const double *zero,
                         int64_t step, int64_t n)
{
    if (j->x->type != j->precision)
        round_to(j->precision, x, n);
    for (int64_t k = 0; k < n; k++)
        x[k] /= scale[k * step];
    round_to(j->precision, x, n);
    if (j->high == 0) {
        for (int64_t k = 0; k < n; k++)
            x[k] = zero[k * step] == 0 ? x[k] : x[k] + zero[k * step];
        return;
    }
    for (int64_t k = 0; k < n; k++) {
        const double z = zero[k * step], code = isnan(x[k]) ? z : rint(x[k]) + z;
        x[k] = code < j->low ? j->low : code > j->high ? j->high : code;
    }
}

static void dequantize_row(const job *j, double *x, const double *scale, const double *zero,
                           int64_t step, int64_t n)
{
    (void)j;
    for (int64_t k = 0; k < n; k++)
        x[k] = (zero[k * step] == 0 ? x[k] : x[k] - zero[k * step]) * scale[k * step];
}

/* ---- QuantizeLinear */

/* Reads attribute `name` as a type; *type becomes otherwise if it is 0 or missing. */
static oc_status read_type(oc_call *c, const char *name, oc_type otherwise, oc_type *type)
{
    const int64_t number = oc_attr_has(c, name) ? oc_attr_int(c, name) : 0;
    *type = number ? (oc_type)number : otherwise;
    if (number && !oc_type_is_listed(number))
        return oc_fail(c, OC_VALUE, "attribute '%s' is %" PRId64 ", expected a data type's number",
                       name, number);
    return OC_OK;
}

static oc_status quantize_shape(oc_call *c)
{
    geometry g;
    const oc_value *zero = oc_in(c, 2);
    oc_type type;
    OC_TRY(read_geometry(c, &g));
    OC_TRY(read_type(c, "output_dtype", zero ? zero->type : OC_U8, &type));
    if (zero && zero->type != type)
        return oc_fail(c, OC_TYPE, "attribute 'output_dtype' is %s, but the zero point is %s",
                       oc_type_name(type), oc_type_name(zero->type));
    return oc_set_out(c, 0, type, oc_in(c, 0)->dims);
}

static void set_range(job *j)
{
    const oc_type type = j->y->type;
    const bool is_signed = oc_type_in(type, OC_SET_SIGNED | OC_SET_(I4) | OC_SET_(I2));
    if (!oc_type_in(type, OC_SET_SIGNED | OC_SET_UNSIGNED | OC_SET_TINY_INT))
        return;
    j->high = ldexp(1, oc_type_bits(type) - is_signed) - 1;
    j->low = is_signed ? -j->high - 1 : 0;
}

static bool can_be_bytes(const job *j)
{
    return j->x->type == OC_F32 && j->scale->type == OC_F32 && j->precision == OC_F32 &&
           oc_type_in(j->y->type, OC_SET_(I8) | OC_SET_(U8));
}

static oc_status quantize_run(oc_call *c)
{
    geometry g;
    job j = {.x = oc_in(c, 0), .scale = oc_in(c, 1), .zero = oc_in(c, 2), .y = oc_out(c, 0)};
    const oc_type own = j.scale->type;
    j.row = quantize_row;
    j.saturate = !oc_attr_has(c, "saturate") || oc_attr_int(c, "saturate");
    set_range(&j);
    OC_TRY(read_geometry(c, &g));
    OC_TRY(read_type(c, "precision",
                     own == OC_I32      ? OC_F64
                     : own == OC_F8E8M0 ? OC_F32
                                        : own,
                     &j.precision));
    if (!oc_type_in(j.precision, OC_SET_FLOAT))
        return oc_fail(c, OC_VALUE, "attribute 'precision' is %s, expected a float type",
                       oc_type_name(j.precision));
    j.to_bytes = can_be_bytes(&j);
    run_all(&j, &g);
    return OC_OK;
}

/* ---- DequantizeLinear */

static oc_status dequantize_shape(oc_call *c)
{
    geometry g;
    oc_type type;
    OC_TRY(read_geometry(c, &g));
    OC_TRY(read_type(c, "output_dtype", oc_in(c, 1)->type, &type));
    return oc_set_out(c, 0, type, oc_in(c, 0)->dims);
}

static oc_status dequantize_run(oc_call *c)
{
    geometry g;
    job j = {.x = oc_in(c, 0), .scale = oc_in(c, 1), .zero = oc_in(c, 2), .y = oc_out(c, 0)};
    j.row = dequantize_row;
    j.precision = j.scale->type;
    OC_TRY(read_geometry(c, &g));
    run_all(&j, &g);
    return OC_OK;
}

/* ---- DynamicQuantizeLinear */

static oc_status dynamic_shape(oc_call *c)
{
    const oc_dims scalar = {0, {0}};
    OC_TRY(oc_set_out(c, 0, OC_U8, oc_in(c, 0)->dims));
    OC_TRY(oc_set_out(c, 1, OC_F32, scalar));
    return oc_set_out(c, 2, OC_U8, scalar);
}

/* Chooses 255 steps that cover the range of x and 0. A NaN in x makes the scale NaN. */
static void choose(const oc_value *x, float *scale, uint8_t *zero)
{
    const float *v = x->data;
    float low = 0, high = 0;
    for (int64_t i = 0; i < oc_value_n(x); i++) {
        low = v[i] < low || isnan(v[i]) ? v[i] : low;
        high = v[i] > high || isnan(v[i]) ? v[i] : high;
        if (isnan(low))
            break;
    }
    *scale = (high - low) / 255;
    const float first = 0 - low / *scale;
    *zero = first > 0 ? (uint8_t)rintf(first < 255 ? first : 255) : 0;
}

static oc_status dynamic_run(oc_call *c)
{
    const oc_dims scalar = {0, {0}};
    float scale;
    uint8_t zero;
    choose(oc_in(c, 0), &scale, &zero);
    if (oc_out(c, 1))
        *(float *)oc_out(c, 1)->data = scale;
    if (oc_out(c, 2))
        *(uint8_t *)oc_out(c, 2)->data = zero;
    if (!oc_out(c, 0))
        return OC_OK;
    const oc_value s = oc_value_borrow(OC_F32, scalar, &scale);
    const oc_value z = oc_value_borrow(OC_U8, scalar, &zero);
    job j = {.x = oc_in(c, 0), .scale = &s, .zero = &z, .y = oc_out(c, 0), .precision = OC_F32};
    j.row = quantize_row;
    set_range(&j);
    j.to_bytes = can_be_bytes(&j);
    run_row(&j, 0, 0, 0, oc_value_n(j.x));
    return OC_OK;
}

/* clang-format off */
#define AXIS  "int axis+ = 1"
#define BLOCKS AXIS ", int block_size+ = 0"
#define INT8  "int8 uint8"
#define INT16 INT8 " int16 uint16"
#define INT4  "uint4 int4"
#define F16   "float float16 bfloat16"
#define E8    " float8e8m0"

#define Q10(attrs) "QuantizeLinear " attrs "(T1 x, float y_scale, T2 y_zero_point?) => (T2 y)" \
                   " | T1: float int32; T2: " INT8 " = uint8"
#define Q19(attrs, out) "QuantizeLinear <" attrs ", int saturate+ = 1>" \
                   " (T1 x, T1 y_scale, T2 y_zero_point?) => (T2 y) | T1: int32 " F16 "; T2: " out " = uint8"
#define Q23(scale, out) "QuantizeLinear <" BLOCKS ", int output_dtype+@T3 = 0, int precision+ = 0, int saturate+ = 1>" \
                   " (T1 x, T2 y_scale, T3 y_zero_point?) => (T3 y)" \
                   " | T1: int32 " F16 "; T2: int32 " F16 scale "; T3: " out " = uint8"

#define D10(attrs) "DequantizeLinear " attrs "(T x, float x_scale, T x_zero_point?) => (float y)" \
                   " | T: int32 " INT8
#define D19(attrs, in) "DequantizeLinear <" attrs ">" \
                   " (T1 x, T2 x_scale, T1 x_zero_point?) => (T2 y) | T1: int32 " in "; T2: " F16
#define D23(scale, in) "DequantizeLinear <" BLOCKS ", int output_dtype+@T3 = 0>" \
                   " (T1 x, T2 x_scale, T1 x_zero_point?) => (T3 y)" \
                   " | T1: int32 " in "; T2: " F16 scale "; T3: " F16

#define ALL21 INT16 " float8 " INT4
#define ALL23 ALL21 " float4e2m1"
#define ALL25 ALL23 " uint2 int2"
const oc_op oc_ops_quantize_linear[] = {
    {25, Q23(E8, ALL25), quantize_shape, quantize_run},
    {24, Q23(E8, ALL23), quantize_shape, quantize_run},
    {23, Q23("", ALL23), quantize_shape, quantize_run}, /* + precision */
    {21, Q19(BLOCKS ", int output_dtype+@T2 = 0", ALL21), quantize_shape, quantize_run},
    {19, Q19(AXIS, INT8 " float8"),                   quantize_shape, quantize_run},
    {13, Q10("<" AXIS "> "), quantize_shape, quantize_run},
    {10, Q10(""),            quantize_shape, quantize_run},
    {25, D23(E8, ALL25), dequantize_shape, dequantize_run},
    {24, D23(E8, ALL23), dequantize_shape, dequantize_run},
    {23, D23("", ALL23), dequantize_shape, dequantize_run}, /* + output_dtype */
    {21, D19(BLOCKS, ALL21),        dequantize_shape, dequantize_run},
    {19, D19(AXIS, INT8 " float8"), dequantize_shape, dequantize_run},
    {13, D10("<" AXIS "> "), dequantize_shape, dequantize_run},
    {10, D10(""),            dequantize_shape, dequantize_run},
    {11, "DynamicQuantizeLinear (T1 x) => (T2 y, float y_scale, T2 y_zero_point) | T1: float; T2: uint8",
     dynamic_shape, dynamic_run},
    {0}
};
/* clang-format on */
