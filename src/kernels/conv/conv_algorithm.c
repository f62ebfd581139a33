/* SPDX-License-Identifier: Apache-2.0
 * conv_algorithm.c - chooses the algorithm of a convolution. */
#include "kernels/conv/conv_algorithm.h"

#include "base/element_type.h"
#include "kernels/conv/conv.h"
#include "kernels/conv/conv_bands.h"
#include "kernels/conv/conv_few.h"
#include "kernels/conv/conv_transpose.h"
#include "kernels/conv/conv_transpose_nchw16c.h"
#include "kernels/conv/winograd.h"

enum {
    /* least output channels of a group; with fewer, most sums of a tile belong to other groups */
    LEAST_OUT = 8,
    /* From this many weights on, which no second cache keeps, weights stay halves: widening them
     * for a tile is faster than reading twice their bytes. */
    MANY_WEIGHTS = 64 * 1024
};

/* Are there several groups, each with as many output channels as channels, so that blocks of 16
 * hold whole groups? */
static bool are_small(int64_t groups, int64_t channels, int64_t out_channels)
{
    return groups > 1 && channels == out_channels &&
           (out_channels == 1 || out_channels == 2 || out_channels == 4 || out_channels == 8);
}

/* Returns the algorithm for such groups in NCHW16c, whatever the window is. */
static oc_conv_algorithm for_groups(int64_t groups, int64_t channels, int64_t out_channels)
{
    if (are_small(groups, channels, out_channels))
        return OC_CONV_GROUPS;
    return channels >= 1 && out_channels >= (groups > 1 ? LEAST_OUT : 1) ? OC_CONV_TILES
                                                                         : OC_CONV_NONE;
}

static bool is_for_nchw16c(oc_type type)
{
    return type == OC_F32 || oc_type_is_half(type);
}

oc_conv_algorithm oc_conv_choose_nchw16c(const oc_conv_nchw16c *g, bool exact)
{
    oc_conv_nchw16c l = *g;
    oc_conv_bands bands;
    l.algorithm = for_groups(g->groups, g->channels, g->out_channels);
    l.nchw = false;
    if (!is_for_nchw16c(g->type) || l.algorithm == OC_CONV_NONE || !oc_conv_bands_of(&l, &bands))
        return OC_CONV_NONE;
    if (l.algorithm == OC_CONV_GROUPS)
        return g->channels == 1 && bands.outer == 0 && oc_depthwise_nchw16c_suits(&bands.column)
                   ? OC_CONV_DEPTHWISE
                   : OC_CONV_GROUPS;
    return !exact && oc_winograd_suits(&l) ? OC_CONV_WINOGRAD : OC_CONV_TILES;
}

oc_conv_nchw16c oc_conv_to_nchw16c(const oc_conv *g, oc_type type, oc_conv_algorithm algorithm)
{
    return (oc_conv_nchw16c){.cpu = g->cpu,
                             .algorithm = algorithm,
                             .type = type,
                             .w_type = OC_F32,
                             .images = g->images,
                             .groups = g->groups,
                             .channels = g->channels,
                             .out_channels = g->out_channels,
                             .window = g->window};
}

/* Chooses an algorithm for few output channels, which are made in NCHW only, from pixels in
 * either layout. */
static oc_conv_algorithm choose_few(oc_conv *g, oc_type type)
{
    g->half = oc_type_is_half(type) ? type : OC_UNDEFINED;
    g->algorithm = OC_CONV_FEW;
    return OC_CONV_NONE;
}

oc_conv_algorithm oc_conv_choose(oc_conv *g, oc_type type, bool exact)
{
    g->type = oc_type_real(type);
    g->half = OC_UNDEFINED;
    if (oc_conv_few_suits(g))
        return choose_few(g, type);
    oc_conv_merge_axes(&g->window);
    g->algorithm = oc_conv_choose_nchw(g);
    const oc_conv_nchw16c l = oc_conv_to_nchw16c(g, type, OC_CONV_NONE);
    return oc_conv_choose_nchw16c(&l, exact);
}

oc_conv_algorithm oc_conv_transpose_choose(oc_conv *g, oc_type type)
{
    g->type = oc_type_real(type);
    g->half = OC_UNDEFINED;
    if (oc_conv_transpose_few_suits(g))
        return choose_few(g, type);
    g->algorithm = OC_CONV_IM2COL;
    const oc_conv_nchw16c l =
        oc_conv_to_nchw16c(g, type, for_groups(g->groups, g->channels, g->out_channels));
    return is_for_nchw16c(type) && g->out_channels >= LEAST_OUT && l.algorithm != OC_CONV_NONE &&
                   oc_conv_transpose_nchw16c_suits(&l)
               ? l.algorithm
               : OC_CONV_NONE;
}

oc_conv_form oc_conv_form_of(oc_conv_algorithm algorithm)
{
    switch (algorithm) {
    case OC_CONV_TILES:
    case OC_CONV_GROUPS:
    case OC_CONV_DEPTHWISE:
        return OC_CONV_TILED;
    case OC_CONV_WINOGRAD:
        return OC_CONV_TRANSFORMED;
    default:
        return OC_CONV_DENSE;
    }
}

bool oc_conv_may_read(const oc_conv *g, oc_conv_form form, bool exact)
{
    if (form == OC_CONV_TRANSFORMED)
        return !exact &&
               oc_winograd_suits_weights(g->groups, g->channels, g->out_channels, &g->window);
    return form == OC_CONV_TILED &&
           for_groups(g->groups, g->channels, g->out_channels) != OC_CONV_NONE;
}

oc_type oc_conv_tiled_type(const oc_conv *g, oc_type type, int64_t n)
{
    const bool small = are_small(g->groups, g->channels, g->out_channels);
    return oc_type_is_half(type) && !small && n >= MANY_WEIGHTS ? type : OC_F32;
}
