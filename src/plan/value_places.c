/* SPDX-License-Identifier: Apache-2.0
 * value_places.c - turns names of values into slots of frames and constants of the plan. */
#include "graph/build.h"
#include "plan/edit.h"
#include "plan/passes.h"
#include "tensor/sparse.h"

int oc_plan_find_place(oc_planner *p, oc_graph_plan *g, oc_name name)
{
    const int place = oc_name_map_get(&g->place_of, name);
    if (place != OC_NOWHERE || !g->outer)
        return place;
    const int outer = oc_plan_find_place(p, g->outer, name);
    if (!oc_place_is_slot(outer))
        return outer;
    const int inner = oc_edit_add_slot(p, g, name);
    oc_capture *c = OC_PUSH(&p->plan->arena, g->capture, g->n_capture);
    if (inner == OC_NOWHERE || !c)
        return OC_NOWHERE;
    *c = (oc_capture){outer, inner};
    return inner;
}

oc_status oc_plan_copy_aligned(oc_planner *p, oc_arena *arena, oc_value *v)
{
    const size_t size = oc_value_bytes(v);
    void *data = oc_arena_room(arena, size, OC_ALIGN);
    OC_TRY(oc_arena_check(arena, p->e));
    OC_TRY(oc_watch_copy(p->services.watch, data, v->data, size, p->e));
    oc_model_leave(p->plan->model, v->data, size);
    v->data = data;
    return OC_OK;
}

oc_status oc_plan_align(oc_planner *p, int place)
{
    if (!oc_place_is_constant(place))
        return OC_OK;
    oc_value *v = &p->plan->constant[oc_constant_at(place)];
    if (oc_value_is_aligned(v))
        return OC_OK;
    p->plan->n_unaligned++;
    return oc_plan_copy_aligned(p, &p->plan->arena, v);
}

static oc_status align_step(oc_planner *p, const oc_step *s)
{
    for (int i = 0; i < s->op.n_in; i++)
        if (!s->consumed || !oc_sig_port_at(s->op.sig->in, s->op.sig->n_in, i)->prepared)
            OC_TRY(oc_plan_align(p, s->in[i]));
    return OC_OK;
}

OC_PASS(oc_plan_align_constants)
{
    for (int i = 0; !g->outer && i < g->n_input; i++)
        OC_TRY(oc_plan_align(p, p->plan->fallback[i]));
    for (const oc_step *s = g->first; s; s = s->after)
        OC_TRY(align_step(p, s));
    for (int k = 0; k < g->n_output; k++)
        OC_TRY(oc_plan_align(p, g->output[k]));
    return OC_OK;
}

oc_status oc_plan_add_constant(oc_planner *p, const oc_value *v, int *place)
{
    oc_plan *plan = p->plan;
    const int i = plan->n_constant;
    oc_value own = *v;
    own.buffer = NULL;
    oc_value *last = OC_PUSH(&plan->arena, plan->constant, plan->n_constant);
    OC_TRY(oc_arena_check(&plan->arena, p->e));
    *last = own;
    *place = oc_place_of_constant(i);
    return OC_OK;
}

/* An initializer with the name of an input is that input's default value; any other is a constant.
 * Before IR version 4 every initializer had to be named as an input, so there all initializers are
 * constants. */
static oc_status add_initializer(oc_planner *p, oc_graph_plan *g, oc_name name, const oc_value *v)
{
    const int input = oc_name_map_get(&g->place_of, name);
    int place;
    OC_TRY(oc_plan_add_constant(p, v, &place));
    if (p->options->no_fusion) /* a session that looks at all values may read any of them */
        OC_TRY(oc_plan_align(p, place));
    if (input == OC_NOWHERE)
        oc_name_map_put(&g->place_of, name, place);
    else if (!g->outer)
        p->plan->fallback[input] = place;
    if (input != OC_NOWHERE && !g->outer && oc_model_names_weights(p->plan->model))
        oc_name_map_put(&g->place_of, name, place);
    return oc_arena_check(&p->plan->arena, p->e);
}

oc_status oc_plan_add_ports(oc_planner *p, oc_graph_plan *g)
{
    oc_arena *arena = &p->plan->arena;
    const oc_graph *graph = g->graph;
    g->n_input = graph->n_input;
    g->input = oc_arena_array(arena, (size_t)graph->n_input, sizeof *g->input);
    OC_TRY(oc_arena_check(arena, p->e));
    for (int i = 0; i < graph->n_input; i++)
        g->input[i] = oc_edit_add_slot(p, g, graph->input[i].name);
    OC_TRY(oc_arena_check(p->services.strings, p->e));
    OC_TRY(oc_arena_check(arena, p->e));
    for (int i = 0; i < graph->n_initializer; i++)
        OC_TRY(add_initializer(p, g, graph->initializer[i].name, &graph->initializer[i].value));
    for (int i = 0; i < graph->n_sparse; i++) {
        oc_value dense;
        OC_TRY(oc_sparse_densify(arena, &graph->sparse[i], &dense, p->e));
        OC_TRY(add_initializer(p, g, graph->sparse[i].values.name, &dense));
    }
    return OC_OK;
}
