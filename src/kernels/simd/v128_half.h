/* SPDX-License-Identifier: Apache-2.0
 * v128_half.h - float16, bfloat16, uint8 and bytes in v128.h's registers, and lookups. */
#pragma once

/* ---- codes in the lower halves of 32-bit elements */

/* Loads four numbers of 16 bits. */
static inline u32v u32v_load_u16(const uint16_t *p)
{
    uint64_t four;
    memcpy(&four, p, sizeof four);
    const u16x8 v = (u16x8)(f64v_mask){(int64_t)four, 0};
    return (u32v)PICKED(v, (u16x8){0}, 0, 8, 1, 8, 2, 8, 3, 8);
}

/* Loads four numbers of 8 bits. */
static inline u32v u32v_load_u8(const uint8_t *p)
{
    uint32_t four;
    memcpy(&four, p, sizeof four);
    const u8v v = (u8v)(u32v){four};
    return (u32v)PICKED(v, (u8v){0}, 0, 16, 16, 16, 1, 16, 16, 16, 2, 16, 16, 16, 3, 16, 16, 16);
}

OP(f32v, f32v_of_i32, (i32x4 v), __builtin_convertvector(v, f32v))

/* The exponent of a float16 is moved to its place and made greater by a product, which also
 * makes a subnormal one normal; that of Inf and NaN becomes the greatest. */
static inline f32v of_f16(u32v code)
{
    const u32v rest = (code & 0x7fff) << 13;
    const u32v far = (u32v)((i32x4)rest >= (0x7c00 << 13)) & 0x7f800000;
    const u32v x = (u32v)((f32v)rest * f32v_splat(0x1p112F)) | far;
    return (f32v)(x | (code & 0x8000) << 16);
}

OP(f32v, f32v_load_f16, (const uint16_t *p), of_f16(u32v_load_u16(p)))
OP(f32v, f32v_load_bf16, (const uint16_t *p), (f32v)(u32v_load_u16(p) << 16))
OP(f32v, f32v_load_u8, (const uint8_t *p), f32v_of_i32((i32x4)u32v_load_u8(p)))

/* A float16 is a float with fewer bits, rounded to even; where that is subnormal, adding 0.5 rounds
 * to its unit, and where it is greater than the greatest, it is Inf. */
static inline u32v to_f16(f32v v)
{
    const u32v bits = (u32v)v, rest = bits & 0x7fffffff;
    const u32v normal = (rest + 0xfff + (rest >> 13 & 1) - (112u << 23)) >> 13;
    const u32v tiny = (u32v)(f32v_abs(v) + f32v_splat(0.5F)) - 0x3f000000;
    const u32v nan = 0x7e00 | (rest >> 13 & 0x3ff);
    u32v y = (u32v)chosen((i32x4)rest < 113 << 23, (i32x4)tiny, (i32x4)normal);
    y = (u32v)chosen((i32x4)rest >= 0x477ff000, (i32x4)u32v_splat(0x7c00), (i32x4)y);
    y = (u32v)chosen((i32x4)rest > 0x7f800000, (i32x4)nan, (i32x4)y);
    return y | (bits >> 16 & 0x8000);
}

static inline u32v to_bf16(f32v v)
{
    const u32v bits = (u32v)v, sum = bits + 0x7fff + (bits >> 16 & 1);
    return (u32v)chosen(v == v, (i32x4)sum, (i32x4)(bits | 0x400000)) >> 16;
}

static inline void store_codes(uint16_t *p, u32v codes, int n)
{
    const u16x8 v = (u16x8)codes, y = PICKED(v, v, 0, 2, 4, 6, 0, 2, 4, 6);
    memcpy(p, &y, (size_t)n * sizeof *p);
}

OP_STORE(f32v_store_f16, uint16_t, (f32v v), store_codes(p, to_f16(v), f32v_N))
OP_STORE(f32v_store_bf16, uint16_t, (f32v v), store_codes(p, to_bf16(v), f32v_N))
OP_STORE(f32v_store_first_f16, uint16_t, (f32v v, int n), store_codes(p, to_f16(v), n))
OP_STORE(f32v_store_first_bf16, uint16_t, (f32v v, int n), store_codes(p, to_bf16(v), n))

/* Limited first, since a number that does not fit an integer becomes none that is right; for NaN
 * the maximum is its second operand. */
static inline u8v to_u8(f32v v)
{
    v = f32v_min(f32v_max(v, f32v_zero()), f32v_splat(255));
    const i32x4 whole = __builtin_convertvector(v, i32x4);
    const i16x8 wide = i16x8_limited(whole, whole);
    return u8v_limited(wide, wide);
}

static inline void store_bytes_of(uint8_t *p, u8v v, int n)
{
    memcpy(p, &v, (size_t)n);
}

OP_STORE(f32v_store_u8, uint8_t, (f32v v), store_bytes_of(p, to_u8(v), f32v_N))
OP_STORE(f32v_store_first_u8, uint8_t, (f32v v, int n), store_bytes_of(p, to_u8(v), n))

/* ---- lookups */

/* With OC_SIMD_SWIZZLE an instruction picks 16 bytes from a register: byte i is byte at[i] of
 * `from`, and 0 where at[i] is 128 or more. */
#ifdef OC_SIMD_SWIZZLE

/* The four bytes of element i are those from 4 i on, in the first half of the table or in the
 * second; in the other half `swizzle` finds 0. */
static inline f32v f32v_lookup(const float table[8], u32v i)
{
    const u8v first = {0, 4, 8, 12, 128, 128, 128, 128}, each = (u8v)u32v_splat(0x03020100);
    const u8v second = {128, 128, 128, 128, 0, 4, 8, 12}, from = (u8v)(i & 7);
    const u8v at = PICKED(from, from, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    const u8v a = (u8v)f32v_load(table), b = (u8v)f32v_load(table + 4);
    return (f32v)(swizzle(a, swizzle(first, at) + each) | swizzle(b, swizzle(second, at) + each));
}

typedef struct u8_table {
    u8v part[16];
} u8_table;

static inline u8_table u8_table_load(const uint8_t *p)
{
    u8_table t;
    for (int i = 0; i < 16; i++)
        t.part[i] = u8v_load(p + 16 * i);
    return t;
}

static inline u8v u8v_lookup(const u8_table *t, u8v i)
{
    u8v all = {0};
    for (int k = 0; k < 16; k++) /* in other parts the first four bits of an index remain */
        all |= swizzle_16(t->part[k], i ^ u8v_splat((uint8_t)(k << 4)));
    return all;
}

#else

OP(f32v, f32v_lookup, (const float table[8], u32v i),
   ((f32v){table[i[0] & 7], table[i[1] & 7], table[i[2] & 7], table[i[3] & 7]}))

typedef const uint8_t *u8_table;
OP(u8_table, u8_table_load, (const uint8_t *p), p)

static inline u8v u8v_lookup(const u8_table *t, u8v i)
{
    uint8_t y[16];
    u8v_store(y, i);
    for (int k = 0; k < 16; k++)
        y[k] = (*t)[y[k]];
    return u8v_load(y);
}

#endif
