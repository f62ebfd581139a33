/* SPDX-License-Identifier: Apache-2.0
 * conv.c - Conv: convolution with groups, strides, dilations and padding. */
#include "kernels/product/conv.h"

#include "ops/kit/op.h"
#include "ops/nn/window_attrs.h"

/* Sets window; its axes and in are set. */
static oc_status size_axes(oc_call *c, const oc_dims *w, oc_window *window)
{
    int64_t kernel[OC_WINDOW_AXES];
    oc_auto_pad auto_pad;
    OC_TRY(oc_window_attrs(c, window, &auto_pad));
    OC_TRY(oc_attr_per_axis(c, "kernel_shape", window->axes, 1, 1, kernel));
    for (int a = 0; a < window->axes; a++) {
        window->kernel[a] = w->n[a + 2];
        if (window->kernel[a] < 1 || window->kernel[a] > INT32_MAX)
            return oc_fail(c, OC_SHAPE, "axis %d of W has %lld entries, expected 1 to %d", a + 2,
                           (long long)window->kernel[a], INT32_MAX);
        if (oc_attr_has(c, "kernel_shape") && kernel[a] != window->kernel[a])
            return oc_fail(c, OC_SHAPE, "kernel_shape[%d] is %lld, but axis %d of W has %lld", a,
                           (long long)kernel[a], a + 2, (long long)window->kernel[a]);
    }
    return oc_window_slide(c, window, auto_pad, false);
}

/* Sets everything but the data. */
static oc_status read_geometry(oc_call *c, oc_conv *g)
{
    const oc_dims *x = &oc_in(c, 0)->dims, *w = &oc_in(c, 1)->dims;
    char x_text[OC_DIMS_TEXT], w_text[OC_DIMS_TEXT];
    if (x->rank < 3 || w->rank != x->rank)
        return oc_fail(c, OC_SHAPE, "X is %s and W %s, expected one rank of 3 or more",
                       oc_dims_text(x, x_text), oc_dims_text(w, w_text));
    const int64_t group = oc_attr_int(c, "group");
    if (group < 1 || w->n[0] % group || x->n[1] % group || x->n[1] / group != w->n[1])
        return oc_fail(c, OC_SHAPE,
                       "X is %s and W %s with group %lld, expected X [N,C,...] and W "
                       "[M,C/group,...], both C and M multiples of group",
                       oc_dims_text(x, x_text), oc_dims_text(w, w_text), (long long)group);
    OC_TRY(oc_expect_dims(c, 2, &(oc_dims){1, {w->n[0]}}, ", one for each map"));
    *g =
        (oc_conv){.images = x->n[0], .groups = group, .channels = w->n[1], .maps = w->n[0] / group};
    OC_TRY(oc_window_image(c, x, &g->window));
    return size_axes(c, w, &g->window);
}

static oc_status conv_shape(oc_call *c)
{
    oc_conv g;
    OC_TRY(read_geometry(c, &g));
    oc_dims y = {g.window.axes + 2, {g.images, g.maps * g.groups}};
    for (int a = 0; a < g.window.axes; a++)
        y.n[a + 2] = g.window.out[a];
    return oc_set_out(c, 0, oc_in(c, 0)->type, y);
}

/* If each output depends on one pixel only, treats the image as one row. */
static void merge_axes(oc_window *w)
{
    int64_t pixels = 1;
    for (int a = 0; a < w->axes; a++) {
        if (w->kernel[a] != 1 || w->stride[a] != 1 || w->in[a] != w->out[a] || w->pad[a] != 0)
            return;
        pixels *= w->in[a];
    }
    w->axes = 1;
    w->in[0] = w->out[0] = pixels;
}

/* float16 and bfloat16 are convolved in float. */
static oc_status conv_run(oc_call *c)
{
    const oc_value *y = oc_out(c, 0);
    oc_conv g;
    OC_TRY(read_geometry(c, &g));
    if (oc_value_n(y) == 0)
        return OC_OK;
    merge_axes(&g.window);
    g.type = oc_type_real(y->type);
    g.cpu = oc_call_cpu(c);
    OC_TRY(oc_in_as(c, 0, g.type, &g.x));
    OC_TRY(oc_in_as(c, 1, g.type, &g.w));
    OC_TRY(oc_in_as(c, 2, g.type, &g.b));
    OC_TRY(oc_out_as(c, 0, g.type, oc_value_n(y), &g.y));
    g.go_on = oc_call_go_on(c);
    oc_conv_run(&g, oc_call_parallel(c), oc_call_threads(c));
    OC_TRY(oc_call_error(c)->code);
    oc_out_from(c, 0, g.type, g.y);
    return OC_OK;
}

/* clang-format off */
#define SIG(set)                                                                                   \
    "Conv <string auto_pad = \"NOTSET\", ints dilations?, int group = 1, ints kernel_shape?, "     \
    "ints pads?, ints strides?> (T X, T W, T B?) => (T Y) | T: " set
const oc_op oc_ops_conv[] = {
    {22, SIG("float_ir4"), conv_shape, conv_run},
    {11, SIG("ieee"),      conv_shape, conv_run},
    { 1, SIG("ieee"),      conv_shape, conv_run},
    {0}
};
/* clang-format on */
