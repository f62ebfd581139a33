/* SPDX-License-Identifier: Apache-2.0
 * convert.c - conversions through the widest type of a class.
 *
 * Elements are read as double, int64 or uint64, whichever holds the source exactly, and written
 * from there, so that each rule is written once. The most frequent pairs of types need no rule and
 * have a loop of their own.
 *
 * - Float to integer truncates toward zero. A number out of range, where ONNX leaves the result
 *   open, becomes the nearest value in range; NaN becomes 0. Integers of 2 and 4 bits take the low
 *   bits of the result as int64.
 * - Integer to integer takes the low bits (two's complement).
 * - Any type to bool: true if the number differs from zero. NaN gives true.
 * - Any type to a float rounds once, to nearest even. For float8, saturation turns Inf into the
 *   largest number, as in the table of Cast-24; Casts before version 24 have NaN there for the FNUZ
 *   types. */
#include "tensor/convert.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 256 };

typedef enum wide { AS_F64, AS_I64, AS_U64 } wide;

typedef union block {
    double f[BLOCK];
    int64_t i[BLOCK];
    uint64_t u[BLOCK];
} block;

/* ---- reading ---- */

#define READ(member, T)                                                                            \
    for (int64_t k = 0; k < n; k++)                                                                \
        to->member[k] = ((const T *)from)[k];                                                      \
    break

static wide read_block(block *to, oc_type type, const void *from, int64_t n)
{
    const uint16_t *half = from;
    const uint8_t *byte = from;
    switch (type) {
    case OC_F32:
        for (int64_t k = 0; k < n; k++)
            to->f[k] = (double)((const float *)from)[k];
        return AS_F64;
    case OC_F64:
        memcpy(to->f, from, (size_t)n * sizeof *to->f);
        return AS_F64;
    case OC_F16:
        for (int64_t k = 0; k < n; k++)
            to->f[k] = (double)oc_f16_to_f32(half[k]);
        return AS_F64;
    case OC_BF16:
        for (int64_t k = 0; k < n; k++)
            to->f[k] = (double)oc_bf16_to_f32(half[k]);
        return AS_F64;
    case OC_I8:
    case OC_I4:
    case OC_I2:
        READ(i, int8_t);
    case OC_I16:
        READ(i, int16_t);
    case OC_I32:
        READ(i, int32_t);
    case OC_I64:
        READ(i, int64_t);
    case OC_U8:
    case OC_U4:
    case OC_U2:
    case OC_BOOL:
        READ(i, uint8_t);
    case OC_U16:
        READ(i, uint16_t);
    case OC_U32:
        READ(i, uint32_t);
    case OC_U64:
        memcpy(to->u, from, (size_t)n * sizeof *to->u);
        return AS_U64;
    default:
        for (int64_t k = 0; k < n; k++)
            to->f[k] = (double)oc_f8_to_f32(type, byte[k]);
        return AS_F64;
    }
    return AS_I64;
}
#undef READ

/* ---- integers ---- */

static int64_t f64_to_i64(double x)
{
    if (x >= 0x1p63)
        return INT64_MAX;
    if (x > -0x1p63)
        return (int64_t)x;
    return isnan(x) ? 0 : INT64_MIN;
}

static uint64_t f64_to_u64(double x)
{
    if (x >= 0x1p64)
        return UINT64_MAX;
    return x > 0 ? (uint64_t)x : 0;
}

