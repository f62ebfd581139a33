/* SPDX-License-Identifier: Apache-2.0
 * half.c - the scalar conversion of float16 and bfloat16, and the tables of variants. */
#include "kernels/common/half.h"

#include "kernels/common/element.h"
#include "kernels/common/precondition.h"
#include "kernels/simd/simd.h"

#define ELEMENT f16
#include "kernels/common/half.inc"

#define ELEMENT bf16
#include "kernels/common/half.inc"

OC_ISA_VARIANT(oc_half_variant, oc_f16_variants, widen_f16, narrow_f16, round_f16)
OC_ISA_VARIANT(oc_half_variant, oc_bf16_variants, widen_bf16, narrow_bf16, round_bf16)
OC_VARIANTS(oc_half_variant, oc_f16_variants)
OC_VARIANTS(oc_half_variant, oc_bf16_variants)

const oc_half_variant *oc_half_pick(oc_type type, unsigned cpu)
{
    const oc_half_variant *const *variants = type == OC_F16 ? oc_f16_variants : oc_bf16_variants;
    const oc_half_variant *v;
    OC_VARIANT_PICK(v, variants, widen, cpu);
    return v;
}
