/* SPDX-License-Identifier: Apache-2.0
 * step_types.c - follows the types of values through a graph, and compares them with the declared
 * ones.
 *
 * Only what is certain is followed: a type that a signature, an attribute or a declaration tells.
 * Whatever is not known here is compared when a run stores it (runtime/stored.c). */
#include "graph/declared.h"
#include "plan/passes.h"

enum { TYPE_TEXT = 64 };

static const char *known_text(oc_known_type t, char text[TYPE_TEXT])
{
    static const char *const forms[] = {
        [OC_TENSOR] = "%s", [OC_SEQUENCE] = "seq(%s)", [OC_OPTIONAL] = "optional(%s)"};
    snprintf(text, TYPE_TEXT, forms[t.kind], oc_type_name(t.type));
    return text;
}

/* Returns what the graph declares of a value that is none of its inputs; NULL: nothing. */
static const oc_value_info *find_declaration(const oc_graph_plan *g, oc_name name)
{
    return oc_declaration_find(&g->declared, name).info;
}

/* ---- what contradicts ---- */

static oc_status check_declared(const oc_planner *p, const char *where, const char *port,
                                const oc_value_info *info, oc_known_type t)
{
    char text[TYPE_TEXT];
    if (!info || oc_declared_allows(&info->type, t.kind, t.type))
        return OC_OK;
    return oc_declared_fail(where, port, info, known_text(t, text), p->e);
}

static const char *graph_label(oc_planner *p, const oc_graph_plan *g)
{
    return oc_arena_printf(&p->plan->arena, "graph '%s'", g->graph->name);
}

oc_status oc_plan_remark(oc_planner *p, const char *text)
{
    const char **last = OC_PUSH(&p->plan->arena, p->plan->remark, p->plan->n_remark);
    if (last)
        *last = oc_arena_text(&p->plan->arena, text, strlen(text));
    return oc_arena_check(&p->plan->arena, p->e);
}

/* ---- inputs and initializers ---- */

static oc_status type_constant(oc_planner *p, oc_graph_plan *g, const char *where, oc_name name,
                               const oc_value *v)
{
    char actual[OC_VALUE_TEXT], text[OC_CONTRADICTION];
    const oc_known_type t = {v->kind, v->type};
    const oc_value_info *info = find_declaration(g, name);
    OC_TRY(oc_plan_fault(p, check_declared(p, where, "initializer", info, t)));
    const int place = oc_name_map_get(&g->place_of, name);
    if (place >= 0 && place < g->graph->n_input)
        info = &g->graph->input[place];
    OC_TRY(oc_plan_fault(p, check_declared(p, where, "initializer", info, t)));
    oc_type_put(&g->types, name, t);
    if (!info || oc_declared_fits(&info->type, v))
        return OC_OK;
    return oc_plan_remark(
        p, oc_declared_contradiction(where, "initializer", info, oc_value_text(v, actual), text));
}

static oc_status type_ports(oc_planner *p, oc_graph_plan *g)
{
    const oc_graph *graph = g->graph;
    const char *where = graph_label(p, g);
    g->declared = oc_declarations_of(graph, (const oc_declarer[]){OC_BY_OUTPUT, OC_BY_VALUE}, 2,
                                     &p->plan->arena);
    OC_TRY(oc_arena_check(&p->plan->arena, p->e));
    for (int i = 0; i < graph->n_input; i++) {
        const oc_known_type t = oc_type_declared(&graph->input[i].type);
        const oc_value_info *info = find_declaration(g, graph->input[i].name);
        OC_TRY(oc_plan_fault(p, check_declared(p, where, "input", info, t)));
        oc_type_put(&g->types, graph->input[i].name, t);
    }
    for (int i = 0; i < graph->n_initializer; i++)
        OC_TRY(
            type_constant(p, g, where, graph->initializer[i].name, &graph->initializer[i].value));
    for (int i = 0; i < graph->n_sparse; i++) {
        const oc_sparse *s = &graph->sparse[i];
        const oc_value dense = {.type = s->values.value.type, .dims = s->dims};
        OC_TRY(type_constant(p, g, where, s->values.name, &dense));
    }
    return oc_arena_check(&p->plan->arena, p->e);
}

