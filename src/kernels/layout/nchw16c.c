/* SPDX-License-Identifier: Apache-2.0
 * nchw16c.c - the scalar variant of the conversion to NCHW16c and back, for every element type. */
#include "kernels/layout/nchw16c.h"

#include "kernels/common/element.h"
#include "kernels/common/precondition.h"
#include "kernels/simd/simd.h"

#define ELEMENT f32
#include "kernels/layout/nchw16c.inc"

#define ELEMENT f64
#include "kernels/layout/nchw16c.inc"

#define ELEMENT f16
#include "kernels/layout/nchw16c.inc"

#define ELEMENT bf16
#include "kernels/layout/nchw16c.inc"

#define ELEMENT u8
#include "kernels/layout/nchw16c.inc"

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

OC_ISA_VARIANT(oc_nchw16c_variant, oc_nchw16c_F32, in_f32, out_f32)
OC_VARIANTS(oc_nchw16c_variant, oc_nchw16c_F32)
OC_ISA_VARIANT(oc_nchw16c_variant, oc_nchw16c_F64, in_f64, out_f64)
OC_VARIANTS(oc_nchw16c_variant, oc_nchw16c_F64)
OC_ISA_VARIANT(oc_nchw16c_variant, oc_nchw16c_F16, in_f16, out_f16)
OC_VARIANTS(oc_nchw16c_variant, oc_nchw16c_F16)
OC_ISA_VARIANT(oc_nchw16c_variant, oc_nchw16c_BF16, in_bf16, out_bf16)
OC_VARIANTS(oc_nchw16c_variant, oc_nchw16c_BF16)
OC_ISA_VARIANT(oc_nchw16c_variant, oc_nchw16c_U8, in_u8, out_u8)
OC_VARIANTS(oc_nchw16c_variant, oc_nchw16c_U8)

/* 8-bit integers have no vector variants. */
static const oc_nchw16c_variant i8 = {"scalar", OC_CPU_SCALAR, in_i8, out_i8};
static const oc_nchw16c_variant i16 = {"scalar", OC_CPU_SCALAR, in_i16, out_i16};
static const oc_nchw16c_variant u16 = {"scalar", OC_CPU_SCALAR, in_u16, out_u16};
static const oc_nchw16c_variant i32 = {"scalar", OC_CPU_SCALAR, in_i32, out_i32};
static const oc_nchw16c_variant u32 = {"scalar", OC_CPU_SCALAR, in_u32, out_u32};
static const oc_nchw16c_variant i64 = {"scalar", OC_CPU_SCALAR, in_i64, out_i64};
static const oc_nchw16c_variant u64 = {"scalar", OC_CPU_SCALAR, in_u64, out_u64};
const oc_nchw16c_variant *const oc_nchw16c_I8[] = {&i8};
const oc_nchw16c_variant *const oc_nchw16c_I16[] = {&i16};
const oc_nchw16c_variant *const oc_nchw16c_U16[] = {&u16};
const oc_nchw16c_variant *const oc_nchw16c_I32[] = {&i32};
const oc_nchw16c_variant *const oc_nchw16c_U32[] = {&u32};
const oc_nchw16c_variant *const oc_nchw16c_I64[] = {&i64};
const oc_nchw16c_variant *const oc_nchw16c_U64[] = {&u64};

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
