/* SPDX-License-Identifier: Apache-2.0
 * depthwise.h - how is a convolution made whose groups have few output channels, as where each has
 * one channel?
 *
 * A patch (conv.h) would hold every pixel once for each tap, and few output channels would read it.
 * Instead a strip of output rows is computed from a copy of the pixel rows under it, padding
 * included. All pixels under one tap then follow each other in memory, also from one row of the
 * strip to the next:
 *
 *     copy, pitch 6      . . . . . .        tap (0, 0)   copy + 0, +1, +2, +3, (+4, +5,) +6 ...
 *     of a 3 x 3 kernel  . a b c d .        tap (0, 1)   copy + 1, +2, ...
 *     over a row of 4    . e f g h .        tap (1, 0)   copy + 6, +7, ...
 *                        . . . . . .        the two results between rows are not used
 *
 * So a strip is one long row of results, and a tap is a pointer. Where the stride is not 1, pixels
 * are copied to one such plane for each remainder of their coordinates divided by the strides.
 *
 * Channels are added one after the other. Sums are those of conv.h, to the bit. */
#ifndef OC_KERNELS_CONV_DEPTHWISE_H
#define OC_KERNELS_CONV_DEPTHWISE_H

#include "kernels/common/variant.h"
#include "kernels/conv/conv.h"

enum { OC_DEPTHWISE_LANES = 16 };

/* y[j] becomes the sum over k = 0 .. taps-1, in that order, of w[k] * x[k][j], as in product.h.
 * Sums begin with what y holds where `more`, else with 0. n is a multiple of OC_DEPTHWISE_LANES. */
typedef struct oc_depthwise {
    void *y;
    const void *w;
    const void *const *x;
    int64_t taps, n;
    bool more;
} oc_depthwise;

typedef void oc_depthwise_fn(const oc_depthwise *d);

typedef struct oc_depthwise_variant {
    const char *isa;
    unsigned need;
    oc_depthwise_fn *f32, *f64;
} oc_depthwise_variant;

extern const oc_depthwise_variant
    *const oc_depthwise_variants[]; /* best first, the last is scalar */

/* type: OC_F32 or OC_F64. */
oc_depthwise_fn *oc_depthwise_pick(oc_type type, unsigned cpu);

/* Has g few output channels, and a window small enough for a strip? */
bool oc_depthwise_suits(const oc_conv *g);
/* Does what oc_conv_run says; oc_depthwise_suits(g). */
void oc_depthwise_run(const oc_conv *g);

#endif
