/* SPDX-License-Identifier: Apache-2.0
 * verify.h - a check of the steps after a pass, for builds without NDEBUG. */
#pragma once

#include "plan/planner.h"

#ifdef NDEBUG
static inline oc_status oc_plan_verify(OC_UNUSED const oc_planner *p, OC_UNUSED const char *pass)
{
    return OC_OK;
}
#else
/* Fails with OC_UNSUPPORTED, and a message that names the pass and the step, where the steps of a
 * graph, or the makers and readers of its values, are not as edit.h promises. */
oc_status oc_plan_verify(const oc_planner *p, const char *pass);
#endif
