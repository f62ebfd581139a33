/* SPDX-License-Identifier: Apache-2.0
 * conv_weights.c - packs the weights of a convolution for its tiles. */
#include "kernels/conv/conv_weights.h"

#include "kernels/layout/nchw16c_bytes.h"

int64_t oc_conv_nchw16c_packed(int64_t groups, int64_t channels, int64_t out_channels, int64_t area)
{
    return oc_channel_blocks(groups * out_channels) * channels * area * OC_BLOCK_CHANNELS;
}

static bool is_finite(const float *w, int64_t n)
{
    uint32_t most = 0;
    for (int64_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &w[i], sizeof bits);
        bits &= 0x7fffffff;
        most = oc_max(bits, most);
    }
    return most < 0x7f800000;
}

static bool is_finite_half(const uint16_t *w, int64_t n, unsigned infinity)
{
    unsigned most = 0;
    for (int64_t i = 0; i < n; i++) {
        const unsigned bits = w[i] & 0x7fffu;
        most = oc_max(bits, most);
    }
    return most < infinity;
}

bool oc_conv_nchw16c_finite(oc_type type, const void *w, int64_t n, const oc_work *by)
{
    bool finite = true;
    OC_PIECES (by, p, n, 1 << 14)
        finite = finite &&
                 (type == OC_F32 ? is_finite((const float *)w + p.first, p.end - p.first)
                                 : is_finite_half((const uint16_t *)w + p.first, p.end - p.first,
                                                  type == OC_F16 ? 0x7c00 : 0x7f80));
    return finite;
}

/* Packs [taps][16] of 16 output channels or fewer, the first of which has number m. */
static void pack_out_channels(const oc_conv_weights *g, oc_nchw16c_in_fn *transpose, char *packed,
                              const char *w, int64_t m, const oc_work *by)
{
    const int64_t taps = g->channels * g->area, left = g->groups * g->out_channels - m;
    const int64_t to = (int64_t)oc_type_size(g->to), from = (int64_t)oc_type_size(g->from);
    OC_PIECES (by, p, taps, 1 << 12)
        transpose(packed + (m * taps + p.first * OC_BLOCK_CHANNELS) * to,
                  w + (m * taps + p.first) * from, taps, (int)oc_min(left, OC_BLOCK_CHANNELS),
                  p.end - p.first);
}

void oc_conv_nchw16c_pack(const oc_conv_weights *g, unsigned cpu, void *packed, const void *w,
                          const oc_work *by)
{
    oc_nchw16c_in_fn *const transpose =
        g->to == OC_F32 ? oc_nchw16c_in(g->from, cpu) : oc_nchw16c_pick(oc_nchw16c_halves, cpu)->in;
    OC_LOOP (by, i, oc_channel_blocks(g->groups * g->out_channels), 1)
        pack_out_channels(g, transpose, packed, w, i * OC_BLOCK_CHANNELS, by);
}
