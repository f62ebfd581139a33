/* SPDX-License-Identifier: Apache-2.0
 * conv_transpose.c - ConvTranspose: each pixel of X adds a kernel of numbers to Y.
 *
 * Where the standard leaves a choice: all versions divide the padding by the rule of version 11. An
 * output that is larger than what the kernels reach (by output_shape, or by auto_pad where the
 * kernel is shorter than the stride) has the bias alone at its end; there is no negative padding.
 * An output_shape with N and C in front, as old exporters write it, counts without these.
 * output_padding may be as large as its stride and dilation or larger. */
#include "kernels/conv/conv_algorithm.h"
#include "kernels/conv/conv_transpose.h"
#include "kernels/conv/conv_transpose_nchw16c.h"
#include "kernels/conv/conv_weights.h"

#include "ops/nn/conv_geometry.h"
#include "ops/nn/conv_nchw16c.h"

/* The attributes that say how large the output is, axis by axis. */
typedef struct sizes {
    oc_auto_pad auto_pad;
    bool given; /* shape is given */
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

/* Has the attribute output_shape N and C, too? */
static bool names_all_axes(const oc_call *c)
{
    return oc_attr_ints(c, "output_shape").n == oc_in(c, 0)->dims.rank;
}

static oc_status read_output_shape(oc_call *c, const oc_window *w, sizes *s)
{
    int64_t all[OC_MAX_RANK] = {0};
    const int more = names_all_axes(c) ? 2 : 0;
    s->given = oc_attr_has(c, "output_shape");
    OC_TRY(oc_attr_per_axis(c, "output_shape", w->axes + more, 1, 0, all));
    memcpy(s->shape, all + more, (size_t)w->axes * sizeof *all);
    return OC_OK;
}

static oc_status size_axes(oc_call *c, oc_window *w)
{
    sizes s = {0};
    OC_TRY(oc_window_attrs(c, w, &s.auto_pad));
    OC_TRY(oc_attr_per_axis(c, "output_padding", w->axes, 0, 0, s.more));
    OC_TRY(read_output_shape(c, w, &s));
    for (int a = 0; a < w->axes; a++) {
        const int64_t reach = (w->kernel[a] - 1) * w->dilation[a] + 1;
        if (w->in[a] > (INT64_C(1) << 61) / w->stride[a])
            return oc_fail(c, OC_LIMIT, "axis %d of Y is too large", a + 2);
        OC_TRY(size_axis(c, w, &s, a, (w->in[a] - 1) * w->stride[a] + s.more[a] + reach));
    }
    return OC_OK;
}

static oc_status check_channels(oc_call *c)
{
    const oc_dims *x = &oc_in(c, 0)->dims, *w = &oc_in(c, 1)->dims;
    char x_text[OC_DIMS_TEXT], w_text[OC_DIMS_TEXT];
    if (x->rank < 3 || w->rank != x->rank)
        return oc_fail(c, OC_SHAPE, "X is %s and W %s, expected one rank of 3 or more",
                       oc_dims_text(x, x_text), oc_dims_text(w, w_text));
    const int64_t group = oc_attr_int(c, "group");
    if (group < 1 || (x->n[1] >= 0 && (x->n[1] % group || (w->n[0] >= 0 && x->n[1] != w->n[0]))))
        return oc_fail(c, OC_SHAPE,
                       "X is %s and W %s with group %lld, expected X [N,C,...] and W "
                       "[C,M/group,...], C a multiple of group",
                       oc_dims_text(x, x_text), oc_dims_text(w, w_text), (long long)group);
    return OC_OK;
}

/* Sets everything but type, cpu, data and work. */
static oc_status read_geometry(oc_call *c, oc_conv *g)
{
    const oc_dims *x = &oc_in(c, 0)->dims, *w = &oc_in(c, 1)->dims;
    const int64_t group = oc_attr_int(c, "group");
    int64_t out_channels;
    OC_TRY(check_channels(c));
    if (!oc_i64_mul(w->n[1], group, &out_channels))
        return oc_fail(c, OC_LIMIT, "Y would have too many output channels");
    OC_TRY(oc_expect_dims(c, 2, &(oc_dims){1, {out_channels}}, ", one for each output channel"));
    *g = (oc_conv){
        .images = x->n[0], .groups = group, .channels = x->n[1] / group, .out_channels = w->n[1]};
    OC_TRY(oc_window_image(c, x, &g->window));
    OC_TRY(oc_conv_kernel(c, w, &g->window));
    return size_axes(c, &g->window);
}

static oc_status choose(oc_call *c, oc_conv *g, oc_conv_algorithm *nchw16c)
{
    OC_TRY(read_geometry(c, g));
    g->cpu = oc_call_cpu(c);
    *nchw16c = oc_conv_transpose_choose(g, oc_in(c, 0)->type);
    return OC_OK;
}

static oc_status conv_transpose_shape(oc_call *c)
{
    oc_conv g;
    OC_TRY(read_geometry(c, &g));
    return oc_conv_set_out(c, oc_in(c, 0)->type, &g);
}

static void conv_transpose_layouts(oc_call *c, oc_layouts *l)
{
    const oc_value *y = oc_out(c, 0);
    oc_conv g;
    oc_conv_algorithm nchw16c;
    if (!oc_nchw16c_fits(y->type, &y->dims) || oc_value_n(y) == 0 ||
        choose(c, &g, &nchw16c) != OC_OK)
        return;
    const bool either = nchw16c == OC_CONV_TILES && g.groups * g.channels < OC_BLOCK_CHANNELS;
    if (nchw16c != OC_CONV_NONE)
        *l = (oc_layouts){.blocked = !either,
                          .either = either,
                          .out = true,
                          .faster = true,
                          .only = oc_call_prepared(c)};
    else
        l->blocked = g.algorithm == OC_CONV_FEW;
}

/* ---- in NCHW16c ---- */

/* Weights and bias as tiles read them. */
typedef struct packed {
    oc_conv_algorithm algorithm; /* algorithm that reads the weights; OC_CONV_NONE: they are not
                                  * made */
    const float *w, *b;
    bool finite; /* all weights are finite */
} packed;

static oc_status pack(oc_call *c, const oc_conv_nchw16c *g, bool keep, packed *p)
{
    const int64_t n = oc_value_n(oc_in(c, 1));
    const oc_work by = oc_call_work(c, 0);
    const void *w;
    float *memory;
    OC_TRY(oc_conv_need_weights(c, 1));
    OC_TRY(oc_in_as(c, 1, OC_F32, &w));
    OC_TRY(oc_conv_memory(c, keep, oc_conv_transpose_nchw16c_packed(g), &memory));
    oc_conv_transpose_nchw16c_pack(g, memory, w, &by);
    p->algorithm = g->algorithm;
    p->w = memory;
    p->finite = oc_conv_nchw16c_finite(OC_F32, w, n, &by);
    return oc_conv_pack_bias(c, keep, g->groups * g->out_channels, &p->b);
}

/* Packs constant weights if X is known to suit. The shape rule will tell what is wrong with
 * them. */
static oc_status conv_transpose_prepare(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *w = oc_in(c, 1), *b = oc_in_or_null(c, 2);
    oc_conv g;
    oc_conv_algorithm nchw16c;
    if (!oc_nchw16c_fits(x->type, &x->dims) || w->type != x->type || (b && b->type != x->type) ||
        x->dims.rank < 3 || oc_value_n(w) == 0 || !oc_dims_known(&x->dims))
        return OC_OK;
    OC_TRY(choose(c, &g, &nchw16c));
    if (nchw16c == OC_CONV_NONE)
        return OC_OK;
    const oc_conv_nchw16c l = oc_conv_to_nchw16c(&g, x->type, nchw16c);
    packed made;
    OC_TRY(pack(c, &l, true, &made));
    packed *kept = oc_call_keep(c, sizeof *kept);
    if (!kept)
        return OC_NOMEM;
    *kept = made;
    oc_call_consume(c);
    return OC_OK;
}

/* Returns the work in products (base/threads.h). */
static double work_of(const oc_call *c)
{
    const oc_dims *x = &oc_in(c, 0)->dims;
    const double pixels = (double)x->n[0] * (double)oc_dims_product(x, 2, x->rank);
    return pixels * (double)oc_dims_count(&oc_in(c, 1)->dims) +
           (double)oc_value_n(oc_out(c, 0)) * 4 * OC_ELEMENT;
}

/* Sets *g and the algorithm, which is the one for which weights were packed, if they were. */
static oc_status find_algorithm(oc_call *c, const packed *kept, oc_conv *g,
                                oc_conv_algorithm *algorithm)
{
    if (!kept)
        return choose(c, g, algorithm);
    OC_TRY(read_geometry(c, g));
    g->cpu = oc_call_cpu(c);
    *algorithm = kept->algorithm;
    return OC_OK;
}

static oc_status run_in_nchw16c(oc_call *c)
{
    const packed *kept = oc_call_prepared(c);
    oc_conv g;
    oc_conv_algorithm algorithm;
    packed p = {0};
    char *scratch;
    OC_TRY(find_algorithm(c, kept, &g, &algorithm));
    oc_conv_nchw16c l = oc_conv_to_nchw16c(&g, oc_in(c, 0)->type, algorithm);
    if (kept)
        p = *kept;
    else
        OC_TRY(pack(c, &l, false, &p));
    l.nchw = !oc_in(c, 0)->nchw16c;
    l.work = oc_call_work(c, work_of(c));
    OC_TRY(OC_SCRATCH(c, scratch, oc_conv_transpose_nchw16c_scratch(&l)));
    l.x = oc_in(c, 0)->data;
    l.w = p.w;
    l.finite = p.finite;
    l.b = p.b;
    l.y = oc_out(c, 0)->data;
    oc_conv_transpose_nchw16c_run(&l, scratch);
    return OC_OK;
}

/* ---- in NCHW ---- */

/* float16 and bfloat16 are computed in float. */
static oc_status run_in_nchw(oc_call *c)
{
    const oc_value *y = oc_out(c, 0), *w = oc_in(c, 1);
    oc_conv_transpose g = {0};
    oc_conv_algorithm nchw16c;
    OC_TRY(choose(c, &g.conv, &nchw16c));
    OC_TRY(oc_conv_need_weights(c, 1));
    const size_t elem = oc_type_size(g.conv.type);
    const oc_type given = g.conv.half ? g.conv.half : g.conv.type; /* type of X and Y */
    const bool few = g.conv.algorithm == OC_CONV_FEW;
    g.conv.work = oc_call_work(c, work_of(c));
    g.conv.nchw16c = oc_in(c, 0)->nchw16c;
    OC_TRY(oc_in_as(c, 0, given, &g.conv.x));
    OC_TRY(oc_in_as(c, 1, g.conv.type, &g.conv.w));
    OC_TRY(oc_in_as(c, 2, g.conv.type, &g.conv.b));
    OC_TRY(oc_out_as(c, 0, given, oc_value_n(y), &g.conv.y));
    if (few)
        OC_TRY(OC_SCRATCH_OF(c, g.conv.scratch, oc_conv_transpose_few_scratch(&g.conv), 1));
    OC_TRY(OC_SCRATCH_OF(c, g.w_part, oc_value_n(w), elem));
    if (!few && !oc_conv_transpose_is_conv(&g.conv.window))
        OC_TRY(OC_SCRATCH_OF(c, g.y_part, oc_value_n(y), elem));
    OC_TRY(OC_SCRATCH(c, g.tap_part,
                      g.conv.channels ? oc_dims_product(&w->dims, 2, w->dims.rank) : 0));
    oc_conv_transpose_run(&g);
    oc_out_from(c, 0, given, g.conv.y);
    return OC_OK;
}

static oc_status conv_transpose_run(oc_call *c)
{
    const oc_value *y = oc_out(c, 0);
    oc_window_remark(c);
    if (names_all_axes(c))
        oc_remark(c,
                  "output_shape has N and C too, which the standard does not allow; X and W tell "
                  "them");
    if (oc_value_n(y) == 0)
        return OC_OK;
    return (y->nchw16c ? run_in_nchw16c : run_in_nchw)(c);
}

/* clang-format off */
#define CONV                                                                                       \
    conv_transpose_shape, conv_transpose_run, conv_transpose_prepare,                              \
        OC_TRAITS(.layouts = conv_transpose_layouts, .outline = check_channels)
#define SIG(set)                                                                                   \
    "ConvTranspose <string auto_pad = \"NOTSET\", ints dilations?, int group = 1, "                \
    "ints kernel_shape?, ints output_padding?, ints output_shape?, ints pads?, ints strides?> "    \
    "(T X, T W=, T B=?) => (T Y) | T: " set
const oc_op oc_ops_conv_transpose[] = {
    {22, SIG("float_ir4"), CONV},
    {11, SIG("ieee"),      CONV},
    { 1, SIG("ieee"),      CONV},
    {0}
};
