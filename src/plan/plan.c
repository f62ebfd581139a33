/* SPDX-License-Identifier: Apache-2.0
 * plan.c - from graph to plan. */
#include "plan/plan.h"

#include "graph/build.h"
#include "ops/kit/registry.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- slots ---- */

static int add_slot(oc_planner *p, oc_plan *plan, oc_name name)
{
    const int slot = plan->n_slot;
    int n = slot;
    oc_name *new_name = OC_PUSH(p->arena, plan->slot_name, n);
    if (!new_name || (*name && !oc_name_map_put(&plan->slots, name, slot)))
        return -1;
    *new_name = name;
    plan->n_slot = n;
    return slot;
}

/* The slot of a name, captured from the plans around when it is not this one's. */
static int find_slot(oc_planner *p, oc_plan *plan, oc_name name)
{
    const int slot = oc_name_map_get(&plan->slots, name);
    if (slot >= 0 || !plan->outer)
        return slot;
    const int outer = find_slot(p, plan->outer, name);
    if (outer < 0)
        return -1;
    const int inner = add_slot(p, plan, name);
    oc_capture *c = OC_PUSH(p->arena, plan->capture, plan->n_capture);
    if (inner < 0 || !c)
        return -1;
    *c = (oc_capture){outer, inner};
    return inner;
}

static oc_status undefined_name(oc_planner *p, const char *what, oc_name name)
{
    OC_TRY(oc_arena_check(p->arena, p->e));
    return oc_error_set(p->e, OC_MODEL, "%s: value '%s' is not defined", what, name);
}

/* ---- operators ---- */

static int64_t node_opset(const oc_planner *p, const oc_node *n)
{
    return n->opset ? n->opset : oc_opsets_find(&p->model->opsets, n->domain);
}

enum { MAX_LISTED = 120 }; /* bytes of one operator's name in the message */

/* Appends ", domain::Name-13 (oldest known is 16)". A list that is full ends with "...". */
static void list_missing(const oc_usage *u, int oldest, char *text, size_t room)
{
    char known[40] = "";
    const size_t at = strlen(text);
    if (oldest)
        snprintf(known, sizeof known, " (oldest known is %d)", oldest);
    const int size =
        snprintf(text + at, room - at, "%s%.*s%s%.*s-%" PRId64 "%s", at ? ", " : "", MAX_LISTED,
                 u->domain, *u->domain ? "::" : "", MAX_LISTED, u->op_type, u->opset, known);
    if (size >= 0 && (size_t)size >= room - at)
        snprintf(text + at, sizeof ", ...", ", ...");
}

/* Refuses a model with operators that nothing serves; the one message lists them all. */
static oc_status check_missing(const oc_planner *p)
{
    char text[900] = "";
    int n = 0;
    for (int i = 0; i < p->model->n_usage; i++) {
        const oc_usage *u = &p->model->usage[i];
        int oldest;
        if (oc_op_find(p->host_ops, u->domain, u->op_type, u->opset, &oldest))
            continue;
        if (strlen(text) + sizeof ", ..." < sizeof text)
            list_missing(u, oldest, text, sizeof text - sizeof ", ...");
        n++;
    }
    if (n == 0)
        return OC_OK;
    return oc_error_set(p->e, OC_UNSUPPORTED, "%d operator%s not supported: %s", n,
                        n > 1 ? "s are" : " is", text);
}

/* ---- steps ---- */

static oc_status plan_graph(oc_planner *p, const oc_graph *g, oc_plan *outer, oc_plan **out);

static const char *node_label(oc_planner *p, const oc_node *n)
{
    if (*n->name)
        return oc_arena_printf(p->arena, "'%s'", n->name);
    for (int i = 0; i < n->n_out; i++)
        if (*n->out[i])
            return oc_arena_printf(p->arena, "of '%s'", n->out[i]);
    return "without a name";
}

static oc_status plan_inputs(oc_planner *p, oc_plan *plan, oc_step *s)
{
    int *in = oc_arena_array(p->arena, (size_t)s->n_in, sizeof *in);
    s->in_value = oc_arena_array(p->arena, (size_t)s->n_in, sizeof *s->in_value);
    OC_TRY(oc_arena_check(p->arena, p->e));
    s->in = in;
    for (int i = 0; i < s->n_in; i++) {
        in[i] = *s->node->in[i] ? find_slot(p, plan, s->node->in[i]) : -1;
        if (in[i] < 0 && *s->node->in[i])
            return undefined_name(p, s->label, s->node->in[i]);
    }
    return OC_OK;
}

