/* SPDX-License-Identifier: Apache-2.0
 * scope.c - how are names resolved, captures found and nodes sorted?
 *
 * The free names of a graph are the names that nodes in it, or in graphs within it, use and that
 * are defined outside it. A node depends on the producers of its inputs and of the free names of
 * its subgraphs. */
#include "graph/scope.h"

#include "graph/node_text.h"

#include <string.h>

/* The value of a name in scope.defined: the index of the node that produces it, or GIVEN for inputs
 * and initializers. */
enum { GIVEN = 1 << 30 };

typedef struct scope {
    const struct scope *outer;
    oc_graph *graph;
    const char *what;
    oc_name_map defined;
    oc_name_map free_seen;
    oc_name *free_name; /* the free names, each once */
    int n_free;
    int *dep; /* node i depends on dep[first[i]] .. dep[first[i + 1] - 1] */
    int n_dep;
    int *first;
    bool out_of_order;
    int depth;
    oc_arena *arena;
    oc_error *e;
} scope;

static bool is_defined_outside(const scope *s, oc_name name)
{
    for (s = s->outer; s; s = s->outer)
        if (oc_name_map_get(&s->defined, name) >= 0)
            return true;
    return false;
}

/* ---- definitions ---- */

static oc_status define(scope *s, oc_name name, int producer, const char *as)
{
    if (oc_name_map_get(&s->defined, name) >= 0)
        return oc_error_set(s->e, OC_MODEL,
                            "%s: value '%s' is defined twice, the second time as %s", s->what, name,
                            as);
    if (is_defined_outside(s, name))
        return oc_error_set(s->e, OC_MODEL,
                            "%s: %s '%s' hides a value of the same name in a graph around it",
                            s->what, as, name);
    if (!oc_name_map_put(&s->defined, name, producer))
        return oc_arena_check(s->arena, s->e);
    return OC_OK;
}

static oc_status define_initializer(scope *s, oc_name name, oc_name_map *seen)
{
    if (!*name)
        return oc_error_set(s->e, OC_MODEL, "%s: an initializer has no name", s->what);
    if (oc_name_map_get(seen, name) >= 0)
        return oc_error_set(s->e, OC_MODEL, "%s: initializer '%s' is defined twice", s->what, name);
    if (!oc_name_map_put(seen, name, 0))
        return oc_arena_check(s->arena, s->e);
    if (oc_name_map_get(&s->defined, name) >= 0)
        return OC_OK; /* it is the default of an input */
    return define(s, name, GIVEN, "an initializer");
}

static oc_status define_given(scope *s)
{
    const oc_graph *g = s->graph;
    oc_name_map seen = oc_name_map_new(s->arena);
    for (int i = 0; i < g->n_input; i++) {
        if (!*g->input[i].name)
            return oc_error_set(s->e, OC_MODEL, "%s: input %d has no name", s->what, i);
        OC_TRY(define(s, g->input[i].name, GIVEN, "an input"));
    }
    for (int i = 0; i < g->n_initializer; i++)
        OC_TRY(define_initializer(s, g->initializer[i].name, &seen));
    for (int i = 0; i < g->n_sparse; i++)
        OC_TRY(define_initializer(s, g->sparse[i].name, &seen));
    return OC_OK;
}

static oc_status define_outputs(scope *s)
{
    for (int i = 0; i < s->graph->n_node; i++) {
        const oc_node *n = &s->graph->node[i];
        for (int k = 0; k < n->n_out; k++)
            if (*n->out[k])
                OC_TRY(define(s, n->out[k], i, "a node's output"));
    }
    return OC_OK;
}

/* ---- uses ---- */

static oc_status add_dep(scope *s, int node, int producer)
{
    if (producer == GIVEN)
        return OC_OK;
    s->out_of_order |= producer >= node;
    int *dep = OC_PUSH(s->arena, s->dep, s->n_dep);
    OC_TRY(oc_arena_check(s->arena, s->e));
    *dep = producer;
    return OC_OK;
}

static oc_status add_free(scope *s, oc_name name)
{
    if (oc_name_map_get(&s->free_seen, name) >= 0)
        return OC_OK;
    oc_name *free_name = OC_PUSH(s->arena, s->free_name, s->n_free);
    if (!free_name || !oc_name_map_put(&s->free_seen, name, 0))
        return oc_arena_check(s->arena, s->e);
    *free_name = name;
    return OC_OK;
}

/* Records that node `node` uses name; node is n_node for the graph's outputs. */
static oc_status use(scope *s, int node, oc_name name)
{
    char text[OC_NODE_TEXT];
    const int producer = oc_name_map_get(&s->defined, name);
    if (producer >= 0)
        return add_dep(s, node, producer);
    if (is_defined_outside(s, name))
        return add_free(s, name);
    if (node == s->graph->n_node)
        return oc_error_set(s->e, OC_MODEL, "%s: output '%s' is not defined", s->what, name);
    return oc_error_set(s->e, OC_MODEL, "%s: %s: input '%s' is not defined", s->what,
                        oc_node_text(&s->graph->node[node], 0, text), name);
}