static int64_t clamp(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

/* Returns the size of an integer type in bits and sets *is_signed; returns 0 for other types. */
static int integer_bits(oc_type type, bool *is_signed)
{
    *is_signed = oc_type_is_signed(type);
    return oc_type_is_integer(type) ? oc_type_bits(type) : 0;
}

/* Truncates floats to 64-bit integers; the caller stores their low bits. */
static void f64_to_integers(block *b, oc_type type, int64_t n)
{
    bool is_signed;
    const int bits = integer_bits(type, &is_signed);
    if (type == OC_U64) {
        for (int64_t k = 0; k < n; k++)
            b->u[k] = f64_to_u64(b->f[k]);
        return;
    }
    const int64_t high = bits == 64 ? INT64_MAX : (INT64_C(1) << (bits - is_signed)) - 1;
    const int64_t low = is_signed ? -high - 1 : 0;
    for (int64_t k = 0; k < n; k++) {
        const int64_t whole = f64_to_i64(b->f[k]);
        b->i[k] = bits < 8 ? whole : clamp(whole, low, high);
    }
}

#define STORE(T)                                                                                   \
    for (int64_t k = 0; k < n; k++)                                                                \
        ((T *)to)[k] = (T)b->u[k];                                                                 \
    break

static void store_integers(void *to, oc_type type, const block *b, int64_t n)
{
    bool is_signed;
    const int bits = integer_bits(type, &is_signed);
    switch (bits) {
    case 64:
        STORE(uint64_t);
    case 32:
        STORE(uint32_t);
    case 16:
        STORE(uint16_t);
    case 8:
        STORE(uint8_t);
    default: /* types of 2 or 4 bits keep the low bits, sign-extended if the type is signed */
        for (int64_t k = 0; k < n; k++) {
            const uint8_t low = (uint8_t)(b->u[k] & ((1u << bits) - 1));
            const uint8_t sign = (uint8_t)(is_signed ? 1u << (bits - 1) : 0);
            ((uint8_t *)to)[k] = (uint8_t)((low ^ sign) - sign);
        }
    }
}
#undef STORE

static void store_bools(uint8_t *to, wide form, const block *b, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        to[k] = form == AS_F64 ? b->f[k] != 0 : b->u[k] != 0;
}

/* ---- floats ---- */

/* Returns the integer as a double. When the double is not exact its last bit is set (rounding to
 * odd), so that rounding the double to a smaller format gives what rounding the integer would
 * give. */
static double odd_f64(uint64_t magnitude)
{
    uint64_t x = magnitude;
    int shift = 0;
    for (uint64_t lost = 0; x >> 53; shift++) {
        lost |= x & 1;
        x = x >> 1 | lost;
    }
    return ldexp((double)x, shift);
}

static void widen_integers(block *b, wide form, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        const bool negative = form == AS_I64 && b->i[k] < 0;
        const double x = odd_f64(negative ? 0 - b->u[k] : b->u[k]);
        b->f[k] = negative ? -x : x;
    }
}

static void store_f32(float *to, wide form, const block *b, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        to[k] = form == AS_F64 ? (float)b->f[k] : form == AS_I64 ? (float)b->i[k] : (float)b->u[k];
}

static void store_f64(double *to, wide form, const block *b, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        to[k] = form == AS_F64 ? b->f[k] : form == AS_I64 ? (double)b->i[k] : (double)b->u[k];
}

static void store_small_floats(void *to, oc_type type, const block *b, int64_t n, bool saturate)
{
    uint16_t *half = to;
    uint8_t *byte = to;
    for (int64_t k = 0; k < n; k++) {
        if (type == OC_F16)
            half[k] = oc_f16_from_f64(b->f[k]);
        else if (type == OC_BF16)
            half[k] = oc_bf16_from_f64(b->f[k]);
        else
            byte[k] = oc_f8_from_f64(type, b->f[k], saturate);
    }
}

/* ---- writing ---- */

static void write_block(void *to, oc_type type, wide form, block *b, int64_t n, bool saturate)
{
    bool is_signed;
    if (type == OC_BOOL) {
        store_bools(to, form, b, n);
    } else if (type == OC_F32) {
        store_f32(to, form, b, n);
    } else if (type == OC_F64) {
        store_f64(to, form, b, n);
    } else if (integer_bits(type, &is_signed)) {
        if (form == AS_F64)
            f64_to_integers(b, type, n);
        store_integers(to, type, b, n);
    } else {
        if (form != AS_F64)
            widen_integers(b, form, n);
        store_small_floats(to, type, b, n, saturate);
    }
}

