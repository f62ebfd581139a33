/* SPDX-License-Identifier: Apache-2.0
 * conv.c - Conv: convolution with groups, strides, dilations and padding. */
#include "kernels/conv/conv.h"
#include "kernels/conv/conv_algorithm.h"
#include "kernels/conv/conv_few.h"
#include "kernels/conv/conv_nchw16c.h"
#include "kernels/conv/winograd.h"
#include "ops/kit/stages.h"
#include "ops/nn/conv_geometry.h"
#include "ops/nn/conv_nchw16c.h"

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

/* ---- weights and bias ---- */

/* Weights in a form; w is NULL if they are not made in it. */
typedef struct weights {
    const void *w;
    oc_type type; /* type of the weights */
    bool finite;  /* all weights are finite; set for OC_CONV_TILED alone */
} weights;

typedef struct packed {
    weights of[OC_CONV_FORMS];
    const float *b; /* NULL: the bias is not made */
} packed;

static oc_status pack_tiled(oc_call *c, const oc_conv *g, bool keep, weights *made)
{
    const oc_value *v = oc_in(c, 1);
    const int64_t n_w = oc_value_n(v);
    const oc_work by = oc_call_work(c, 0);
    const oc_conv_weights form = {v->type,         oc_conv_tiled_type(g, v->type, n_w),
                                  g->groups,       g->channels,
                                  g->out_channels, oc_dims_product(&v->dims, 2, v->dims.rank)};
    const int64_t n =
        oc_conv_nchw16c_packed(form.groups, form.channels, form.out_channels, form.area);
    float *memory;
    OC_TRY(oc_conv_memory(c, keep, form.to == OC_F32 ? n : oc_div_up(n, 2), &memory));
    oc_conv_nchw16c_pack(&form, oc_call_cpu(c), memory, v->data, &by);
    *made = (weights){memory, form.to, oc_conv_nchw16c_finite(v->type, v->data, n_w, &by)};
    return OC_OK;
}

static oc_status pack_transformed(oc_call *c, const oc_conv *g, bool keep, weights *made)
{
    const oc_work by = oc_call_work(c, 0);
    const void *w;
    float *memory;
    OC_TRY(oc_in_as(c, 1, OC_F32, &w));
    OC_TRY(oc_conv_memory(c, keep, oc_winograd_packed(g->channels, g->out_channels), &memory));
    oc_winograd_pack(memory, w, g->channels, g->out_channels, &by);
    *made = (weights){memory, OC_F32, false};
    return OC_OK;
}

/* Makes what p lacks: weights in the form, and the bias. */
static oc_status pack(oc_call *c, const oc_conv *g, bool keep, oc_conv_form form, packed *p)
{
    weights *made = &p->of[form];
    if (!made->w) {
        OC_TRY(oc_conv_need_weights(c, 1));
        OC_TRY((form == OC_CONV_TRANSFORMED ? pack_transformed : pack_tiled)(c, g, keep, made));
    }
    return p->b ? OC_OK : oc_conv_pack_bias(c, keep, g->groups * g->out_channels, &p->b);
}

/* ---- what dims of X decide ---- */

typedef struct decided {
    oc_dims x; /* dims of X; rank 0: nothing is decided */
    oc_conv g;
    oc_conv_algorithm nchw16c; /* algorithm that makes Y in NCHW16c */
    /* Makes the convolution in NCHW16c, of an X in NCHW16c and weights that were made with the
     * plan. */
    oc_conv_nchw16c l;
    oc_conv_bands bands; /* bands of one thread */
    uint64_t scratch;    /* bytes of scratch memory that the bands need; 0: they are not set */
} decided;

/* What is made with the plan. */
typedef struct prepared {
    packed packed;
    decided decided;
} prepared;

static oc_status choose(oc_call *c, decided *d)
{
    OC_TRY(read_geometry(c, &d->g));
    d->g.cpu = oc_call_cpu(c);
    d->nchw16c = oc_conv_choose(&d->g, oc_in(c, 0)->type, oc_call_options(c)->exact_conv);
    return OC_OK;
}

