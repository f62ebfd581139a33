/* SPDX-License-Identifier: Apache-2.0
 * elementary_simd.c - the functions of elementary.h over blocks, in loops that compilers vectorise.
 */
#include "kernels/elementwise/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "kernels/simd/simd.h"

#include "kernels/elementwise/elementary.inc"

#define BLOCK_OF(name)                                                                             \
    static void name##_block(double y[OC_ELEMENTARY_BLOCK], const double x[OC_ELEMENTARY_BLOCK])   \
    {                                                                                              \
        for (int i = 0; i < OC_ELEMENTARY_BLOCK; i++)                                              \
            y[i] = name##_of(x[i]);                                                                \
    }

typedef double angle_fn(angle a, double x);

/* Numbers far from 0 are few, and computed one by one. */
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

OC_ISA_VARIANT(oc_elementary, oc_elementary_variants, exp_block, less_1_block, sigmoid_block,
               softplus_block, log_block, erf_block, erfc_block, sinh_block, cosh_block, tanh_block,
               asinh_block, acosh_block, atanh_block, sin_block, cos_block, tan_block, asin_block,
               acos_block, atan_block, pow_block)
