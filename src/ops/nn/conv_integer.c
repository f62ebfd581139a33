/* SPDX-License-Identifier: Apache-2.0
 * conv_integer.c - ConvInteger and QLinearConv: convolution of 8-bit integers.
 *
 * ConvInteger gives the sums of (x - x_zero_point) * (w - w_zero_point), which wrap at 32 bits.
 * QLinearConv adds the bias to them (wrapping too) and gives
 *
 *     saturate(round(float(sum) * (x_scale * w_scale / y_scale)) + y_zero_point),
 *
 * every operation rounded to float, ties to even. A product that is NaN gives y_zero_point. */

#include "kernels/conv/conv.h"
#include "kernels/elementwise/quantize.h"
#include "ops/nn/conv_int8.h"
#include "ops/nn/conv_nchw16c.h"

static const oc_conv_ports of_integer = {0, 1, 2, 3, 4, -1, -1, -1, -1};
static const oc_conv_ports of_qlinear = {0, 3, 2, 5, 8, 1, 4, 6, 7};

/* Input i is one element, or one for each output channel. A missing input passes. */
static oc_status expect_per_map(oc_call *c, int i, int64_t out_channels)
{
    const oc_value *v = oc_in_or_null(c, i);
    if (!v || (v->dims.rank <= 1 && oc_value_n(v) == 1))
        return OC_OK;
    return oc_expect_dims(c, i, &(oc_dims){1, {out_channels}},
                          ", one for each output channel, or one element");
}

static oc_status read_geometry(oc_call *c, const oc_conv_ports *p, oc_conv *g)
{
    OC_TRY(oc_conv_geometry(c, p->x, p->w, p->bias, g));
    OC_TRY(oc_expect_one(c, p->x_zero));
    return expect_per_map(c, p->w_zero, g->out_channels * g->groups);
}

/* ---- operands less their zero points */

enum { PIECE = 1 << 12 }; /* elements of the least piece of a row */

/* to[i] becomes v[first + i] - zero, as int16 or float. */
static void widen_part(void *to, oc_type type, const oc_value *v, int64_t first, int64_t n,
                       int zero)
{
    const uint8_t *u8 = (const uint8_t *)v->data + first;
    const int8_t *i8 = (const int8_t *)v->data + first;
    int16_t *i16 = to;
    float *f32 = to;
    if (type == OC_I16 && v->type == OC_U8)
        for (int64_t i = 0; i < n; i++)
            i16[i] = (int16_t)(u8[i] - zero);
    else if (type == OC_I16)
        for (int64_t i = 0; i < n; i++)
            i16[i] = (int16_t)(i8[i] - zero);
    else if (v->type == OC_U8)
        for (int64_t i = 0; i < n; i++)
            f32[i] = (float)(u8[i] - zero);
    else
        for (int64_t i = 0; i < n; i++)
            f32[i] = (float)(i8[i] - zero);
}

/* Does so for any number of elements. */
static void widen(const oc_work *w, void *to, oc_type type, const oc_value *v, int64_t first,
                  int64_t n, int zero)
{
    OC_PIECES (w, p, n, PIECE)
        widen_part((char *)to + (size_t)p.first * oc_type_size(type), type, v, first + p.first,
                   p.end - p.first, zero);
}

static oc_status widen_operands(oc_call *c, const oc_conv_ports *p, oc_conv *g)
{
    const oc_value *x = oc_in(c, p->x), *w = oc_in(c, p->w), *w_zero = oc_in_or_null(c, p->w_zero);
    const int64_t out_channels = w->dims.n[0], taps = oc_dims_product(&w->dims, 1, w->dims.rank);
    const int64_t row = taps + (g->type == OC_I16 ? taps % 2 : 0);
    const size_t elem = oc_type_size(g->type);
    void *wide_x;
    char *wide_w;
    const oc_work by = oc_call_work(c, 0);
    OC_TRY(OC_SCRATCH_OF(c, wide_x, oc_value_n(x), elem));
    widen(&by, wide_x, g->type, x, 0, oc_value_n(x),
          oc_element_int8(oc_in_or_null(c, p->x_zero), 0));
    OC_TRY(OC_SCRATCH_OF(c, wide_w, out_channels * row, elem));
    OC_CALL_LOOP (c, m, out_channels, 64) {
        char *to = wide_w + (size_t)(m * row) * elem;
        if (row > taps)
            memset(to + (size_t)taps * elem, 0, elem);
        widen(&by, to, g->type, w, m * taps, taps, oc_element_int8(w_zero, m));
    }
    g->x = wide_x;
    g->w = wide_w;
    return OC_OK;
}

