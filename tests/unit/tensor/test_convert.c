/* SPDX-License-Identifier: Apache-2.0
 * test_convert.c - every pair of types against a slow formula in long double.
 *
 * The formula knows a float format as a list of its values in the order of their codes and searches
 * that list; a long double holds every element exactly. */
#include "base/smallfloat.h"
#include "suite.h"
#include "tensor/convert.h"

#include <float.h>
#include <math.h>
#include <string.h>

_Static_assert(LDBL_MANT_DIG >= 64, "the formula needs long double to hold 64-bit integers");

enum { MOST_VALUES = 4096 };

typedef struct format {
    oc_type type;
    int bits, mantissa, bias; /* bits: without the sign */
    unsigned finite;          /* codes below are numbers */
    unsigned inf, nan;        /* inf 0: there is none */
    bool unsigned_zero;       /* there is no -0; its code is NaN */
} format;

/* clang-format off */
static const format formats[] = {
    {OC_F16,        15, 10,  15, 0x7c00, 0x7c00, 0x7e00, false},
    {OC_BF16,       15,  7, 127, 0x7f80, 0x7f80, 0x7fc0, false},
    {OC_F8E4M3FN,    7,  3,   7, 0x7f,   0,      0x7f,   false},
    {OC_F8E4M3FNUZ,  7,  3,   8, 0x80,   0,      0x80,   true},
    {OC_F8E5M2,      7,  2,  15, 0x7c,   0x7c,   0x7f,   false},
    {OC_F8E5M2FNUZ,  7,  2,  16, 0x80,   0,      0x80,   true},
    {OC_F4E2M1,      3,  1,   1, 8,      0,      8,      false},
};
static const oc_type types[] = { /* all but strings and complex ones */
    OC_TYPES_REAL(OC_TYPE_COMMA) OC_TYPES_HALF(OC_TYPE_COMMA) OC_TYPES_TINY_FLOAT(OC_TYPE_COMMA)
    OC_TYPES_SIGNED(OC_TYPE_COMMA) OC_TYPES_UNSIGNED(OC_TYPE_COMMA)
    OC_TYPES_TINY_SIGNED(OC_TYPE_COMMA) OC_TYPES_TINY_UNSIGNED(OC_TYPE_COMMA) OC_BOOL};
/* clang-format on */
enum { N_TYPES = sizeof types / sizeof *types, N_FORMATS = sizeof formats / sizeof *formats };
_Static_assert(N_FORMATS + 1 == 0 OC_TYPES_HALF(OC_PLUS_ONE) OC_TYPES_TINY_FLOAT(OC_PLUS_ONE),
               "each small float is tested; float8e8m0 has no format");

static const format *format_of(oc_type type)
{
    for (int i = 0; i < N_FORMATS; i++)
        if (formats[i].type == type)
            return &formats[i];
    return NULL;
}

/* ---- elements to long double ---- */

static uint64_t load(oc_type type, const void *data, int64_t i)
{
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    const char *at = (const char *)data + (size_t)i * oc_type_size(type);
    switch (oc_type_size(type)) {
    case 1:
        memcpy(&u8, at, 1);
        return u8;
    case 2:
        memcpy(&u16, at, 2);
        return u16;
    case 4:
        memcpy(&u32, at, 4);
        return u32;
    default:
        memcpy(&u64, at, 8);
        return u64;
    }
}

static long double number_of_code(const format *f, unsigned code)
{
    const unsigned field = code >> f->mantissa, low = code & ((1u << f->mantissa) - 1);
    const long double part = (long double)low / (long double)(1u << f->mantissa);
    return ldexpl(part + (field != 0), (field ? (int)field : 1) - f->bias);
}

static long double element(oc_type type, const void *data, int64_t i)
{
    const uint64_t raw = load(type, data, i);
    const format *f = format_of(type);
    if (f) {
        const unsigned sign = 1u << f->bits, code = (unsigned)raw & (sign - 1);
        if (f->unsigned_zero && raw == sign)
            return NAN;
        const long double x = code < f->finite           ? number_of_code(f, code)
                              : f->inf && code == f->inf ? INFINITY
                                                         : NAN;
        return raw & sign ? -x : x;
    }
    float single;
    double twice;
    switch (type) {
    case OC_F32:
        memcpy(&single, (const char *)data + i * 4, 4);
        return (long double)single;
    case OC_F64:
        memcpy(&twice, (const char *)data + i * 8, 8);
        return (long double)twice;
    case OC_F8E8M0:
        return raw == 0xff ? NAN : ldexpl(1, (int)raw - 127);
    default:
        break;
    }
    if (!oc_type_is_signed(type))
        return (long double)raw;
    const uint64_t top = UINT64_C(1) << (8 * oc_type_size(type) - 1);
    return raw & top ? -(long double)(top - (raw ^ top)) : (long double)raw;
}

