/* SPDX-License-Identifier: Apache-2.0
 * plain.h - what are the short formulas that most operators consist of, of float elements?
 *
 * Each is one expression in float, which rounds where C does, so that every variant gives its bits.
 * (Other types have rows in ops.) */
#ifndef OC_KERNELS_ELEMENTWISE_PLAIN_H
#define OC_KERNELS_ELEMENTWISE_PLAIN_H

#include "kernels/common/variant.h"

#include <stdint.h>

/* clang-format off */

/* of an element x */
#define OC_PLAIN_ONE(X)                                                                            \
    X(abs, fabsf(x))   X(ceil, ceilf(x))   X(floor, floorf(x))   X(neg, -x)                        \
    X(reciprocal,       1 / x)                                                                     \
    X(relu,             x < 0 ? 0 : x)                                                             \
    X(round,            rintf(x))                                                                  \
    X(sign,             x > 0 ? 1 : x < 0 ? -1 : x == 0 ? 0 : x)                                   \
    X(sqrt,             sqrtf(x))

/* of an element x and factors a and b */
#define OC_PLAIN_FACTORS(X)                                                                        \
    X(affine,           b + a * x)                                                                 \
    X(hard_sigmoid,     OC_PLAIN_UNIT(b + a * x))                                                  \
    X(hard_swish,       OC_PLAIN_UNIT((x + 3) / 6) * x)                                            \
    X(leaky_relu,       (x < 0 ? a : 1) * x)                                                       \
    X(thresholded_relu, x > a ? x : 0)

/* of elements a and b; max and min are NaN where one is, and b where both are equal */
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

/* of an element x and numbers low and high; NaN stays NaN, and high counts where low is greater */
#define OC_PLAIN_CLIP(X)                                                                           \
    X(clip,             (x < low ? low : x) > high ? high : x < low ? low : x)
/* clang-format on */

#define OC_PLAIN_ALL(X) OC_PLAIN_ONE(X) OC_PLAIN_FACTORS(X) OC_PLAIN_TWO(X) OC_PLAIN_CLIP(X)

#define OC_PLAIN_UNIT(v) ((v) < 0 ? 0 : (v) > 1 ? 1 : (v))

/* y[i] = f(x[0][i * step[0]], ...) for n floats. A step is 1, or 0 where the operand repeats one
 * element; the first of one operand or of clip has step 1. y may be an operand of step 1. factors:
 * an oc_factors where the formula has some. */
typedef void oc_plain_fn(void *y, const void *const x[], const int64_t step[], int64_t n,
                         const void *factors);

typedef struct oc_factors {
    double a, b; /* of which float has the values */
} oc_factors;

/* A formula for one instruction set. */
typedef struct oc_plain {
    const char *isa;
    unsigned need;
    oc_plain_fn *fn;
} oc_plain;

/* oc_plain_add and so on: the variants of a formula, best first, the last is scalar. */
#define OC_PLAIN_TABLE(name, formula) extern const oc_plain *const oc_plain_##name[];
OC_PLAIN_ALL(OC_PLAIN_TABLE)

oc_plain_fn *oc_plain_pick(const oc_plain *const variants[], unsigned cpu);

/* (x - center) * factor + bias for n pixels of 16 channels side by side, each with its own numbers.
 * y may be x. */
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

extern const oc_scale *const oc_scale_channels[]; /* as above */

oc_scale_fn *oc_scale_pick(unsigned cpu);

#endif
