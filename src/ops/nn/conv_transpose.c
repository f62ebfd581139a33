/* SPDX-License-Identifier: Apache-2.0
 * conv_transpose.c - ConvTranspose: each pixel of X adds a kernel of numbers to Y.
 *
 * Where the standard leaves a choice: all versions divide the padding by the rule of version 11. An
 * output that is larger than what the kernels reach (by output_shape, or by auto_pad where the
 * kernel is shorter than the stride) has the bias alone at its end; there is no negative padding.
 * output_padding may be as large as its stride and dilation or larger. */
#include "kernels/product/conv_transpose.h"

#include "ops/nn/conv_geometry.h"

/* The attributes that say how large the output is, axis by axis. */
typedef struct sizes {
    oc_auto_pad auto_pad;
    bool given; /* is shape? */
    int64_t more[OC_WINDOW_AXES], shape[OC_WINDOW_AXES];
} sizes;

/* Sets out and pad of axis a, where the kernels reach `full` positions, output_padding included. */
static oc_status size_axis(oc_call *c, oc_window *w, const sizes *s, int a, int64_t full)
{
    const bool same = s->auto_pad == OC_PAD_SAME_UPPER || s->auto_pad == OC_PAD_SAME_LOWER;
    if (s->given || same) {
        w->out[a] = s->given ? s->shape[a] : w->in[a] * w->stride[a];
        const int64_t pad = full > w->out[a] ? full - w->out[a] : 0;
        w->pad[a] = s->auto_pad == OC_PAD_SAME_UPPER ? pad / 2 : pad - pad / 2;
        return OC_OK;
    }
    if (s->auto_pad == OC_PAD_VALID)
        w->pad[a] = w->pad_end[a] = 0;
    w->out[a] = full - w->pad[a] - w->pad_end[a];
    if (w->out[a] < 0)
        return oc_fail(c, OC_SHAPE, "pads take %lld of the %lld positions of axis %d of Y",
                       (long long)(w->pad[a] + w->pad_end[a]), (long long)full, a + 2);
    return OC_OK;
}

static oc_status size_axes(oc_call *c, oc_window *w)
{
    sizes s = {.given = oc_attr_has(c, "output_shape")};
    OC_TRY(oc_window_attrs(c, w, &s.auto_pad));
    OC_TRY(oc_attr_per_axis(c, "output_padding", w->axes, 0, 0, s.more));
    OC_TRY(oc_attr_per_axis(c, "output_shape", w->axes, 1, 0, s.shape));
    for (int a = 0; a < w->axes; a++) {
        const int64_t reach = (w->kernel[a] - 1) * w->dilation[a] + 1;
        if (w->in[a] > (INT64_C(1) << 61) / w->stride[a])
            return oc_fail(c, OC_LIMIT, "axis %d of Y is too large", a + 2);
        OC_TRY(size_axis(c, w, &s, a, (w->in[a] - 1) * w->stride[a] + s.more[a] + reach));
    }
    return OC_OK;
}

/* Sets everything but type, cpu, data and go_on. */
static oc_status read_geometry(oc_call *c, oc_conv *g)
{
    const oc_dims *x = &oc_in(c, 0)->dims, *w = &oc_in(c, 1)->dims;
    char x_text[OC_DIMS_TEXT], w_text[OC_DIMS_TEXT];
    int64_t maps;
    if (x->rank < 3 || w->rank != x->rank)
        return oc_fail(c, OC_SHAPE, "X is %s and W %s, expected one rank of 3 or more",
                       oc_dims_text(x, x_text), oc_dims_text(w, w_text));
    const int64_t group = oc_attr_int(c, "group");
    if (group < 1 || x->n[1] % group || x->n[1] != w->n[0])
        return oc_fail(c, OC_SHAPE,
                       "X is %s and W %s with group %lld, expected X [N,C,...] and W "
                       "[C,M/group,...], C a multiple of group",
                       oc_dims_text(x, x_text), oc_dims_text(w, w_text), (long long)group);
    if (!oc_i64_mul(w->n[1], group, &maps))
        return oc_fail(c, OC_LIMIT, "Y would have too many maps");
    OC_TRY(oc_expect_dims(c, 2, &(oc_dims){1, {maps}}, ", one for each map"));
    *g =
        (oc_conv){.images = x->n[0], .groups = group, .channels = x->n[1] / group, .maps = w->n[1]};
    OC_TRY(oc_window_image(c, x, &g->window));
    OC_TRY(oc_conv_kernel(c, w, &g->window));
    return size_axes(c, &g->window);
}

static oc_status conv_transpose_shape(oc_call *c)
{
    oc_conv g;
    OC_TRY(read_geometry(c, &g));
    return oc_conv_set_out(c, oc_in(c, 0)->type, &g);
}

/* float16 and bfloat16 are computed in float. */
static oc_status conv_transpose_run(oc_call *c)
{
    const oc_value *y = oc_out(c, 0), *w = oc_in(c, 1);
    oc_conv_transpose g;
    OC_TRY(read_geometry(c, &g.conv));
    oc_window_remark(c);
    if (oc_value_n(y) == 0)
        return OC_OK;
    const oc_type type = oc_type_real(y->type);
    const size_t elem = oc_type_size(type);
    g.conv.type = type;
    g.conv.cpu = oc_call_cpu(c);
    g.conv.go_on = oc_call_go_on(c);
    OC_TRY(oc_in_as(c, 0, type, &g.conv.x));
    OC_TRY(oc_in_as(c, 1, type, &g.conv.w));
    OC_TRY(oc_in_as(c, 2, type, &g.conv.b));
    OC_TRY(oc_out_as(c, 0, type, oc_value_n(y), &g.conv.y));
    OC_TRY(OC_SCRATCH_OF(c, g.w_part, oc_value_n(w), elem));
    g.y_part = NULL;
    if (!oc_conv_transpose_is_conv(&g.conv.window))
        OC_TRY(OC_SCRATCH_OF(c, g.y_part, oc_value_n(y), elem));
    OC_TRY(OC_SCRATCH(c, g.tap_part,
                      g.conv.channels ? oc_dims_product(&w->dims, 2, w->dims.rank) : 0));
    const oc_dims *x = &oc_in(c, 0)->dims;
    const double pixels = (double)x->n[0] * (double)oc_dims_product(x, 2, x->rank);
    const double work = pixels * (double)oc_value_n(w) + (double)oc_value_n(y) * 4 * OC_ELEMENT;
    const int threads = oc_call_threads_for(c, work);
    oc_conv_transpose_run(&g, oc_call_parallel(c), threads);
    OC_TRY(oc_call_error(c)->code);
    oc_out_from(c, 0, type, g.conv.y);
    return OC_OK;
}

/* clang-format off */
#define SIG(set)                                                                                   \
    "ConvTranspose <string auto_pad = \"NOTSET\", ints dilations?, int group = 1, "                \
    "ints kernel_shape?, ints output_padding?, ints output_shape?, ints pads?, ints strides?> "    \
    "(T X, T W, T B?) => (T Y) | T: " set
const oc_op oc_ops_conv_transpose[] = {
    {22, SIG("float_ir4"), conv_transpose_shape, conv_transpose_run},
    {11, SIG("ieee"),      conv_transpose_shape, conv_transpose_run},
    { 1, SIG("ieee"),      conv_transpose_shape, conv_transpose_run},
    {0}
};
/* clang-format on */
