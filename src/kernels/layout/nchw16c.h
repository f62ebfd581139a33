/* SPDX-License-Identifier: Apache-2.0
 * nchw16c.h - how are the channels of a pixel brought side by side, and back into NCHW?
 *
 *     planes [channels][pixels]            block [pixels][16]
 *
 *     c0: a0 a1 a2 a3 ...                  a0 b0 c0 ... p0
 *     c1: b0 b1 b2 b3 ...          in      a1 b1 c1 ... p1
 *     c2: c0 c1 c2 c3 ...        ----->    a2 b2 c2 ... p2
 *     ..                         <-----    a3 b3 c3 ... p3
 *     15: p0 p1 p2 p3 ...         out      ..
 *
 * A pixel of a block has OC_BLOCK_BYTES: 16 floats or 8 doubles, one for each channel. So one
 * contiguous load brings a tap for all of them. Numbers of a block have the type of sums: double
 * for double and for integers of 32 and 64 bits, else float. Elements are converted on the way in;
 * on the way out they are rounded or saturated as gather.h states. Complex numbers have no blocks.
 */
#pragma once

#include "base/int.h"
#include "kernels/common/variant.h"

#include <ocellus.h>

enum { OC_BLOCK_BYTES = 64, OC_BLOCK_CHANNELS = OC_BLOCK_BYTES / 4 };

/* Returns the number of blocks of 16 that n channels fill. */
static inline int64_t oc_channel_blocks(int64_t n)
{
    return oc_div_up(n, OC_BLOCK_CHANNELS);
}

/* X(type, sum): the types that have blocks, and the type of a block's numbers. */
/* clang-format off */
#define OC_NCHW16C_TYPES(X)                                                                            \
    X(F32, float) X(F64, double) X(F16, float) X(BF16, float) X(I8, float) X(U8, float)            \
    X(I16, float) X(U16, float) X(I32, double) X(U32, double) X(I64, double) X(U64, double)
/* clang-format on */

/* Fills a block with n pixels of up to 16 (8) channels; places without a channel become 0.
 * stride is the number of elements from one channel's plane to the next. block is aligned to
 * OC_BLOCK_BYTES. */
typedef void oc_nchw16c_in_fn(void *block, const void *planes, int64_t stride, int channels,
                              int64_t n);
/* Writes the first n elements of each channel's plane from a block with n pixels. */
typedef void oc_nchw16c_out_fn(void *planes, int64_t stride, const void *block, int channels,
                               int64_t n);

typedef struct oc_nchw16c_variant {
    const char *isa;
    unsigned need;
    oc_nchw16c_in_fn *in;
    oc_nchw16c_out_fn *out;
} oc_nchw16c_variant;

/* The variants for an element type, best first, the last is scalar: oc_nchw16c_F32 and so on.
 * Each has a name of its own, so that a build links only those that it needs. NULL for a type
 * without blocks. */
#define X(type, real) extern const oc_nchw16c_variant *const oc_nchw16c_##type[];
OC_NCHW16C_TYPES(X)
#undef X
const oc_nchw16c_variant *const *oc_nchw16c_variants(oc_type type);

/* Returns the channels of a block: 16 or 8; 0 for a type that has no blocks. */
int oc_nchw16c_of(oc_type type);

/* These need a type that has blocks. */
oc_nchw16c_in_fn *oc_nchw16c_in(oc_type type, unsigned cpu);
oc_nchw16c_out_fn *oc_nchw16c_out(oc_type type, unsigned cpu);

const oc_nchw16c_variant *oc_nchw16c_pick(const oc_nchw16c_variant *const variants[], unsigned cpu);
