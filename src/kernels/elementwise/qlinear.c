/* SPDX-License-Identifier: Apache-2.0
 * qlinear.c - the table of variants. */
#include "kernels/elementwise/qlinear.h"

#include <math.h>

OC_VARIANTS(oc_qlinear_variant, oc_qlinear_variants)

static const float MOST = 1e15F; /* so that products of two numbers are finite */

bool oc_qlinear_suits(const oc_qlinear *q)
{
    return fabsf(q->x[0].scale) < MOST && fabsf(q->x[1].scale) < MOST && isnormal(q->scale);
}

const oc_qlinear_variant *oc_qlinear_pick(unsigned cpu)
{
    const oc_qlinear_variant *v;
    OC_VARIANT_PICK(v, oc_qlinear_variants, add, cpu);
    return v;
}
