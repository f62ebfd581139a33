/* SPDX-License-Identifier: Apache-2.0
 * recurrent.h - what LSTM, GRU and RNN share: their inputs and outputs, and the order of their
 * work. */
#pragma once

#include "ops/recurrent/recurrent_types.h"

/* The bodies of the operators' functions shape, run and prepare. */
oc_status oc_recurrent_shape(oc_call *c, const oc_cell *cell);
oc_status oc_recurrent_run(oc_call *c, const oc_cell *cell);
oc_status oc_recurrent_prepare(oc_call *c, const oc_cell *cell);
