/* SPDX-License-Identifier: Apache-2.0
 * recurrent_walk.h - the walk along the steps, and what a step of one of the three operators asks
 * for. */
#pragma once

#include "ops/recurrent/recurrent_types.h"

/* The inputs, of type real; NULL where one is missing. */
typedef struct oc_recurrent_operands {
    const struct oc_recurrent_weights *weights; /* one for each direction */
    const int64_t *lens;                        /* NULL: all sequences have all steps */
    const void *x, *biases, *h, *c, *peepholes;
} oc_recurrent_operands;

/* Fills the outputs of one direction. */
oc_status oc_recurrent_walk(oc_call *c, const oc_recurrent *r, const oc_recurrent_operands *o,
                            int direction);

/* y[b][j] += the sum of x[b][k] m[k][j] over k, for each of r->batch rows; the rows of y are y_step
 * elements apart, those of x dense. */
oc_status oc_recurrent_multiply(oc_call *c, const oc_recurrent *r, void *y, int64_t y_step,
                                const void *x, const oc_strips *m);
/* Calls row(r, s, b) for each sequence b of the batch; threads share them. */
typedef void oc_recurrent_row_fn(const oc_recurrent *r, const oc_step *s, int64_t b);
void oc_recurrent_rows(oc_call *c, const oc_recurrent *r, const oc_step *s,
                       oc_recurrent_row_fn *row);
