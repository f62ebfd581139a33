/* SPDX-License-Identifier: Apache-2.0
 * conv.c - Conv: convolution with groups, strides, dilations and padding. */
#include "kernels/lanes/lane_conv.h"
#include "ops/kit/lanes.h"
#include "ops/kit/tail.h"
#include "ops/nn/conv_geometry.h"

#include <string.h>

static oc_status read_geometry(oc_call *c, oc_conv *g)
{
    return oc_conv_geometry(c, 0, 1, 2, g);
}

/* The same convolution in lanes. */
static oc_lane_conv lane_conv(const oc_call *c, const oc_conv *g)
{
    oc_lane_conv l = {.cpu = oc_call_cpu(c),
                      .planes = !oc_in(c, 0)->lanes,
                      .images = g->images,
                      .groups = g->groups,
                      .channels = g->channels,
                      .maps = g->maps,
                      .window = g->window};
    oc_conv_merge_axes(&l.window);
    return l;
}

static oc_status conv_shape(oc_call *c)
{
    oc_conv g;
    OC_TRY(read_geometry(c, &g));
    OC_TRY(oc_conv_set_out(c, oc_in(c, 0)->type, &g));
    const oc_lane_conv lanes = lane_conv(c, &g);
    if (!oc_lane_conv_suits(&lanes) || !oc_set_lanes(c))
        oc_keep_planes(c);
    return OC_OK;
}

/* ---- in lanes ---- */

/* Weights and bias as tiles read them. */
typedef struct packed {
    float *w, *b; /* b NULL: no bias */
} packed;

static int64_t area_of(const oc_dims *w)
{
    return oc_dims_product(w, 2, w->rank);
}

/* Floats of both. */
static int64_t packed_size(const oc_conv *g, int64_t area)
{
    const int64_t maps = oc_lane_blocks(g->groups * g->maps) * OC_LANES;
    return oc_lane_conv_packed(g->groups, g->channels, g->maps, area) + maps;
}

static packed pack(const oc_call *c, const oc_conv *g, const oc_value *w, const oc_value *b,
                   float *memory)
{
    const int64_t area = area_of(&w->dims);
    packed p = {.w = memory};
    oc_lane_conv_pack(oc_call_cpu(c), p.w, w->data, g->groups, g->channels, g->maps, area);
    if (!b)
        return p;
    p.b = memory + oc_lane_conv_packed(g->groups, g->channels, g->maps, area);
    memcpy(p.b, b->data, oc_value_bytes(b));
    memset(p.b + oc_value_n(b), 0, (size_t)(-oc_value_n(b) & (OC_LANES - 1)) * sizeof(float));
    return p;
}

/* Packs constant weights for lanes. What is wrong with them, the shape rule will tell. */
static oc_status conv_prepare(oc_call *c)
{
    const oc_value *w = oc_in(c, 1), *b = oc_in(c, 2);
    const int64_t groups = oc_attr_int(c, "group");
    if (w->type != OC_F32 || w->dims.rank < 3 || groups < 1 || w->dims.n[0] % groups ||
        (b && oc_value_n(b) != w->dims.n[0]))
        return OC_OK;
    const oc_conv g = {.groups = groups, .channels = w->dims.n[1], .maps = w->dims.n[0] / groups};
    if (oc_value_n(w) == 0 || !oc_lane_conv_suits_groups(g.groups, g.channels, g.maps))
        return OC_OK;
    const size_t head = (sizeof(packed) + OC_ALIGN - 1) / OC_ALIGN * OC_ALIGN;
    char *kept = oc_call_keep(c, head + (size_t)packed_size(&g, area_of(&w->dims)) * sizeof(float));
    if (!kept)
        return OC_NOMEM;
    *(packed *)kept = pack(c, &g, w, b, (float *)(kept + head));
    return OC_OK;
}

static oc_status run_in_lanes(oc_call *c, const oc_conv *g)
{
    const oc_value *x = oc_in(c, 0), *w = oc_in(c, 1);
    const packed *kept = oc_call_prepared(c);
    oc_lane_conv l = lane_conv(c, g);
    packed made;
    char *scratch;
    float *memory;
    if (!kept) {
        OC_TRY(OC_SCRATCH(c, memory, packed_size(g, area_of(&w->dims))));
        made = pack(c, g, w, oc_in(c, 2), memory);
        kept = &made;
    }
    const int threads = oc_call_threads_for(c, oc_conv_work(g, OC_ELEMENT / 2));
    OC_TRY(OC_SCRATCH(c, scratch, oc_lane_conv_scratch(&l, threads)));
    l.x = x->data;
    l.w = kept->w;
    l.b = kept->b;
    l.y = oc_out(c, 0)->data;
    if (oc_call_tail(c))
        l.after = (oc_lane_after){oc_tail_run_tile, oc_call_tail(c)};
    l.go_on = oc_call_go_on(c);
    oc_lane_conv_run(&l, scratch, oc_call_parallel(c), threads);
    return oc_call_error(c)->code;
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
    if (y->lanes)
        return run_in_lanes(c, &g);
    oc_value x;
    OC_TRY(oc_in_planes(c, oc_in(c, 0), &x));
    oc_conv_merge_axes(&g.window);
    g.type = oc_type_real(y->type);
    g.cpu = oc_call_cpu(c);
    OC_TRY(oc_as_type(c, g.type, x.data, x.type, oc_value_n(&x), &g.x));
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
    "ints pads?, ints strides?> (T X^, T W=, T B=?) => (T Y*) | T: " set
const oc_op oc_ops_conv[] = {
    {22, SIG("float_ir4"), conv_shape, conv_run, conv_prepare},
    {11, SIG("ieee"),      conv_shape, conv_run, conv_prepare},
    { 1, SIG("ieee"),      conv_shape, conv_run, conv_prepare},
    {0}
};
/* clang-format on */
