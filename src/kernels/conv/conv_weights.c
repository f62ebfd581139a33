/* SPDX-License-Identifier: Apache-2.0
 * conv_weights.c - in which order do tiles read the weights of a convolution?
 *
 * Blocks of 16 output channels follow each other, whatever groups they are of, since all have the
 * same number of taps: [channel][tap][16 output channels]. Lanes without an output channel have
 * weights of 0. */
#include "kernels/conv/conv_bands.h"

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

bool oc_conv_nchw16c_takes_nchw(const oc_conv_nchw16c *g)
{
    return !oc_conv_groups_small(g->groups, g->channels, g->out_channels);
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
        most = bits > most ? bits : most;
    }
    return most < 0x7f800000;
}

bool oc_conv_nchw16c_finite(const float *w, int64_t n, oc_pace *pace)
{
    enum { PIECE = 1 << 16 };
    bool finite = true;
    for (int64_t i = 0; i < n && finite && oc_pace_on(pace, PIECE * OC_ELEMENT); i += PIECE)
        finite = is_finite(w + i, n - i < PIECE ? n - i : PIECE);
    return finite;
}

/* [taps][16] of 16 output channels or fewer; fewer taps where the pace ends it. */
static void pack_out_channels(oc_nchw16c_in_fn *turn, float *packed, const float *w, int64_t taps,
                              int out_channels, oc_pace *pace)
{
    enum { PIECE = 1 << 12, WORK = OC_BLOCK_CHANNELS * 4 * OC_ELEMENT };
    for (int64_t i = 0; i < taps; i += PIECE) {
        const int64_t n = taps - i < PIECE ? taps - i : PIECE;
        if (!oc_pace_on(pace, n * WORK))
            return;
        turn(packed + i * OC_BLOCK_CHANNELS, w + i, taps, out_channels, n);
    }
}

void oc_conv_nchw16c_pack(unsigned cpu, float *packed, const float *w, int64_t groups,
                          int64_t channels, int64_t out_channels, int64_t area, oc_pace *pace)
{
    oc_nchw16c_in_fn *const turn = oc_nchw16c_pick(oc_nchw16c_F32, cpu)->in;
    const int64_t taps = channels * area, all = groups * out_channels;
    for (int64_t m = 0; m < all && oc_pace_on(pace, OC_PLACE); m += OC_BLOCK_CHANNELS)
        pack_out_channels(turn, packed + m * taps, w + m * taps, taps,
                          all - m < OC_BLOCK_CHANNELS ? (int)(all - m) : OC_BLOCK_CHANNELS, pace);
}
