/* SPDX-License-Identifier: Apache-2.0
 * conv_int8_weights.c - packs the weights of convolutions of 8-bit integers. */
#include "kernels/conv/conv_int8_weights.h"

oc_int8_reach oc_int8_reach_of(const oc_conv_int8 *g, int64_t block)
{
    const int64_t last =
        oc_min(block * OC_BLOCK_CHANNELS + OC_BLOCK_CHANNELS, g->groups * g->out_channels) - 1;
    const int64_t first = block * OC_BLOCK_CHANNELS / g->out_channels * g->channels;
    const int64_t end = (last / g->out_channels + 1) * g->channels;
    oc_int8_reach r = {first / OC_BLOCK_CHANNELS * OC_BLOCK_CHANNELS, 0};
    r.n = oc_div_up(end - r.first, OC_INT8_TOGETHER) * OC_INT8_TOGETHER;
    return r;
}

/* Returns the most channels that any block reads; with one group, each block reads all. */
static int64_t most_channels(const oc_conv_int8 *g)
{
    const int64_t blocks = g->groups == 1 ? 1 : oc_channel_blocks(g->groups * g->out_channels);
    int64_t most = 0;
    for (int64_t i = 0; i < blocks; i++)
        most = oc_max(most, oc_int8_reach_of(g, i).n);
    return most;
}

oc_conv_algorithm oc_conv_int8_choose(const oc_conv_int8 *g)
{
    const bool depthwise = g->groups > 1 && g->channels == 1 && g->out_channels == 1 &&
                           oc_window_side_of(&g->window, g->window.axes - 1).dilation == 1;
    return depthwise ? OC_CONV_DEPTHWISE : OC_CONV_TILES;
}

oc_depthwise_form oc_int8_form(const oc_conv_int8 *g)
{
    const oc_window_side column = oc_window_side_of(&g->window, g->window.axes - 1);
    return oc_depthwise_form_of(column.kernel, column.stride);
}

int64_t oc_int8_block_bytes(const oc_conv_int8 *g, int64_t area)
{
    const oc_depthwise_form f = oc_int8_form(g);
    const int64_t taps = oc_window_side_of(&g->window, g->window.axes - 1).kernel;
    return g->algorithm == OC_CONV_DEPTHWISE ? oc_depthwise_int8_packed(&f, area / taps)
                                             : most_channels(g) * area * OC_BLOCK_CHANNELS;
}

/* With one group a block of ones, which sums pixels, follows the others. */
int64_t oc_conv_int8_packed(const oc_conv_int8 *g, int64_t area)
{
    const int64_t blocks = oc_channel_blocks(g->groups * g->out_channels) + (g->groups == 1);
    return blocks * oc_int8_block_bytes(g, area);
}

static void pack_ones(const oc_conv_int8 *g, int8_t *to, int64_t area)
{
    const int64_t size = area * OC_INT8_LINE,
                  channels = oc_int8_block_bytes(g, area) / size * OC_INT8_TOGETHER;
    for (int64_t c = 0; c < channels; c += OC_INT8_TOGETHER, to += size) {
        memset(to, 1, (size_t)size);
        for (int64_t i = g->channels - c; i < OC_INT8_TOGETHER; i++)
            for (int64_t at = i; at < size; at += OC_INT8_TOGETHER)
                to[at] = 0;
    }
}

/* Packs all taps of four channels, the first of them c, for one output channel. Some of the
 * channels may belong to another group. */
static void pack_four(int8_t *to, const int8_t *w, int64_t c, int64_t channels, int64_t area)
{
    if (c >= 0 && c + OC_INT8_TOGETHER <= channels) {
        w += c * area;
        for (int64_t i = 0; i < area; i++, to += OC_INT8_LINE)
            for (int64_t j = 0; j < OC_INT8_TOGETHER; j++)
                to[j] = w[j * area + i];
        return;
    }
    for (int64_t j = 0; j < OC_INT8_TOGETHER; j++)
        for (int64_t i = 0; i < area && c + j >= 0 && c + j < channels; i++)
            to[i * OC_INT8_LINE + j] = w[(c + j) * area + i];
}

/* Packs four channels of one group under one tap, for all output channels. */
static void pack_pixel(int8_t *to, const int8_t *w, int64_t channels, int n)
{
    for (int m = 0; m < n; m++)
        memcpy(to + m * OC_INT8_TOGETHER, w + m * channels, OC_INT8_TOGETHER);
}

/* Packs the lines of a block. The lines of four channels follow each other, so that they stay in
 * the first cache until they are complete. */
static void pack_block(const oc_conv_int8 *g, int8_t *to, const int8_t *w, int64_t block,
                       int64_t area)
{
    const oc_int8_reach r = oc_int8_reach_of(g, block);
    const int64_t m0 = block * OC_BLOCK_CHANNELS, taps = g->channels * area;
    const int n = (int)oc_min(g->groups * g->out_channels - m0, OC_BLOCK_CHANNELS);
    for (int64_t c = r.first; c < r.first + r.n; c += OC_INT8_TOGETHER, to += area * OC_INT8_LINE) {
        if (g->groups == 1 && area == 1 && c + OC_INT8_TOGETHER <= taps) {
            pack_pixel(to, w + m0 * taps + c, taps, n);
            continue;
        }
        for (int m = 0; m < n; m++) {
            const int64_t group = g->groups == 1 ? 0 : (m0 + m) / g->out_channels;
            pack_four(to + m * OC_INT8_TOGETHER, w + (m0 + m) * taps, c - group * g->channels,
                      g->channels, area);
        }
    }
}

void oc_conv_int8_pack(const oc_conv_int8 *g, int8_t *packed, const int8_t *w, int64_t area,
                       const oc_work *by)
{
    const int64_t all = g->groups * g->out_channels, size = oc_int8_block_bytes(g, area);
    const oc_window_side column = oc_window_side_of(&g->window, g->window.axes - 1);
    OC_LOOP (by, i, oc_channel_blocks(all), 1) {
        const int64_t end = oc_min((i + 1) * OC_BLOCK_CHANNELS, all);
        if (g->algorithm == OC_CONV_DEPTHWISE) {
            oc_depthwise_int8_pack(packed + i * size, w + i * OC_BLOCK_CHANNELS * area,
                                   (int)(end - i * OC_BLOCK_CHANNELS), area / column.kernel,
                                   column.kernel, column.stride);
            continue;
        }
        memset(packed + i * size, 0, (size_t)size);
        pack_block(g, packed + i * size, w, i, area);
    }
    if (g->groups == 1)
        pack_ones(g, packed + oc_channel_blocks(all) * size, area);
}