/* Sets the rest; p is what was made with the plan, or NULL. */
static void complete(const oc_call *c, const packed *p, decided *d)
{
    const oc_conv_form form = oc_conv_form_of(d->nchw16c);
    d->l = oc_conv_to_nchw16c(&d->g, oc_in(c, 0)->type, d->nchw16c);
    d->scratch = 0;
    if (p && p->of[form].w) {
        d->l.w_type = p->of[form].type;
        d->l.finite = p->of[form].finite;
        if (form == OC_CONV_TILED) {
            d->bands = oc_conv_bands_for(&d->l);
            d->scratch = oc_conv_nchw16c_scratch(&d->l, &d->bands);
        }
    }
    d->x = oc_in(c, 0)->dims;
}

/* Sets *found to what the dims of this call decide, in `own` if the plan has not decided it. */
static oc_status find_decided(oc_call *c, decided *own, const decided **found)
{
    const prepared *kept = oc_call_prepared(c);
    if (kept && oc_dims_equal(&kept->decided.x, &oc_in(c, 0)->dims)) {
        *found = &kept->decided;
        return OC_OK;
    }
    decided *memo = oc_call_memo(c, sizeof *memo), *d = memo ? memo : own;
    *found = d;
    if (memo && memo->x.rank > 0)
        return OC_OK;
    OC_TRY(choose(c, d));
    complete(c, kept ? &kept->packed : NULL, d);
    return OC_OK;
}

/* Packed weights, and Winograd's results, which have bits of their own, are for NCHW16c alone. */
static void conv_layouts(oc_call *c, oc_layouts *l)
{
    const oc_value *y = oc_out_or_null(c, 0);
    decided d;
    if (!oc_nchw16c_fits(y->type, &y->dims) || oc_value_n(y) == 0 || choose(c, &d) != OC_OK)
        return;
    if (d.nchw16c == OC_CONV_NONE) {
        l->blocked = d.g.algorithm == OC_CONV_FEW;
        return;
    }
    l->either = d.nchw16c == OC_CONV_TILES;
    l->blocked = !l->either;
    l->out = l->faster = true;
    l->only = d.nchw16c == OC_CONV_WINOGRAD || oc_call_prepared(c);
}

/* Sets what the weights alone tell; false: they cannot be packed. The shape rule will tell what is
 * wrong with them. */
static bool read_weights(const oc_call *c, oc_conv *g)
{
    const oc_value *w = oc_in(c, 1), *b = oc_in_or_null(c, 2);
    const int64_t groups = oc_attr_int(c, "group");
    if (!oc_nchw16c_fits(w->type, &w->dims) || groups < 1 || w->dims.n[0] % groups ||
        oc_value_n(w) == 0 || (b && (b->type != w->type || oc_value_n(b) != w->dims.n[0])))
        return false;
    *g = (oc_conv){
        .groups = groups, .channels = w->dims.n[1], .out_channels = w->dims.n[0] / groups};
    g->window.axes = w->dims.rank - 2;
    for (int a = 0; a < g->window.axes && a < OC_WINDOW_AXES; a++)
        g->window.kernel[a] = w->dims.n[a + 2];
    return true;
}

/* Packs constant weights for NCHW16c, in the form that X needs or, if its dims are not known yet,
 * in each form that X may need. */
static oc_status conv_prepare(oc_call *c)
{
    prepared made = {0};
    decided *d = &made.decided;
    const bool is_known = oc_dims_known(&oc_in(c, 0)->dims), exact = oc_call_options(c)->exact_conv;
    bool any = false;
    if (!read_weights(c, &d->g))
        return OC_OK;
    if (is_known)
        OC_TRY(choose(c, d));
    for (oc_conv_form f = OC_CONV_TILED; f < OC_CONV_FORMS; f++) {
        if (is_known ? f != oc_conv_form_of(d->nchw16c) : !oc_conv_may_read(&d->g, f, exact))
            continue;
        OC_TRY(pack(c, &d->g, true, f, &made.packed));
        any = true;
    }
    if (!any)
        return OC_OK;
    if (is_known)
        complete(c, &made.packed, d);
    prepared *kept = oc_call_keep(c, sizeof *kept);
    if (!kept)
        return OC_NOMEM;
    *kept = made;
    if (is_known)
        oc_call_consume(c);
    return OC_OK;
}

/* ---- run ---- */