/* ---- long double to elements ---- */

/* Codes are in the order of their numbers: the last one at most x, or the one after it. */
static uint64_t nearest_code(const format *f, long double x, bool saturate)
{
    const unsigned sign = 1u << f->bits, side = signbit(x) ? sign : 0;
    if (isnan(x))
        return f->type == OC_F4E2M1 ? sign : f->nan;
    unsigned low = 0, high = f->finite; /* number(low) <= |x| < number(high), the first past all */
    const long double size = fabsl(x);
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        if (number_of_code(f, middle) <= size)
            low = middle;
        else
            high = middle;
    }
    const long double below = size - number_of_code(f, low);
    const long double above = number_of_code(f, high) - size;
    unsigned code = isinf(x) || below > above || (below == above && low % 2) ? high : low;
    if (code == 0 && f->unsigned_zero)
        return 0;
    if (code < f->finite)
        return code | side;
    const bool is_half = f->type == OC_F16 || f->type == OC_BF16;
    if (!is_half && (saturate || f->type == OC_F4E2M1))
        return (f->finite - 1) | side;
    return f->inf ? f->inf | side : f->nan;
}

static uint64_t power_code(long double x, bool saturate)
{
    if (isnan(x) || x < 0)
        return 0xff;
    for (int code = 0; code < 0xff; code++) /* below the middle of two powers */
        if (x < 1.5L * ldexpl(1, code - 127))
            return x < 0.75L * ldexpl(1, -127) && !saturate ? 0xff : (uint64_t)code;
    return saturate ? 0xfe : 0xff;
}

static uint64_t integer_code(oc_type type, oc_type from, long double x)
{
    const int bits = oc_type_bits(type);
    const uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    if (!oc_type_is_integer(from) && from != OC_BOOL) {
        const int limit_bits = bits < 8 ? 64 : bits; /* small ones take the low bits of an int64 */
        const bool with_sign = bits < 8 || oc_type_is_signed(type);
        const long double high = ldexpl(1, limit_bits - with_sign) - 1;
        const long double low = with_sign ? -high - 1 : 0;
        x = isnan(x) ? 0 : x > high ? high : x < low ? low : truncl(x);
    }
    uint64_t u = x < 0 ? 0 - (uint64_t)-x : (uint64_t)x;
    u &= mask;
    if (oc_type_is_signed(type) && bits < 8 && u >> (bits - 1))
        u |= 0xff & ~mask;
    return u;
}

static uint64_t formula(oc_type to, oc_type from, long double x, bool saturate)
{
    uint64_t raw = 0;
    const format *f = format_of(to);
    if (to == OC_BOOL)
        return x != 0;
    if (f)
        return nearest_code(f, x, saturate);
    if (to == OC_F8E8M0)
        return power_code(x, saturate);
    if (oc_type_is_integer(to))
        return integer_code(to, from, x);
    const float single = (float)x;
    const double twice = (double)x;
    uint32_t code;
    if (to == OC_F64) {
        memcpy(&raw, &twice, sizeof raw);
        return raw;
    }
    memcpy(&code, &single, sizeof code);
    return code;
}

/* ---- values to convert ---- */

/* All elements of types of a byte; else random ones of every size, and their neighbours. Returns
 * how many. */
static int64_t fill(oc_type type, void *data, suite_random *r)
{
    const int bits = oc_type_bits(type);
    if (oc_type_size(type) == 1) {
        const int n = type == OC_BOOL ? 2 : 1 << bits;
        for (int i = 0; i < n; i++)
            ((uint8_t *)data)[i] =
                (uint8_t)(oc_type_is_signed(type) && bits < 8 && i >> (bits - 1) ? i - n : i);
        return n;
    }
    static const double scale[] = {1e-320, 1e-40, 1e-8, 0.01, 1,    6,    100,
                                   500,    3e4,   1e5,  1e10, 2e19, 3e38, 1e300};
    int64_t n = 0;
    while (n + 4 < MOST_VALUES / 4) {
        const uint64_t bits64 = (uint64_t)suite_below(r, UINT32_C(1) << 27) << 37 ^
                                (uint64_t)suite_below(r, UINT32_C(1) << 27) << 16 ^
                                suite_below(r, 65536);
        const unsigned shift = suite_below(r, 64);
        double x = ((double)(bits64 >> 11) * 0x1p-52 - 1) * scale[suite_below(r, 14)];
        if (suite_below(r, 4) == 0)
            x = ldexp(nearbyint(ldexp(x, 2)), -2); /* ties */
        uint64_t u = suite_below(r, 2) ? bits64 >> shift : 0 - (bits64 >> shift);
        if (suite_below(r, 3) == 0) /* the middle of two bfloat16 */
            u = (uint64_t)(2 * suite_below(r, 128) + 257) << suite_below(r, 55);
        switch (type) {
        case OC_F32:
            ((float *)data)[n++] = (float)x;
            break;
        case OC_F64:
            ((double *)data)[n++] = x;
            break;
        case OC_I64:
        case OC_U64:
            for (int k = 0; k < 3; k++)
                ((uint64_t *)data)[n++] = u + (uint64_t)k - 1;
            break;
        case OC_I32:
        case OC_U32:
            ((uint32_t *)data)[n++] = (uint32_t)(u >> (suite_below(r, 2) ? 32 : 0));
            break;
        default:
            ((uint16_t *)data)[n++] = (uint16_t)(bits64 >> 40);
        }
    }
    return n;
}

