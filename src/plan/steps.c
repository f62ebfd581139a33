/* SPDX-License-Identifier: Apache-2.0
 * steps.c - turns nodes into steps: resolves versions, checks arity and attributes, finds places of
 * names. */
#include "graph/node_text.h"
#include "ops/kit/op_options.h"
#include "ops/kit/registry.h"
#include "plan/edit.h"

static int64_t node_opset(const oc_planner *p, const oc_node *n)
{
    return n->opset ? n->opset : oc_opsets_find(&p->plan->model->opsets, n->domain);
}

/* Makes oc_operator.seed_name of a node. */
static const char *seed_name(const oc_planner *p, const oc_node *n)
{
    if (*n->name)
        return oc_arena_printf(&p->plan->arena, "'%s'", n->name);
    for (int i = 0; i < n->n_out; i++)
        if (*n->out[i])
            return oc_arena_printf(&p->plan->arena, "of '%s'", n->out[i]);
    return "without a name";
}

static oc_status undefined_name(oc_planner *p, const char *what, oc_name name)
{
    OC_TRY(oc_arena_check(p->services.strings, p->e));
    OC_TRY(oc_arena_check(&p->plan->arena, p->e));
    return oc_error_set(p->e, OC_MODEL, "%s: value '%s' is not defined", what, name);
}

static oc_status place_inputs(oc_planner *p, oc_graph_plan *g, oc_step *s)
{
    int *in = oc_arena_array(&p->plan->arena, (size_t)s->op.n_in, sizeof *in);
    OC_TRY(oc_arena_check(&p->plan->arena, p->e));
    s->in = in;
    for (int i = 0; i < s->op.n_in; i++) {
        const oc_name name = s->node->in[i];
        in[i] = *name ? oc_plan_find_place(p, g, name) : OC_NOWHERE;
        if (*name && in[i] == OC_NOWHERE)
            return undefined_name(p, s->op.node, name);
    }
    return OC_OK;
}

bool oc_plan_wants_snapshot(const oc_plan *plan, const oc_step *s)
{
    for (int i = 0; i < s->op.n_in; i++) {
        const oc_sig_port *port = oc_sig_port_at(s->op.sig->in, s->op.sig->n_in, i);
        const int place = s->in[i];
        if ((port->value || port->copied) &&
            (oc_place_is_slot(place) ||
             (oc_place_is_constant(place) &&
              oc_value_bytes(&plan->constant[oc_constant_at(place)]) >= OC_LEAST_MAPPED)))
            return true;
    }
    return false;
}

/* Every output that the signature does not let a node leave out has a place, so operators need not
 * ask whether somebody reads it. */
static oc_status place_outputs(oc_planner *p, oc_graph_plan *g, oc_step *s)
{
    int *out = oc_arena_array(&p->plan->arena, (size_t)s->op.n_out, sizeof *out);
    OC_TRY(oc_arena_check(&p->plan->arena, p->e));
    s->out = out;
    for (int i = 0; i < s->op.n_out; i++) {
        const oc_name name = s->node->out[i];
        const bool needed =
            s->op.version &&
            !oc_sig_may_miss(oc_sig_port_at(s->op.sig->out, s->op.sig->n_out, i), true);
        out[i] = *name || needed ? oc_edit_add_slot(p, g, name) : OC_NOWHERE;
    }
    OC_TRY(oc_arena_check(p->services.strings, p->e));
    return oc_arena_check(&p->plan->arena, p->e);
}

/* Drops missing inputs and outputs at the end that the operator does not have. */
static int count_ports(const oc_sig_port *ports, int n_ports, const oc_name *names, int n)
{
    const bool open = n_ports && ports[n_ports - 1].variadic;
    return open ? n : oc_ports_trimmed(names, n, n_ports);
}

