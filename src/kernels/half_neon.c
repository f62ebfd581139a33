/* SPDX-License-Identifier: Apache-2.0
 * half_neon.c - float16 by its own instructions; bfloat16 in integers, four at a time. */
#include "kernels/half.h"
#include "kernels/neon.inc"

enum { LANES = 4 };

/* The last few go through a full vector of their own. */
#define HALF(name)                                                                                 \
    static void widen_##name(float *to, const uint16_t *from, int64_t n)                           \
    {                                                                                              \
        uint16_t few[LANES] = {0};                                                                 \
        float out[LANES];                                                                          \
        for (; n >= LANES; n -= LANES, to += LANES, from += LANES)                                 \
            vst1q_f32(to, neon_of_##name(vld1_u16(from)));                                         \
        for (int i = 0; i < n; i++)                                                                \
            few[i] = from[i];                                                                      \
        vst1q_f32(out, neon_of_##name(vld1_u16(few)));                                             \
        for (int i = 0; i < n; i++)                                                                \
            to[i] = out[i];                                                                        \
    }                                                                                              \
                                                                                                   \
    static void narrow_##name(uint16_t *to, const float *from, int64_t n)                          \
    {                                                                                              \
        float few[LANES] = {0};                                                                    \
        uint16_t out[LANES];                                                                       \
        for (; n >= LANES; n -= LANES, to += LANES, from += LANES)                                 \
            vst1_u16(to, neon_to_##name(vld1q_f32(from)));                                         \
        for (int i = 0; i < n; i++)                                                                \
            few[i] = from[i];                                                                      \
        vst1_u16(out, neon_to_##name(vld1q_f32(few)));                                             \
        for (int i = 0; i < n; i++)                                                                \
            to[i] = out[i];                                                                        \
    }
HALF(f16)
HALF(bf16)

extern const oc_half_variant oc_f16_neon, oc_bf16_neon;
const oc_half_variant oc_f16_neon = {"neon", OC_CPU_NEON, widen_f16, narrow_f16};
const oc_half_variant oc_bf16_neon = {"neon", OC_CPU_NEON, widen_bf16, narrow_bf16};
