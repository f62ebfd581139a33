/* SPDX-License-Identifier: Apache-2.0
 * make_plan.h - makes a plan of a model: all of it, or for a listener as much as can be made. */
#pragma once

#include "plan/plan.h"

/* *plan becomes the plan of a model's main graph and of all graphs within it; the model must
 * outlive the plan. Shape rules run as far as shapes are known without inputs, so that a model that
 * cannot work is refused now. If operators are missing, one error lists as many of them as fit.
 * services computes the values that depend on constants alone, in memory of the plan; its watch may
 * end all that. passes hears of the passes; NULL: nobody does. */
oc_status oc_plan_new(const oc_model *model, const oc_session_options *options,
                      const oc_services *services, const oc_pass_listener *passes, oc_plan **plan,
                      oc_error *e);
/* Makes as much of a plan as can be made, tells the listener all that is wrong, then the remarks
 * with the code OC_OK, and frees the plan. Operators that are missing are not told. inputs has the
 * types and dims that the main graph's inputs are taken for; NULL: as they are declared. An error
 * is one that ended the examination. */
oc_status oc_plan_examine(const oc_model *model, const oc_session_options *options,
                          const oc_port *inputs, const oc_services *services,
                          const oc_listener *listener, oc_error *e);
