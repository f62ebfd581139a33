/* SPDX-License-Identifier: Apache-2.0
 * conv.c - Conv: convolution with groups, strides, dilations and padding. */
#include "ops/nn/conv_geometry.h"

static oc_status read_geometry(oc_call *c, oc_conv *g)
{
    return oc_conv_geometry(c, 0, 1, 2, g);
}

static oc_status conv_shape(oc_call *c)
{
    oc_conv g;
    OC_TRY(read_geometry(c, &g));
    return oc_conv_set_out(c, oc_in(c, 0)->type, &g);
}

/* float16 and bfloat16 are convolved in float. */
static oc_status conv_run(oc_call *c)
{
    const oc_value *y = oc_out(c, 0);
    oc_conv g;
    OC_TRY(read_geometry(c, &g));
    oc_window_remark(c);
    if (oc_value_n(y) == 0)
        return OC_OK;
    oc_conv_merge_axes(&g.window);
    g.type = oc_type_real(y->type);
    g.cpu = oc_call_cpu(c);
    OC_TRY(oc_in_as(c, 0, g.type, &g.x));
    OC_TRY(oc_in_as(c, 1, g.type, &g.w));
    OC_TRY(oc_in_as(c, 2, g.type, &g.b));
    OC_TRY(oc_out_as(c, 0, g.type, oc_value_n(y), &g.y));
    g.go_on = oc_call_go_on(c);
    oc_conv_run(&g, oc_call_parallel(c), oc_call_threads_for(c, oc_conv_work(&g, OC_ELEMENT / 2)));
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
