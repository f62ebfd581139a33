/* SPDX-License-Identifier: Apache-2.0
 * share.h - which units of work does a task get, and how many tasks is work worth?
 *
 * The division of n units depends only on n and on the number of tasks. The result of a unit
 * depends only on the unit. */
#ifndef OC_KERNELS_COMMON_SHARE_H
#define OC_KERNELS_COMMON_SHARE_H

#include "base/threads.h"

typedef struct oc_span {
    int64_t first, end;
} oc_span;

/* Units of task i among tasks: consecutive, and as even as can be. */
static inline oc_span oc_share(int64_t n, int tasks, int i)
{
    const int64_t each = n / tasks, more = n % tasks;
    const int64_t first = each * i + (i < more ? i : more);
    return (oc_span){first, first + each + (i < more)};
}

/* As many of the threads as get a grain of `work` products each (base/threads.h), but one. */
static inline int oc_share_threads(double work, int threads)
{
    const double grains = work / OC_GRAIN;
    return threads < 2 || !(grains >= 2) ? 1 : grains < threads ? (int)grains : threads;
}

#endif
