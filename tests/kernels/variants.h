/* SPDX-License-Identifier: Apache-2.0
 * variants.h - what the checks of kernels share: the variants of a table, and equal bits. */
#pragma once

#include "kernels/common/variant.h"
#include "suite.h"

#include <stddef.h>
#include <string.h>

/* Runs the statement that follows for each variant of a table that this processor can run, best
 * first, scalar last. v: a const type *. */
#define EACH_VARIANT(type, v, table)                                                               \
    for (const type *const *row_ = (table), *v = *row_; v; v = v->need ? *++row_ : NULL)           \
        if (!(v->need & ~oc_cpu_detect()))

/* Have two numbers of one type the same bits? Any NaN equals any NaN. */
#define SAME(x, y) (((x) != (x) && (y) != (y)) || memcmp(&(x), &(y), sizeof(x)) == 0)

/* Fails unless result i has the bits of the number it must be. case_ and what follows, a literal
 * format and its arguments, say which variant does what. */
#define ASSERT_SAME(got, want, i, seed, case_, ...)                                                \
    suite_assert(SAME(got, want), case_ ": [%d] is %a, not %a; OC_SEED=%u", __VA_ARGS__, (int)(i), \
                 (double)(got), (double)(want), seed)
