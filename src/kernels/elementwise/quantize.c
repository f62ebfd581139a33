/* SPDX-License-Identifier: Apache-2.0
 * quantize.c - the scalar loops, and the table of variants. */
#include "kernels/elementwise/quantize.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "kernels/elementwise/quantize.inc"

#define OC_VARIANT(isa) extern const oc_quantize_variant oc_quantize_##isa;
#include "kernels/elementwise/quantize.def"
#undef OC_VARIANT

const oc_quantize_variant oc_quantize_scalar = QUANTIZE("scalar", OC_CPU_SCALAR);

const oc_quantize_variant *const oc_quantize_variants[] = {
#define OC_VARIANT(isa) &oc_quantize_##isa,
#include "kernels/elementwise/quantize.def"
#undef OC_VARIANT
};

const oc_quantize_variant *oc_quantize_pick(unsigned cpu)
{
    const oc_quantize_variant *v;
    OC_VARIANT_PICK(v, oc_quantize_variants, to_8, cpu);
    return v;
}
