/* SPDX-License-Identifier: Apache-2.0
 * variants.h - what the checks of kernels share: the variants of a table, and equal bits. */
#pragma once

#include "kernels/common/variant.h"
#include "suite.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The bits of the variants that are checked: those of this processor; with OC_UNFUSED in the
 * environment those of the fast way (docs/numerics.md), whose kernels are few. */
static inline unsigned checked_cpu(void)
{
    static unsigned cpu;
    if (!cpu) {
        cpu = oc_cpu_detect();
        if (getenv("OC_UNFUSED"))
            cpu = (cpu & OC_CPU_V128) | OC_CPU_FAST;
    }
    return cpu;
}

/* The bits by which a table's specification is picked: its scalar variant, of the way checked. */
static inline unsigned specification_cpu(void)
{
    return checked_cpu() & OC_CPU_FAST;
}

/* Runs the statement that follows for each variant of a table that is checked, best first, the
 * specification last. v: a const type *. */
#define EACH_VARIANT(type, v, table)                                                               \
    for (const type *const *row_ = (table), *v = *row_; v; v = v->need ? *++row_ : NULL)           \
        if (!(v->need & ~checked_cpu()) && (v->need & OC_CPU_FAST) == specification_cpu())

/* Returns sum + x * y: rounded once, or in the fast way twice. */
static inline float add_f32(float sum, float x, float y)
{
    return specification_cpu() ? sum + x * y : fmaf(x, y, sum);
}

static inline double add_f64(double sum, double x, double y)
{
    return specification_cpu() ? sum + x * y : fma(x, y, sum);
}

/* Have two numbers of one type the same bits? Any NaN equals any NaN. */
#define SAME(x, y) (((x) != (x) && (y) != (y)) || memcmp(&(x), &(y), sizeof(x)) == 0)

/* Fails unless result i has the bits of the number it must be. case_ and what follows, a literal
 * format and its arguments, say which variant does what. */
#define ASSERT_SAME(got, want, i, seed, case_, ...)                                                \
    suite_assert(SAME(got, want), case_ ": [%d] is %a, not %a; OC_SEED=%u", __VA_ARGS__, (int)(i), \
                 (double)(got), (double)(want), seed)
