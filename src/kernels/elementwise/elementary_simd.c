/* SPDX-License-Identifier: Apache-2.0
 * elementary_simd.c - the functions of elementary.h over blocks, in loops that compilers vectorise.
 *
 * A function has no branch: when it has two formulas, both are computed and one result is
 * chosen. */
#include "kernels/elementwise/elementary.h"

#include <math.h>
#include <string.h>

#include "kernels/simd/simd.h"

static inline double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t to_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Returns the greater of both; NaN stays NaN. */
OP(double, not_below, (double least, double x), least > x ? least : x)
OP(double, not_above, (double most, double x), most < x ? most : x)

/* Returns the rounding error of s, the rounded sum of a and b. */
static inline double lost(double s, double a, double b)
{
    const double c = s - a;
    return (a - (s - c)) + (b - c);
}

/* Returns the rounding error of p, the rounded product of a and b, within half a unit of its
 * last place. */
static inline double lost_in_product(double p, double a, double b)
{
    const uint64_t upper = ~UINT64_C(0x7ffffff); /* keeps 26 digits, so that products are exact */
    const double a1 = from_bits(to_bits(a) & upper), a2 = a - a1;
    const double b1 = from_bits(to_bits(b) & upper), b2 = b - b1;
    return (((a1 * b1 - p) + a1 * b2) + a2 * b1) + a2 * b2;
}

#include "kernels/elementwise/elementary_powers.inc"

#include "kernels/elementwise/elementary_pow.inc"

#include "kernels/elementwise/elementary_errors.inc"

#include "kernels/elementwise/elementary_angles.inc"

#define BLOCK_OF(name)                                                                             \
    static void name##_block(double y[OC_ELEMENTARY_BLOCK], const double x[OC_ELEMENTARY_BLOCK])   \
    {                                                                                              \
        for (int i = 0; i < OC_ELEMENTARY_BLOCK; i++)                                              \
            y[i] = name##_of(x[i]);                                                                \
    }

typedef double angle_fn(angle a, double x);

/* Numbers far from 0 are rare, and are computed one by one. */
OC_INLINE void angle_block(double y[OC_ELEMENTARY_BLOCK], const double x[OC_ELEMENTARY_BLOCK],
                           angle_fn *f)
{
    double most = 0;
    for (int i = 0; i < OC_ELEMENTARY_BLOCK; i++)
        y[i] = f(near_angle(x[i]), x[i]);
    for (int i = 0; i < OC_ELEMENTARY_BLOCK; i++)
        most = fabs(x[i]) > most ? fabs(x[i]) : most;
    for (int i = 0; most > NEAR && i < OC_ELEMENTARY_BLOCK; i++)
        if (fabs(x[i]) > NEAR)
            y[i] = f(far_angle(x[i]), x[i]);
}