static oc_status plan_outputs(oc_planner *p, oc_plan *plan, oc_step *s)
{
    int *out = oc_arena_array(p->arena, (size_t)s->n_out, sizeof *out);
    s->out_value = oc_arena_array(p->arena, (size_t)s->n_out, sizeof *s->out_value);
    OC_TRY(oc_arena_check(p->arena, p->e));
    s->out = out;
    for (int i = 0; i < s->n_out; i++) {
        out[i] = *s->node->out[i] ? add_slot(p, plan, s->node->out[i]) : -1;
        OC_TRY(oc_arena_check(p->arena, p->e));
    }
    return OC_OK;
}

static oc_status plan_step(oc_planner *p, oc_plan *plan, const oc_node *n, oc_step *s)
{
    int oldest;
    *s = (oc_step){.node = n, .label = node_label(p, n), .n_in = n->n_in, .n_out = n->n_out};
    s->row = oc_op_find(p->host_ops, n->domain, n->op_type, node_opset(p, n), &oldest);
    OC_TRY(oc_sig_cached(&p->sigs, s->row->signature, &s->sig, p->e));
    const char *where =
        oc_arena_printf(p->arena, "node %s (%s-%d)", s->label, n->op_type, s->row->since);
    s->attr = oc_arena_array(p->arena, (size_t)s->sig->n_attr, sizeof *s->attr);
    s->graph = oc_arena_array(p->arena, (size_t)s->sig->n_attr, sizeof *s->graph);
    OC_TRY(oc_arena_check(p->arena, p->e));
    OC_TRY(oc_call_check_arity(s->sig, n->n_in, n->n_out, where, p->e));
    OC_TRY(oc_call_bind_attrs(s->sig, n->attr, n->n_attr, where, s->attr, p->e));
    OC_TRY(plan_inputs(p, plan, s));
    for (int i = 0; i < s->sig->n_attr; i++)
        if (s->attr[i] && s->attr[i]->kind == OC_ATTR_GRAPH)
            OC_TRY(plan_graph(p, s->attr[i]->u.g[0], plan, &s->graph[i]));
    return plan_outputs(p, plan, s);
}

/* ---- lifetimes ---- */

static void note_use(const int *slots, int n, int step, int *last)
{
    for (int i = 0; i < n; i++)
        if (slots[i] >= 0)
            last[slots[i]] = step;
}

/* last[slot] becomes the last step that writes or reads it. */
static void find_last_uses(const oc_plan *plan, int *last)
{
    for (int s = 0; s < plan->n_step; s++) {
        const oc_step *step = &plan->step[s];
        note_use(step->in, step->n_in, s, last);
        note_use(step->out, step->n_out, s, last);
        if (step->make) /* its run looks at them too */
            note_use(step->make->in, step->make->n_in, s, last);
        for (int a = 0; a < step->sig->n_attr; a++)
            for (int k = 0; step->graph[a] && k < step->graph[a]->n_capture; k++)
                last[step->graph[a]->capture[k].outer] = s;
    }
}

static oc_status plan_lifetimes(oc_planner *p, oc_plan *plan)
{
    int *last = oc_arena_array(p->arena, (size_t)plan->n_slot, sizeof *last);
    int *count = oc_arena_array(p->arena, (size_t)plan->n_step, sizeof *count);
    int *all = oc_arena_array(p->arena, (size_t)plan->n_slot, sizeof *all);
    OC_TRY(oc_arena_check(p->arena, p->e));
    memset(last, 0xff, (size_t)plan->n_slot * sizeof *last); /* -1: no step */
    find_last_uses(plan, last);
    for (int i = 0; i < plan->n_output; i++)
        last[plan->output[i]] = -1;
    for (int i = 0; i < plan->n_slot; i++)
        if (plan->keep[i])
            last[i] = -1;

    for (int i = 0; i < plan->n_slot; i++)
        if (last[i] >= 0)
            count[last[i]]++;
    int at = 0;
    for (int s = 0; s < plan->n_step; s++) {
        plan->step[s].release = all + at;
        at += count[s];
    }
    for (int i = 0; i < plan->n_slot; i++)
        if (last[i] >= 0) {
            oc_step *s = &plan->step[last[i]];
            s->release[s->n_release++] = i;
        }
    return OC_OK;
}

/* ---- graphs ---- */

