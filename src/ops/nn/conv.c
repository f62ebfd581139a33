/* SPDX-License-Identifier: Apache-2.0
 * conv.c - Conv: convolution with groups, strides, dilations and padding. */
#include "base/int.h"
#include "kernels/conv/conv.h"
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

/* Weights that no second cache keeps are halved; to widen them for a tile takes less than to read
 * them twice. */
enum { MANY_WEIGHTS = 64 * 1024 };

/* The type that weights are packed in. */
static oc_type packed_type(const oc_call *c, const oc_conv *g)
{
    const oc_value *w = oc_in(c, 1);
    const bool small = oc_conv_groups_small(g->groups, g->channels, g->out_channels);
    return oc_type_is_half(w->type) && !small && oc_value_n(w) >= MANY_WEIGHTS ? w->type : OC_F32;
}

/* The same convolution in NCHW16c. */
static oc_conv_nchw16c nchw16c_conv(const oc_call *c, const oc_conv *g)
{
    oc_conv_nchw16c l = {.cpu = oc_call_cpu(c),
                         .type = oc_in(c, 0)->type,
                         .w_type = packed_type(c, g),
                         .nchw = !oc_in(c, 0)->nchw16c,
                         .images = g->images,
                         .groups = g->groups,
                         .channels = g->channels,
                         .out_channels = g->out_channels,
                         .window = g->window};
    oc_conv_merge_axes(&l.window);
    return l;
}

static oc_status conv_shape(oc_call *c)
{
    oc_conv g;
    OC_TRY(read_geometry(c, &g));
    return oc_conv_set_out(c, oc_in(c, 0)->type, &g);
}

/* ---- in NCHW16c ---- */

/* Weights and bias as tiles read them; NULL: not made. */
typedef struct packed {
    const void *w; /* floats, or of the weights' own type if that is half and they are many */
    const float *winograd, *b;
    bool finite; /* are all of w? */
} packed;

/* Does Winograd's algorithm serve? That depends on shapes and the session's choice alone. */
static bool by_winograd(const oc_call *c, const oc_conv_nchw16c *l)
{
    return !oc_call_exact_conv(c) && oc_winograd_suits(l);
}

/* What is known of X with some dims. */
typedef struct known {
    oc_dims x; /* rank 0: nothing */
    oc_conv g;
    oc_conv_nchw16c l;   /* X in NCHW16c */
    oc_conv_units units; /* of one thread, with scratch memory of so many bytes; 0: not set */
    size_t scratch;
} known;

/* What is made with the plan. */
typedef struct prepared {
    packed packed;
    known known;
} prepared;

static oc_status set_known(oc_call *c, const packed *p, known *k)
{
    OC_TRY(read_geometry(c, &k->g));
    k->g.type = OC_F32;
    k->l = nchw16c_conv(c, &k->g);
    const bool direct = p->w && !by_winograd(c, &k->l) && oc_conv_nchw16c_suits(&k->l);
    k->l.nchw = false;
    k->l.finite = direct && p->finite;
    if (direct)
        k->scratch = oc_conv_nchw16c_scratch(&k->l, 1, &k->units);
    k->x = oc_in(c, 0)->dims;
    return OC_OK;
}

/* Of the dims of this call; NULL: nothing, or they do not fit, as read_geometry tells. */
static const known *known_for(oc_call *c)
{
    const prepared *kept = oc_call_prepared(c);
    if (!kept)
        return NULL;
    if (oc_dims_equal(&kept->known.x, &oc_in(c, 0)->dims))
        return &kept->known;
    known *own = oc_call_memo(c, sizeof *own);
    return own && (own->x.rank > 0 || set_known(c, &kept->packed, own) == OC_OK) ? own : NULL;
}

/* What is packed, and Winograd's results, which have bits of their own, are for NCHW16c alone. Few
 * output channels are made in NCHW, of pixels in either layout. */
static void conv_layouts(oc_call *c, oc_layouts *l)
{
    const oc_value *y = oc_out_or_null(c, 0);
    oc_conv g;
    if (!oc_nchw16c_fits(y->type, &y->dims) || oc_value_n(y) == 0 || read_geometry(c, &g) != OC_OK)
        return;
    g.type = OC_F32;
    if (oc_conv_few_suits(&g)) {
        l->blocked = 1;
        return;
    }
    oc_conv_nchw16c nchw16c = nchw16c_conv(c, &g);
    if (!oc_conv_nchw16c_suits(&nchw16c))
        return;
    const bool winograd = by_winograd(c, &nchw16c);
    nchw16c.nchw = true;
    const bool either = !winograd && oc_conv_nchw16c_takes_nchw(&nchw16c);
    l->blocked = !either;
    l->either = either;
    l->out = l->faster = true;
    l->only = winograd || oc_call_prepared(c);
}

