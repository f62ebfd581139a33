/* SPDX-License-Identifier: Apache-2.0
 * lanes.c - the scalar variant of planes to lanes and back, for every element type. */
#include "kernels/common/lanes.h"

#include "base/smallfloat.h"
#include "kernels/common/precondition.h"
#include "kernels/common/saturate.h"

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

#define OC_VARIANT(isa) extern const oc_lanes_variant oc_lanes_##isa;
#include "kernels/common/lanes.def"
#undef OC_VARIANT

const oc_lanes_variant oc_lanes_scalar = {.isa = "scalar",
                                          .need = OC_CPU_SCALAR,
#define X(type, real) .in[OC_##type] = in_##type, .out[OC_##type] = out_##type,
                                          OC_LANES_MAP(X)
#undef X
};

const oc_lanes_variant *const oc_lanes_variants[] = {
#define OC_VARIANT(isa) &oc_lanes_##isa,
#include "kernels/common/lanes.def"
#undef OC_VARIANT
};

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

oc_lanes_in_fn *oc_lanes_in(oc_type type, unsigned cpu)
{
    const oc_lanes_variant *v;
    OC_VARIANT_PICK(v, oc_lanes_variants, in[type], cpu);
    return v->in[type];
}

oc_lanes_out_fn *oc_lanes_out(oc_type type, unsigned cpu)
{
    const oc_lanes_variant *v;
    OC_VARIANT_PICK(v, oc_lanes_variants, out[type], cpu);
    return v->out[type];
}
