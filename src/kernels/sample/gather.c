/* SPDX-License-Identifier: Apache-2.0
 * gather.c - the scalar sums of every element type, and the table of variants. */
#include "kernels/sample/gather.h"

#include "kernels/common/element.h"
#include "kernels/simd/simd.h"

#define ELEMENT f32
#include "kernels/sample/gather.inc"
#define ELEMENT f64
#include "kernels/sample/gather.inc"
#define ELEMENT f16
#include "kernels/sample/gather.inc"
#define ELEMENT bf16
#include "kernels/sample/gather.inc"
#define ELEMENT i8
#include "kernels/sample/gather.inc"
#define ELEMENT u8
#include "kernels/sample/gather.inc"
#define ELEMENT i16
#include "kernels/sample/gather.inc"
#define ELEMENT u16
#include "kernels/sample/gather.inc"
#define ELEMENT i32
#include "kernels/sample/gather.inc"
#define ELEMENT u32
#include "kernels/sample/gather.inc"
#define ELEMENT i64
#include "kernels/sample/gather.inc"
#define ELEMENT u64
#include "kernels/sample/gather.inc"

/* Types for complex numbers. */
#define OC_T_c64         float
#define OC_T_c128        double
#define OC_SUM_c64       f32
#define OC_SUM_c128      f64
#define OC_LOAD_c64(v)   (v)
#define OC_LOAD_c128(v)  (v)
#define OC_STORE_c64(s)  (s)
#define OC_STORE_c128(s) (s)

#define ELEMENT c64
#define PARTS   2
#include "kernels/sample/gather.inc"

#define ELEMENT c128
#define PARTS   2
#include "kernels/sample/gather.inc"

OC_ISA_VARIANT(oc_gather_variant, oc_gather_variants,
               .sum = {[OC_F32] = plain_f32,
                       [OC_F64] = plain_f64,
                       [OC_F16] = plain_f16,
                       [OC_BF16] = plain_bf16,
                       [OC_I8] = plain_i8,
                       [OC_U8] = plain_u8,
                       [OC_I16] = plain_i16,
                       [OC_U16] = plain_u16,
                       [OC_I32] = plain_i32,
                       [OC_U32] = plain_u32,
                       [OC_I64] = plain_i64,
                       [OC_U64] = plain_u64,
                       [OC_C64] = plain_c64,
                       [OC_C128] = plain_c128})
OC_VARIANTS(oc_gather_variant, oc_gather_variants)

bool oc_gather_has(oc_type type)
{
    return oc_gather_variants_scalar.sum[type] != NULL;
}

bool oc_gather_is_f64(oc_type type)
{
    switch (type) {
    case OC_F64:
    case OC_I32:
    case OC_U32:
    case OC_I64:
    case OC_U64:
    case OC_C128:
        return true;
    default:
        return false;
    }
}

oc_gather_fn *oc_gather_sum(oc_type type, unsigned cpu)
{
    const oc_gather_variant *v;
    OC_VARIANT_PICK(v, oc_gather_variants, sum[type], cpu);
    return v->sum[type];
}