/* Packs what p lacks: weights in either form, and the bias. */
static oc_status pack(oc_call *c, const oc_conv *g, bool keep, bool direct, bool winograd,
                      packed *p)
{
    const oc_value *v = oc_in(c, 1);
    const oc_work by = oc_call_work(c, 0);
    const oc_conv_weights form = {v->type,         packed_type(c, g),
                                  g->groups,       g->channels,
                                  g->out_channels, oc_dims_product(&v->dims, 2, v->dims.rank)};
    float *memory;
    if ((direct && !p->w) || (winograd && !p->winograd))
        OC_TRY(oc_conv_need_weights(c, 1));
    if (direct && !p->w) {
        const int64_t n =
            oc_conv_nchw16c_packed(form.groups, form.channels, form.out_channels, form.area);
        OC_TRY(oc_conv_memory(c, keep, form.to == OC_F32 ? n : oc_div_up(n, 2), &memory));
        oc_conv_nchw16c_pack(&form, oc_call_cpu(c), memory, v->data, &by);
        p->w = memory;
        p->finite = oc_conv_nchw16c_finite(v->type, v->data, oc_value_n(v), &by);
    }
    if (winograd && !p->winograd) {
        const void *w;
        OC_TRY(oc_in_as(c, 1, OC_F32, &w));
        OC_TRY(oc_conv_memory(c, keep, oc_winograd_packed(g->channels, g->out_channels), &memory));
        oc_winograd_pack(memory, w, g->channels, g->out_channels, &by);
        p->winograd = memory;
    }
    return p->b ? OC_OK : oc_conv_pack_bias(c, keep, g->groups * g->out_channels, &p->b);
}

/* Packs constant weights for NCHW16c, in the form that the shape of X asks for, or in both where
 * that is not known yet. What is wrong with them, the shape rule will tell. */
static oc_status conv_prepare(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *w = oc_in(c, 1), *b = oc_in_or_null(c, 2);
    const int64_t groups = oc_attr_int(c, "group");
    if (!oc_nchw16c_fits(w->type, &w->dims) || groups < 1 || w->dims.n[0] % groups ||
        (b && (b->type != w->type || oc_value_n(b) != w->dims.n[0])))
        return OC_OK;
    oc_conv g = {.groups = groups, .channels = w->dims.n[1], .out_channels = w->dims.n[0] / groups};
    if (oc_value_n(w) == 0 || !oc_conv_nchw16c_suits_groups(g.groups, g.channels, g.out_channels))
        return OC_OK;
    g.window.axes = w->dims.rank - 2;
    for (int a = 0; a < g.window.axes && a < OC_WINDOW_AXES; a++)
        g.window.kernel[a] = w->dims.n[a + 2];
    bool direct = true;
    bool winograd = !oc_call_exact_conv(c) &&
                    oc_winograd_suits_weights(g.groups, g.channels, g.out_channels, &g.window);
    prepared made = {0};
    const bool is_known = oc_dims_known(&x->dims);
    if (is_known) {
        OC_TRY(read_geometry(c, &g));
        g.type = OC_F32;
        const oc_conv_nchw16c l = nchw16c_conv(c, &g);
        if (!oc_conv_nchw16c_suits(&l) || oc_conv_few_suits(&g))
            return OC_OK;
        winograd = by_winograd(c, &l);
        direct = !winograd;
    }
    OC_TRY(pack(c, &g, true, direct, winograd, &made.packed));
    if (is_known)
        OC_TRY(set_known(c, &made.packed, &made.known));
    prepared *kept = oc_call_keep(c, sizeof *kept);
    if (!kept)
        return OC_NOMEM;
    *kept = made;
    if (is_known)
        oc_call_consume(c);
    return OC_OK;
}

