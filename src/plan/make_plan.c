/* SPDX-License-Identifier: Apache-2.0
 * make_plan.c - runs the passes in their order. */
#include "plan/make_plan.h"

#include "ops/kit/op_options.h"
#include "plan/planner.h"

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
    OC_TRY(oc_plan_place_folded(p));
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
    plan->arena.most = OC_ARENA_LARGE; /* for weights that are packed */
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
