/* SPDX-License-Identifier: Apache-2.0
 * numbers.c - numbers to try operators on: plain ones, limits of types, rows of equal ones. */
#include "check/numbers.h"

#include "values/fill.h"
#include "common/number.h"

#include <math.h>

const char *const check_fill_names[] = {"", " special", " rows", " wide", " halves", " mild"};

typedef struct limits {
    oc_type type;
    int digits, most; /* bits of the significand, and the exponent of the largest power of two */
} limits;

static const limits floats[] = {
    {OC_F16, 11, 15}, {OC_BF16, 8, 127}, {OC_F32, 24, 127}, {OC_F64, 53, 1023}};

static const limits *limits_of(oc_type type)
{
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        if (floats[i].type == type)
            return &floats[i];
    return NULL;
}

int check_digits(oc_type type)
{
    const limits *l = limits_of(type);
    return l ? l->digits : 53;
}

double check_least(oc_type type)
{
    const limits *l = limits_of(type);
    return l ? ldexp(1, 2 - l->most - l->digits) : 0;
}

enum { N_SPECIALS = 20 };

/* Returns the k-th special number of a float type. */
static double special_float(const limits *l, uint64_t k)
{
    const double unit = ldexp(1, 1 - l->digits), normal = ldexp(1, 1 - l->most);
    const double greatest = (2 - unit) * ldexp(1, l->most), least = normal * unit;
    const double list[N_SPECIALS] = {
        NAN,    INFINITY,     -INFINITY,      -0.0,           0, greatest, -greatest, least,
        -least, normal,       -normal,        normal - least, 1, 1 + unit, -1,        88,
        -88.5,  1 / unit + 1, sqrt(greatest), 473.19,
    };
    return list[k % N_SPECIALS];
}

static double mild_float(uint64_t k)
{
    static const double list[] = {NAN, INFINITY, -INFINITY, -0.0, 1e-42, -3e-39, 900, -1e15, 88};
    return list[k % (sizeof list / sizeof *list)];
}

/* Returns the k-th special number of integer types. Beyond a type's range it becomes the nearest
 * end. */
static double special_integer(uint64_t k)
{
    static const double list[] = {-1e30, 1e30, -128, 127, 255, -1, 0, 1, 2147483647, -2147483648.0};
    return list[k % (sizeof list / sizeof *list)];
}

static double plain(oc_type type, double u)
{
    return number_is_float(type)    ? 8 * u - 4
           : number_is_signed(type) ? floor(200 * u) - 100
                                    : floor(200 * u);
}

static double special(oc_type type, uint64_t k)
{
    const limits *l = limits_of(type);
    return l ? special_float(l, k) : special_integer(k);
}

/* Returns a number whose exponent is any of the type's: a power of two times 1 + u. */
static double wide(oc_type type, uint64_t bits, double u)
{
    const limits *l = limits_of(type);
    const int most = l ? l->most : 63, least = l ? 2 - l->most - l->digits : 0;
    const double size = ldexp(1 + u, least + (int)((bits >> 8) % (uint64_t)(most - least + 1)));
    return bits & 1 ? -size : size;
}

double check_number(oc_type type, check_fill fill, uint64_t key, uint64_t i, uint64_t row)
{
    const uint64_t at = fill == CHECK_ROWS && row ? i / row : i;
    const uint64_t bits = fill_bits(key, at ^ (uint64_t)1 << 40) >> 16;
    const double u = fill_unit(key, at);
    switch (fill) {
    case CHECK_SPECIAL:
        return bits % 4 == 0 ? special(type, bits >> 4) : plain(type, u);
    case CHECK_MILD:
        return bits % 4 == 0 ? mild_float(bits >> 4) : plain(type, u);
    case CHECK_ROWS:
        return bits % 2 == 0 ? special(type, bits >> 4) : plain(type, u);
    case CHECK_WIDE:
        return wide(type, bits, u);
    case CHECK_HALVES:
        return bits % 13 == 6 ? (bits & 256 ? 0.0 : -0.0) : ((double)(bits % 13) - 6) / 2;
    default:
        return plain(type, u);
    }
}
