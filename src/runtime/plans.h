/* SPDX-License-Identifier: Apache-2.0
 * plans.h - the plans of a model, each shared by the sessions that need the same one. */
#ifndef OC_RUNTIME_PLANS_H
#define OC_RUNTIME_PLANS_H

#include "plan/plan.h"

/* Every model of the public interface has such a list, from here on. It is the one thing of a model
 * that changes; a lock guards it while sessions are made and freed, and is not taken by runs. */
oc_status oc_plans_new(oc_model *m, oc_error *e);

/* The plan of m for the options of a session: one that another session uses, or a new one with
 * bodies inlined. services: for oc_plan_new. */
oc_status oc_plans_take(const oc_model *m, const oc_session_options *options,
                        const oc_services *services, const oc_plan **plan, oc_error *e);
/* Frees the plan when no other session uses it. NULL is allowed. */
void oc_plans_release(const oc_model *m, const oc_plan *plan);

/* Bytes that a plan takes, its expanded model included. */
size_t oc_plan_bytes(const oc_plan *plan);

#endif
