/* SPDX-License-Identifier: Apache-2.0
 * plans.h - the plans of a model; sessions with equal options share one. */
#pragma once

#include "plan/plan.h"

/* Gives the model an empty list of plans, which every model of the public interface has. Besides it
 * only the count of holders changes in a loaded model. A lock guards the list for moments while
 * sessions are made and freed. Runs do not take it, and it is not held while the host is called. */
oc_status oc_plans_new(oc_model *m, oc_error *e);

/* *plan becomes the plan of m for a session's options: one that another session uses, or a new
 * one in which bodies replace calls. services is passed to oc_plan_new. Each plan that is taken
 * must be released. */
oc_status oc_plans_take(const oc_model *m, const oc_session_options *options,
                        const oc_services *services, const oc_plan **plan, oc_error *e);
/* Tells the listener every problem that keeps sessions with these options from running m, and
 * the remarks of a plan; missing operators are not told. options ask for no fusion; inputs: see
 * oc_plan_examine. */
oc_status oc_plans_examine(const oc_model *m, const oc_session_options *options,
                           const oc_port *inputs, const oc_services *services,
                           const oc_listener *listener, oc_error *e);
/* Makes a session's plan once more, for nobody but who hears of the passes. */
oc_status oc_plans_tell_passes(const oc_plan *plan, const oc_session_options *options,
                               const oc_services *services, const oc_pass_listener *passes,
                               oc_error *e);
/* Gives up one use of a plan, and frees the plan if no other session uses it. NULL is allowed. */
void oc_plans_release(const oc_model *m, const oc_plan *plan);

/* Returns the bytes of memory that a plan takes, including its expanded model. */
size_t oc_plan_bytes(const oc_plan *plan);