/* here: what is known of these dims; NULL: nothing. */
static oc_status run_in_nchw16c(oc_call *c, const oc_conv *g, const known *here)
{
    const prepared *kept = oc_call_prepared(c);
    oc_conv_nchw16c l = here ? here->l : nchw16c_conv(c, g);
    l.nchw = !oc_in(c, 0)->nchw16c;
    const bool winograd = by_winograd(c, &l);
    l.work = oc_call_work(c, oc_conv_nchw16c_work(&l));
    const int threads = l.work.threads;
    packed p = kept ? kept->packed : (packed){0};
    char *scratch;
    l.x = oc_in(c, 0)->data;
    OC_TRY(pack(c, g, false, !winograd, winograd, &p));
    l.w = winograd ? (const void *)p.winograd : p.w;
    if (winograd)
        l.w_type = OC_F32;
    l.finite = !winograd && p.finite;
    const bool ready = here && here->scratch && !l.nchw && threads <= 1;
    oc_conv_units units;
    const size_t size = ready      ? here->scratch
                        : winograd ? oc_winograd_scratch(&l, threads)
                                   : oc_conv_nchw16c_scratch(&l, threads, &units);
    OC_TRY(OC_SCRATCH(c, scratch, size));
    l.b = p.b;
    l.y = oc_out(c, 0)->data;
    const oc_epilogue *after = oc_call_epilogue(c);
    if (after) {
        bool only;
        l.after = (oc_tile_epilogue){oc_epilogue_run_tile, after, oc_epilogue_bounds(after, &only),
                                     oc_epilogue_finish(after), oc_epilogue_rest(after)};
        if (only)
            l.after.run = NULL;
    }
    if (winograd)
        oc_winograd_run(&l, scratch);
    else
        oc_conv_nchw16c_run(&l, ready ? &here->units : &units, scratch);
    return OC_OK;
}

/* float16 and bfloat16 are convolved in float. */
static oc_status conv_run(oc_call *c)
{
    const oc_value *y = oc_out(c, 0);
    const known *here = known_for(c);
    oc_conv g;
    if (!here)
        OC_TRY(read_geometry(c, &g));
    oc_window_remark(c);
    if (oc_value_n(y) == 0)
        return OC_OK;
    if (y->nchw16c)
        return run_in_nchw16c(c, here ? &here->g : &g, here);
    g = here ? here->g : g;
    OC_TRY(oc_conv_need_weights(c, 1));
    g.type = oc_type_real(y->type);
    g.cpu = oc_call_cpu(c);
    g.nchw16c = oc_in(c, 0)->nchw16c;
    const bool few = oc_conv_few_suits(&g);
    if (!few)
        oc_conv_merge_axes(&g.window);
    g.half = few && oc_type_is_half(y->type) ? y->type : OC_UNDEFINED;
    const oc_type type = g.half ? g.half : g.type; /* of x and y */
    OC_TRY(oc_in_as(c, 0, type, &g.x));
    OC_TRY(oc_in_as(c, 1, g.type, &g.w));
    OC_TRY(oc_in_as(c, 2, g.type, &g.b));
    OC_TRY(oc_out_as(c, 0, type, oc_value_n(y), &g.y));
    g.work = oc_call_work(c, oc_conv_work(&g, OC_ELEMENT / 2));
    if (few)
        OC_TRY(OC_SCRATCH_OF(c, g.scratch, oc_conv_few_scratch(&g, g.work.threads), 1));
    oc_conv_run(&g);
    oc_out_from(c, 0, type, g.y);
    return OC_OK;
}

static bool columns(const oc_call *c, int *axis)
{
    (void)c;
    *axis = 0;
    return true;
}

static const oc_on_codes on_codes = {"", "QLinearConv", "0x0s0z1x1s1zysyz2b", .columns = columns};

/* clang-format off */
#define CONV                                                                                       \
    conv_shape, conv_run, conv_prepare,                                                            \
        OC_TRAITS(.layouts = conv_layouts, .on_codes = &on_codes, .takes_zeros = true)
#define SIG(set)                                                                                   \
    "Conv <string auto_pad = \"NOTSET\", ints dilations?, int group = 1, ints kernel_shape?, "     \
    "ints pads?, ints strides?> (T X, T W=, T B=?) => (T Y*) | T: " set
const oc_op oc_ops_conv[] = {
    {22, SIG("float_ir4"), CONV},
    {11, SIG("ieee"),      CONV},
    { 1, SIG("ieee"),      CONV},
    {0}
};
/* clang-format on */
