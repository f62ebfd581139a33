/* SPDX-License-Identifier: Apache-2.0
 * quantize.c - the table of variants. */
#include "kernels/elementwise/quantize.h"

OC_VARIANTS(oc_quantize_variant, oc_quantize_variants)

const oc_quantize_variant *oc_quantize_pick(unsigned cpu)
{
    const oc_quantize_variant *v;
    OC_VARIANT_PICK(v, oc_quantize_variants, to_8, cpu);
    return v;
}
