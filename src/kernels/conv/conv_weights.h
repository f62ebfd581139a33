/* SPDX-License-Identifier: Apache-2.0
 * conv_weights.h - in which order do tiles read the weights of a convolution?
 *
 * Blocks of 16 output channels follow each other, whatever groups they belong to, since all have
 * equally many taps: [channel][tap][16 output channels]. Places without an output channel have
 * weights of 0. */
#pragma once

#include "base/work.h"

/* Returns the number of packed weights. */
int64_t oc_conv_nchw16c_packed(int64_t groups, int64_t channels, int64_t out_channels,
                               int64_t area);
/* What type weights have before and after packing: floats or halves; halves may become floats. */
typedef struct oc_conv_weights {
    oc_type from, to;
    int64_t groups, channels, out_channels, area;
} oc_conv_weights;

/* Packs w, dense [groups * output channels][channels][area], into memory aligned to a cache line.
 */
void oc_conv_nchw16c_pack(const oc_conv_weights *g, unsigned cpu, void *packed, const void *w,
                          const oc_work *by);
bool oc_conv_nchw16c_finite(oc_type type, const void *w, int64_t n, const oc_work *by);
