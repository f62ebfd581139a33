/* SPDX-License-Identifier: Apache-2.0
 * plan.c - makes and frees a plan. */
#include "ops/kit/options.h"
#include "plan/planner.h"

#include <string.h>

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

oc_status oc_plan_fault(const oc_planner *p, oc_status status)
{
    return p->listener ? oc_listener_hear(p->listener, status, p->e) : status;
}

static oc_status make(oc_planner *p)
{
    oc_plan *plan = p->plan;
    const oc_graph *main_graph = &plan->model->graph;
    oc_graph_plan *planned;
    OC_TRY(oc_options_check(p->options->operators, p->options->host_ops, &p->sigs, p->e));
    OC_TRY(p->listener ? oc_plan_fault(p, oc_plan_check_inputs(p)) : oc_plan_check_missing(p));
    plan->fallback =
        oc_arena_array(&plan->arena, (size_t)main_graph->n_input, sizeof *plan->fallback);
    OC_TRY(oc_arena_check(&plan->arena, p->e));
    for (int i = 0; i < main_graph->n_input; i++)
        plan->fallback[i] = OC_NOWHERE;
    OC_TRY(oc_plan_add_graph(p, main_graph, NULL, &planned));
    OC_TRY(oc_plan_check_shapes(p));
    if (p->listener)
        return OC_OK;
    OC_TRY(oc_plan_prepare_inner(p));
    OC_TRY(oc_plan_align_all(p));
    return oc_plan_set_lifetimes(p);
}

/* Memory and strings of values that are computed while the plan is made are freed at the end. */
static oc_status make_with_scratch(oc_planner *p)
{
    oc_pool pool = oc_pool_new(&p->plan->memory);
    oc_arena strings = oc_arena_new(&p->plan->memory);
    p->services.pool = &pool;
    p->services.strings = &strings;
    p->sigs = oc_sig_cache_new(&p->plan->arena);
    const oc_status status = make(p);
    oc_arena_free(&strings);
    oc_pool_trim(&pool);
    return status;
}

static oc_status make_plan(const oc_model *model, const oc_plan_options *options,
                           const oc_services *services, const oc_listener *listener, oc_plan **out,
                           oc_error *e)
{
    oc_memory owner = oc_memory_beside(&model->memory, options->memory_cap, services->watch);
    oc_plan *plan = oc_memory_alloc(&owner, sizeof *plan);
    *out = NULL;
    if (!plan)
        return oc_memory_error(&owner, sizeof *plan, e);
    *plan = (oc_plan){.memory = owner, .model = model};
    plan->arena = oc_arena_new(&plan->memory);
    oc_planner p = {
        .plan = plan, .options = options, .services = *services, .listener = listener, .e = e};
    p.services.error = e;
    const oc_status status = make_with_scratch(&p);
    plan->memory.watch = NULL;
    if (status == OC_OK)
        *out = plan;
    else
        oc_plan_free(plan);
    return status;
}

oc_status oc_plan_new(const oc_model *model, const oc_plan_options *options,
                      const oc_services *services, oc_plan **plan, oc_error *e)
{
    return make_plan(model, options, services, NULL, plan, e);
}

oc_status oc_plan_examine(const oc_model *model, const oc_plan_options *options,
                          const oc_services *services, const oc_listener *listener, oc_error *e)
{
    oc_plan *plan;
    OC_TRY(make_plan(model, options, services, listener, &plan, e));
    for (int i = 0; i < plan->n_remark; i++)
        listener->tell(listener->ctx, OC_OK, plan->remark[i]);
    oc_plan_free(plan);
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

/* ---- graphs within a node ---- */

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
