/* SPDX-License-Identifier: Apache-2.0
 * depthwise.c - the scalar sums under pointers, and the table of variants. */
#include "kernels/conv/depthwise.h"

#include <string.h>

#include "kernels/common/element.h"
#include "kernels/common/precondition.h"
#include "kernels/simd/simd.h"

enum { LANES = OC_DEPTHWISE_LANES };

#define TEMPLATE "kernels/conv/depthwise_sums.inc"
#include "kernels/common/floats.inc"

OC_ISA_VARIANT(oc_depthwise_variant, oc_depthwise_variants, sums_f32, sums_f64)
OC_VARIANTS(oc_depthwise_variant, oc_depthwise_variants)

oc_depthwise_fn *oc_depthwise_pick(oc_type type, unsigned cpu)
{
    const oc_depthwise_variant *v;
    OC_VARIANT_PICK(v, oc_depthwise_variants, f32, cpu);
    return type == OC_F64 ? v->f64 : v->f32;
}
