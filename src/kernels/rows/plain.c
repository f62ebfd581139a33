/* SPDX-License-Identifier: Apache-2.0
 * plain.c - the scalar loops, and the table of variants. */
#include "kernels/rows/plain.h"

#include "kernels/rows/row.h"

#include <math.h>
#include <string.h>

#include "kernels/rows/plain.inc"

#define OC_VARIANT(isa) extern const oc_plain oc_plain_##isa;
#include "kernels/rows/plain.def"
#undef OC_VARIANT

const oc_plain oc_plain_scalar = PLAIN("scalar", OC_CPU_SCALAR);

const oc_plain *const oc_plain_variants[] = {
#define OC_VARIANT(isa) &oc_plain_##isa,
#include "kernels/rows/plain.def"
#undef OC_VARIANT
};

const oc_plain *oc_plain_pick(unsigned cpu)
{
    const oc_plain *v;
    OC_VARIANT_PICK(v, oc_plain_variants, add, cpu);
    return v;
}
