/* SPDX-License-Identifier: Apache-2.0
 * nchw16c.c - the scalar variant of planes to lanes and back, for every element type. */
#include "kernels/layout/nchw16c.h"

#include "base/smallfloat.h"
#include "kernels/common/precondition.h"
#include "kernels/common/saturate.h"

#define ISA  scalar
#define NEED OC_CPU_SCALAR

#define TYPE F32
#define T    float
#define REAL float
#include "kernels/layout/nchw16c.inc"

#define TYPE F64
#define T    double
#define REAL double
#include "kernels/layout/nchw16c.inc"

#define TYPE     F16
#define T        uint16_t
#define REAL     float
#define LOAD(v)  oc_f16_to_f32(v)
#define STORE(s) oc_f16_from_f32(s)
#include "kernels/layout/nchw16c.inc"

#define TYPE     BF16
#define T        uint16_t
#define REAL     float
#define LOAD(v)  oc_bf16_to_f32(v)
#define STORE(s) oc_bf16_from_f32(s)
#include "kernels/layout/nchw16c.inc"

#define TYPE     I8
#define T        int8_t
#define REAL     float
#define STORE(s) oc_to_i8(s)
#include "kernels/layout/nchw16c.inc"

#define TYPE     U8
#define T        uint8_t
#define REAL     float
#define STORE(s) oc_to_u8(s)
#include "kernels/layout/nchw16c.inc"

#define TYPE     I16
#define T        int16_t
#define REAL     float
#define STORE(s) oc_to_i16(s)
#include "kernels/layout/nchw16c.inc"

#define TYPE     U16
#define T        uint16_t
#define REAL     float
#define STORE(s) oc_to_u16(s)
#include "kernels/layout/nchw16c.inc"

#define TYPE     I32
#define T        int32_t
#define REAL     double
#define STORE(s) oc_to_i32(s)
#include "kernels/layout/nchw16c.inc"

#define TYPE     U32
#define T        uint32_t
#define REAL     double
#define STORE(s) oc_to_u32(s)
#include "kernels/layout/nchw16c.inc"

#define TYPE     I64
#define T        int64_t
#define REAL     double
#define STORE(s) oc_to_i64(s)
#include "kernels/layout/nchw16c.inc"

#define TYPE     U64
#define T        uint64_t
#define REAL     double
#define STORE(s) oc_to_u64(s)
#include "kernels/layout/nchw16c.inc"

/* clang-format off */
OC_VARIANT_TABLE(oc_nchw16c_variant, oc_nchw16c_F32)
OC_VARIANT_TABLE(oc_nchw16c_variant, oc_nchw16c_F64)
OC_VARIANT_TABLE(oc_nchw16c_variant, oc_nchw16c_F16)
OC_VARIANT_TABLE(oc_nchw16c_variant, oc_nchw16c_BF16)
OC_VARIANT_TABLE(oc_nchw16c_variant, oc_nchw16c_U8)
OC_VARIANT_TABLE_SCALAR(oc_nchw16c_variant, oc_nchw16c_I8)
OC_VARIANT_TABLE_SCALAR(oc_nchw16c_variant, oc_nchw16c_I16)
OC_VARIANT_TABLE_SCALAR(oc_nchw16c_variant, oc_nchw16c_U16)
OC_VARIANT_TABLE_SCALAR(oc_nchw16c_variant, oc_nchw16c_I32)
OC_VARIANT_TABLE_SCALAR(oc_nchw16c_variant, oc_nchw16c_U32)
OC_VARIANT_TABLE_SCALAR(oc_nchw16c_variant, oc_nchw16c_I64)
OC_VARIANT_TABLE_SCALAR(oc_nchw16c_variant, oc_nchw16c_U64)
/* clang-format on */

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
