/* SPDX-License-Identifier: Apache-2.0
 * quantize_rows.h - which scale belongs to which element, and how is a row of elements computed? */
#pragma once

#include "ops/kit/op.h"

/* x is [outer, size, inner], and element (o, i, k) has scale
 * [o * o_step + i / block * i_step + k * k_step]. */
typedef struct oc_scales {
    int64_t outer, size, inner, block;
    int64_t o_step, i_step, k_step;
} oc_scales;

typedef struct oc_quantize_job {
    const oc_value *x, *scale, *zero, *y; /* zero may be NULL */
    oc_scales scales;
    oc_type precision; /* type of the division; OC_UNDEFINED: y = (x - zero) * scale */
    bool saturate;     /* 8-bit floats saturate */
} oc_quantize_job;

/* Computes all of y. The threads of the call share it. */
void oc_quantize_run(oc_call *c, const oc_quantize_job *job);
