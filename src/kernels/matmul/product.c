/* SPDX-License-Identifier: Apache-2.0
 * product.c - the scalar product, and the table of variants. */
#include "kernels/matmul/product.h"

#include "kernels/common/precondition.h"

#include <math.h>
#include <string.h>

enum { ROWS = 4, LANES = 8 }; /* of a tile whose sums fit in the registers of any processor */

#define T              float
#define NAME(x)        x##_f32
#define ADD(sum, x, y) fmaf(x, y, sum)
#include "kernels/matmul/product.inc"

#define T              double
#define NAME(x)        x##_f64
#define ADD(sum, x, y) fma(x, y, sum)
#include "kernels/matmul/product.inc"

#include "kernels/matmul/product_few_types.inc"

/* Of two pairs. */
static inline uint32_t times_pairs(uint32_t a, uint32_t b)
{
    const int32_t low = (int16_t)a * (int16_t)b, high = (int16_t)(a >> 16) * (int16_t)(b >> 16);
    return (uint32_t)low + (uint32_t)high;
}

#define T              uint32_t
#define NAME(x)        x##_pairs
#define ADD(sum, x, y) ((sum) + times_pairs(x, y))
#include "kernels/matmul/product.inc"

#define OC_VARIANT(isa) extern const oc_product_variant oc_product_##isa;
#include "kernels/matmul/product.def"
#undef OC_VARIANT

const oc_product_variant oc_product_scalar = {
    "scalar", OC_CPU_SCALAR, product_f32, product_f64, product_pairs, few_f32, few_f64};

const oc_product_variant *const oc_product_variants[] = {
#define OC_VARIANT(isa) &oc_product_##isa,
#include "kernels/matmul/product.def"
#undef OC_VARIANT
};

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
