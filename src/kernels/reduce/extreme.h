/* SPDX-License-Identifier: Apache-2.0
 * extreme.h - at which index of an axis is the greatest or least element?
 *
 * A NaN is both: if there is one, the result is the index of the first (or last) NaN. */
#pragma once

#include "base/work.h"

typedef struct oc_extreme {
    const void *x;           /* [outer, n, inner] */
    oc_type type;            /* an integer, bool, float16, bfloat16, float or double */
    int64_t outer, n, inner; /* n > 0 */
    bool least;              /* true: the least element; false: the greatest */
    bool last;               /* true: of equal elements the last; false: the first */
    int64_t *y;              /* [outer, inner] */
    oc_work work;
} oc_extreme;

void oc_extreme_run(const oc_extreme *e);
