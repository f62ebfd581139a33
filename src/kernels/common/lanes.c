/* SPDX-License-Identifier: Apache-2.0
 * lanes.c - the scalar variant of planes to lanes and back, for every element type. */
#include "kernels/common/lanes.h"

#include "base/smallfloat.h"
#include "kernels/common/precondition.h"
#include "kernels/common/saturate.h"

#define ISA  scalar
#define NEED OC_CPU_SCALAR

#define TYPE F32
#define T    float
#define REAL float
#include "kernels/common/lanes.inc"

#define TYPE F64
#define T    double
#define REAL double
#include "kernels/common/lanes.inc"

#define TYPE     F16
#define T        uint16_t
#define REAL     float
#define LOAD(v)  oc_f16_to_f32(v)
#define STORE(s) oc_f16_from_f32(s)
#include "kernels/common/lanes.inc"

#define TYPE     BF16
#define T        uint16_t
#define REAL     float
#define LOAD(v)  oc_bf16_to_f32(v)
#define STORE(s) oc_bf16_from_f32(s)
#include "kernels/common/lanes.inc"

#define TYPE     I8
#define T        int8_t
#define REAL     float
#define STORE(s) oc_to_i8(s)
#include "kernels/common/lanes.inc"

#define TYPE     U8
#define T        uint8_t
#define REAL     float
#define STORE(s) oc_to_u8(s)
#include "kernels/common/lanes.inc"

#define TYPE     I16
#define T        int16_t
#define REAL     float
#define STORE(s) oc_to_i16(s)
#include "kernels/common/lanes.inc"

#define TYPE     U16
#define T        uint16_t
#define REAL     float
#define STORE(s) oc_to_u16(s)
#include "kernels/common/lanes.inc"

#define TYPE     I32
#define T        int32_t
#define REAL     double
#define STORE(s) oc_to_i32(s)
#include "kernels/common/lanes.inc"

#define TYPE     U32
#define T        uint32_t
#define REAL     double
#define STORE(s) oc_to_u32(s)
#include "kernels/common/lanes.inc"

#define TYPE     I64
#define T        int64_t
#define REAL     double
#define STORE(s) oc_to_i64(s)
#include "kernels/common/lanes.inc"

#define TYPE     U64
#define T        uint64_t
#define REAL     double
#define STORE(s) oc_to_u64(s)
#include "kernels/common/lanes.inc"

/* clang-format off */
OC_VARIANT_TABLE(oc_lanes_variant, oc_lanes_F32)
OC_VARIANT_TABLE(oc_lanes_variant, oc_lanes_F64)
OC_VARIANT_TABLE(oc_lanes_variant, oc_lanes_F16)
OC_VARIANT_TABLE(oc_lanes_variant, oc_lanes_BF16)
OC_VARIANT_TABLE(oc_lanes_variant, oc_lanes_U8)
OC_VARIANT_TABLE_SCALAR(oc_lanes_variant, oc_lanes_I8)
OC_VARIANT_TABLE_SCALAR(oc_lanes_variant, oc_lanes_I16)
OC_VARIANT_TABLE_SCALAR(oc_lanes_variant, oc_lanes_U16)
OC_VARIANT_TABLE_SCALAR(oc_lanes_variant, oc_lanes_I32)
OC_VARIANT_TABLE_SCALAR(oc_lanes_variant, oc_lanes_U32)
OC_VARIANT_TABLE_SCALAR(oc_lanes_variant, oc_lanes_I64)
OC_VARIANT_TABLE_SCALAR(oc_lanes_variant, oc_lanes_U64)
/* clang-format on */

const oc_lanes_variant *const *oc_lanes_variants(oc_type type)
{
    switch (type) {
#define X(name, real)                                                                              \
    case OC_##name:                                                                                \
        return oc_lanes_##name;
        OC_LANES_MAP(X)
#undef X
    default:
        return NULL;
    }
}

int oc_lanes_of(oc_type type)
{
    switch (type) {
#define X(name, real)                                                                              \
    case OC_##name:                                                                                \
        return OC_LANE_BYTES / (int)sizeof(real);
        OC_LANES_MAP(X)
#undef X
    default:
        return 0;
    }
}

const oc_lanes_variant *oc_lanes_pick(const oc_lanes_variant *const variants[], unsigned cpu)
{
    const oc_lanes_variant *v;
    OC_VARIANT_PICK(v, variants, in, cpu);
    return v;
}

oc_lanes_in_fn *oc_lanes_in(oc_type type, unsigned cpu)
{
    return oc_lanes_pick(oc_lanes_variants(type), cpu)->in;
}

oc_lanes_out_fn *oc_lanes_out(oc_type type, unsigned cpu)
{
    return oc_lanes_pick(oc_lanes_variants(type), cpu)->out;
}