static oc_tile_epilogue tile_epilogue(const oc_epilogue *after)
{
    bool only;
    oc_tile_epilogue e = {oc_epilogue_run_tile, after, oc_epilogue_bounds(after, &only),
                          oc_epilogue_finish(after), oc_epilogue_rest(after)};
    if (only)
        e.run = NULL;
    return e;
}

static oc_status run_in_nchw16c(oc_call *c, const decided *d)
{
    const prepared *kept = oc_call_prepared(c);
    const oc_conv_form form = oc_conv_form_of(d->nchw16c);
    const bool winograd = form == OC_CONV_TRANSFORMED;
    packed p = kept ? kept->packed : (packed){0};
    oc_conv_nchw16c l = d->l;
    oc_conv_bands bands;
    char *scratch;
    OC_TRY(pack(c, &d->g, false, form, &p));
    l.nchw = !oc_in(c, 0)->nchw16c;
    l.work = oc_call_work(c, oc_conv_nchw16c_work(&l));
    l.x = oc_in(c, 0)->data;
    l.w = p.of[form].w;
    l.w_type = p.of[form].type;
    l.finite = p.of[form].finite;
    const bool ready = d->scratch && !l.nchw && l.work.threads <= 1;
    if (!winograd && !ready)
        bands = oc_conv_bands_for(&l);
    const uint64_t size = ready      ? d->scratch
                          : winograd ? oc_winograd_scratch(&l)
                                     : oc_conv_nchw16c_scratch(&l, &bands);
    OC_TRY(OC_SCRATCH(c, scratch, size));
    l.b = p.b;
    l.y = oc_out(c, 0)->data;
    if (oc_call_epilogue(c))
        l.after = tile_epilogue(oc_call_epilogue(c));
    if (winograd)
        oc_winograd_run(&l, scratch);
    else
        oc_conv_nchw16c_run(&l, ready ? &d->bands : &bands, scratch);
    return OC_OK;
}

/* float16 and bfloat16 are convolved in float. */
static oc_status run_in_nchw(oc_call *c, const decided *d)
{
    oc_conv g = d->g;
    OC_TRY(oc_conv_need_weights(c, 1));
    g.nchw16c = oc_in(c, 0)->nchw16c;
    const oc_type type = g.half ? g.half : g.type; /* type of x and y */
    OC_TRY(oc_in_as(c, 0, type, &g.x));
    OC_TRY(oc_in_as(c, 1, g.type, &g.w));
    OC_TRY(oc_in_as(c, 2, g.type, &g.b));
    OC_TRY(oc_out_as(c, 0, type, oc_value_n(oc_out(c, 0)), &g.y));
    g.work = oc_call_work(c, oc_conv_work(&g, OC_ELEMENT / 2));
    if (g.algorithm == OC_CONV_FEW)
        OC_TRY(OC_SCRATCH_OF(c, g.scratch, oc_conv_few_scratch(&g), 1));
    oc_conv_run(&g);
    oc_out_from(c, 0, type, g.y);
    return OC_OK;
}

static oc_status conv_run(oc_call *c)
{
    const oc_value *y = oc_out(c, 0);
    const decided *d;
    decided own;
    oc_window_remark(c);
    if (oc_value_n(y) == 0)
        return OC_OK;
    OC_TRY(find_decided(c, &own, &d));
    return (y->nchw16c ? run_in_nchw16c : run_in_nchw)(c, d);
}

static bool columns(OC_UNUSED const oc_call *c, int *axis)
{
    *axis = 0;
    return true;
}

static const oc_on_codes on_codes = {"", "QLinearConv", "0x0s0z1x1s1zysyz2b", .columns = columns};

/* clang-format off */
#define CONV                                                                                       \
    conv_shape, conv_run, conv_prepare,                                                            \
        OC_TRAITS(.layouts = conv_layouts, .on_codes = &on_codes, .takes_zeros = true,  \
                  .outline = oc_conv_channels_first)
#define SIG(set)                                                                                   \
    "Conv <string auto_pad = \"NOTSET\", ints dilations?, int group = 1, ints kernel_shape?, "     \
    "ints pads?, ints strides?> (T X, T W=, T B=?) => (T Y*) | T: " set
const oc_op oc_ops_conv[] = {
    {22, SIG("float_ir4"), CONV},
    {11, SIG("ieee"),      CONV},
    { 1, SIG("ieee"),      CONV},
    {0}
};
