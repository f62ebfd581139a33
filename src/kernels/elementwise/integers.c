/* SPDX-License-Identifier: Apache-2.0
 * integers.c - the table of variants, and how types are ordered. */
#include "kernels/elementwise/integers.h"

OC_VARIANTS(oc_integers, oc_integers_variants)
OC_PICKER(oc_integers, oc_integers_pick, oc_integers_variants, and)

oc_order oc_order_of(size_t size, bool has_sign, bool reverse)
{
    const uint64_t sign = has_sign == (size == 1) ? UINT64_C(1) << (8 * size - 1) : 0;
    return (oc_order){(int64_t)(reverse ? ~sign : sign), reverse};
}
