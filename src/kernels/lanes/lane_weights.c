/* SPDX-License-Identifier: Apache-2.0
 * lane_weights.c - in which order do tiles read the weights of a convolution?
 *
 * Blocks of 16 maps follow each other, those of one group after those of the one before:
 * [channel][tap][16 maps]. Lanes without a map have weights of 0. */
#include "kernels/lanes/lane_conv.h"

#include <string.h>

#include "kernels/common/lanes.h"

bool oc_lane_conv_suits_groups(int64_t groups, int64_t channels, int64_t maps)
{
    if (groups == 1)
        return channels >= 1 && maps >= 1;
    if (maps < OC_LANE_FLOATS)
        return channels == maps && (maps == 1 || maps == 2 || maps == 4 || maps == 8);
    return channels >= OC_LANE_FLOATS && channels % OC_LANE_FLOATS == 0 &&
           maps % OC_LANE_FLOATS == 0;
}

int64_t oc_lane_conv_packed(int64_t groups, int64_t channels, int64_t maps, int64_t area)
{
    const bool small = groups > 1 && maps < OC_LANE_FLOATS;
    const int64_t blocks = small ? oc_lane_blocks(groups * maps) : groups * oc_lane_blocks(maps);
    return blocks * channels * area * OC_LANE_FLOATS;
}

bool oc_lane_conv_finite(const float *w, int64_t n)
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

void oc_lane_conv_pack(unsigned cpu, float *packed, const float *w, int64_t groups,
                       int64_t channels, int64_t maps, int64_t area)
{
    oc_lanes_in_fn *const turn = oc_lanes_in(OC_F32, cpu);
    const int64_t taps = channels * area;
    if (groups > 1 && maps < OC_LANE_FLOATS) { /* one long group, since all have the same taps */
        maps *= groups;
        groups = 1;
    }
    for (int64_t i = 0; i < groups; i++, w += maps * taps)
        for (int64_t m = 0; m < maps; m += OC_LANE_FLOATS, packed += taps * OC_LANE_FLOATS)
            turn(packed, w + m * taps, taps,
                 maps - m < OC_LANE_FLOATS ? (int)(maps - m) : OC_LANE_FLOATS, taps);
}