static oc_status bind_attrs(oc_planner *p, oc_step *s)
{
    oc_arena *arena = &p->plan->arena;
    const oc_node *n = s->node;
    char text[OC_NODE_TEXT];
    oc_node_text(n, s->op.version->since, text);
    s->op.node = oc_arena_text(arena, text, strlen(text));
    s->op.seed_name = seed_name(p, n);
    s->op.expect = n->expect;
    s->op.attr = oc_arena_array(arena, (size_t)s->op.sig->n_attr, sizeof *s->op.attr);
    s->graph = oc_arena_array(arena, (size_t)s->op.sig->n_attr, sizeof *s->graph);
    OC_TRY(oc_arena_check(arena, p->e));
    s->op.n_in = count_ports(s->op.sig->in, s->op.sig->n_in, n->in, n->n_in);
    s->op.n_out = count_ports(s->op.sig->out, s->op.sig->n_out, n->out, n->n_out);
    OC_TRY(oc_call_check_arity(s->op.sig, s->op.n_in, s->op.n_out, s->op.node, p->e));
    OC_TRY(oc_call_bind_attrs(s->op.sig, n->attr, n->n_attr, s->op.node, s->op.attr, p->e));
    return oc_options_bind(p->options->op_options, s->op.sig, arena, s->op.attr, p->e);
}

static oc_status check_graph_outputs(const oc_planner *p, const oc_step *s)
{
    for (int a = 0; a < s->op.sig->n_attr; a++) {
        const oc_sig_attr *attr = &s->op.sig->attr[a];
        if (s->graph[a] && attr->gives_all && s->graph[a]->n_output != s->op.n_out)
            return oc_error_set(p->e, OC_MODEL, "%s: %s has %d outputs, expected %d", s->op.node,
                                attr->name, s->graph[a]->n_output, s->op.n_out);
    }
    return OC_OK;
}

static bool is_hosts(const oc_planner *p, const oc_op *version)
{
    for (const oc_op *op = p->options->ops; op && op->signature; op++)
        if (op == version)
            return true;
    return false;
}

/* An operator of the host cannot compute tiles. */
static oc_status check_marks(const oc_planner *p, const oc_step *s)
{
    for (int i = 0; i < s->op.sig->n_in + s->op.sig->n_out; i++) {
        const oc_sig_port *port =
            i < s->op.sig->n_in ? &s->op.sig->in[i] : &s->op.sig->out[i - s->op.sig->n_in];
        if (port->tiled)
            return oc_error_set(p->e, OC_FORMAT,
                                "%s: signature of the host's operator: '%s' has the mark '*', "
                                "which built-in operators alone may have",
                                s->op.node, port->name);
    }
    return OC_OK;
}

static oc_status add_graph(oc_planner *p, const oc_graph *graph, oc_graph_plan *outer,
                           oc_graph_plan **out);

oc_status oc_plan_build_step(oc_planner *p, oc_graph_plan *g, oc_step *s)
{
    OC_TRY(oc_sig_cached(&p->sigs, s->op.version->signature, &s->op.sig, p->e));
    OC_TRY(bind_attrs(p, s));
    s->op.hosts = is_hosts(p, s->op.version);
    if (s->op.hosts)
        OC_TRY(check_marks(p, s));
    OC_TRY(place_inputs(p, g, s));
    s->op.wants_snapshot = oc_plan_wants_snapshot(p->plan, s);
    for (int i = 0; i < s->op.sig->n_attr; i++)
        if (s->op.attr[i] && s->op.attr[i]->kind == OC_ATTR_GRAPH)
            OC_TRY(add_graph(p, s->op.attr[i]->u.g[0], g, &s->graph[i]));
    OC_TRY(check_graph_outputs(p, s));
    g->max_in = oc_max(s->op.n_in, g->max_in);
    g->max_out = oc_max(s->op.n_out, g->max_out);
    return OC_OK;
}

oc_status oc_plan_make_step(oc_planner *p, oc_graph_plan *g, oc_step *s)
{
    OC_TRY(oc_plan_build_step(p, g, s));
    return oc_plan_type_step(p, g, s);
}

