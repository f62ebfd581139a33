/* SPDX-License-Identifier: Apache-2.0
 * nchw16c.c - the scalar variant of the conversion to NCHW16c and back, for every element type. */
#include "kernels/layout/nchw16c.h"

#include "kernels/common/element.h"
#include "kernels/common/precondition.h"
#include "kernels/simd/simd.h"

#define TEMPLATE "kernels/layout/nchw16c.inc"
#include "kernels/common/image_types.inc"

#define ELEMENT i8
#include "kernels/layout/nchw16c.inc"
#define ELEMENT i16
#include "kernels/layout/nchw16c.inc"
#define ELEMENT u16
#include "kernels/layout/nchw16c.inc"
#define ELEMENT i32
#include "kernels/layout/nchw16c.inc"
#define ELEMENT u32
#include "kernels/layout/nchw16c.inc"
#define ELEMENT i64
#include "kernels/layout/nchw16c.inc"
#define ELEMENT u64
#include "kernels/layout/nchw16c.inc"

#define VARIANTS(type, element)                                                                    \
    OC_ISA_VARIANT(oc_nchw16c_variant, oc_nchw16c_##type, in_##element, out_##element)             \
    OC_VARIANTS(oc_nchw16c_variant, oc_nchw16c_##type)
VARIANTS(F32, f32)
VARIANTS(F64, f64)
VARIANTS(F16, f16)
VARIANTS(BF16, bf16)
VARIANTS(U8, u8)

/* Signed bytes and wider integers have no vector variants. */
#define SCALAR(type, element)                                                                      \
    static const oc_nchw16c_variant element = {"scalar", OC_CPU_SCALAR, in_##element,              \
                                               out_##element};                                     \
    const oc_nchw16c_variant *const oc_nchw16c_##type[] = {&element};
SCALAR(I8, i8)
SCALAR(I16, i16)
SCALAR(U16, u16)
SCALAR(I32, i32)
SCALAR(U32, u32)
SCALAR(I64, i64)
SCALAR(U64, u64)

const oc_nchw16c_variant *const *oc_nchw16c_variants(oc_type type)
{
    switch (type) {
#define X(name, real)                                                                              \
    case OC_##name:                                                                                \
        return oc_nchw16c_##name;
        OC_NCHW16C_TYPES(X)
#undef X
    default:
        return NULL;
    }
}

int oc_nchw16c_of(oc_type type)
{
    switch (type) {
#define X(name, real)                                                                              \
    case OC_##name:                                                                                \
        return OC_BLOCK_BYTES / (int)sizeof(real);
        OC_NCHW16C_TYPES(X)
#undef X
    default:
        return 0;
    }
}

const oc_nchw16c_variant *oc_nchw16c_pick(const oc_nchw16c_variant *const variants[], unsigned cpu)
{
    const oc_nchw16c_variant *v;
    OC_VARIANT_PICK(v, variants, in, cpu);
    return v;
}

oc_nchw16c_in_fn *oc_nchw16c_in(oc_type type, unsigned cpu)
{
    return oc_nchw16c_pick(oc_nchw16c_variants(type), cpu)->in;
}

oc_nchw16c_out_fn *oc_nchw16c_out(oc_type type, unsigned cpu)
{
    return oc_nchw16c_pick(oc_nchw16c_variants(type), cpu)->out;
}
