/* SPDX-License-Identifier: Apache-2.0
 * deform_conv.c - DeformConv: convolution whose taps are moved by offsets and weighted by a mask.
 *
 * Where the standard leaves a choice: the mask has one number for each tap, whatever the number of
 * axes. A position with an offset of NaN has the value NaN. The number of axes is at most that of
 * GridSample in mode linear. */
#include "kernels/conv/deform_conv.h"

#include "kernels/sample/taps.h"
#include "ops/nn/conv_geometry.h"

enum { X, W, OFFSET, BIAS, MASK }; /* inputs */

/* Refuses windows that have a shape but no kernel. */
static oc_status check_supported(oc_call *c, const oc_conv *g)
{
    const oc_dims *x = &oc_in(c, X)->dims;
    if (!oc_deform_conv_has(g->window.axes))
        return oc_fail(c, OC_UNSUPPORTED, "%d spatial axes are too many", g->window.axes);
    if (oc_dims_product(x, 2, x->rank) > OC_PLANE_MAX)
        return oc_fail(c, OC_LIMIT, "one channel of X has more than %lld elements",
                       (long long)OC_PLANE_MAX);
    return OC_OK;
}

/* Checks the offset or the mask: [N, numbers for all taps, out...]. */
static oc_status expect_numbers(oc_call *c, int i, const oc_conv *g, int64_t n, const char *why)
{
    oc_dims want = {g->window.axes + 2, {g->images, n}};
    for (int a = 0; a < g->window.axes; a++)
        want.n[a + 2] = g->window.out[a];
    return oc_expect_dims(c, i, &want, why);
}

static oc_status read_window(oc_call *c, oc_window *w)
{
    OC_TRY(oc_window_steps(c, w));
    return oc_window_slide(c, w, OC_PAD_NOTSET, false);
}

/* Sets all but types, data and scratch. */
static oc_status read_geometry(oc_call *c, oc_deform_conv *g)
{
    *g = (oc_deform_conv){.offset_groups = oc_attr_int(c, "offset_group")};
    OC_TRY(oc_conv_operands(c, X, W, BIAS, &g->conv));
    OC_TRY(check_supported(c, &g->conv));
    OC_TRY(read_window(c, &g->conv.window));
    const int64_t channels = oc_in(c, X)->dims.n[1];
    if (g->offset_groups < 1 || channels % g->offset_groups)
        return oc_fail(c, OC_VALUE,
                       "offset_group is %lld, expected a divisor of the %lld channels of X",
                       (long long)g->offset_groups, (long long)channels);
    int64_t taps = g->offset_groups, numbers;
    bool fits = true;
    for (int a = 0; a < g->conv.window.axes; a++)
        fits = fits && oc_i64_mul(taps, g->conv.window.kernel[a], &taps);
    if (!fits || !oc_i64_mul(taps, g->conv.window.axes, &numbers))
        return oc_fail(c, OC_LIMIT, "the kernel has too many taps");
    OC_TRY(expect_numbers(c, OFFSET, &g->conv, numbers,
                          ", offset_group * taps of the kernel * axes at each position of Y"));
    return expect_numbers(c, MASK, &g->conv, taps,
                          ", offset_group * taps of the kernel at each position of Y");
}

static oc_status deform_conv_shape(oc_call *c)
{
    oc_deform_conv g;
    OC_TRY(read_geometry(c, &g));
    OC_TRY(oc_conv_set_out(c, oc_in(c, X)->type, &g.conv));
    const oc_dims *x = &oc_in(c, X)->dims;
    if (oc_dims_product(x, 2, x->rank) == 0)
        return oc_fail_dims(c, X, "expected pixels to sample");
    return OC_OK;
}

/* float16 and bfloat16 are convolved in float. */
static oc_status deform_conv_run(oc_call *c)
{
    const oc_value *y = oc_out(c, 0);
    oc_deform_conv g;
    OC_TRY(read_geometry(c, &g));
    if (oc_value_n(y) == 0)
        return OC_OK;
    const oc_type type = oc_type_real(y->type);
    g.conv.type = type;
    g.conv.cpu = oc_call_cpu(c);
    OC_TRY(oc_in_as(c, X, type, &g.conv.x));
    OC_TRY(oc_in_as(c, W, type, &g.conv.w));
    OC_TRY(oc_in_as(c, OFFSET, type, &g.offset));
    OC_TRY(oc_in_as(c, BIAS, type, &g.conv.b));
    OC_TRY(oc_in_as(c, MASK, type, &g.mask));
    OC_TRY(oc_out_as(c, 0, type, oc_value_n(y), &g.conv.y));
    g.conv.work = oc_call_work(c, oc_conv_work(&g.conv, 4 * OC_ELEMENT));
    OC_TRY(OC_SCRATCH_OF(c, g.scratch, oc_deform_conv_scratch(&g, g.conv.work.threads), 1));
    oc_deform_conv_run(&g);
    oc_out_from(c, 0, type, g.conv.y);
    return OC_OK;
}

/* clang-format off */
#define DEFORM_CONV                                                                                \
    deform_conv_shape, deform_conv_run, OC_TRAITS(.outline = oc_conv_channels_first)
#define SIG(set)                                                                                   \
    "DeformConv <ints dilations?, int group = 1, ints kernel_shape?, int offset_group = 1, "       \
    "ints pads?, ints strides?> (T X, T W, T offset, T B?, T mask?) => (T Y) | T: " set
const oc_op oc_ops_deform_conv[] = {
    {22, SIG("float_ir4"), DEFORM_CONV},
    {19, SIG("ieee"),      DEFORM_CONV},
    {0}
};
