/* SPDX-License-Identifier: Apache-2.0
 * recurrent_weights.h - weights in the order in which products read them. */
#pragma once

#include "ops/recurrent/recurrent_types.h"

typedef struct oc_recurrent_weights {
    oc_strips w, r[2]; /* r as in oc_step */
} oc_recurrent_weights;

/* Makes the weights of all directions: in memory of the plan (keep), or of the call. */
oc_status oc_recurrent_make_weights(oc_call *c, const oc_recurrent *r, bool keep,
                                    const oc_recurrent_weights **weights);
/* y[i][j] += the sum of x[i][k] m[k][j] over k, for i < rows, by threads. */
oc_status oc_strips_multiply(oc_call *c, oc_type type, void *y, int64_t y_step, const void *x,
                             int64_t x_step, int64_t rows, const oc_strips *m);
