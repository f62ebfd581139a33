/* SPDX-License-Identifier: Apache-2.0
 * plain.c - the tables of variants. */
#include "kernels/elementwise/plain.h"

#define TABLE(name, formula) OC_VARIANTS(oc_plain, oc_plain_##name)
OC_PLAIN_ALL(TABLE)
OC_VARIANTS(oc_scale, oc_scale_channels)

oc_plain_fn *oc_plain_pick(const oc_plain *const variants[], unsigned cpu)
{
    const oc_plain *v;
    OC_VARIANT_PICK(v, variants, fn, cpu);
    return v->fn;
}

oc_scale_fn *oc_scale_pick(unsigned cpu)
{
    const oc_scale *v;
    OC_VARIANT_PICK(v, oc_scale_channels, fn, cpu);
    return v->fn;
}