#define ANGLE_BLOCK_OF(name)                                                                       \
    static void name##_block(double y[OC_ELEMENTARY_BLOCK], const double x[OC_ELEMENTARY_BLOCK])   \
    {                                                                                              \
        angle_block(y, x, name##_of);                                                              \
    }

BLOCK_OF(exp)
BLOCK_OF(less_1)
BLOCK_OF(sigmoid)
BLOCK_OF(softplus)
BLOCK_OF(log)
BLOCK_OF(erf)
BLOCK_OF(erfc)
BLOCK_OF(sinh)
BLOCK_OF(cosh)
BLOCK_OF(tanh)
BLOCK_OF(asinh)
BLOCK_OF(acosh)
BLOCK_OF(atanh)
ANGLE_BLOCK_OF(sin)
ANGLE_BLOCK_OF(cos)
ANGLE_BLOCK_OF(tan)
BLOCK_OF(asin)
BLOCK_OF(acos)
BLOCK_OF(atan)

static void pow_block(double y[OC_ELEMENTARY_BLOCK], const double x[OC_ELEMENTARY_BLOCK],
                      const double n[OC_ELEMENTARY_BLOCK])
{
    for (int i = 0; i < OC_ELEMENTARY_BLOCK; i++)
        y[i] = pow_of(x[i], n[i]);
}

/* ---- powers of floats */

/* May a number that is off by `off` units in the last place round to another float? It may near
 * the middle between two floats, and where floats are subnormal. */
static inline uint64_t is_doubtful(double v, const uint64_t off)
{
    enum { LOST = 0x1fffffff, MIDDLE = 0x10000000 };
    const uint64_t rest = (to_bits(v) & LOST) - (MIDDLE - off);
    const double magnitude = fabs(v);
    return (uint64_t)(rest <= 2 * off) | (uint64_t)((magnitude < 0x1p-126) & (magnitude > 0));
}

static bool near_pow_block(float y[OC_ELEMENTARY_BLOCK], const double x[OC_ELEMENTARY_BLOCK],
                           const double n[OC_ELEMENTARY_BLOCK])
{
    uint64_t doubtful = 0;
    for (int i = 0; i < OC_ELEMENTARY_BLOCK; i++) {
        const double v = near_pow_of(x[i], n[i]);
        doubtful |= is_doubtful(v, OFF_NEAR);
        y[i] = (float)with_special_cases(v, x[i], n[i]);
    }
    return !doubtful;
}

/* Computes a power by a few operations. A square is exact, any other operation is off by half a
 * unit in the last place. */
typedef double easy_fn(double x);

/* x + 0.0 makes -0 a 0, which has the result of 0. */
/* clang-format off */
OP(double, minus_2, (double x), 1 / (x * x))
OP(double, minus_1, (double x), 1 / x)
OP(double, minus_half, (double x), 1 / sqrt(x + 0.0))
OP(double, half, (double x), sqrt(x + 0.0))
OP(double, three_halves, (double x), x * sqrt(x))
OP(double, cube, (double x), x * x * x)
OP(double, fourth, (double x), (x * x) * (x * x))
/* clang-format on */

/* roots: the power is a root, and negative numbers are left to pow. */
OC_INLINE bool easy_block(float *restrict y, const float *restrict x, easy_fn *f, const bool roots)
{
    enum { OFF = 4 };
    uint64_t doubtful = 0;
    for (int i = 0; i < OC_ELEMENTARY_BLOCK; i++) {
        const double v = f((double)x[i]);
        doubtful |= is_doubtful(v, OFF) | (uint64_t)(roots & (x[i] < 0));
        y[i] = (float)v;
    }
    return !doubtful;
}

static bool easy_pow_block(float y[OC_ELEMENTARY_BLOCK], const float x[OC_ELEMENTARY_BLOCK],
                           double n)
{
    return n == 3      ? easy_block(y, x, cube, false)
           : n == 4    ? easy_block(y, x, fourth, false)
           : n == -1   ? easy_block(y, x, minus_1, false)
           : n == -2   ? easy_block(y, x, minus_2, false)
           : n == 0.5  ? easy_block(y, x, half, true)
           : n == -0.5 ? easy_block(y, x, minus_half, true)
           : n == 1.5  ? easy_block(y, x, three_halves, true)
                       : false;
}

OC_ISA_VARIANT(oc_elementary, oc_elementary_variants, exp_block, less_1_block, sigmoid_block,
               softplus_block, log_block, erf_block, erfc_block, sinh_block, cosh_block, tanh_block,
               asinh_block, acosh_block, atanh_block, sin_block, cos_block, tan_block, asin_block,
               acos_block, atan_block, pow_block, near_pow_block, easy_pow_block)

/* Functions of one number, without an instruction set. */
#ifdef OC_SIMD_NUMBERS
double oc_exp(double x)
{
    return exp_of(x);
}

double oc_log(double x)
{
    return log_of(x);
}

double oc_pow(double x, double n)
{
    return pow_of(x, n);
}
#endif
