/* SPDX-License-Identifier: Apache-2.0
 * windows_neon.h - the windows of windows.h in NEON. */
#pragma once

#include "kernels/simd/simd.h"

/* ---- windows in one register */

/* Loads windows of 8 bytes, a and the next; offsets count elements of `size` bytes. */
static inline float32x4_t eights(const char *p, const int32_t *o, int a, size_t size)
{
    uint64_t w[2];
    memcpy(&w[0], p + (size_t)o[a] * size, sizeof w[0]);
    memcpy(&w[1], p + (size_t)o[a + 1] * size, sizeof w[1]);
    return vreinterpretq_f32_u64(vcombine_u64(vcreate_u64(w[0]), vcreate_u64(w[1])));
}

/* Loads the first and the second halves of 4 windows of 8 bytes. */
static inline void halves(f32v v[2], const void *p, const int32_t *o, size_t size)
{
    const float32x4_t a = eights(p, o, 0, size), b = eights(p, o, 2, size);
    v[0] = vuzp1q_f32(a, b);
    v[1] = vuzp2q_f32(a, b);
}

static inline uint32_t at_4(const char *p, int32_t o, size_t size)
{
    uint32_t w;
    memcpy(&w, p + (size_t)o * size, sizeof w);
    return w;
}

static inline uint32_t at_2(const char *p, int32_t o)
{
    uint16_t w;
    memcpy(&w, p + o, sizeof w);
    return w;
}

static inline uint32x4_t of_4(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint32x4_t v = vdupq_n_u32(a);
    v = vsetq_lane_u32(b, v, 1);
    v = vsetq_lane_u32(c, v, 2);
    return vsetq_lane_u32(d, v, 3);
}

/* Loads windows of 4 bytes. */
OP(uint32x4_t, fours, (const void *p, const int32_t *o, size_t size),
   of_4(at_4(p, o[0], size), at_4(p, o[1], size), at_4(p, o[2], size), at_4(p, o[3], size)))

/* Loads windows of 2 bytes, each into 4 bytes. */
OP(uint32x4_t, twos, (const void *p, const int32_t *o),
   of_4(at_2(p, o[0]), at_2(p, o[1]), at_2(p, o[2]), at_2(p, o[3])))

static inline void f32v_load2(f32v *v, const float *p, const int32_t *o)
{
    halves(v, p, o, 4);
}

static inline void f32v_load4(f32v *v, const float *p, const int32_t *o)
{
    v[0] = vld1q_f32(p + o[0]);
    v[1] = vld1q_f32(p + o[1]);
    v[2] = vld1q_f32(p + o[2]);
    v[3] = vld1q_f32(p + o[3]);
    f32v_transpose(v);
}

static inline void f64v_load2(f64v *v, const double *p, const int32_t *o)
{
    v[0] = vld1q_f64(p + o[0]);
    v[1] = vld1q_f64(p + o[1]);
    f64v_transpose(v);
}

/* ---- 16 and 8 bits */

static inline void split_f16(f32v *v, uint32x4_t w)
{
    v[0] = of_f16(vmovn_u32(w));
    v[1] = of_f16(vshrn_n_u32(w, 16));
}

static inline void split_bf16(f32v *v, uint32x4_t w)
{
    v[0] = vreinterpretq_f32_u32(vshlq_n_u32(w, 16));
    v[1] = vreinterpretq_f32_u32(vandq_u32(w, vdupq_n_u32(0xffff0000)));
}

static inline void f32v_load4_f16(f32v *v, const uint16_t *p, const int32_t *o)
{
    f32v half[2];
    halves(half, p, o, 2);
    split_f16(v, vreinterpretq_u32_f32(half[0]));
    split_f16(v + 2, vreinterpretq_u32_f32(half[1]));
}

static inline void f32v_load4_bf16(f32v *v, const uint16_t *p, const int32_t *o)
{
    f32v half[2];
    halves(half, p, o, 2);
    split_bf16(v, vreinterpretq_u32_f32(half[0]));
    split_bf16(v + 2, vreinterpretq_u32_f32(half[1]));
}

/* Returns byte k of each element. */
OP(f32v, of_bytes, (uint32x4_t w, int k),
   vcvtq_f32_u32(vandq_u32(vshlq_u32(w, vdupq_n_s32(-8 * k)), vdupq_n_u32(255))))

static inline void f32v_load2_u8(f32v *v, const uint8_t *p, const int32_t *o)
{
    const uint32x4_t w = twos(p, o);
    v[0] = of_bytes(w, 0);
    v[1] = of_bytes(w, 1);
}

static inline void f32v_load4_u8(f32v *v, const uint8_t *p, const int32_t *o)
{
    const uint32x4_t w = fours(p, o, 1);
    v[0] = of_bytes(w, 0);
    v[1] = of_bytes(w, 1);
    v[2] = of_bytes(w, 2);
    v[3] = of_bytes(w, 3);
}
