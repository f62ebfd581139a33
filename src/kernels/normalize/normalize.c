/* SPDX-License-Identifier: Apache-2.0
 * normalize.c - the softmax and the sums of rows of doubles, the table of variants, and Hardmax. */
#include "kernels/normalize/normalize.h"

#include "kernels/common/element.h"
#include "kernels/common/precondition.h"
#include "kernels/elementwise/elementary.h"
#include "kernels/simd/simd.h"

#define ELEMENT f64
#include "kernels/normalize/softmax.inc"
#define ELEMENT f64
#include "kernels/normalize/normalize.inc"

OC_ISA_VARIANT(oc_softmax_variant, oc_softmax_variants, oc_softmax_of_floats, softmax_f64,
               &oc_rows_of_floats, &rows_f64)
OC_VARIANTS(oc_softmax_variant, oc_softmax_variants)

oc_softmax_fn *oc_softmax_pick(oc_type type, unsigned cpu)
{
    const oc_softmax_variant *f32, *f64;
    OC_VARIANT_PICK(f32, oc_softmax_variants, f32, cpu);
    OC_VARIANT_PICK(f64, oc_softmax_variants, f64, cpu);
    return type == OC_F64 ? f64->f64 : f32->f32;
}

const oc_row_fns *oc_row_fns_pick(oc_type type, unsigned cpu)
{
    const oc_softmax_variant *f32, *f64;
    OC_VARIANT_PICK(f32, oc_softmax_variants, rows_f32, cpu);
    OC_VARIANT_PICK(f64, oc_softmax_variants, rows_f64, cpu);
    return type == OC_F64 ? f64->rows_f64 : f32->rows_f32;
}

#define TEMPLATE "kernels/normalize/hardmax.inc"
#include "kernels/common/floats.inc"
