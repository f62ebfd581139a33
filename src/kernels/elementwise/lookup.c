/* SPDX-License-Identifier: Apache-2.0
 * lookup.c - the table of variants. */
#include "kernels/elementwise/lookup.h"

OC_VARIANTS(oc_lookup_variant, oc_lookup_variants)

const oc_lookup_variant *oc_lookup_pick(unsigned cpu)
{
    const oc_lookup_variant *v;
    OC_VARIANT_PICK(v, oc_lookup_variants, row, cpu);
    return v;
}
