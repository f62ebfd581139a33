/* SPDX-License-Identifier: Apache-2.0
 * int8_neon.h - the operations of int8.h in NEON: by 16-bit numbers, or with OC_SIMD_I8MM by one
 * instruction for four products. */
#pragma once

#include <string.h>

enum { i8x64_HALVES = 1 };

OP(u32v, u32v_zero, (void), vdupq_n_u32(0))
OP(u32v, u32v_splat, (uint32_t x), vdupq_n_u32(x))
OP(u32v, u32v_load, (const uint32_t *p), vld1q_u32(p))
OP_STORE(u32v_store, uint32_t, (u32v v), vst1q_u32(p, v))
OP(u32v, u32v_add, (u32v a, u32v b), vaddq_u32(a, b))
OP(u32v, u32v_less, (u32v a, u32v b, u32v c), vmlsq_u32(a, b, c))

static inline f32v f32v_load_inverted(const uint8_t *p, uint8_t flip)
{
    uint32_t quad;
    memcpy(&quad, p, sizeof quad);
    const uint8x8_t code = veor_u8(vreinterpret_u8_u32(vdup_n_u32(quad)), vdup_n_u8(flip));
    return vcvtq_f32_u32(vmovl_u16(vget_low_u16(vmovl_u8(code))));
}

OP(f32v, f32v_of, (u32v v), vcvtq_f32_s32(vreinterpretq_s32_u32(v)))
OP(u32v, u32v_round, (f32v v), vreinterpretq_u32_s32(vcvtnq_s32_f32(v)))

/* The bytes of four times 16 numbers. */
typedef struct {
    uint8x16_t r[4];
} u8x64v;

static inline uint16x8_t limited_half(u32v a, u32v b, int16x8_t add)
{
    const int16x4_t low = vqmovn_s32(vreinterpretq_s32_u32(a));
    const int16x8_t all = vqmovn_high_s32(low, vreinterpretq_s32_u32(b));
    return vreinterpretq_u16_s16(vqaddq_s16(all, add));
}

static inline u8x64v limited_bytes(u32v v[4][4], int zero, int low, int high)
{
    const int16x8_t add = vdupq_n_s16((int16_t)zero);
    u8x64v y;
    for (int r = 0; r < 4; r++) {
        const int16x8_t a = vreinterpretq_s16_u16(limited_half(v[r][0], v[r][1], add));
        const int16x8_t b = vreinterpretq_s16_u16(limited_half(v[r][2], v[r][3], add));
        const uint8x16_t code = vqmovun_high_s16(vqmovun_s16(a), b);
        y.r[r] = vminq_u8(vmaxq_u8(code, vdupq_n_u8((uint8_t)low)), vdupq_n_u8((uint8_t)high));
    }
    return y;
}

static inline void store_bytes(uint8_t *p, int64_t step, u8x64v v, const int n, uint8_t flip)
{
    for (int r = 0; r < n; r++)
        vst1q_u8(p + r * step, veorq_u8(v.r[r], vdupq_n_u8(flip)));
}

static inline void turn_rows(int8_t *to, const uint8_t *p, int64_t step, uint8_t flip)
{
    uint8x16x4_t rows;
    for (int r = 0; r < 4; r++)
        rows.val[r] = veorq_u8(vld1q_u8(p + r * step), vdupq_n_u8(flip));
    vst4q_u8((uint8_t *)to, rows);
}

#ifdef OC_SIMD_I8MM

enum { i32x16_SUMS = 6 };

typedef uint8x16_t u8v4;
typedef int8x16_t i8v4;

static inline u8v4 u8v4_splat(const uint8_t *p)
{
    uint32_t quad;
    memcpy(&quad, p, sizeof quad);
    return vreinterpretq_u8_u32(vdupq_n_u32(quad));
}

static inline i8v4 i8v4_load(const int8_t *p, OC_UNUSED const int half)
{
    return vld1q_s8(p);
}

OP(u32v, u32v_dot, (u32v sum, u8v4 x, i8v4 w),
   vreinterpretq_u32_s32(vusdotq_s32(vreinterpretq_s32_u32(sum), x, w)))

#else

enum { i32x16_SUMS = 4 };

typedef int16x4_t u8v4;

/* Four bytes for each of four sums, as 16-bit numbers. */
typedef struct {
    int16x8_t lower, upper;
} i8v4;

static inline u8v4 u8v4_splat(const uint8_t *p)
{
    uint32_t quad;
    memcpy(&quad, p, sizeof quad);
    const uint16x8_t wide = vmovl_u8(vreinterpret_u8_u32(vdup_n_u32(quad)));
    return vreinterpret_s16_u16(vget_low_u16(wide));
}

static inline i8v4 i8v4_load(const int8_t *p, OC_UNUSED const int half)
{
    const int8x16_t v = vld1q_s8(p);
    return (i8v4){vmovl_s8(vget_low_s8(v)), vmovl_s8(vget_high_s8(v))};
}

static inline u32v u32v_dot(u32v sum, u8v4 x, i8v4 w)
{
    const int32x4_t a =
        vpaddq_s32(vmull_s16(x, vget_low_s16(w.lower)), vmull_s16(x, vget_high_s16(w.lower)));
    const int32x4_t b =
        vpaddq_s32(vmull_s16(x, vget_low_s16(w.upper)), vmull_s16(x, vget_high_s16(w.upper)));
    return vaddq_u32(sum, vreinterpretq_u32_s32(vpaddq_s32(a, b)));
}

#endif
