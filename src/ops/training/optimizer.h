/* SPDX-License-Identifier: Apache-2.0
 * optimizer.h - what Adagrad, Adam and Momentum share. After the learning rate R and the update
 * count T, their inputs are all tensors X, then all gradients G, then all first states, and so on;
 * their outputs are all new X, then all new first states, and so on. */
#pragma once

#include "ops/kit/op.h"

enum { OC_OPTIMIZER_STATES = 2 };

/* The numbers of the formulas; each operator has some of them. */
typedef struct oc_optimizer {
    double rate; /* made of R and T by the operator */
    double norm_coefficient, norm_coefficient_post, alpha, beta, epsilon;
    bool nesterov;
} oc_optimizer;

/* Updates n elements. x has X, G and the states; y has the new X and the new states. */
typedef void oc_update_fn(void *const y[], const void *const x[], int64_t n, const oc_optimizer *o);

/* The shape rule of an operator with this number of states for each X. */
oc_status oc_optimizer_shape(oc_call *c, int states);
/* R and T: o->rate becomes R. */
oc_status oc_optimizer_inputs(oc_call *c, oc_optimizer *o, int64_t *count);
/* Updates all tensors. */
oc_status oc_optimizer_run(oc_call *c, int states, oc_update_fn *f32, oc_update_fn *f64,
                           const oc_optimizer *o);

#define OC_OPTIMIZER_PORTS                                                                         \
    "(T1 R, int64 T, T3 inputs~...) => (T3 outputs~...) | T1: float double; T3: float double"
