/* SPDX-License-Identifier: Apache-2.0
 * same_value.h - whether two results have the same bits. */
#pragma once

#include "tensor/convert.h"
#include "tensor/value.h"

#include <math.h>
#include <string.h>

/* Element i as a number. A complex tensor has two elements for each of its own. */
static inline double same_number(const oc_value *v, int64_t i)
{
    const oc_type type = v->type == OC_C64 ? OC_F32 : v->type == OC_C128 ? OC_F64 : v->type;
    double x;
    oc_convert(&x, OC_F64, (const char *)v->data + (size_t)i * oc_type_size(type), type, 1, false);
    return x;
}

/* Any NaN equals any NaN. */
static inline bool same_value(const oc_value *a, const oc_value *b)
{
    if (oc_value_equal(a, b))
        return true;
    if (a->kind != b->kind || a->type != b->type || !oc_dims_equal(&a->dims, &b->dims) ||
        (a->kind == OC_TENSOR && a->type == OC_STRING))
        return false;
    if (a->kind != OC_TENSOR) {
        for (int64_t i = 0; i < oc_value_n(a); i++)
            if (!same_value(&oc_value_items(a)[i], &oc_value_items(b)[i]))
                return false;
        return true;
    }
    const int64_t n = oc_value_n(a) * (oc_type_in(a->type, OC_SET_COMPLEX) ? 2 : 1);
    for (int64_t i = 0; i < n; i++) {
        const double x = same_number(a, i), y = same_number(b, i);
        if (!(isnan(x) && isnan(y)) && memcmp(&x, &y, sizeof x))
            return false;
    }
    return true;
}
