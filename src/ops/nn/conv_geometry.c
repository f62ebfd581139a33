/* SPDX-License-Identifier: Apache-2.0
 * conv_geometry.c - the dims of a convolution's operands. */
#include "ops/nn/conv_geometry.h"

oc_status oc_conv_kernel(oc_call *c, const oc_dims *w, oc_window *window)
{
    int64_t kernel[OC_WINDOW_AXES];
    const bool given = oc_attr_has(c, "kernel_shape");
    if (given)
        OC_TRY(oc_attr_per_axis(c, "kernel_shape", window->axes, 1, 1, kernel));
    for (int a = 0; a < window->axes; a++) {
        window->kernel[a] = w->n[a + 2];
        if (window->kernel[a] < 1 || window->kernel[a] > INT32_MAX)
            return oc_fail(c, OC_SHAPE, "axis %d of W has %lld entries, expected 1 to %d", a + 2,
                           (long long)window->kernel[a], INT32_MAX);
        if (given && kernel[a] != window->kernel[a])
            return oc_fail(c, OC_SHAPE, "kernel_shape[%d] is %lld, but axis %d of W has %lld", a,
                           (long long)kernel[a], a + 2, (long long)window->kernel[a]);
    }
    return OC_OK;
}

static bool divides(int64_t group, int64_t n)
{
    return n < 0 || n % group == 0;
}

oc_status oc_conv_channels(oc_call *c, int x_port, int w_port)
{
    const oc_dims *x = &oc_in(c, x_port)->dims, *w = &oc_in(c, w_port)->dims;
    char x_text[OC_DIMS_TEXT], w_text[OC_DIMS_TEXT];
    if (x->rank < 3 || w->rank != x->rank)
        return oc_fail(c, OC_SHAPE, "X is %s and W %s, expected one rank of 3 or more",
                       oc_dims_text(x, x_text), oc_dims_text(w, w_text));
    const int64_t group = oc_attr_int(c, "group");
    if (group < 1 || !divides(group, w->n[0]) || !divides(group, x->n[1]) ||
        (x->n[1] >= 0 && w->n[1] >= 0 && x->n[1] / group != w->n[1]))
        return oc_fail(c, OC_SHAPE,
                       "X is %s and W %s with group %lld, expected X [N,C,...] and W "
                       "[M,C/group,...], both C and M multiples of group",
                       oc_dims_text(x, x_text), oc_dims_text(w, w_text), (long long)group);
    return OC_OK;
}

oc_status oc_conv_channels_first(oc_call *c)
{
    return oc_conv_channels(c, 0, 1);
}

oc_status oc_conv_operands(oc_call *c, int x_port, int w_port, int b_port, oc_conv *g)
{
    const oc_dims *x = &oc_in(c, x_port)->dims, *w = &oc_in(c, w_port)->dims;
    const int64_t group = oc_attr_int(c, "group");
    OC_TRY(oc_conv_channels(c, x_port, w_port));
    OC_TRY(oc_expect_dims(c, b_port, &(oc_dims){1, {w->n[0]}}, ", one for each output channel"));
    *g = (oc_conv){
        .images = x->n[0], .groups = group, .channels = w->n[1], .out_channels = w->n[0] / group};
    OC_TRY(oc_window_image(c, x, &g->window));
    return oc_conv_kernel(c, w, &g->window);
}

oc_status oc_conv_geometry(oc_call *c, int x, int w, int b, oc_conv *g)
{
    oc_auto_pad auto_pad;
    OC_TRY(oc_conv_operands(c, x, w, b, g));
    OC_TRY(oc_window_attrs(c, &g->window, &auto_pad));
    return oc_window_slide(c, &g->window, auto_pad, false);
}

oc_status oc_conv_set_out(oc_call *c, oc_type type, const oc_conv *g)
{
    oc_dims y = {g->window.axes + 2, {g->images, g->out_channels * g->groups}};
    for (int a = 0; a < g->window.axes; a++)
        y.n[a + 2] = g->window.out[a];
    return oc_set_out(c, 0, type, &y);
}