/* Asks the last step of the node's operator before the long list of all operators. */
static const oc_op *find_version(oc_planner *p, const oc_step *s)
{
    const oc_node *n = s->node;
    const oc_step **last = &p->found[oc_name_hash(n->op_type) % OC_FOUND], *then = *last;
    int oldest;
    *last = s;
    if (then && then->node->op_type == n->op_type && then->node->domain == n->domain &&
        then->node->opset == n->opset && then->op.version)
        return then->op.version;
    return oc_op_find(p->options->ops, n->domain, n->op_type, node_opset(p, n), &oldest);
}

/* Adds a step for a node. One that cannot be built has no version if a listener was told why. */
static oc_status add_step(oc_planner *p, oc_graph_plan *g, const oc_node *n)
{
    oc_step *s = oc_arena_alloc(&p->plan->arena, sizeof *s);
    OC_TRY(oc_arena_check(&p->plan->arena, p->e));
    *s = (oc_step){.node = n, .op = {.n_in = n->n_in, .n_out = n->n_out}};
    s->op.version = find_version(p, s);
    const oc_status status = s->op.version ? oc_plan_build_step(p, g, s) : OC_OK;
    OC_TRY(oc_plan_fault(p, status));
    if (status != OC_OK)
        s->op.version = NULL;
    if (!s->op.version)
        s->op.n_in = 0; /* the places of its outputs are not known */
    OC_TRY(place_outputs(p, g, s));
    oc_edit_insert(g, s, NULL);
    return OC_OK;
}

static oc_status place_graph_outputs(oc_planner *p, oc_graph_plan *g)
{
    const oc_graph *graph = g->graph;
    g->n_output = graph->n_output;
    g->output = oc_arena_array(&p->plan->arena, (size_t)graph->n_output, sizeof *g->output);
    OC_TRY(oc_arena_check(&p->plan->arena, p->e));
    for (int i = 0; i < graph->n_output; i++) {
        g->output[i] = oc_plan_find_place(p, g, graph->output[i].name);
        if (g->output[i] == OC_NOWHERE)
            return undefined_name(p, "graph output", graph->output[i].name);
        oc_edit_count_reader(g, g->output[i]);
    }
    return OC_OK;
}

static oc_status add_graph(oc_planner *p, const oc_graph *graph, oc_graph_plan *outer,
                           oc_graph_plan **out)
{
    oc_plan *plan = p->plan;
    const int id = plan->n_graph;
    oc_graph_plan *g = oc_arena_alloc(&plan->arena, sizeof *g);
    OC_TRY(oc_arena_check(&plan->arena, p->e));
    *g = (oc_graph_plan){.graph = graph,
                         .outer = outer,
                         .id = id,
                         .depth = outer ? outer->depth + 1 : 0,
                         .place_of = oc_name_map_new(&plan->arena),
                         .types = oc_type_table_new(&plan->arena, outer ? &outer->types : NULL)};
    oc_graph_plan **last = OC_PUSH(&plan->arena, plan->graph, plan->n_graph);
    OC_TRY(oc_arena_check(&plan->arena, p->e));
    *last = *out = g;
    int n_slot = graph->n_input;
    for (int i = 0; i < graph->n_node; i++)
        n_slot += graph->node[i].n_out;
    if (n_slot && !oc_edit_reserve(p, g, n_slot))
        return oc_arena_check(p->services.strings, p->e);
    OC_TRY(oc_plan_add_ports(p, g));
    for (int i = 0; i < graph->n_node; i++)
        OC_TRY(add_step(p, g, &graph->node[i]));
    return place_graph_outputs(p, g);
}

oc_status oc_plan_build(oc_planner *p)
{
    const oc_graph *main_graph = &p->plan->model->graph;
    oc_graph_plan *planned;
    p->plan->fallback =
        oc_arena_array(&p->plan->arena, (size_t)main_graph->n_input, sizeof *p->plan->fallback);
    OC_TRY(oc_arena_check(&p->plan->arena, p->e));
    for (int i = 0; i < main_graph->n_input; i++)
        p->plan->fallback[i] = OC_NOWHERE;
    return add_graph(p, main_graph, NULL, &planned);
}
