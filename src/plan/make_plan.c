/* SPDX-License-Identifier: Apache-2.0
 * make_plan.c - the passes that make a plan, in their order, and what runs them.
 *
 * The nodes of the model become steps (steps.c). Then each pass takes all graphs, or the main graph
 * with those within it, before the next pass begins. One of them walks over the steps and takes
 * each through the passes over steps before it comes to the next: results that are computed tell
 * shapes and weights of later steps, and elements are freed as soon as nobody needs them. */
#include "plan/make_plan.h"

#include "ops/kit/op_options.h"
#include "plan/ahead.h"
#include "plan/verify.h"
#include "plan/passes.h"

static bool fuses(const oc_session_options *o)
{
    return !o->no_fusion;
}

#ifndef OC_WITHOUT_NCHW16C
static bool lays_out(const oc_session_options *o)
{
    return !o->no_nchw16c;
}
#endif

oc_pass_fn oc_plan_types, oc_plan_quantise, oc_plan_groups, oc_plan_walk, oc_plan_guess,
    oc_plan_layouts, oc_plan_place_constants, oc_plan_align_constants, oc_plan_stages,
    oc_plan_lifetimes;
oc_step_pass_fn oc_plan_take_pads, oc_plan_prepare, oc_plan_infer_shapes, oc_plan_follow_symbols,
    oc_plan_compute, oc_plan_compare_dims;

#define WHOLE    .whole = true
#define EXAMINES .examines = true
/* clang-format off */
const oc_pass oc_passes[] = {
    {"types", oc_plan_types, WHOLE, EXAMINES,
     .then = "The type of each value is known as far as signatures, attributes and declarations tell it."},
    {"quantise", oc_plan_quantise,
     .then = "Steps between DequantizeLinear and QuantizeLinear compute on codes of 8 bits."},
    {"groups", oc_plan_groups, .is_wanted = fuses,
     .then = "Steps that run as one are groups."},
    {"walk", oc_plan_walk, WHOLE, EXAMINES,
     .then = "Each step has been through the passes over steps."},
#ifndef OC_WITHOUT_NCHW16C
    {"guess", oc_plan_guess, WHOLE, .is_wanted = lays_out,
     .then = "Dims of the main graph that depend on its inputs have likely sizes, for the next pass alone."},
    {"layouts", oc_plan_layouts, .is_wanted = lays_out,
     .then = "Each value lies in NCHW or in NCHW16c, and steps convert where a reader needs the other."},
#endif
    {"constants", oc_plan_place_constants,
     .then = "What computed steps gave is read as a constant; no graph captures one."},
    {"alignment", oc_plan_align_constants,
     .then = "Constants that a run reads have aligned elements."},
    {"stages", oc_plan_stages,
     .then = "Where dims are known it is decided how steps that work element by element run, by themselves and as one."},
    {"lifetimes", oc_plan_lifetimes,
     .then = "Each step releases the slots that no later step reads, and values share slots."},
    {0}};

const oc_step_pass oc_step_passes[] = {
    /* A convolution puts the zeros around its input itself that a Pad put there for it. */
    {"pads", oc_plan_take_pads},
    /* It is known which inputs have dims, and which have elements. */
    {"inputs", oc_plan_find_inputs},
    /* The operator has prepared what depends on constants; weights that only it needed are freed. */
    {"prepare", oc_plan_prepare},
    /* The outputs have their types and dims, if the dims of the inputs are known. */
    {"shapes", oc_plan_infer_shapes},
    /* Dims and integers that depend on dims not known are expressions of those. */
    {"symbols", oc_plan_follow_symbols},
    /* The plan holds the outputs as constants, if all inputs are known and there is room. */
    {"compute", oc_plan_compute},
    /* A remark tells which outputs have other dims than the model declares. */
    {"declared", oc_plan_compare_dims},
    {0}};
/* clang-format on */

static void tell(const oc_planner *p, const char *name, const char *then)
{
    if (p->passes)
        p->passes->tell(p->passes->ctx, name, then, p->plan);
}

static oc_status run_pass(oc_planner *p, const oc_pass *pass)
{
    const int n = pass->whole ? 1 : p->plan->n_graph;
    for (int i = 0; i < n; i++)
        OC_TRY(pass->run(p, p->plan->graph[i]));
    tell(p, pass->name, pass->then);
    return oc_plan_verify(p, pass->name);
}

static oc_status run_passes(oc_planner *p)
{
    OC_TRY(oc_options_check(p->options->op_options, p->options->ops, &p->sigs, p->e));
    OC_TRY(p->listener ? oc_plan_fault(p, oc_plan_check_inputs(p)) : oc_plan_check_missing(p));
    OC_TRY(oc_plan_build(p));
    tell(p, "", "Each node is a step.");
    for (const oc_pass *pass = oc_passes; pass->name; pass++)
        if ((!p->listener || pass->examines) && (!pass->is_wanted || pass->is_wanted(p->options)))
            OC_TRY(run_pass(p, pass));
    return OC_OK;
}

/* Memory and strings of values that are computed while the plan is made are freed at the end. */
static oc_status make_with_scratch(oc_planner *p)
{
    oc_pool pool = oc_pool_new(&p->plan->memory);
    oc_arena strings = oc_arena_new(&p->plan->memory);
    p->services.pool = &pool;
    p->services.strings = &strings;
    p->sigs = oc_sig_cache_new(&p->plan->arena);
    const oc_status status = run_passes(p);
    for (int i = 0; i < p->plan->n_graph; i++)
        oc_ahead_forget(p->plan->graph[i]);
    oc_arena_free(&strings);
    oc_pool_trim(&pool);
    return status;
}

/* What p asks for: its options, services, error, and who hears of what. */
static oc_status make_plan(oc_planner p, const oc_model *model, oc_plan **out)
{
    const size_t cap = p.options->limits.memory_cap;
    oc_memory owner = oc_memory_beside(&model->memory, cap, p.services.watch);
    oc_plan *plan = oc_memory_alloc(&owner, sizeof *plan);
    *out = NULL;
    if (!plan)
        return oc_memory_error(&owner, sizeof *plan, p.e);
    *plan = (oc_plan){.memory = owner, .model = model};
    plan->arena = oc_arena_new(&plan->memory);
    p.plan = plan;
    p.services.error = p.e;
    p.services.options = p.options;
    const oc_status status = make_with_scratch(&p);
    plan->memory.watch = NULL;
    if (status == OC_OK)
        *out = plan;
    else
        oc_plan_free(plan);
    return status;
}

oc_status oc_plan_new(const oc_model *model, const oc_session_options *options,
                      const oc_services *services, const oc_pass_listener *passes, oc_plan **plan,
                      oc_error *e)
{
    return make_plan(
        (oc_planner){.options = options, .passes = passes, .services = *services, .e = e}, model,
        plan);
}

oc_status oc_plan_examine(const oc_model *model, const oc_session_options *options,
                          const oc_port *inputs, const oc_services *services,
                          const oc_listener *listener, oc_error *e)
{
    oc_plan *plan;
    OC_TRY(make_plan((oc_planner){.options = options,
                                  .inputs = inputs,
                                  .services = *services,
                                  .listener = listener,
                                  .e = e},
                     model, &plan));
    for (int i = 0; i < plan->n_remark; i++)
        listener->tell(listener->ctx, OC_OK, plan->remark[i]);
    oc_plan_free(plan);
    return OC_OK;
}
