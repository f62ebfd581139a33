/* SPDX-License-Identifier: Apache-2.0
 * nothing.c - takes the place of quantise.c in builds without an operator that quantises. */
#include "plan/passes.h"

oc_status oc_plan_quantise(oc_planner *p, oc_graph_plan *g)
{
    (void)p;
    (void)g;
    return OC_OK;
}
