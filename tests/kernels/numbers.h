/* SPDX-License-Identifier: Apache-2.0
 * numbers.h - random factors of products, for kernel checks. */
#pragma once

#include "suite.h"

#include <math.h>

/* PLAIN_NUMBERS: magnitudes far apart, so that another order of the sum gives other bits.
 * HOSTILE_NUMBERS: some are not finite, or are subnormal.
 * MIDDLES: a sum that is a whole number beyond 2^23 and a product that is a little less than 1/2;
 * rounded to double, their sum lies in the middle between two floats, where it did not before.
 * TINY_NUMBERS: their products are subnormal. */
enum { PLAIN_NUMBERS, HOSTILE_NUMBERS, MIDDLES, TINY_NUMBERS, KINDS_OF_NUMBERS };

/* Returns a kind for all numbers of a case. */
static inline int random_kind(suite_random *r)
{
    return (int)suite_below(r, KINDS_OF_NUMBERS);
}

static inline double number(suite_random *r, int kind)
{
    static const double scale[] = {1, 1e-3, 1e4, 1e7};
    static const double bad[] = {0.0, -0.0, 1e-45, 1e-40, -3e38, INFINITY, -INFINITY, NAN};
    if (kind == HOSTILE_NUMBERS && suite_below(r, 32) == 0)
        return bad[suite_below(r, 8)];
    if (kind == MIDDLES) {
        const double more = 1 + 0x1p-18, half = (1 - 0x1p-18) / 2;
        const double made[] = {more, half, -half, (1 << 23) + suite_below(r, 1 << 23)};
        return made[suite_below(r, 8) == 0 ? 3 : suite_below(r, 3)];
    }
    const double some = ((double)suite_below(r, 2001) - 1000) / 7;
    return kind == TINY_NUMBERS ? some * 0x1p-75 : some * scale[suite_below(r, 4)];
}
