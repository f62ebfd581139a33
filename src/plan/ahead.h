/* SPDX-License-Identifier: Apache-2.0
 * ahead.h - what is known of values before a run, and which steps are computed then.
 *
 * One rule holds for every call ahead of a run: it is made in the plan's memory, it ends when the
 * host's deadline or wish ends the making of the plan, and it tells no remark, since the run will.
 * What cannot be computed ahead is left to the run. */
#pragma once

#include "plan/edit.h"

/* Do the inputs of the step alone decide its outputs, in each run? No operator of the host's, no
 * random one, and none that runs graphs, which read other values. */
bool oc_ahead_may(const oc_step *s);
/* Does this status of a call ahead end the making of the plan? A failure of the model does not. */
bool oc_ahead_ends(oc_status status);
/* Makes the call. rule is oc_call_run, or oc_call_plan, which gives types and dims alone. *done is
 * false if the call has failed; the run will tell why. */
oc_status oc_ahead_call(oc_planner *p, oc_call *c, oc_status (*rule)(oc_call *c), bool *done);
/* Tells whether the value of a place follows from few constants, and then lets *v borrow it. An
 * error stays in p->e. */
bool oc_ahead_known(oc_planner *p, oc_graph_plan *g, int place, oc_value *v);
/* Forgets what is known of the graph's values. */
void oc_ahead_forget(oc_graph_plan *g);
