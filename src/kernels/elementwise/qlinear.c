/* SPDX-License-Identifier: Apache-2.0
 * qlinear.c - quantised sums and products code by code, and the table of variants. */
#include "kernels/elementwise/qlinear.h"

#include <math.h>

#include "kernels/simd/simd.h"

static float number_of(uint8_t code, const oc_qlinear_operand *x)
{
    return ((float)(code ^ x->flip) - x->zero) * x->scale;
}

/* Quotients are limited to numbers so near that adding 1.5 * 2^23, whose neighbours are whole
 * numbers, rounds them. */
static uint8_t code_of(float number, const oc_qlinear *q)
{
    const float far = 0x1p21F, quotient = number / q->scale;
    const float near = quotient < -far ? -far : quotient > far ? far : quotient;
    const int code = (int)(near + 0x1.8p23F - 0x1.8p23F) + q->zero;
    return (uint8_t)(code < q->low ? q->low : code > q->high ? q->high : code);
}

static void add(uint8_t *y, const uint8_t *a, const uint8_t *b, const oc_qlinear *q, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = code_of(number_of(a[i], &q->x[0]) + number_of(b[i], &q->x[1]), q);
}

static void mul(uint8_t *y, const uint8_t *a, const uint8_t *b, const oc_qlinear *q, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = code_of(number_of(a[i], &q->x[0]) * number_of(b[i], &q->x[1]), q);
}

OC_ISA_VARIANT(oc_qlinear_variant, oc_qlinear_variants, add, mul)
OC_VARIANTS(oc_qlinear_variant, oc_qlinear_variants)

static const float MOST = 1e15F; /* keeps products of two numbers finite */

bool oc_qlinear_suits(const oc_qlinear *q)
{
    return fabsf(q->x[0].scale) < MOST && fabsf(q->x[1].scale) < MOST && isnormal(q->scale);
}

OC_PICKER(oc_qlinear_variant, oc_qlinear_pick, oc_qlinear_variants, add)
