/* SPDX-License-Identifier: Apache-2.0
 * integers.h - which of two integers is the greater, and what are their bits combined?
 *
 * There is a loop for each size of integers, not for each type. */
#ifndef OC_KERNELS_ELEMENTWISE_INTEGERS_H
#define OC_KERNELS_ELEMENTWISE_INTEGERS_H

#include "kernels/common/variant.h"

#include <stdbool.h>
#include <stdint.h>

/* y[i] = f(x[0][i * step[0]], x[1][i * step[1]]) for n elements. A step is 1, or 0 where the
 * operand repeats one element; y may be an operand of step 1. */
typedef void oc_integers_fn(void *y, const void *const x[], const int64_t step[], int64_t n,
                            const void *ctx);

/* How integers of a type are ordered: each, exclusive or mask, is ordered as one with a sign, or of
 * 8 bits as one without, which is what processors compare; with reverse the other way round. */
typedef struct oc_order {
    int64_t mask;
    bool reverse;
} oc_order;
oc_order oc_order_of(size_t size, bool has_sign, bool reverse);

/* [k]: of integers of 2^k bytes. One per instruction set. */
typedef struct oc_integers {
    const char *isa;
    unsigned need;
    oc_integers_fn *before[4];        /* ctx: an oc_order. Is a before b? In reverse: or equal? */
    oc_integers_fn *last[4];          /* ctx: an oc_order. The greater; in reverse the less */
    oc_integers_fn *and, * or, *exor; /* ctx: bytes of an element, 1, 2, 4 or 8, a size_t */
} oc_integers;

extern const oc_integers *const oc_integers_variants[]; /* best first, the last is scalar */

const oc_integers *oc_integers_pick(unsigned cpu);

#endif