/* Doubles and floats that rounding may get wrong: next to the middle of neighbours of a format. */
static int64_t fill_middles(oc_type type, void *data, int64_t n, suite_random *r)
{
    for (int k = 0; k < 300 && n + 4 < MOST_VALUES; k++) {
        const format *f = &formats[suite_below(r, sizeof formats / sizeof *formats)];
        const unsigned code = suite_below(r, f->finite);
        const double middle = (double)((number_of_code(f, code) + number_of_code(f, code + 1)) / 2);
        for (int side = -1; side <= 1; side++)
            if (type == OC_F64)
                ((double *)data)[n++] = side ? nextafter(middle, side * 1e308) : middle;
            else
                ((float *)data)[n++] =
                    side ? nextafterf((float)middle, (float)side * FLT_MAX) : (float)middle;
    }
    const double special[] = {0, -0.0, NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 5 && n < MOST_VALUES; k++)
        if (type == OC_F64)
            ((double *)data)[n++] = special[k];
        else
            ((float *)data)[n++] = (float)special[k];
    return n;
}

static bool is_nan_code(oc_type type, uint64_t raw)
{
    return !oc_type_is_integer(type) && type != OC_BOOL && isnan(element(type, &raw, 0));
}

START_TEST(every_pair_follows_the_formula)
{
    static uint64_t from[MOST_VALUES], to[MOST_VALUES];
    for (int s = 0; s < N_TYPES; s++) {
        suite_random r = suite_random_new(7);
        const uint32_t start = r.state;
        const oc_type source = types[s];
        int64_t n = fill(source, from, &r);
        if (source == OC_F64 || source == OC_F32)
            n = fill_middles(source, from, n, &r);
        for (int t = 0; t < 2 * N_TYPES; t++) {
            const oc_type target = types[t / 2];
            const bool saturate = t % 2;
            if (source == target)
                continue;
            memset(to, 0x5a, sizeof to);
            oc_convert(to, target, from, source, n, saturate);
            for (int64_t i = 0; i < n; i++) {
                const uint64_t got = load(target, to, i);
                const long double x = element(source, from, i);
                const uint64_t want = formula(target, source, x, saturate);
                ck_assert_msg(
                    got == want || (is_nan_code(target, got) && is_nan_code(target, want)),
                    "%s %.20Lg to %s%s: code %#llx, expected %#llx; OC_SEED=%u",
                    oc_type_name(source), x, oc_type_name(target), saturate ? ", saturated" : "",
                    (unsigned long long)got, (unsigned long long)want, start);
            }
            const size_t end = (size_t)n * oc_type_size(target);
            ck_assert_msg(end == sizeof to || ((unsigned char *)to)[end] == 0x5a, "past the end");
        }
    }
}
END_TEST

START_TEST(one_element_is_what_it_converts_to)
{
    static uint64_t from[MOST_VALUES];
    suite_random r = suite_random_new(8);
    for (int s = 0; s < N_TYPES; s++) {
        const int64_t n = fill(types[s], from, &r);
        for (int64_t i = 0; i < n; i++) {
            const double x = oc_element_f64(types[s], from, i);
            const double want = (double)element(types[s], from, i);
            ck_assert_msg(x == want || (isnan(x) && isnan(want)), "%s: %g, expected %g",
                          oc_type_name(types[s]), x, want);
        }
    }
}
END_TEST

START_TEST(halves_widen_and_narrow)
{
    static uint16_t code[65536], back[65536];
    static float wide[65536];
    for (int i = 0; i < 65536; i++)
        code[i] = (uint16_t)i;
    for (int k = 0; k < 2; k++) {
        const oc_type type = k ? OC_F16 : OC_BF16;
        oc_widen(wide, code, type, 65536);
        oc_narrow(back, type, wide, 65536);
        for (int i = 0; i < 65536; i++) {
            const long double want = element(type, code, i);
            if (isnan(want)) {
                ck_assert(isnan(wide[i]));
                ck_assert(isnan(element(type, back, i)));
                continue;
            }
            ck_assert((long double)wide[i] == want);
            ck_assert_int_eq(back[i], i);
        }
    }
}
END_TEST

