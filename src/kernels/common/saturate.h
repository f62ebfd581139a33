/* SPDX-License-Identifier: Apache-2.0
 * saturate.h - turns a weighted sum into an integer element.
 *
 * The sum is truncated toward zero. Beyond the type's least or greatest value it becomes that
 * value; NaN becomes 0. */
#pragma once

#include <stdint.h>

/* Defines such a function; high is max + 1. */
#define OC_SATURATE(name, T, REAL, low, min, high, max)                                            \
    static inline T name(REAL s)                                                                   \
    {                                                                                              \
        return s >= (high) ? (max) : s > (low) ? (T)s : s <= (low) ? (min) : 0;                    \
    }
/* clang-format off */
OC_SATURATE(oc_to_i8,  int8_t,   float,  -128,    INT8_MIN,  128,    INT8_MAX)
OC_SATURATE(oc_to_u8,  uint8_t,  float,  -1,      0,         256,    UINT8_MAX)
OC_SATURATE(oc_to_i16, int16_t,  float,  -32768,  INT16_MIN, 32768,  INT16_MAX)
OC_SATURATE(oc_to_u16, uint16_t, float,  -1,      0,         65536,  UINT16_MAX)
OC_SATURATE(oc_to_i32, int32_t,  double, -0x1p31, INT32_MIN, 0x1p31, INT32_MAX)
OC_SATURATE(oc_to_u32, uint32_t, double, -1,      0,         0x1p32, UINT32_MAX)
OC_SATURATE(oc_to_i64, int64_t,  double, -0x1p63, INT64_MIN, 0x1p63, INT64_MAX)
OC_SATURATE(oc_to_u64, uint64_t, double, -1,      0,         0x1p64, UINT64_MAX)
/* clang-format on */
#undef OC_SATURATE
