/* SPDX-License-Identifier: Apache-2.0
 * share.h - which units of work does a task get?
 *
 * The division of n units depends only on n and on the number of tasks, and the result of a unit
 * only on the unit. */
#pragma once

#include "base/int.h"

#include <stdint.h>

typedef struct oc_span {
    int64_t first, end;
} oc_span;

/* Returns the units of task i: they follow each other, and all tasks get equally many or one
 * more. */
static inline oc_span oc_share(int64_t n, int tasks, int i)
{
    const int64_t each = n / tasks, more = n % tasks;
    const int64_t first = each * i + oc_min(i, more);
    return (oc_span){first, first + each + (i < more)};
}
