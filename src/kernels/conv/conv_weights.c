/* SPDX-License-Identifier: Apache-2.0
 * conv_weights.c - packs the weights of a convolution for its tiles. */
#include "kernels/conv/conv_weights.h"
#include "base/int.h"

#include <string.h>

#include "kernels/layout/nchw16c.h"

enum { LEAST_MAPS = 8 }; /* of a group: with fewer, most sums of a tile are another group's */

bool oc_conv_groups_small(int64_t groups, int64_t channels, int64_t out_channels)
{
    return groups > 1 && channels == out_channels &&
           (out_channels == 1 || out_channels == 2 || out_channels == 4 || out_channels == 8);
}

bool oc_conv_nchw16c_suits_groups(int64_t groups, int64_t channels, int64_t out_channels)
{
    return channels >= 1 && (out_channels >= (groups > 1 ? LEAST_MAPS : 1) ||
                             oc_conv_groups_small(groups, channels, out_channels));
}

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

bool oc_conv_nchw16c_finite(const float *w, int64_t n, const oc_work *by)
{
    bool finite = true;
    OC_PIECES (by, p, n, 1 << 14)
        finite = finite && is_finite(w + p.first, p.end - p.first);
    return finite;
}

/* [taps][16] of 16 output channels or fewer. */
static void pack_out_channels(oc_nchw16c_in_fn *transpose, float *packed, const float *w,
                              int64_t taps, int out_channels, const oc_work *by)
{
    OC_PIECES (by, p, taps, 1 << 12)
        transpose(packed + p.first * OC_BLOCK_CHANNELS, w + p.first, taps, out_channels,
                  p.end - p.first);
}

void oc_conv_nchw16c_pack(unsigned cpu, float *packed, const float *w, int64_t groups,
                          int64_t channels, int64_t out_channels, int64_t area, const oc_work *by)
{
    oc_nchw16c_in_fn *const transpose = oc_nchw16c_pick(oc_nchw16c_F32, cpu)->in;
    const int64_t taps = channels * area, all = groups * out_channels;
    OC_LOOP (by, i, oc_channel_blocks(all), 1) {
        const int64_t m = i * OC_BLOCK_CHANNELS;
        pack_out_channels(transpose, packed + m * taps, w + m * taps, taps,
                          all - m < OC_BLOCK_CHANNELS ? (int)(all - m) : OC_BLOCK_CHANNELS, by);
    }
}