static oc_status plan_ports(oc_planner *p, oc_plan *plan)
{
    const oc_graph *g = plan->graph;
    plan->input = oc_arena_array(p->arena, (size_t)g->n_input, sizeof *plan->input);
    plan->output = oc_arena_array(p->arena, (size_t)g->n_output, sizeof *plan->output);
    OC_TRY(oc_arena_check(p->arena, p->e));
    for (plan->n_input = 0; plan->n_input < g->n_input; plan->n_input++)
        plan->input[plan->n_input] = add_slot(p, plan, g->input[plan->n_input].name);
    for (int i = 0; i < g->n_initializer; i++)
        if (oc_name_map_get(&plan->slots, g->initializer[i].name) < 0)
            add_slot(p, plan, g->initializer[i].name);
    for (int i = 0; i < g->n_sparse; i++)
        if (oc_name_map_get(&plan->slots, g->sparse[i].name) < 0)
            add_slot(p, plan, g->sparse[i].name);
    return oc_arena_check(p->arena, p->e);
}

static bool is_input(const oc_plan *plan, int slot)
{
    return slot < plan->n_input; /* inputs got the first slots */
}

oc_status oc_plan_initializer(oc_planner *p, const oc_value *from, oc_value *to)
{
    *to = *from;
    if (oc_value_is_aligned(from))
        return OC_OK;
    to->data = NULL;
    oc_late *late = OC_PUSH(p->arena, p->late, p->n_late);
    OC_TRY(oc_arena_check(p->arena, p->e));
    *late = (oc_late){to, from};
    return OC_OK;
}

/* Initializers fill their slots once; those that are inputs too are filled by the session. */
static oc_status plan_constants(oc_planner *p, oc_plan *plan)
{
    const oc_graph *g = plan->graph;
    plan->slot = oc_arena_array(p->arena, (size_t)plan->n_slot, sizeof *plan->slot);
    plan->keep = oc_arena_array(p->arena, (size_t)plan->n_slot, sizeof *plan->keep);
    OC_TRY(oc_arena_check(p->arena, p->e));
    for (int i = 0; i < g->n_initializer; i++) {
        const int slot = oc_name_map_get(&plan->slots, g->initializer[i].name);
        plan->keep[slot] = !is_input(plan, slot);
        if (plan->keep[slot])
            OC_TRY(oc_plan_initializer(p, &g->initializer[i].value, &plan->slot[slot]));
    }
    for (int i = 0; i < g->n_sparse; i++) {
        const int slot = oc_name_map_get(&plan->slots, g->sparse[i].name);
        OC_TRY(oc_sparse_densify(p->arena, &g->sparse[i], &plan->slot[slot], p->e));
        plan->keep[slot] = !is_input(plan, slot);
    }
    return OC_OK;
}

static oc_status plan_graph(oc_planner *p, const oc_graph *g, oc_plan *outer, oc_plan **out)
{
    oc_plan *plan = oc_arena_alloc(p->arena, sizeof *plan);
    OC_TRY(oc_arena_check(p->arena, p->e));
    *plan = (oc_plan){.graph = g,
                      .outer = outer,
                      .depth = outer ? outer->depth + 1 : 0,
                      .slots = oc_name_map_new(p->arena)};
    OC_TRY(plan_ports(p, plan));
    plan->step = oc_arena_array(p->arena, (size_t)g->n_node, sizeof *plan->step);
    OC_TRY(oc_arena_check(p->arena, p->e));
    for (int i = 0; i < g->n_node; i++) {
        OC_TRY(plan_step(p, plan, &g->node[i], &plan->step[i]));
        plan->n_step++;
    }
    for (; plan->n_output < g->n_output; plan->n_output++) {
        const oc_name name = g->output[plan->n_output].name;
        const int slot = find_slot(p, plan, name);
        if (slot < 0)
            return undefined_name(p, "graph output", name);
        plan->output[plan->n_output] = slot;
    }
    OC_TRY(plan_constants(p, plan));
    if (p->fuse)
        OC_TRY(oc_plan_fuse(p, plan));
    *out = plan;
    return plan_lifetimes(p, plan);
}

oc_planner oc_planner_new(const oc_model *model, oc_arena *arena, const oc_op *host_ops,
                          oc_error *e)
{
    return (oc_planner){.model = model,
                        .arena = arena,
                        .host_ops = host_ops,
                        .sigs = oc_sig_cache_new(arena),
                        .e = e};
}

oc_status oc_plan_new(oc_planner *p, oc_plan **plan)
{
    OC_TRY(check_missing(p));
    return plan_graph(p, &p->model->graph, NULL, plan);
}
