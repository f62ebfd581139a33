/* SPDX-License-Identifier: Apache-2.0
 * integers.h - compares integers and combines their bits.
 *
 * There is a loop for each size of integers, not for each type. */
#pragma once

#include "kernels/common/variant.h"

#include <stdbool.h>
#include <stdint.h>

/* y[i] = f(x[0][i * step[0]], x[1][i * step[1]]) for n elements. A step is 1, or 0 where the
 * operand repeats one element; y may be an operand of step 1. */
typedef void oc_integers_fn(void *y, const void *const x[], const int64_t step[], int64_t n,
                            const void *ctx);

/* How integers of a type are ordered. Each integer, exclusive or mask, is compared as a signed
 * one; an integer of 8 bits as an unsigned one. These are the comparisons that processors have.
 * reverse inverts the order. */
typedef struct oc_order {
    int64_t mask;
    bool reverse;
} oc_order;
oc_order oc_order_of(size_t size, bool has_sign, bool reverse);

/* The loops for one instruction set; loop [k] is for integers of 2^k bytes. */
typedef struct oc_integers {
    const char *isa;
    unsigned need;
    /* Computes a < b; in reverse order a >= b. ctx is an oc_order. */
    oc_integers_fn *before[4];
    /* Computes the greater integer; in reverse order the lesser. ctx is an oc_order. */
    oc_integers_fn *last[4];
    /* Combine bits. ctx is a size_t, the bytes of an element: 1, 2, 4 or 8. */
    oc_integers_fn *and, * or, *exor;
} oc_integers;

extern const oc_integers *const oc_integers_variants[]; /* best first, the last is scalar */

const oc_integers *oc_integers_pick(unsigned cpu);
