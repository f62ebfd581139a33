/* SPDX-License-Identifier: Apache-2.0
 * lane_conv.h - how is a convolution made whose maps come out 16 side by side?
 *
 *     lanes: [images][blocks of 16 channels][pixels][16]     planes: [images][channels][pixels]
 *
 * The output is a block of 16 maps after the other; it is computed in bands of positions, each a
 * sequence of tiles (lane_tile.h):
 *
 *     +--------------------+
 *     | tile | tile | tile |  one row of a band     a tile: up to 8 positions of 16 or 32 maps
 *     | tile | tile | tile |
 *     +--------------------+
 *
 * Where the window of a band lies within the image, tiles read the image itself. Otherwise they
 * read a patch: a copy of the pixels under the band for all channels, with zeros where the padding
 * is, which all maps share. Where that is too large for the second cache, it holds some channels at
 * a time. Where dilation puts many taps into the padding, tiles leave those out; for that weights
 * must be finite, since 0 times infinity is NaN. Weights are packed once, in the order in which
 * tiles read them.
 *
 * Sums are those of conv.h, to the bit. */
#ifndef OC_KERNELS_LANES_LANE_CONV_H
#define OC_KERNELS_LANES_LANE_CONV_H

#include "base/threads.h"
#include "kernels/common/rounds.h"
#include "kernels/common/window.h"
#include "kernels/lanes/lane_tile.h"

/* What is computed on positions first .. first+n-1 of a block of 16 maps once their sums are at y;
 * the block's number is among those of all images. run NULL: nothing. */
typedef struct oc_lane_after {
    void (*run)(const void *ctx, float *y, int64_t block, int64_t first, int64_t n);
    const void *ctx;
} oc_lane_after;

typedef struct oc_lane_conv {
    unsigned cpu;   /* OC_CPU_ bits */
    const float *x; /* aligned to a cache line unless it is planes */
    bool planes;    /* how x lies; only if oc_lane_conv_takes_planes */
    const float *w; /* oc_lane_conv_pack */
    bool finite;    /* no weight is NaN or infinite: padding adds nothing to a sum */
    const float *b; /* NULL: no bias; one for each map, and 0 for lanes without a map */
    float *y;       /* lanes; what those without a map hold is not defined */
    int64_t images, groups, channels, maps; /* channels and maps: of one group */
    oc_window window;
    oc_lane_after after;
    oc_go_on go_on;
} oc_lane_conv;

/* Is this a convolution for lanes? Groups must have so many maps that a block of 16 is not of many
 * of them, or be so small that it holds whole ones; and a patch must have a size that caches can
 * hold. Asks for images, groups, channels, maps and window. */
bool oc_lane_conv_suits(const oc_lane_conv *g);
/* The same for weights alone. */
bool oc_lane_conv_suits_groups(int64_t groups, int64_t channels, int64_t maps);

/* Floats of packed weights. */
int64_t oc_lane_conv_packed(int64_t groups, int64_t channels, int64_t maps, int64_t area);
/* Packs w, dense [groups * maps][channels][area], into memory aligned to a cache line; what the
 * pace ends is not defined. */
void oc_lane_conv_pack(unsigned cpu, float *packed, const float *w, int64_t groups,
                       int64_t channels, int64_t maps, int64_t area, oc_pace *pace);
bool oc_lane_conv_finite(const float *w, int64_t n, oc_pace *pace);

/* Its products, and what takes as long as products (base/threads.h): to lay out pixels, and to read
 * weights from the memory behind the second cache. */
double oc_lane_conv_work(const oc_lane_conv *g);

/* May x be planes? Groups of which a block holds several are read in lanes alone. */
bool oc_lane_conv_takes_planes(const oc_lane_conv *g);
/* Bytes of scratch memory that oc_lane_conv_run needs, aligned to a cache line. */
size_t oc_lane_conv_scratch(const oc_lane_conv *g, int threads);
void oc_lane_conv_run(const oc_lane_conv *g, void *scratch, const oc_parallel *parallel,
                      int threads);

#endif
