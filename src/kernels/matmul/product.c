/* SPDX-License-Identifier: Apache-2.0
 * product.c - the scalar product, and the table of variants. */
#include "kernels/matmul/product.h"

#include <string.h>

#include "kernels/common/element.h"
#include "kernels/common/precondition.h"
#include "kernels/simd/simd.h"

/* rows and lanes of a tile whose sums fit in the registers of any processor */
enum { ROWS = 4, LANES = 8 };

/* Returns the sum of the products of two pairs of int16. */
static inline uint32_t times_pairs(uint32_t a, uint32_t b)
{
    const int32_t low = (int16_t)a * (int16_t)b, high = (int16_t)(a >> 16) * (int16_t)(b >> 16);
    return (uint32_t)low + (uint32_t)high;
}

#define OC_T_pairs            uint32_t
#define OC_FMA_pairs(a, b, c) (times_pairs(a, b) + (c))

#define ELEMENT f32
#include "kernels/matmul/product.inc"
#define ELEMENT f64
#include "kernels/matmul/product.inc"
#define ELEMENT pairs
#include "kernels/matmul/product.inc"

#define TEMPLATE "kernels/matmul/product_few.inc"
#include "kernels/common/floats.inc"

OC_ISA_VARIANT(oc_product_variant, oc_product_variants, product_f32, product_f64, product_pairs,
               few_f32, few_f64)
OC_VARIANTS(oc_product_variant, oc_product_variants)

oc_product_fn *oc_product_pick(oc_type type, unsigned cpu)
{
    const oc_product_variant *v;
    OC_VARIANT_PICK(v, oc_product_variants, f32, cpu);
    return type == OC_F64 ? v->f64 : v->f32;
}

oc_product_fn *oc_product_pick_pairs(unsigned cpu)
{
    const oc_product_variant *v;
    OC_VARIANT_PICK(v, oc_product_variants, pairs, cpu);
    return v->pairs;
}