/* ---- sums */

/* Numbers of magnitude up to 255 * 255 are added. Are all sums whole numbers that float has? Then
 * sums in float are exact. */
static bool is_exact_in_float(const oc_conv *g)
{
    int64_t taps = g->channels;
    for (int a = 0; a < g->window.axes; a++)
        if (!oc_i64_mul(taps, g->window.kernel[a], &taps))
            return false;
    return taps <= (1 << 24) / (255 * 255);
}

/* Writes the sums of all elements of y to `sums`. Convolutions of one channel are made in float,
 * whose kernel for one channel needs no patches. */
static oc_status convolve(oc_call *c, const oc_conv_ports *p, oc_conv *g, int32_t *sums)
{
    const int64_t n = oc_value_n(oc_out(c, 0));
    oc_conv_merge_axes(&g->window);
    g->type = g->channels == 1 && is_exact_in_float(g) ? OC_F32 : OC_I16;
    OC_TRY(widen_operands(c, p, g));
    g->cpu = oc_call_cpu(c);
    g->algorithm = oc_conv_choose_nchw(g);
    g->y = sums;
    g->work = oc_call_work(c, oc_conv_work(g, OC_ELEMENT / 2));
    oc_conv_run(g);
    OC_CALL_LOOP (c, i, g->type == OC_F32 ? n : 0, 1024) {
        float sum;
        memcpy(&sum, &sums[i], sizeof sum);
        sums[i] = (int32_t)sum;
    }
    return OC_OK;
}

/* ---- ConvInteger */

static oc_status integer_shape(oc_call *c)
{
    oc_conv g;
    OC_TRY(read_geometry(c, &of_integer, &g));
    return oc_conv_set_out(c, OC_I32, &g);
}

static oc_status integer_run(oc_call *c)
{
    const oc_value *y = oc_out(c, 0);
    oc_conv g;
    OC_TRY(read_geometry(c, &of_integer, &g));
    oc_window_remark(c);
    if (oc_value_n(y) == 0)
        return OC_OK;
    if (oc_conv_runs_int8(c, &of_integer, &g))
        return oc_conv_sum_int8(c, &of_integer, &g);
    OC_TRY(oc_conv_need_weights(c, of_integer.w));
    return convolve(c, &of_integer, &g, y->data);
}

OC_CALL_FN(integer_prepare, oc_conv_prepare_int8(c, &of_integer))

static void integer_layouts(oc_call *c, oc_layouts *l)
{
    oc_conv_layouts_int8(c, &of_integer, l);
}

/* ---- QLinearConv */

enum { X_SCALE = 1, W = 3, W_SCALE = 4, Y_SCALE = 6, Y_ZERO = 7 };

OC_CALL_FN(qlinear_prepare, oc_conv_prepare_int8(c, &of_qlinear))

static void qlinear_layouts(oc_call *c, oc_layouts *l)
{
    oc_conv_layouts_int8(c, &of_qlinear, l);
}

static oc_status qlinear_shape(oc_call *c)
{
    oc_conv g;
    OC_TRY(read_geometry(c, &of_qlinear, &g));
    OC_TRY(oc_expect_one(c, X_SCALE));
    OC_TRY(expect_per_map(c, W_SCALE, g.out_channels * g.groups));
    OC_TRY(oc_expect_one(c, Y_SCALE));
    OC_TRY(oc_expect_one(c, Y_ZERO));
    return oc_conv_set_out(c, oc_in(c, Y_ZERO)->type, &g);
}

