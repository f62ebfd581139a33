/* SPDX-License-Identifier: Apache-2.0
 * plain.h - the short formulas that make up most operators, for floats.
 *
 * Each is one expression in float, which rounds where C does, so that every variant gives its
 * bits. (Other types have row kernels in src/ops.) */
#pragma once

#include "kernels/common/variant.h"

#include <stdint.h>

/* clang-format off */

/* formulas of an element x */
#define OC_PLAIN_ONE(X)                                                                            \
    X(abs, fabsf(x))   X(ceil, ceilf(x))   X(floor, floorf(x))   X(neg, -x)                        \
    X(reciprocal,       1 / x)                                                                     \
    X(relu,             x < 0 ? 0 : x)                                                             \
    X(round,            rintf(x))                                                                  \
    X(sign,             x > 0 ? 1 : x < 0 ? -1 : x == 0 ? 0 : x)                                   \
    X(sqrt,             sqrtf(x))

/* formulas of an element x and factors a and b */
#define OC_PLAIN_FACTORS(X)                                                                        \
    X(affine,           b + a * x)                                                                 \
    X(hard_sigmoid,     OC_PLAIN_UNIT(b + a * x))                                                  \
    X(hard_swish,       OC_PLAIN_UNIT((x + 3) / 6) * x)                                            \
    X(leaky_relu,       (x < 0 ? a : 1) * x)                                                       \
    X(thresholded_relu, x > a ? x : 0)

/* formulas of elements a and b; max and min are NaN when one of them is, and b when both are
 * equal */
#define OC_PLAIN_TWO(X)                                                                            \
    X(add,              a + b)                                                                     \
    X(add_square,       a + b * b)                                                                 \
    X(div,              a / b)                                                                     \
    X(div_power,        a / (sqrtf(b) * sqrtf(sqrtf(b))))                                          \
    X(max,              a > b || a != a ? a : b)                                                   \
    X(min,              a < b || a != a ? a : b)                                                   \
    X(mul,              a * b)                                                                     \
    X(prelu,            (a < 0 ? b : 1) * a)                                                       \
    X(sub,              a - b)

/* formulas of an element x and limits low and high; NaN stays NaN, and high counts when low is
 * greater */
#define OC_PLAIN_CLIP(X)                                                                           \
    X(clip,             (x < low ? low : x) > high ? high : x < low ? low : x)
/* clang-format on */

#define OC_PLAIN_ALL(X) OC_PLAIN_ONE(X) OC_PLAIN_FACTORS(X) OC_PLAIN_TWO(X) OC_PLAIN_CLIP(X)

#define OC_PLAIN_UNIT(v) ((v) < 0 ? 0 : (v) > 1 ? 1 : (v))

/* Computes y[i] = f(x[0][i * step[0]], ...) for n floats. A step is 1, or 0 where the operand
 * repeats one element; the first operand of a formula of one element or of clip has step 1. y
 * may be an operand of step 1. factors is an oc_factors for formulas with factors. */
typedef void oc_plain_fn(void *y, const void *const x[], const int64_t step[], int64_t n,
                         const void *factors);

typedef struct oc_factors {
    double a, b; /* doubles that float can represent */
} oc_factors;

/* The loop of a formula for one instruction set. */
typedef struct oc_plain {
    const char *isa;
    unsigned need;
    oc_plain_fn *fn;
} oc_plain;

/* oc_plain_add and so on are the variants of a formula, best first; the last is scalar. */
#define OC_PLAIN_TABLE(name, formula) extern const oc_plain *const oc_plain_##name[];
OC_PLAIN_ALL(OC_PLAIN_TABLE)

oc_plain_fn *oc_plain_pick(const oc_plain *const variants[], unsigned cpu);

/* Computes (x - center) * factor + bias for n pixels of 16 channels side by side. Each channel
 * has its own center, factor and bias. y may be x. */
enum { OC_SCALE_CHANNELS = 16 };
typedef struct oc_channel_factors {
    const float *center, *factor, *bias;
} oc_channel_factors;
typedef void oc_scale_fn(float *y, const float *x, const oc_channel_factors *f, int64_t n);

typedef struct oc_scale {
    const char *isa;
    unsigned need;
    oc_scale_fn *fn;
} oc_scale;

/* the variants of this loop, best first; the last is scalar */
extern const oc_scale *const oc_scale_channels[];

oc_scale_fn *oc_scale_pick(unsigned cpu);