/* ---- steps ---- */

/* Compares the inputs of a step's graphs with the values that the step passes to them. */
static oc_status check_graph_inputs(oc_planner *p, const oc_graph_plan *g, const oc_step *s)
{
    for (int a = 0; a < s->op.sig->n_attr; a++) {
        const int from = s->op.sig->attr[a].from;
        if (!s->graph[a] || from < 0)
            continue;
        const oc_graph *inner = s->graph[a]->graph;
        for (int i = 0; i < inner->n_input && from + i < s->op.n_in; i++)
            OC_TRY(check_declared(p, s->op.node, "input of its graph", &inner->input[i],
                                  oc_type_get(&g->types, s->node->in[from + i])));
    }
    return OC_OK;
}

static const oc_type_table *types_within(const void *ctx, int a)
{
    const oc_graph_plan *inner = ((const oc_step *)ctx)->graph[a];
    return inner ? &inner->types : NULL;
}

static oc_status type_output(oc_planner *p, oc_graph_plan *g, oc_step *s, int i,
                             const oc_typed_node *n)
{
    const oc_value_info *info = s->declared[i].info;
    const oc_known_type t = oc_typed_output(n, i);
    OC_TRY(check_declared(p, s->op.node, "output", info, t));
    oc_type_put(&g->types, s->node->out[i],
                oc_type_is_known(t) || !info ? t : oc_type_declared(&info->type));
    return OC_OK;
}

oc_status oc_plan_type_step(oc_planner *p, oc_graph_plan *g, oc_step *s)
{
    oc_typed_node n = {.node = s->node,
                       .sig = s->op.sig,
                       .types = &g->types,
                       .within = types_within,
                       .ctx = s,
                       .certain = true};
    s->declared = oc_arena_array(&p->plan->arena, (size_t)s->op.n_out, sizeof *s->declared);
    OC_TRY(oc_arena_check(&p->plan->arena, p->e));
    const bool agree = oc_typed_inputs(&n);
    OC_TRY(check_graph_inputs(p, g, s));
    for (int i = 0; i < s->op.n_out; i++)
        s->declared[i].info = find_declaration(g, s->node->out[i]);
    if (!agree) /* the operator's own check has the better message */
        return OC_OK;
    for (int i = 0; i < s->op.n_out && s->op.sig->n_out; i++)
        OC_TRY(type_output(p, g, s, i, &n));
    return oc_arena_check(&p->plan->arena, p->e);
}

/* An output may be an input, an initializer or a value of a graph around this one. */
static oc_status type_outputs(oc_planner *p, oc_graph_plan *g)
{
    const char *where = graph_label(p, g);
    for (int i = 0; i < g->graph->n_output; i++) {
        const oc_value_info *info = &g->graph->output[i];
        OC_TRY(oc_plan_fault(
            p, check_declared(p, where, "output", info, oc_type_get(&g->types, info->name))));
        if (!oc_type_is_known(oc_type_get(&g->types, info->name)))
            oc_type_put(&g->types, info->name, oc_type_declared(&info->type));
    }
    return oc_arena_check(&p->plan->arena, p->e);
}

static oc_status type_graph(oc_planner *p, oc_graph_plan *g);

/* A step whose types contradict has no version afterwards if a listener was told so. */
static oc_status type_steps(oc_planner *p, oc_graph_plan *g)
{
    for (oc_step *s = g->first; s; s = s->after) {
        oc_status status = OC_OK;
        for (int a = 0; s->op.version && a < s->op.sig->n_attr; a++)
            if (s->graph[a])
                OC_TRY(type_graph(p, s->graph[a]));
        if (s->op.version)
            status = oc_plan_type_step(p, g, s);
        OC_TRY(oc_plan_fault(p, status));
        if (status != OC_OK)
            s->op.version = NULL;
    }
    return OC_OK;
}

static oc_status type_graph(oc_planner *p, oc_graph_plan *g)
{
    OC_TRY(type_ports(p, g));
    OC_TRY(type_steps(p, g));
    return type_outputs(p, g);
}

OC_PASS(oc_plan_types)
{
    return type_graph(p, g);
}
