/* SPDX-License-Identifier: Apache-2.0
 * visit.c - tells the host about every node of a model, with the types and shapes of its values. */
#include "graph/build.h"
#include "graph/opkey.h"
#include "graph/walk.h"
#include "runtime/port.h"
#include "runtime/session.h"
#include "runtime/sized.h"

#include <ocellus_model.h>

/* What a plan has found out about a value of the main graph. */
typedef struct fact {
    oc_kind kind;
    oc_type type;
    oc_dims dims; /* rank -1: unknown */
    const char *dim_name[OC_MAX_RANK];
} fact;

/* A graph that the walk is in. For an inner graph, also names that only its nodes define count
 * as declared, so that the outer graphs are not asked about them. */
typedef struct scope {
    const oc_graph *graph;
    oc_declarations declared;
    int node; /* number of the node that was told last */
} scope;

typedef struct visit {
    const oc_model *m;
    oc_port *inputs; /* what the host knows of the inputs; NULL: they are as declared */
    oc_watch watch;
    oc_memory memory;
    oc_arena arena;
    oc_name_map fact_of, size_of; /* map values to facts, and symbols of dims to sizes */
    fact *fact;
    int n_fact;
    int64_t *size;
    int n_size;
    oc_opkey_map operator_of;
    oc_model_operator *op; /* one for each usage of the model */
    scope scope[OC_MAX_NESTING + 1];
    /* the inputs, then the outputs of the current node; each has the size of the host's oc_port */
    char *port;
    size_t port_size;
    int n_port;
    oc_error *e;
} visit;

/* ---- what is known beforehand ---- */

static void ignore(OC_UNUSED void *ctx, OC_UNUSED oc_status code, OC_UNUSED const char *text) {}

static void note_fact(void *ctx, oc_name name, const oc_value *known, const char *const *dims)
{
    visit *v = ctx;
    fact *f = OC_PUSH(&v->arena, v->fact, v->n_fact);
    if (!f || !oc_name_map_put(&v->fact_of, name, v->n_fact - 1))
        return;
    *f = (fact){.kind = known->kind, .type = known->type, .dims = known->dims};
    for (int i = 0; i < known->dims.rank; i++)
        if (dims[i])
            f->dim_name[i] = oc_arena_text(&v->arena, dims[i], strlen(dims[i]));
}

/* A symbol to which inputs give different sizes keeps the last one. */
static oc_status note_sizes(visit *v)
{
    for (int i = 0; v->inputs && i < v->m->graph.n_input; i++) {
        const oc_type_info *t = &v->m->graph.input[i].type;
        for (int k = 0; k < t->rank && k < v->inputs[i].rank; k++) {
            const int64_t n = v->inputs[i].dim[k];
            int64_t *size =
                *t->dims[k].symbol && n >= 0 ? OC_PUSH(&v->arena, v->size, v->n_size) : NULL;
            if (size && oc_name_map_put(&v->size_of, t->dims[k].symbol, v->n_size - 1))
                *size = n;
        }
    }
    return oc_arena_check(&v->arena, v->e);
}

static oc_status note_operators(visit *v)
{
    v->op = oc_arena_array(&v->arena, (size_t)v->m->n_usage, sizeof *v->op);
    OC_TRY(oc_arena_check(&v->arena, v->e));
    for (int i = 0; i < v->m->n_usage; i++) {
        const oc_usage *u = &v->m->usage[i];
        oc_opkey_map_put(&v->operator_of, (oc_opkey){u->domain, u->op_type, u->overload, u->opset},
                         i);
        oc_model_operator_at(v->m, i, &v->op[i]);
    }
    return oc_arena_check(&v->arena, v->e);
}

/* ---- values ---- */

static oc_status enter_graph(visit *v, const oc_graph *g, int depth)
{
    static const oc_declarer list[] = {OC_BY_SPARSE, OC_BY_INITIALIZER, OC_BY_INPUT,
                                       OC_BY_OUTPUT, OC_BY_VALUE,       OC_BY_NODE};
    const int n = sizeof list / sizeof *list - (depth == 0);
    v->scope[depth] = (scope){.graph = g, .declared = oc_declarations_of(g, list, n, &v->arena)};
    return oc_arena_check(&v->arena, v->e);
}

