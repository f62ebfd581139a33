/* SPDX-License-Identifier: Apache-2.0
 * lanes.h - how are the channels of a pixel brought side by side, and back into planes?
 *
 *     planes [channels][pixels]            block [pixels][lanes]
 *
 *     c0: a0 a1 a2 a3 ...                  a0 b0 c0 ... p0
 *     c1: b0 b1 b2 b3 ...          in      a1 b1 c1 ... p1
 *     c2: c0 c1 c2 c3 ...        ----->    a2 b2 c2 ... p2
 *     ..                         <-----    a3 b3 c3 ... p3
 *     15: p0 p1 p2 p3 ...         out      ..
 *
 * A pixel of a block has OC_LANE_BYTES: 16 floats or 8 doubles, one for each channel. So one
 * contiguous load brings a tap for all of them. Lanes have the type of sums: double for double and
 * for integers of 32 and 64 bits, else float. Elements are converted on the way in; on the way out
 * they are rounded or saturated as gather.h states. Complex numbers have no lanes. */
#ifndef OC_KERNELS_COMMON_LANES_H
#define OC_KERNELS_COMMON_LANES_H

#include "kernels/common/variant.h"

#include <ocellus.h>

enum { OC_LANE_BYTES = 64, OC_LANE_FLOATS = OC_LANE_BYTES / 4 };

/* Blocks of 16 that n channels fill. */
static inline int64_t oc_lane_blocks(int64_t n)
{
    return (n + OC_LANE_FLOATS - 1) / OC_LANE_FLOATS;
}

/* The types that have lanes, and the type of a lane. */
#define OC_LANES_MAP(X)                                                                            \
    X(F32, float)                                                                                  \
    X(F64, double)                                                                                 \
    X(F16, float)                                                                                  \
    X(BF16, float)                                                                                 \
    X(I8, float)                                                                                   \
    X(U8, float)                                                                                   \
    X(I16, float)                                                                                  \
    X(U16, float)                                                                                  \
    X(I32, double)                                                                                 \
    X(U32, double)                                                                                 \
    X(I64, double)                                                                                 \
    X(U64, double)

/* Fills a block with n pixels of up to 16 (8) channels; lanes without a channel are 0. stride:
 * elements from one channel's plane to the next. block is aligned to OC_LANE_BYTES. */
typedef void oc_lanes_in_fn(void *block, const void *planes, int64_t stride, int channels,
                            int64_t n);
/* The way back: the first n elements of each channel's plane, from a block with n pixels. */
typedef void oc_lanes_out_fn(void *planes, int64_t stride, const void *block, int channels,
                             int64_t n);

typedef struct oc_lanes_variant {
    const char *isa;
    unsigned need;
    oc_lanes_in_fn *in;
    oc_lanes_out_fn *out;
} oc_lanes_variant;

/* The variants for an element type, best first, the last is scalar: oc_lanes_F32 and so on, each by
 * itself, so that a build has only those which it needs. NULL for a type without lanes. */
#define X(type, real) extern const oc_lanes_variant *const oc_lanes_##type[];
OC_LANES_MAP(X)
#undef X
const oc_lanes_variant *const *oc_lanes_variants(oc_type type);

/* Lanes of a block: 16 or 8; 0 for a type that has none. */
int oc_lanes_of(oc_type type);

/* Of a type that has lanes. */
oc_lanes_in_fn *oc_lanes_in(oc_type type, unsigned cpu);
oc_lanes_out_fn *oc_lanes_out(oc_type type, unsigned cpu);

const oc_lanes_variant *oc_lanes_pick(const oc_lanes_variant *const variants[], unsigned cpu);

#endif