/* ---- pairs without rules ---- */

#define PAIRS(X)                                                                                   \
    X(F32, float, F64, double)                                                                     \
    X(F64, double, F32, float)                                                                     \
    X(F32, float, U8, uint8_t)                                                                     \
    X(F32, float, I8, int8_t)                                                                      \
    X(F32, float, I32, int32_t)                                                                    \
    X(F32, float, I64, int64_t)                                                                    \
    X(I64, int64_t, I32, int32_t)

/* Converts if the pair is one of PAIRS, or if it is float and a 16-bit float; else returns
 * false. */
static bool convert_direct(void *dst, oc_type dst_type, const void *src, oc_type src_type,
                           int64_t n)
{
    if (dst_type == OC_F32 && oc_type_is_half(src_type)) {
        oc_widen(dst, src, src_type, n);
        return true;
    }
    if (src_type == OC_F32 && oc_type_is_half(dst_type)) {
        oc_narrow(dst, dst_type, src, n);
        return true;
    }
#define X(to, To, from, From)                                                                      \
    if (dst_type == OC_##to && src_type == OC_##from) {                                            \
        for (int64_t k = 0; k < n; k++)                                                            \
            ((To *)dst)[k] = (To)((const From *)src)[k];                                           \
        return true;                                                                               \
    }
    PAIRS(X)
#undef X
    return false;
}

void oc_convert(void *dst, oc_type dst_type, const void *src, oc_type src_type, int64_t n,
                bool saturate)
{
    const size_t dst_size = oc_type_size(dst_type), src_size = oc_type_size(src_type);
    if (dst_type == src_type) {
        memcpy(dst, src, dst_size * (size_t)n);
        return;
    }
    if (convert_direct(dst, dst_type, src, src_type, n))
        return;
    block b;
    char *to = dst;
    const char *from = src;
    for (int64_t done = 0; done < n; done += BLOCK) {
        const int64_t part = n - done < BLOCK ? n - done : BLOCK;
        const wide form = read_block(&b, src_type, from, part);
        write_block(to, dst_type, form, &b, part, saturate);
        to += dst_size * BLOCK;
        from += src_size * BLOCK;
    }
}

void oc_convert_e8m0(uint8_t *dst, const void *src, oc_type src_type, int64_t n, oc_round round,
                     bool saturate)
{
    block b;
    const char *from = src;
    for (int64_t done = 0; done < n; done += BLOCK) {
        const int64_t part = n - done < BLOCK ? n - done : BLOCK;
        const wide form = read_block(&b, src_type, from, part);
        if (form != AS_F64)
            widen_integers(&b, form, part);
        for (int64_t k = 0; k < part; k++)
            dst[done + k] = oc_e8m0_from_f64(b.f[k], round, saturate);
        from += oc_type_size(src_type) * BLOCK;
    }
}

/* ---- halves, single elements ---- */

void oc_widen(float *dst, const uint16_t *src, oc_type src_type, int64_t n)
{
    if (src_type == OC_F16)
        for (int64_t k = 0; k < n; k++)
            dst[k] = oc_f16_to_f32(src[k]);
    else
        for (int64_t k = 0; k < n; k++)
            dst[k] = oc_bf16_to_f32(src[k]);
}

void oc_narrow(uint16_t *dst, oc_type dst_type, const float *src, int64_t n)
{
    if (dst_type == OC_F16)
        for (int64_t k = 0; k < n; k++)
            dst[k] = oc_f16_from_f32(src[k]);
    else
        for (int64_t k = 0; k < n; k++)
            dst[k] = oc_bf16_from_f32(src[k]);
}

double oc_element_f64(oc_type type, const void *data, int64_t i)
{
    block b;
    switch (read_block(&b, type, (const char *)data + oc_type_size(type) * (size_t)i, 1)) {
    case AS_F64:
        return b.f[0];
    case AS_I64:
        return (double)b.i[0];
    default:
        return (double)b.u[0];
    }
}
