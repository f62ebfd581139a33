/* SPDX-License-Identifier: Apache-2.0
 * int8_scalar.h - the operations of int8.h without an instruction set. */
#pragma once

enum { i32x16_SUMS = 1, i8x64_HALVES = 1 };

typedef struct {
    uint8_t of[4];
} u8v4;

typedef struct {
    int8_t of[4];
} i8v4;

OP(u32v, u32v_zero, (void), 0)
OP(u32v, u32v_splat, (uint32_t x), x)
OP(u32v, u32v_load, (const uint32_t *p), *p)
OP_STORE(u32v_store, uint32_t, (u32v v), *p = v)
OP(u32v, u32v_add, (u32v a, u32v b), a + b)
OP(f32v, f32v_load_inverted, (const uint8_t *p, uint8_t flip), (float)(*p ^ flip))
OP(f32v, f32v_of, (u32v v), (float)(int32_t)v)
OP(u32v, u32v_less, (u32v a, u32v b, u32v c), a - b * c)

/* Adding 1.5 * 2^23 rounds, because its neighbours are whole numbers. */
static inline u32v u32v_round(f32v v)
{
    const float far = 0x1p21F, limited = v < -far ? -far : v > far ? far : v;
    return (u32v)(int32_t)(limited + 0x1.8p23F - 0x1.8p23F);
}

/* The bytes of four times 16 numbers. */
typedef struct {
    uint8_t of[4][16];
} u8x64v;

static inline u8x64v limited_bytes(u32v v[4][16], int zero, int low, int high)
{
    u8x64v y;
    for (int r = 0; r < 4; r++)
        for (int i = 0; i < 16; i++) {
            const int code = (int32_t)v[r][i] + zero;
            y.of[r][i] = (uint8_t)(code < low ? low : code > high ? high : code);
        }
    return y;
}

static inline void store_bytes(uint8_t *p, int64_t step, u8x64v v, const int n, uint8_t flip)
{
    for (int r = 0; r < n; r++)
        for (int i = 0; i < 16; i++)
            p[r * step + i] = v.of[r][i] ^ flip;
}

static inline void turn_rows(int8_t *to, const uint8_t *p, int64_t step, uint8_t flip)
{
    for (int i = 0; i < 16; i++)
        for (int r = 0; r < 4; r++)
            to[4 * i + r] = (int8_t)(p[r * step + i] ^ flip);
}

static inline u8v4 u8v4_splat(const uint8_t *p)
{
    return (u8v4){{p[0], p[1], p[2], p[3]}};
}

#define OC_SIMD_PIXELS
static inline void u8v4_pixels(u8v4 r[16], const uint8_t *p)
{
    for (int i = 0; i < 16; i++)
        r[i] = (u8v4){{p[i], p[16 + i], p[32 + i], p[48 + i]}};
}

static inline u8v4 u8v4_half(u8v4 v, OC_UNUSED const int half)
{
    return v;
}

static inline i8v4 i8v4_load(const int8_t *p, OC_UNUSED const int half)
{
    return (i8v4){{p[0], p[1], p[2], p[3]}};
}

static inline u32v u32v_dot(u32v sum, u8v4 x, i8v4 w)
{
    for (int i = 0; i < 4; i++)
        sum += (uint32_t)(x.of[i] * w.of[i]);
    return sum;
}
