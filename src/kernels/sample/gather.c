/* SPDX-License-Identifier: Apache-2.0
 * gather.c - the scalar sums of every element type, and the table of variants. */
#include "kernels/sample/gather.h"

#include "base/smallfloat.h"
#include "kernels/common/saturate.h"

#include <string.h>

#define REAL   float
#define WEIGHT f32

#define NAME sum_F32
#define T    float
#include "kernels/sample/gather.inc"

#define NAME  sum_C64
#define T     float
#define PARTS 2
#include "kernels/sample/gather.inc"

#define NAME     sum_F16
#define T        uint16_t
#define LOAD(v)  oc_f16_to_f32(v)
#define STORE(s) oc_f16_from_f32(s)
#include "kernels/sample/gather.inc"

#define NAME     sum_BF16
#define T        uint16_t
#define LOAD(v)  oc_bf16_to_f32(v)
#define STORE(s) oc_bf16_from_f32(s)
#include "kernels/sample/gather.inc"

#define NAME     sum_I8
#define T        int8_t
#define LOAD(v)  (v)
#define STORE(s) oc_to_i8(s)
#include "kernels/sample/gather.inc"

#define NAME     sum_U8
#define T        uint8_t
#define LOAD(v)  (v)
#define STORE(s) oc_to_u8(s)
#include "kernels/sample/gather.inc"

#define NAME     sum_I16
#define T        int16_t
#define LOAD(v)  (v)
#define STORE(s) oc_to_i16(s)
#include "kernels/sample/gather.inc"

#define NAME     sum_U16
#define T        uint16_t
#define LOAD(v)  (v)
#define STORE(s) oc_to_u16(s)
#include "kernels/sample/gather.inc"

#undef REAL
#undef WEIGHT
#define REAL   double
#define WEIGHT f64

#define NAME sum_F64
#define T    double
#include "kernels/sample/gather.inc"

#define NAME  sum_C128
#define T     double
#define PARTS 2
#include "kernels/sample/gather.inc"

#define NAME     sum_I32
#define T        int32_t
#define LOAD(v)  (v)
#define STORE(s) oc_to_i32(s)
#include "kernels/sample/gather.inc"

#define NAME     sum_U32
#define T        uint32_t
#define LOAD(v)  (v)
#define STORE(s) oc_to_u32(s)
#include "kernels/sample/gather.inc"

#define NAME     sum_I64
#define T        int64_t
#define LOAD(v)  (v)
#define STORE(s) oc_to_i64(s)
#include "kernels/sample/gather.inc"

#define NAME     sum_U64
#define T        uint64_t
#define LOAD(v)  (v)
#define STORE(s) oc_to_u64(s)
#include "kernels/sample/gather.inc"

#define OC_VARIANT(isa) extern const oc_gather_variant oc_gather_##isa;
#include "kernels/sample/gather.def"
#undef OC_VARIANT

const oc_gather_variant oc_gather_scalar = {.isa = "scalar",
                                            .need = OC_CPU_SCALAR,
#define X(type, weight) .sum[OC_##type] = sum_##type,
                                            OC_GATHER_MAP(X)
#undef X
};

const oc_gather_variant *const oc_gather_variants[] = {
#define OC_VARIANT(isa) &oc_gather_##isa,
#include "kernels/sample/gather.def"
#undef OC_VARIANT
};

bool oc_gather_has(oc_type type)
{
    return oc_gather_scalar.sum[type];
}

bool oc_gather_is_f64(oc_type type)
{
    switch (type) {
#define IS_f32 false
#define IS_f64 true
#define X(name, weight)                                                                            \
    case OC_##name:                                                                                \
        return IS_##weight;
        OC_GATHER_MAP(X)
#undef X
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
