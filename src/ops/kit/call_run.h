/* SPDX-License-Identifier: Apache-2.0
 * call_run.h - one call of an operator: its checks against the signature, then shape and run. */
#pragma once

#include "ops/kit/call.h"

/* Checks inputs and runs the shape rule: outputs get type and dims, but no data. Inputs need no
 * data. */
oc_status oc_call_plan(oc_call *c);
/* Checks the inputs, runs the shape rule, checks the outputs, allocates them and runs the operator.
 * Outputs must be clear before. */
oc_status oc_call_run(oc_call *c);
/* As above, for the last of n calls that run as one (stages.h). */
oc_status oc_call_run_group(oc_call *const call[], int n);
/* Checks one of the other calls of such a group, without allocating or running. */
oc_status oc_call_check(oc_call *c);
/* Checks the types of the known inputs and runs op->prepare; c->op->prepared becomes what it
 * keeps. */
oc_status oc_call_prepare(oc_call *c);
