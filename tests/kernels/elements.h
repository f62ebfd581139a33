/* SPDX-License-Identifier: Apache-2.0
 * elements.h - numbers of any type read and written as double, for kernel checks. */
#pragma once

#include "base/smallfloat.h"

#include <math.h>

#define ELEMENT_TYPES(X)                                                                           \
    X(F32, float)                                                                                  \
    X(F64, double)                                                                                 \
    X(C64, float)                                                                                  \
    X(C128, double)                                                                                \
    X(I8, int8_t)                                                                                  \
    X(U8, uint8_t)                                                                                 \
    X(I16, int16_t)                                                                                \
    X(U16, uint16_t)                                                                               \
    X(I32, int32_t)                                                                                \
    X(U32, uint32_t)                                                                               \
    X(I64, int64_t)                                                                                \
    X(U64, uint64_t)                                                                               \
    X(BOOL, uint8_t)

/* Number i of an array of the type; a complex element is two. Numbers written fit the type. */
static inline double element_get(oc_type type, const void *data, int64_t i)
{
    switch (type) {
#define X(name, T)                                                                                 \
    case OC_##name:                                                                                \
        return (double)((const T *)data)[i];
        ELEMENT_TYPES(X)
#undef X
    case OC_F16:
        return (double)oc_f16_to_f32(((const uint16_t *)data)[i]);
    default:
        return (double)oc_bf16_to_f32(((const uint16_t *)data)[i]);
    }
}

static inline void element_set(oc_type type, void *data, int64_t i, double v)
{
    switch (type) {
#define X(name, T)                                                                                 \
    case OC_##name:                                                                                \
        ((T *)data)[i] = (T)v;                                                                     \
        return;
        ELEMENT_TYPES(X)
#undef X
    case OC_F16:
        ((uint16_t *)data)[i] = oc_f16_from_f64(v);
        return;
    default:
        ((uint16_t *)data)[i] = oc_bf16_from_f64(v);
    }
}

static inline int element_parts(oc_type type)
{
    return type == OC_C64 || type == OC_C128 ? 2 : 1;
}

static inline bool element_is_int(oc_type type)
{
    return (type >= OC_U8 && type <= OC_I64) || type == OC_U32 || type == OC_U64;
}

/* How far a result near v may be from the exact one. */
static inline double element_tolerance(oc_type type, double v)
{
    const double relative = type == OC_F16 ? 0x1p-11 : type == OC_BF16 ? 0x1p-8 : 0;
    const double absolute = type == OC_F64 || type == OC_C128 ? 1e-13 : 4e-6;
    return fabs(v) * relative + absolute;
}
