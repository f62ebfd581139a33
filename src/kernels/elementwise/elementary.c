/* SPDX-License-Identifier: Apache-2.0
 * elementary.c - the table of variants, and the walk along a row. */
#include "kernels/elementwise/elementary.h"

#include "base/int.h"
#include "kernels/common/element.h"
#include "kernels/common/precondition.h"

#include <string.h>

OC_VARIANTS(oc_elementary, oc_elementary_variants)
OC_PICKER(oc_elementary, oc_elementary_pick, oc_elementary_variants, exp)

bool oc_power_is_easy(double n)
{
    return n == -2 || n == -1 || n == -0.5 || n == 0.5 || n == 1.5 || n == 3 || n == 4;
}

enum { BLOCK = OC_ELEMENTARY_BLOCK };

#define TEMPLATE "kernels/elementwise/elementary_row.inc"
#include "kernels/common/floats.inc"

void oc_elementary_apply(oc_elementary_fn *fn, double *x, int64_t n)
{
    const void *const operand = x;
    oc_elementary_row_f64(x, &operand, NULL, n, &fn);
}

void oc_elementary_row_pow(void *y_, const void *const x_[], const int64_t step[], int64_t n,
                           const void *fn_)
{
    oc_elementary_pow_fn *const *fn = fn_;
    const double *x = x_[0], *exponent = x_[1];
    double *y = y_;
    _Alignas(64) double from[BLOCK] = {0}, by[BLOCK] = {0}, to[BLOCK];
    assert(n >= 0 && *fn);
    for (int64_t i = 0; i < n; i += BLOCK) {
        const int64_t some = oc_min(n - i, BLOCK);
        for (int64_t k = 0; k < some; k++) {
            from[k] = x[(i + k) * step[0]];
            by[k] = exponent[(i + k) * step[1]];
        }
        (*fn)(to, from, by);
        memcpy(y + i, to, (size_t)some * sizeof *y);
    }
}