typedef struct rescale {
    const int32_t *sums;
    uint8_t *y;           /* int8 and uint8 have the same bits */
    const int32_t *bias;  /* a bias for each output channel, or NULL */
    const float *w_scale; /* a scale for each output channel, or one for all */
    bool per_map;
    float x_scale, y_scale;
    float zero, low, high; /* zero point and limits of y's type */
    const oc_quantize_variant *kernel;
    int64_t out_channels, positions; /* output channels of all groups; positions of one channel */
    oc_work work;
} rescale;

static void rescale_plane(const rescale *t, int64_t plane)
{
    const int64_t out_channel = plane % t->out_channels, at = plane * t->positions;
    const float factor = t->x_scale * t->w_scale[t->per_map ? out_channel : 0] / t->y_scale;
    const oc_codes c = {&factor, &t->zero, 0, t->low, t->high};
    OC_PIECES (&t->work, p, t->positions, PIECE)
        t->kernel->of_sums(t->y + at + p.first, t->sums + at + p.first,
                           t->bias ? t->bias[out_channel] : 0, &c, p.end - p.first);
}

static void rescale_some(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    for (int64_t plane = first; plane < end; plane++)
        rescale_plane(arg, plane);
}

static oc_status rescale_planes(oc_call *c, rescale *t, int64_t planes)
{
    t->work = oc_call_work(c, (double)(t->positions * planes) * OC_ELEMENT);
    oc_work_run(&t->work, planes, rescale_some, t);
    return OC_OK;
}

static float scale_of(const oc_call *c, int i)
{
    return *(const float *)oc_in(c, i)->data;
}

static oc_status qlinear_run(oc_call *c)
{
    const oc_value *y = oc_out(c, 0), *bias = oc_in_or_null(c, of_qlinear.bias),
                   *w = oc_in(c, W_SCALE);
    oc_conv g;
    int32_t *sums;
    OC_TRY(read_geometry(c, &of_qlinear, &g));
    oc_window_remark(c);
    if (oc_value_n(y) == 0)
        return OC_OK;
    if (y->nchw16c)
        return oc_conv_run_int8(c, &of_qlinear, &g);
    OC_TRY(oc_conv_need_weights(c, W));
    OC_TRY(OC_SCRATCH(c, sums, oc_value_n(y)));
    OC_TRY(convolve(c, &of_qlinear, &g, sums));
    rescale t = {.sums = sums,
                 .y = y->data,
                 .bias = bias ? bias->data : NULL,
                 .w_scale = w->data,
                 .per_map = oc_value_n(w) > 1,
                 .x_scale = scale_of(c, X_SCALE),
                 .y_scale = scale_of(c, Y_SCALE),
                 .zero = (float)oc_element_int8(oc_in(c, Y_ZERO), 0),
                 .kernel = oc_quantize_pick(oc_call_cpu(c)),
                 .out_channels = y->dims.n[1],
                 .positions = oc_dims_product(&y->dims, 2, y->dims.rank)};
    oc_call_code_limits(c, y->type, &t.low, &t.high);
    return rescale_planes(c, &t, y->dims.n[0] * t.out_channels);
}

OC_CALL_FN(qlinear_channels, oc_conv_channels(c, 0, 3))

/* clang-format off */
#define ATTRS                                                                                      \
    "<string auto_pad = \"NOTSET\", ints dilations?, int group = 1, ints kernel_shape?, "          \
    "ints pads?, ints strides?> "
#define INT8 "int8 uint8"
const oc_op oc_ops_conv_integer[] = {
    {10, "ConvInteger " ATTRS "(T1 x, T2 w=, T1 x_zero_point?, T2 w_zero_point?=) => (T3 y)"
         " | T1: " INT8 "; T2: " INT8 "; T3: int32", integer_shape, integer_run,
     integer_prepare, OC_TRAITS(.layouts = integer_layouts, .outline = oc_conv_channels_first)},
    {10, "QLinearConv " ATTRS "(T1 x, float x_scale=, T1 x_zero_point=, T2 w=, float w_scale=, "
         "T2 w_zero_point=, float y_scale=, T3 y_zero_point=, T4 B?=) => (T3 y)"
         " | T1: " INT8 "; T2: " INT8 "; T3: " INT8 "; T4: int32", qlinear_shape, qlinear_run,
     qlinear_prepare, OC_TRAITS(.layouts = qlinear_layouts, .outline = qlinear_channels)},
    {0}
};