static oc_port constant_port(oc_name name, const oc_declaration *d)
{
    oc_port p = {.name = name, .type = d->type, .rank = d->dims->rank, .has_default = true};
    for (int i = 0; i < p.rank; i++)
        p.dim[i] = d->dims->n[i];
    return p;
}

static oc_port declared_port(const visit *v, const oc_value_info *info)
{
    oc_port p = oc_port_of(info);
    for (int i = 0; i < p.rank; i++) {
        const int size = p.dim_name[i] ? oc_name_map_get(&v->size_of, p.dim_name[i]) : -1;
        p.dim[i] = size >= 0 ? v->size[size] : p.dim[i];
    }
    return p;
}

static oc_port input_port(const visit *v, const oc_graph *g, int i)
{
    oc_port p = declared_port(v, &g->input[i]);
    for (int k = 0; v->inputs && g == &v->m->graph && k < p.rank && k < v->inputs[i].rank; k++)
        p.dim[k] = v->inputs[i].dim[k];
    return p;
}

/* Returns what graph g declares about a value. */
static oc_port declared_as(const visit *v, const oc_graph *g, oc_name name, const oc_declaration *d)
{
    if (d->dims)
        return constant_port(name, d);
    if (d->info)
        return d->by == OC_BY_INPUT ? input_port(v, g, d->i) : declared_port(v, d->info);
    return (oc_port){.name = name, .rank = -1};
}

/* What the plan knows overrides what the model declares. */
static void add_fact(const visit *v, oc_port *p)
{
    const int i = p->has_default ? -1 : oc_name_map_get(&v->fact_of, p->name);
    if (i < 0)
        return;
    const fact *f = &v->fact[i];
    if (f->type != OC_UNDEFINED) {
        p->kind = f->kind;
        p->type = f->type;
    }
    if (f->dims.rank < 0 || p->kind != OC_TENSOR)
        return;
    for (int k = 0; k < f->dims.rank; k++) {
        const bool declared = p->rank == f->dims.rank && f->dims.n[k] < 0 && !f->dim_name[k];
        p->dim[k] = declared ? p->dim[k] : f->dims.n[k];
        p->dim_name[k] = declared ? p->dim_name[k] : f->dim_name[k];
    }
    p->rank = f->dims.rank;
}

static oc_port find_port(const visit *v, int depth, oc_name name)
{
    oc_port p = {.name = name, .rank = -1};
    if (!*name)
        return p;
    for (int d = depth; d >= 0; d--) {
        const scope *s = &v->scope[d];
        const oc_declaration found = oc_declaration_find(&s->declared, name);
        if (found.by == OC_BY_NOTHING && d > 0)
            continue;
        p = declared_as(v, s->graph, name, &found);
        if (d == 0)
            add_fact(v, &p);
        break;
    }
    return p;
}

/* ---- nodes ---- */

static void *port_at(const visit *v, int i)
{
    return v->port ? v->port + (size_t)i * v->port_size : NULL;
}

static oc_status fill_ports(visit *v, int depth, const oc_node *n)
{
    if (n->n_in + n->n_out > v->n_port) {
        v->n_port = 2 * (n->n_in + n->n_out);
        v->port = oc_arena_array(&v->arena, (size_t)v->n_port, v->port_size);
        OC_TRY(oc_arena_check(&v->arena, v->e));
    }
    for (int i = 0; i < n->n_in + n->n_out; i++) {
        const oc_port p = find_port(v, depth, i < n->n_in ? n->in[i] : n->out[i - n->n_in]);
        oc_sized_write(port_at(v, i), v->port_size, &p, sizeof p);
    }
    return OC_OK;
}

static oc_node_info describe(const visit *v, const oc_walk *w, const oc_node *n)
{
    const oc_walk_place *around = w->depth ? &w->open[w->depth - 1] : NULL;
    const int64_t opset = n->opset ? n->opset : oc_opsets_find(&v->m->opsets, n->domain);
    const oc_opkey key = {n->domain, n->op_type, n->overload, opset};
    const oc_model_operator *op = &v->op[oc_opkey_map_get(&v->operator_of, key)];
    return (oc_node_info){
        .name = n->name,
        .domain = n->domain,
        .op_type = n->op_type,
        .opset = opset,
        .since = op->since,
        .support = op->support,
        .depth = w->depth,
        .parent = around ? v->scope[w->depth - 1].node : -1,
        .graph = around ? around->graph->node[around->node].attr[around->attr].name : NULL,
        .n_in = n->n_in,
        .n_out = n->n_out,
        .n_attr = n->n_attr,
        .in = port_at(v, 0),
        .out = port_at(v, n->n_in),
        .attr = n->attr};
}

