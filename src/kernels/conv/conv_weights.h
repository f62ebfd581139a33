/* SPDX-License-Identifier: Apache-2.0
 * conv_weights.h - in which order do tiles read the weights of a convolution?
 *
 * Blocks of 16 output channels follow each other, whatever groups they are of, since all have the
 * same number of taps: [channel][tap][16 output channels]. Places without an output channel have
 * weights of 0. */
#ifndef OC_KERNELS_CONV_CONV_WEIGHTS_H
#define OC_KERNELS_CONV_CONV_WEIGHTS_H

#include "base/work.h"

#include <stdbool.h>
#include <stdint.h>

/* Is each of several groups so small that blocks of 16 output channels hold whole ones? */
bool oc_conv_groups_small(int64_t groups, int64_t channels, int64_t out_channels);
/* Are these groups for NCHW16c (oc_conv_nchw16c_suits)? */
bool oc_conv_nchw16c_suits_groups(int64_t groups, int64_t channels, int64_t out_channels);

/* Floats of packed weights. */
int64_t oc_conv_nchw16c_packed(int64_t groups, int64_t channels, int64_t out_channels,
                               int64_t area);
/* Packs w, dense [groups * output channels][channels][area], into memory aligned to a cache line.
 */
void oc_conv_nchw16c_pack(unsigned cpu, float *packed, const float *w, int64_t groups,
                          int64_t channels, int64_t out_channels, int64_t area, const oc_work *by);
bool oc_conv_nchw16c_finite(const float *w, int64_t n, const oc_work *by);

#endif
