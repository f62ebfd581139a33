/* SPDX-License-Identifier: Apache-2.0
 * plan.c - frees a plan, and answers operators about the graphs in their node. */
#include "plan/plan.h"

oc_status oc_listener_hear(const oc_listener *listener, oc_status status, oc_error *e)
{
    const bool of_model = status == OC_MODEL || status == OC_TYPE || status == OC_SHAPE ||
                          status == OC_VALUE || status == OC_UNSUPPORTED;
    if (!of_model)
        return status;
    listener->tell(listener->ctx, status, e->text);
    *e = (oc_error){.code = OC_OK};
    return OC_OK;
}

void oc_plan_free(oc_plan *plan)
{
    if (!plan)
        return;
    oc_model_free(plan->expanded);
    oc_arena_free(&plan->arena);
    oc_memory owner = plan->memory;
    oc_memory_free(&owner, plan, sizeof *plan);
}

static const oc_graph_plan *graph_of(const oc_call *c, int attr)
{
    return oc_step_of(c)->graph[attr];
}

void oc_plan_graph_ports(const oc_call *c, int attr, int *n_in, int *n_out)
{
    *n_in = graph_of(c, attr)->n_input;
    *n_out = graph_of(c, attr)->n_output;
}

void oc_plan_graph_port(const oc_call *c, int attr, bool input, int i, oc_value *declared)
{
    const oc_graph *g = graph_of(c, attr)->graph;
    const oc_type_info *t = input ? &g->input[i].type : &g->output[i].type;
    *declared = (oc_value){.type = OC_UNDEFINED, .dims.rank = -1};
    if (t->kind != OC_TYPE_TENSOR)
        return;
    declared->type = t->type;
    if (t->rank < 0 || t->rank > OC_MAX_RANK)
        return;
    declared->dims.rank = t->rank;
    for (int a = 0; a < t->rank; a++)
        declared->dims.n[a] = t->dims[a].n;
}

void oc_plan_attr_type(const oc_attr *attr, oc_value *declared)
{
    const oc_type_info *t = attr->u.type;
    *declared = (oc_value){.kind = t->kind == OC_TYPE_SEQUENCE ? OC_SEQUENCE : OC_TENSOR};
    if (t->kind == OC_TYPE_SEQUENCE)
        t = t->item;
    declared->type = t && t->kind == OC_TYPE_TENSOR ? t->type : OC_UNDEFINED;
}
