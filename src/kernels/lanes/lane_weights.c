/* SPDX-License-Identifier: Apache-2.0
 * lane_weights.c - in which order do tiles read the weights of a convolution?
 *
 * Blocks of 16 maps follow each other, whatever groups they are of, since all have the same number
 * of taps: [channel][tap][16 maps]. Lanes without a map have weights of 0. */
#include "kernels/lanes/lane_bands.h"

#include <string.h>

#include "kernels/common/lanes.h"

enum { LEAST_MAPS = 8 }; /* of a group: with fewer, most sums of a tile are another group's */

bool oc_lane_groups_small(int64_t groups, int64_t channels, int64_t maps)
{
    return groups > 1 && channels == maps && (maps == 1 || maps == 2 || maps == 4 || maps == 8);
}

bool oc_lane_conv_suits_groups(int64_t groups, int64_t channels, int64_t maps)
{
    return channels >= 1 &&
           (maps >= (groups > 1 ? LEAST_MAPS : 1) || oc_lane_groups_small(groups, channels, maps));
}

bool oc_lane_conv_takes_planes(const oc_lane_conv *g)
{
    return !oc_lane_groups_small(g->groups, g->channels, g->maps);
}

int64_t oc_lane_conv_packed(int64_t groups, int64_t channels, int64_t maps, int64_t area)
{
    return oc_lane_blocks(groups * maps) * channels * area * OC_LANE_FLOATS;
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

bool oc_lane_conv_finite(const float *w, int64_t n, oc_pace *pace)
{
    enum { PIECE = 1 << 16 };
    bool finite = true;
    for (int64_t i = 0; i < n && finite && oc_pace_on(pace, PIECE * OC_ELEMENT); i += PIECE)
        finite = is_finite(w + i, n - i < PIECE ? n - i : PIECE);
    return finite;
}

/* [taps][16] of 16 maps or fewer; fewer taps where the pace ends it. */
static void pack_maps(oc_lanes_in_fn *turn, float *packed, const float *w, int64_t taps, int maps,
                      oc_pace *pace)
{
    enum { PIECE = 1 << 12, WORK = OC_LANE_FLOATS * 4 * OC_ELEMENT };
    for (int64_t i = 0; i < taps; i += PIECE) {
        const int64_t n = taps - i < PIECE ? taps - i : PIECE;
        if (!oc_pace_on(pace, n * WORK))
            return;
        turn(packed + i * OC_LANE_FLOATS, w + i, taps, maps, n);
    }
}

void oc_lane_conv_pack(unsigned cpu, float *packed, const float *w, int64_t groups,
                       int64_t channels, int64_t maps, int64_t area, oc_pace *pace)
{
    oc_lanes_in_fn *const turn = oc_lanes_pick(oc_lanes_F32, cpu)->in;
    const int64_t taps = channels * area, all = groups * maps;
    for (int64_t m = 0; m < all && oc_pace_on(pace, OC_PLACE); m += OC_LANE_FLOATS)
        pack_maps(turn, packed + m * taps, w + m * taps, taps,
                  all - m < OC_LANE_FLOATS ? (int)(all - m) : OC_LANE_FLOATS, pace);
}
