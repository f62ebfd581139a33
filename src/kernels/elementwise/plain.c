/* SPDX-License-Identifier: Apache-2.0
 * plain.c - the scalar loops, and the tables of variants. */
#include "kernels/elementwise/plain.h"

#include "kernels/elementwise/row.h"

#include <math.h>
#include <string.h>

#define ISA  scalar
#define NEED OC_CPU_SCALAR
#include "kernels/elementwise/plain.inc"

#define X(name, formula) OC_VARIANT_TABLE_X86(oc_plain, oc_plain_##name)
OC_PLAIN_ALL(X)
#undef X
OC_VARIANT_TABLE_X86(oc_scale, oc_scale_channels)

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
