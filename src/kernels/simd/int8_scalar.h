/* SPDX-License-Identifier: Apache-2.0
 * int8_scalar.h - the operations of int8.h without an instruction set. */
#ifndef OC_KERNELS_SIMD_INT8_SCALAR_H
#define OC_KERNELS_SIMD_INT8_SCALAR_H

enum { i32x16_SUMS = 1 };

typedef struct {
    uint8_t of[4];
} u8v4;

typedef struct {
    int8_t of[4];
} i8v4;

static inline u32v u32v_zero(void)
{
    return 0;
}

static inline u32v u32v_splat(uint32_t x)
{
    return x;
}

static inline u32v u32v_load(const uint32_t *p)
{
    return *p;
}

static inline void u32v_store(uint32_t *p, u32v v)
{
    *p = v;
}

static inline u32v u32v_add(u32v a, u32v b)
{
    return a + b;
}

static inline f32v f32v_of(u32v v)
{
    return (float)(int32_t)v;
}

static inline u32v u32v_less(u32v a, u32v b, u32v c)
{
    return a - b * c;
}

/* The neighbours of 1.5 * 2^23 are whole numbers. */
static inline u32v u32v_round(f32v v)
{
    return (u32v)(int32_t)(v + 0x1.8p23F - 0x1.8p23F);
}

static inline void u32v_store_u8(uint8_t *p, u32v v)
{
    *p = (uint8_t)v;
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

static inline i8v4 i8v4_load(const int8_t *p)
{
    return (i8v4){{p[0], p[1], p[2], p[3]}};
}

static inline u32v u32v_dot(u32v sum, u8v4 x, i8v4 w)
{
    for (int i = 0; i < 4; i++)
        sum += (uint32_t)(x.of[i] * w.of[i]);
    return sum;
}

#endif
