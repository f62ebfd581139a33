/* SPDX-License-Identifier: Apache-2.0
 * quantize_linear.c - QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear.
 *
 * y = saturate(round(x / scale) + zero point), ties to even, and x = (y - zero point) * scale.
 * There is one scale and zero point for all elements, one for each index of an axis, or one for
 * block_size neighbours along it.
 *
 * Operands and quotient are rounded to the precision that the operator asks for. A quotient that is
 * NaN (0 / 0) gives the zero point, the code of 0. A zero point of 0 is not added, so that -0 stays
 * -0. */
#include "base/limits.h"
#include "kernels/elementwise/quantize.h"
#include "ops/kit/layout.h"
#include "ops/quant/quantize_rows.h"

#include <math.h>

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

static oc_status read_scales(oc_call *c, oc_scales *g)
{
    const oc_dims *x = &oc_in(c, 0)->dims, *s = &oc_in(c, 1)->dims;
    const int64_t block = oc_attr_has(c, "block_size") ? oc_attr_int(c, "block_size") : 0;
    char text[OC_DIMS_TEXT];
    const bool single = is_single(s);
    const oc_value *zero = oc_in_or_null(c, 2);
    if (zero && !(single && is_single(&zero->dims)))
        OC_TRY(oc_expect_dims(c, 2, s, " as the scale"));
    if (block < 0)
        return oc_fail(c, OC_VALUE, "attribute 'block_size' is %" PRId64 ", expected 0 or more",
                       block);
    *g = (oc_scales){1, 1, oc_dims_count(x), 1, 0, 0, 0};
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

/* Runs the job; in NCHW16c, with one scale for all, on the elements as they lie in memory. */
static oc_status quantize_all(oc_call *c, oc_quantize_job *j)
{
    const oc_value x = *j->x, y = *j->y;
    OC_TRY(read_scales(c, &j->scales));
    if (!y.nchw16c) {
        oc_quantize_run(c, j);
        return OC_OK;
    }
    const oc_value x_in_memory = oc_value_in_memory(&x), y_in_memory = oc_value_in_memory(&y);
    j->scales.inner = oc_value_n(&x_in_memory);
    j->x = &x_in_memory;
    j->y = &y_in_memory;
    oc_quantize_run(c, j);
    return OC_OK;
}

static void layouts(oc_call *c, oc_layouts *l)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    l->out = is_single(&oc_in(c, 1)->dims) && oc_nchw16c_fits(x->type, &x->dims) &&
             oc_nchw16c_fits(y->type, &y->dims);
    l->blocked = l->out;
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
    oc_scales g;
    const oc_value *zero = oc_in_or_null(c, 2);
    oc_type type;
    OC_TRY(read_scales(c, &g));
    OC_TRY(read_type(c, "output_dtype", zero ? zero->type : OC_U8, &type));
    if (zero && zero->type != type)
        return oc_fail(c, OC_TYPE, "attribute 'output_dtype' is %s, but the zero point is %s",
                       oc_type_name(type), oc_type_name(zero->type));
    return oc_set_out(c, 0, type, &oc_in(c, 0)->dims);
}

static oc_status quantize_run(oc_call *c)
{
    oc_quantize_job j = {
        .x = oc_in(c, 0), .scale = oc_in(c, 1), .zero = oc_in_or_null(c, 2), .y = oc_out(c, 0)};
    const oc_type own = j.scale->type;
    j.saturate = !oc_attr_has(c, "saturate") || oc_attr_int(c, "saturate");
    OC_TRY(read_type(c, "precision",
                     own == OC_I32      ? OC_F64
                     : own == OC_F8E8M0 ? OC_F32
                                        : own,
                     &j.precision));
    if (!oc_type_in(j.precision, OC_SET_FLOAT))
        return oc_fail(c, OC_VALUE, "attribute 'precision' is %s, expected a float type",
                       oc_type_name(j.precision));
    return quantize_all(c, &j);
}

/* ---- DequantizeLinear */

static oc_status dequantize_shape(oc_call *c)
{
    oc_scales g;
    oc_type type;
    OC_TRY(read_scales(c, &g));
    OC_TRY(read_type(c, "output_dtype", oc_in(c, 1)->type, &type));
    return oc_set_out(c, 0, type, &oc_in(c, 0)->dims);
}

static oc_status dequantize_run(oc_call *c)
{
    oc_quantize_job j = {
        .x = oc_in(c, 0), .scale = oc_in(c, 1), .zero = oc_in_or_null(c, 2), .y = oc_out(c, 0)};
    return quantize_all(c, &j);
}

/* ---- DynamicQuantizeLinear */

static oc_status dynamic_shape(oc_call *c)
{
    const oc_dims scalar = {0, {0}};
    OC_TRY(oc_set_out(c, 0, OC_U8, &oc_in(c, 0)->dims));
    OC_TRY(oc_set_out(c, 1, OC_F32, &scalar));
    return oc_set_out(c, 2, OC_U8, &scalar);
}

