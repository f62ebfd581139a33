/* SPDX-License-Identifier: Apache-2.0
 * half_row.c - the scalar row of half_row.h, sum by sum, and the tables of variants. */
#include "kernels/matmul/half_row.h"

#include "kernels/common/element.h"
#include "kernels/simd/simd.h"

#define ELEMENT f16
#include "kernels/matmul/half_row.inc"
#define ELEMENT bf16
#include "kernels/matmul/half_row.inc"

OC_ISA_VARIANT(oc_half_row_variant, oc_half_row_f16_variants, run_f16)
OC_ISA_VARIANT(oc_half_row_variant, oc_half_row_bf16_variants, run_bf16)
OC_VARIANTS(oc_half_row_variant, oc_half_row_f16_variants)
OC_VARIANTS(oc_half_row_variant, oc_half_row_bf16_variants)

oc_half_row_fn *oc_half_row_pick(oc_type type, unsigned cpu)
{
    const oc_half_row_variant *const *variants =
        type == OC_F16 ? oc_half_row_f16_variants : oc_half_row_bf16_variants;
    const oc_half_row_variant *v;
    OC_VARIANT_PICK(v, variants, run, cpu);
    return v->run;
}