START_TEST(ends_of_the_ranges)
{
    const double inf = (double)INFINITY;
    static const struct {
        oc_type to;
        double x;
        int64_t want;
    } rows[] = {
        {OC_I8, 127.9, 127},
        {OC_I8, 128, 127},
        {OC_I8, -128.9, -128},
        {OC_I8, -1e300, -128},
        {OC_U8, -0.9, 0},
        {OC_U8, -1, 0},
        {OC_U8, 256, 255},
        {OC_I32, 2147483647.5, INT32_MAX},
        {OC_I32, 2147483648.0, INT32_MAX},
        {OC_U32, 4294967296.0, UINT32_MAX},
        {OC_I64, 0x1p63, INT64_MAX},
        {OC_I64, -0x1p63, INT64_MIN},
        {OC_I64, -0x1.8p63, INT64_MIN},
        {OC_I64, 0x1.fffffffffffffp62, INT64_C(0x7ffffffffffffc00)},
        {OC_I4, 8, -8},
        {OC_U4, -1, 15},
        {OC_I2, 2, -2},
        {OC_U2, 7, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t wide = 0;
        uint64_t element[1] = {0};
        oc_convert(element, rows[i].to, &rows[i].x, OC_F64, 1, true);
        oc_convert(&wide, OC_I64, element, rows[i].to, 1, true);
        ck_assert_msg(wide == rows[i].want, "%s of %a gave %lld", oc_type_name(rows[i].to),
                      rows[i].x, (long long)wide);
    }
    uint64_t u;
    oc_convert(&u, OC_U64, &inf, OC_F64, 1, true);
    ck_assert(u == UINT64_MAX);
    oc_convert(&u, OC_U64, &(double){0x1.fffffffffffffp63}, OC_F64, 1, true);
    ck_assert(u == UINT64_C(0xfffffffffffff800));
}
END_TEST

/* Rounding to double first would make a tie of what lies just above one. */
START_TEST(integers_round_once)
{
    const uint64_t large = UINT64_MAX - 1024; /* half way between two doubles */
    uint16_t half;
    double wide;
    oc_convert(&half, OC_BF16, &(int64_t){(INT64_C(257) << 50) + 1}, OC_I64, 1, true);
    ck_assert_uint_eq(half, oc_bf16_from_f32(0x1.02p58f));
    oc_convert(&half, OC_BF16, &(int64_t){INT64_C(257) << 50}, OC_I64, 1, true);
    ck_assert_uint_eq(half, oc_bf16_from_f32(0x1.00p58f));
    float f;
    oc_convert(&f, OC_F32, &(int64_t){(INT64_C(0x1000001) << 38) + 1}, OC_I64, 1, true);
    ck_assert(f == 0x1.000002p62f);
    oc_convert(&wide, OC_F64, &large, OC_U64, 1, true);
    ck_assert(wide == 0x1p64 - 2048);
}
END_TEST

START_TEST(float8e8m0_by_mode)
{
    static const int64_t x[] = {(INT64_C(1) << 60) + 1, INT64_C(1) << 60, (INT64_C(3) << 60) - 1,
                                INT64_C(3) << 60, -1};
    static const uint8_t up[] = {188, 187, 189, 189, 255}, down[] = {187, 187, 188, 188, 255},
                         nearest[] = {187, 187, 188, 189, 255};
    uint8_t code[5];
    oc_convert_e8m0(code, x, OC_I64, 5, OC_ROUND_UP, true);
    ck_assert_mem_eq(code, up, sizeof up);
    oc_convert_e8m0(code, x, OC_I64, 5, OC_ROUND_DOWN, true);
    ck_assert_mem_eq(code, down, sizeof down);
    oc_convert_e8m0(code, x, OC_I64, 5, OC_ROUND_NEAREST, true);
    ck_assert_mem_eq(code, nearest, sizeof nearest);
    float many[700];
    uint8_t codes[700];
    for (int i = 0; i < 700; i++)
        many[i] = ldexpf(1.25f, i % 200 - 100);
    oc_convert_e8m0(codes, many, OC_F32, 700, OC_ROUND_UP, true);
    for (int i = 0; i < 700; i++)
        ck_assert_int_eq(codes[i], i % 200 - 100 + 128);
}
END_TEST

SUITE("convert", every_pair_follows_the_formula, one_element_is_what_it_converts_to,
      halves_widen_and_narrow, ends_of_the_ranges, integers_round_once, float8e8m0_by_mode)
