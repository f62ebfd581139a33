/* SPDX-License-Identifier: Apache-2.0
 * recurrent_functions.h - the activation functions of LSTM, GRU and RNN. */
#pragma once

#include "ops/recurrent/recurrent_types.h"

/* Sets clip, and the functions from attributes activations, activation_alpha, activation_beta.
 * Names of functions are taken in any case; no name at all leaves them to the operator. */
oc_status oc_recurrent_functions(oc_call *c, oc_recurrent *r);
/* Remarks that a name has another case than the standard's. For run functions. */
void oc_recurrent_remark(const oc_call *c);

/* Both work in place on the n numbers at x: attribute clip, if it is given; function i of the
 * direction. */
void oc_recurrent_clip(const oc_recurrent *r, void *x, int64_t n);
void oc_recurrent_activate(const oc_recurrent *r, int direction, int i, void *x, int64_t n);
