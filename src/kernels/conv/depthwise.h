/* SPDX-License-Identifier: Apache-2.0
 * depthwise.h - the hot loop of depthwise_strips.h: the sum of pixels under many taps, each of
 * which is a pointer. */
#pragma once

#include "kernels/common/variant.h"

#include <ocellus.h>

#include <stdbool.h>
#include <stdint.h>

enum { OC_DEPTHWISE_LANES = 16 };

/* y[j] becomes the sum over k = 0 .. taps-1, in that order, of w[k] * x[k][j], as in product.h.
 * Sums begin with what y holds if `more`, else with 0. n is a multiple of OC_DEPTHWISE_LANES. */
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

/* type is OC_F32 or OC_F64. */
oc_depthwise_fn *oc_depthwise_pick(oc_type type, unsigned cpu);
