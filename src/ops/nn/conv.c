/* SPDX-License-Identifier: Apache-2.0
 * conv.c - Conv: convolution with groups, strides, dilations and padding. */
#include "kernels/product/conv.h"

#include "ops/kit/op.h"

/* Reads an attribute with one number for each axis; without the attribute, every number is
 * `missing`. */
static oc_status get_ints(oc_call *c, const char *name, int n, int64_t missing, int64_t least,
                          int64_t v[])
{
    const oc_ints list = oc_attr_ints(c, name);
    if (oc_attr_has(c, name) && list.n != n)
        return oc_fail(c, OC_VALUE, "%s has %d entries, expected %d", name, list.n, n);
    for (int i = 0; i < n; i++) {
        v[i] = list.n ? list.v[i] : missing;
        if (v[i] < least || v[i] > INT32_MAX)
            return oc_fail(c, OC_VALUE, "%s[%d] is %lld, expected %lld to %d", name, i,
                           (long long)v[i], (long long)least, INT32_MAX);
    }
    return OC_OK;
}

enum { NOTSET, SAME_UPPER, SAME_LOWER, VALID };

/* Sets pad and out of one axis. end: the padding after its last element. */
static oc_status size_axis(oc_call *c, oc_conv *g, int a, int auto_pad, int64_t end)
{
    const int64_t reach = (g->kernel[a] - 1) * g->dilation[a] + 1, step = g->stride[a];
    if (g->in[a] > INT64_MAX / 4)
        return oc_fail(c, OC_LIMIT, "axis %d of X has %lld entries", a + 2, (long long)g->in[a]);
    if (auto_pad == SAME_UPPER || auto_pad == SAME_LOWER) {
        g->out[a] = (g->in[a] + step - 1) / step;
        const int64_t need = (g->out[a] - 1) * step + reach - g->in[a];
        const int64_t pad = need > 0 ? need : 0;
        g->pad[a] = auto_pad == SAME_UPPER ? pad / 2 : pad - pad / 2;
        return OC_OK;
    }
    if (auto_pad == VALID)
        g->pad[a] = end = 0;
    const int64_t room = g->in[a] + g->pad[a] + end - reach;
    if (room < 0)
        return oc_fail(c, OC_SHAPE,
                       "the kernel spans %lld on axis %d, but X with its padding has only %lld",
                       (long long)reach, a + 2, (long long)(room + reach));
    g->out[a] = room / step + 1;
    return OC_OK;
}

static oc_status size_axes(oc_call *c, oc_conv *g)
{
    static const char *const modes[] = {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID", NULL};
    int64_t pads[2 * OC_CONV_AXES], kernel[OC_CONV_AXES];
    int auto_pad;
    OC_TRY(oc_attr_enum(c, "auto_pad", modes, &auto_pad));
    OC_TRY(get_ints(c, "strides", g->axes, 1, 1, g->stride));
    OC_TRY(get_ints(c, "dilations", g->axes, 1, 1, g->dilation));
    OC_TRY(get_ints(c, "pads", 2 * g->axes, 0, 0, pads));
    OC_TRY(get_ints(c, "kernel_shape", g->axes, 1, 1, kernel));
    for (int a = 0; a < g->axes; a++) {
        if (g->kernel[a] < 1 || g->kernel[a] > INT32_MAX)
            return oc_fail(c, OC_SHAPE, "axis %d of W has %lld entries, expected 1 to %d", a + 2,
                           (long long)g->kernel[a], INT32_MAX);
        if (oc_attr_has(c, "kernel_shape") && kernel[a] != g->kernel[a])
            return oc_fail(c, OC_SHAPE, "kernel_shape[%d] is %lld, but axis %d of W has %lld", a,
                           (long long)kernel[a], a + 2, (long long)g->kernel[a]);
        g->pad[a] = pads[a];
        OC_TRY(size_axis(c, g, a, auto_pad, pads[g->axes + a]));
    }
    return OC_OK;
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
    *g = (oc_conv){.images = x->n[0],
                   .groups = group,
                   .channels = w->n[1],
                   .maps = w->n[0] / group,
                   .axes = x->rank - 2};
    for (int a = 0; a < g->axes; a++) {
        g->in[a] = x->n[a + 2];
        g->kernel[a] = w->n[a + 2];
    }
    return size_axes(c, g);
}

static oc_status conv_shape(oc_call *c)
{
    oc_conv g;
    OC_TRY(read_geometry(c, &g));
    oc_dims y = {g.axes + 2, {g.images, g.maps * g.groups}};
    for (int a = 0; a < g.axes; a++)
        y.n[a + 2] = g.out[a];
    return oc_set_out(c, 0, oc_in(c, 0)->type, y);
}

/* If each output depends on one pixel only, treats the image as one row. */
static void merge_axes(oc_conv *g)
{
    int64_t pixels = 1;
    for (int a = 0; a < g->axes; a++) {
        if (g->kernel[a] != 1 || g->stride[a] != 1 || g->in[a] != g->out[a] || g->pad[a] != 0)
            return;
        pixels *= g->in[a];
    }
    g->axes = 1;
    g->in[0] = g->out[0] = pixels;
}

/* float16 and bfloat16 are convolved in float. */
static oc_status conv_run(oc_call *c)
{
    const oc_value *y = oc_out(c, 0);
    oc_conv g;
    OC_TRY(read_geometry(c, &g));
    if (oc_value_n(y) == 0)
        return OC_OK;
    merge_axes(&g);
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