static oc_status tell_nodes(visit *v, void (*tell)(void *ctx, const oc_node_info *node), void *ctx)
{
    oc_walk w = oc_walk_new(&v->m->graph);
    int number = 0;
    OC_TRY(enter_graph(v, &v->m->graph, 0));
    for (const oc_node *n; (n = oc_walk_next(&w)); number++) {
        OC_TRY(oc_watch_check(&v->watch, v->e));
        if (v->scope[w.depth].graph != w.open[w.depth].graph)
            OC_TRY(enter_graph(v, w.open[w.depth].graph, w.depth));
        v->scope[w.depth].node = number;
        OC_TRY(fill_ports(v, w.depth, n));
        const struct {
            oc_node_info node;
            char later[OC_SIZED_ROOM];
        } told = {.node = describe(v, &w, n)};
        tell(ctx, &told.node);
    }
    return OC_OK;
}

static oc_status take_inputs(visit *v, const void *inputs)
{
    const int n = v->m->graph.n_input;
    if (!inputs)
        return OC_OK;
    v->inputs = oc_arena_array(&v->arena, (size_t)n, sizeof *v->inputs);
    OC_TRY(oc_arena_check(&v->arena, v->e));
    for (int i = 0; i < n; i++) {
        oc_port *p = &v->inputs[i];
        const char *given = (const char *)inputs + (size_t)i * v->port_size;
        OC_TRY(oc_sized_read(p, sizeof *p, "oc_port", given, v->port_size, v->e));
        if (p->rank < -1 || p->rank > OC_MAX_RANK || (unsigned)p->type >= OC_N_TYPES ||
            (unsigned)p->kind > OC_MAP)
            return oc_error_set(v->e, OC_ARGUMENT,
                                "oc_model_visit: input %d has rank %d, type %d and kind %d", i,
                                p->rank, (int)p->type, (int)p->kind);
    }
    return OC_OK;
}

static oc_status visit_nodes(visit *v, const void *inputs,
                             void (*tell)(void *ctx, const oc_node_info *node), void *ctx)
{
    const oc_listener listener = {.tell = ignore, .value = note_fact, .ctx = v};
    OC_TRY(take_inputs(v, inputs));
    OC_TRY(note_sizes(v));
    OC_TRY(note_operators(v));
    oc_session_examine(v->m, v->inputs, &listener, v->e);
    OC_TRY(v->e->code);
    OC_TRY(oc_arena_check(&v->arena, v->e));
    return tell_nodes(v, tell, ctx);
}

void oc_model_visit_sized(const oc_model *m, const oc_port *inputs, size_t port_size,
                          void (*tell)(void *ctx, const oc_node_info *node), void *ctx, oc_error *e)
{
    if (!oc_error_is_clear(e))
        return;
    if (!m || !tell) {
        oc_error_set(e, OC_ARGUMENT, "oc_model_visit: there is no model or nobody to tell");
        return;
    }
    if (!oc_sized_is_item(port_size)) {
        oc_error_set(e, OC_ARGUMENT, "oc_model_visit: oc_port of %zu bytes", port_size);
        return;
    }
    visit v = {.m = oc_model_hold(m), .port_size = port_size, .e = e};
    oc_watch_begin(&v.watch, "looking into the model", &m->options.limits);
    v.memory = oc_memory_beside(&m->memory, 0, &v.watch);
    v.arena = oc_arena_new(&v.memory);
    v.fact_of = oc_name_map_new(&v.arena);
    v.size_of = oc_name_map_new(&v.arena);
    v.operator_of = oc_opkey_map_new(&v.arena);
    visit_nodes(&v, inputs, tell, ctx);
    oc_arena_free(&v.arena);
    oc_model_drop(m);
}
