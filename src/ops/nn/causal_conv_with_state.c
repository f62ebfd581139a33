/* SPDX-License-Identifier: Apache-2.0
 * causal_conv_with_state.c - CausalConvWithState: convolves each channel with a kernel of its own
 * over the elements up to the current one. */
#include "kernels/conv/conv.h"
#include "kernels/elementwise/curves.h"
#include "ops/kit/op.h"

enum { INPUT, WEIGHT, BIAS, PAST }; /* inputs */

/* Sets everything but the data. The convolved rows begin with the state. */
static oc_status read_geometry(oc_call *c, oc_conv *g)
{
    static const char *const activations[] = {"none", "silu", "swish", NULL};
    const oc_dims *x = &oc_in(c, INPUT)->dims, *w = &oc_in(c, WEIGHT)->dims;
    int activation;
    OC_TRY(oc_attr_enum(c, "activation", activations, &activation));
    OC_TRY(oc_expect_rank(c, INPUT, 3, 3));
    if (w->rank != 3 || w->n[0] != x->n[1] || w->n[1] != 1 || w->n[2] < 1)
        return oc_fail_dims(c, WEIGHT, "expected [%lld,1,k], k at least 1", (long long)x->n[1]);
    const oc_dims state = {3, {x->n[0], x->n[1], w->n[2] - 1}};
    OC_TRY(oc_expect_dims(c, BIAS, &(oc_dims){1, {x->n[1]}}, ", one for each channel"));
    OC_TRY(oc_expect_dims(c, PAST, &state, ", what a kernel looks back on"));
    *g = (oc_conv){
        .type = OC_F32,
        .cpu = oc_call_cpu(c),
        .images = x->n[0],
        .groups = x->n[1],
        .channels = 1,
        .out_channels = 1,
        .window = {
            .axes = 1, .kernel = {w->n[2]}, .out = {x->n[2]}, .stride = {1}, .dilation = {1}}};
    if (!oc_i64_add(x->n[2], w->n[2] - 1, &g->window.in[0]))
        return oc_fail(c, OC_LIMIT, "the input with its state is too large");
    return OC_OK;
}

static oc_status causal_conv_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, INPUT);
    oc_conv g;
    OC_TRY(read_geometry(c, &g));
    OC_TRY(oc_set_out(c, 0, x->type, &x->dims));
    return oc_set_out(c, 1, x->type, &(oc_dims){3, {g.images, g.groups, g.window.kernel[0] - 1}});
}

static void activate(oc_call *c, float *sum, int64_t n)
{
    const oc_curve swish = {oc_curves_pick(oc_call_cpu(c))->swish, 1};
    OC_CALL_PIECES (c, p, n, 4096)
        oc_curve_row(sum + p.first, (const void *[]){sum + p.first}, (int64_t[]){1},
                     p.end - p.first, &swish);
}

/* Computes output 0 from the rows at x, which begin with the state. */
static oc_status convolve(oc_call *c, oc_conv *g, const void *x)
{
    const oc_value *y = oc_out(c, 0);
    const int64_t n = oc_value_n(y), rows = y->dims.n[0] * y->dims.n[1];
    OC_TRY(oc_as_type(c, OC_F32, x, y->type, rows * g->window.in[0], &g->x));
    OC_TRY(oc_in_as(c, WEIGHT, OC_F32, &g->w));
    OC_TRY(oc_in_as(c, BIAS, OC_F32, &g->b));
    OC_TRY(oc_out_as(c, 0, OC_F32, n, &g->y));
    g->work = oc_call_work(c, oc_conv_work(g, OC_ELEMENT / 2));
    g->algorithm = oc_conv_choose_nchw(g);
    oc_conv_run(g);
    if (!oc_attr_is(c, "activation", "none"))
        activate(c, g->y, n);
    oc_out_from(c, 0, OC_F32, g->y);
    return OC_OK;
}

static void clear_states(oc_call *c, char *all, size_t row, size_t state, int64_t rows)
{
    OC_CALL_LOOP (c, i, rows, 64)
        oc_call_zero(c, all + (size_t)i * row, state);
}

/* Each row of the input is preceded by the past state, or by zeros. */
static oc_status causal_conv_run(oc_call *c)
{
    const oc_value *x = oc_in(c, INPUT), *past = oc_in_or_null(c, PAST);
    oc_conv g;
    OC_TRY(read_geometry(c, &g));
    const int64_t rows = g.images * g.groups;
    const size_t elem = oc_type_size(x->type), state = (size_t)(g.window.kernel[0] - 1) * elem;
    const size_t own = (size_t)g.window.out[0] * elem;
    size_t row;
    char *all;
    if (!oc_size_add(state, own, &row))
        return oc_fail(c, OC_LIMIT, "the input with its state is too large");
    OC_TRY(OC_SCRATCH_OF(c, all, rows, row));
    if (past)
        oc_call_copy_rows(c, all, row, past->data, state, state, rows);
    else if (state) /* there may be any number of rows without elements */
        clear_states(c, all, row, state, rows);
    oc_call_copy_rows(c, all + state, row, x->data, own, own, rows);
    oc_call_copy_rows(c, oc_out(c, 1)->data, state, all + own, row, state, rows);
    return oc_value_n(x) ? convolve(c, &g, all) : OC_OK;
}

/* clang-format off */
const oc_op oc_ops_causal_conv_with_state[] = {
    {27, "CausalConvWithState <string activation = \"none\"> (T input, T weight, T bias?, "
         "T past_state?) => (T output, T present_state) | T: float float16 bfloat16",
         causal_conv_shape, causal_conv_run},
    {0}
};