static oc_status check_scope(oc_graph *g, const char *what, const scope *outer, scope *s);

static oc_status use_subgraph(scope *s, int node, oc_graph *inner)
{
    scope *in = oc_arena_alloc(s->arena, sizeof *in); /* saves C stack: graphs nest deeply */
    OC_TRY(oc_arena_check(s->arena, s->e));
    in->arena = s->arena;
    in->e = s->e;
    in->depth = s->depth + 1;
    const char *what = oc_arena_printf(s->arena, "graph '%s'", inner->name);
    OC_TRY(oc_arena_check(s->arena, s->e));
    OC_TRY(check_scope(inner, what, s, in));
    for (int i = 0; i < in->n_free; i++)
        OC_TRY(use(s, node, in->free_name[i]));
    return OC_OK;
}

static oc_status use_inputs(scope *s, int node)
{
    const oc_node *n = &s->graph->node[node];
    for (int k = 0; k < n->n_in; k++)
        if (*n->in[k])
            OC_TRY(use(s, node, n->in[k]));
    for (int a = 0; a < n->n_attr; a++)
        for (int k = 0; k < oc_attr_n_graphs(&n->attr[a]); k++)
            OC_TRY(use_subgraph(s, node, n->attr[a].u.g[k]));
    return OC_OK;
}

/* ---- order ---- */

static oc_status refuse_circle(const scope *s, const oc_node *n)
{
    char text[OC_NODE_TEXT];
    return oc_error_set(s->e, OC_MODEL, "%s: %s depends on its own output", s->what,
                        oc_node_text(n, 0, text));
}

/* Writes the indices of the nodes in their new order to place. A depth-first walk from each node in
 * turn puts producers before their readers and keeps the order of nodes that are already in
 * order. */
static oc_status sort_into(scope *s, int *place)
{
    enum { UNSEEN, OPEN, DONE };
    const int n = s->graph->n_node;
    char *state = oc_arena_array(s->arena, (size_t)n, sizeof *state);
    int *stack = oc_arena_array(s->arena, (size_t)n, sizeof *stack);
    int *next = oc_arena_array(s->arena, (size_t)n, sizeof *next);
    OC_TRY(oc_arena_check(s->arena, s->e));
    int n_placed = 0;
    for (int root = 0; root < n; root++) {
        int depth = 0;
        if (state[root] == UNSEEN)
            stack[depth++] = root;
        while (depth) {
            const int node = stack[depth - 1];
            if (state[node] == UNSEEN)
                next[node] = s->first[node];
            state[node] = OPEN;
            if (next[node] == s->first[node + 1]) {
                state[node] = DONE;
                place[n_placed++] = node;
                depth--;
                continue;
            }
            const int producer = s->dep[next[node]++];
            if (state[producer] == OPEN)
                return refuse_circle(s, &s->graph->node[producer]);
            if (state[producer] == UNSEEN)
                stack[depth++] = producer;
        }
    }
    return OC_OK;
}

static oc_status sort_nodes(scope *s)
{
    oc_graph *g = s->graph;
    int *place = oc_arena_array(s->arena, (size_t)g->n_node, sizeof *place);
    oc_node *old = oc_arena_array(s->arena, (size_t)g->n_node, sizeof *old);
    OC_TRY(oc_arena_check(s->arena, s->e));
    OC_TRY(sort_into(s, place));
    memcpy(old, g->node, (size_t)g->n_node * sizeof *old);
    for (int i = 0; i < g->n_node; i++)
        g->node[i] = old[place[i]];
    return OC_OK;
}

/* ---- one graph ---- */

/* Checks g in scope s, in which arena, e and depth are set. */
static oc_status check_scope(oc_graph *g, const char *what, const scope *outer, scope *s)
{
    if (s->depth > OC_MAX_NESTING)
        return oc_error_set(s->e, OC_LIMIT, "%s: graphs are nested deeper than %d", what,
                            OC_MAX_NESTING);
    s->outer = outer;
    s->graph = g;
    s->what = what;
    s->defined = oc_name_map_new(s->arena);
    s->free_seen = oc_name_map_new(s->arena);
    s->first = oc_arena_array(s->arena, (size_t)g->n_node + 1, sizeof *s->first);
    OC_TRY(oc_arena_check(s->arena, s->e));
    OC_TRY(define_given(s));
    OC_TRY(define_outputs(s));
    for (int i = 0; i < g->n_node; i++) {
        s->first[i] = s->n_dep;
        OC_TRY(use_inputs(s, i));
    }
    s->first[g->n_node] = s->n_dep;
    for (int i = 0; i < g->n_output; i++)
        OC_TRY(use(s, g->n_node, g->output[i].name));
    return s->out_of_order ? sort_nodes(s) : OC_OK;
}

oc_status oc_scope_check(oc_graph *g, const char *what, oc_arena *arena, oc_error *e)
{
    scope *s = oc_arena_alloc(arena, sizeof *s);
    OC_TRY(oc_arena_check(arena, e));
    s->arena = arena;
    s->e = e;
    return check_scope(g, what, NULL, s);
}