/* Parts of x, each with its range, which threads find. */

typedef struct ranges {
    const float *x;
    const oc_quantize_variant *kernel;
    float low[OC_MAX_THREADS], high[OC_MAX_THREADS]; /* least and greatest number of each task */
} ranges;

/* The range becomes one that has another in it. A NaN stays. */
static void widen(float *low, float *high, float other_low, float other_high)
{
    *low = other_low < *low || isnan(other_low) ? other_low : *low;
    *high = other_high > *high || isnan(other_high) ? other_high : *high;
}

static void find_range(void *arg, int task, int64_t first, int64_t end)
{
    ranges *r = arg;
    float low = 0, high = 0;
    r->kernel->range(r->x + first, end - first, &low, &high);
    widen(&r->low[task], &r->high[task], low, high);
}

/* Chooses 255 steps that cover the range of x and 0. A NaN in x makes the scale NaN. */
static void choose(oc_call *c, const oc_value *x, float *scale, uint8_t *zero)
{
    const oc_work w = oc_call_work(c, (double)oc_value_n(x) * OC_ELEMENT);
    ranges r = {.x = x->data, .kernel = oc_quantize_pick(oc_call_cpu(c))};
    float low = 0, high = 0;
    oc_work_run(&w, oc_value_n(x), find_range, &r);
    for (int i = 0; i < oc_work_tasks(&w, oc_value_n(x)); i++)
        widen(&low, &high, r.low[i], r.high[i]);
    *scale = (high - low) / 255;
    const float first = 0 - low / *scale;
    *zero = first > 0 ? (uint8_t)rintf(first < 255 ? first : 255) : 0;
}

static oc_status dynamic_run(oc_call *c)
{
    const oc_dims scalar = {0, {0}};
    float scale;
    uint8_t zero;
    choose(c, oc_in(c, 0), &scale, &zero);
    *(float *)oc_out(c, 1)->data = scale;
    *(uint8_t *)oc_out(c, 2)->data = zero;
    const oc_value s = oc_value_borrow(OC_F32, scalar, &scale);
    const oc_value z = oc_value_borrow(OC_U8, scalar, &zero);
    oc_quantize_job j = {
        .x = oc_in(c, 0), .scale = &s, .zero = &z, .y = oc_out(c, 0), .precision = OC_F32};
    j.scales = (oc_scales){1, 1, oc_value_n(j.x), 1, 0, 0, 0};
    oc_quantize_run(c, &j);
    return OC_OK;
}

/* ---- what the plan asks */

/* One scale for each index of an axis, not for blocks; divided in float. */
static bool code_axis(const oc_call *c, int *axis)
{
    *axis = oc_attr_has(c, "axis") ? (int)oc_attr_int(c, "axis") : 1;
    return !(oc_attr_has(c, "block_size") && oc_attr_int(c, "block_size")) &&
           !(oc_attr_has(c, "precision") && oc_attr_int(c, "precision"));
}

#define QUANTIZE                                                                                   \
    quantize_shape, quantize_run,                                                                  \
        OC_TRAITS(.codes = OC_QUANTISES, .code_axis = code_axis, .layouts = layouts)
#define DEQUANTIZE                                                                                 \
    dequantize_shape, dequantize_run,                                                              \
        OC_TRAITS(.codes = OC_DEQUANTISES, .code_axis = code_axis, .layouts = layouts)

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
                   " | T1: int32 " in "; T2: " F16 scale "; T3: " F16 " = T2"

#define ALL21 INT16 " float8 " INT4
#define ALL23 ALL21 " float4e2m1"
#define ALL25 ALL23 " uint2 int2"
const oc_op oc_ops_quantize_linear[] = {
    {25, Q23(E8, ALL25), QUANTIZE},
    {24, Q23(E8, ALL23), QUANTIZE},
    {23, Q23("", ALL23), QUANTIZE}, /* + precision */
    {21, Q19(BLOCKS ", int output_dtype+@T2 = 0", ALL21), QUANTIZE},
    {19, Q19(AXIS, INT8 " float8"),                   QUANTIZE},
    {13, Q10("<" AXIS "> "), QUANTIZE},
    {10, Q10(""),            QUANTIZE},
    {25, D23(E8, ALL25), DEQUANTIZE},
    {24, D23(E8, ALL23), DEQUANTIZE},
    {23, D23("", ALL23), DEQUANTIZE}, /* + output_dtype */
    {21, D19(BLOCKS, ALL21),        DEQUANTIZE},
    {19, D19(AXIS, INT8 " float8"), DEQUANTIZE},
    {13, D10("<" AXIS "> "), DEQUANTIZE},
    {10, D10(""),            DEQUANTIZE},
    {11, "DynamicQuantizeLinear (T1 x) => (T2 y, float y_scale, T2 y_zero_point) | T1: float; T2: uint8",
     dynamic_shape, dynamic_run},
    {0}
};
