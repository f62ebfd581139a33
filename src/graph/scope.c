/* SPDX-License-Identifier: Apache-2.0
 * scope.c - resolves names, finds captures and sorts nodes.
 *
 * A name means the nearest value of that name that is defined before the place of its use: in
 * the same graph, or in the graph around it before the node that holds the inner graph, and so
 * on outwards. If there is none, nodes are out of order, and the name means the nearest value of
 * that name wherever it is defined. A node depends on the producers of its inputs and of the
 * values that its subgraphs use. */
#include "graph/scope.h"

#include "graph/build.h"
#include "graph/node_text.h"
#include "graph/rename.h"

/* The value of a name in scope.defined is the index of the node that produces it, or GIVEN for
 * inputs and initializers. */
enum { GIVEN = 1 << 30 };

/* What the scopes of all graphs of a model share. */
typedef struct shared {
    oc_model *model;
    oc_fresh fresh;
    bool open; /* true: names may be used that nothing defines */
} shared;

typedef struct scope {
    struct scope *outer;
    shared *all;
    oc_graph *graph;
    const char *what;
    oc_name_map defined; /* maps names as the file gives them */
    oc_renames renames;
    int node; /* index of the node whose uses are looked up; n_node for the graph's outputs */
    int *dep; /* node i depends on dep[first[i]] to dep[first[i + 1] - 1] */
    int n_dep;
    int *first;
    bool out_of_order;
    int depth;
    oc_arena *arena;
    oc_error *e;
} scope;

/* Returns the scope that has the value which the name means in scope s; NULL when there is none. */
static scope *find(scope *s, oc_name name)
{
    scope *later = NULL;
    for (; s; s = s->outer) {
        const int producer = oc_name_map_get(&s->defined, name);
        if (producer == GIVEN || (producer >= 0 && producer < s->node))
            return s;
        if (producer >= 0 && !later)
            later = s;
    }
    return later;
}

/* ---- definitions ---- */

static oc_status check_memory(const scope *s)
{
    OC_TRY(oc_arena_check(s->arena, s->e));
    return oc_arena_check(&s->all->model->arena, s->e);
}

/* Gives the value a new name if a graph around this one has a value of that name, wherever it is
 * defined. If the outer value is visible, the standard forbids the inner one. */
static oc_status rename_inner(scope *s, oc_name name, const char *as)
{
    bool visible = false, exists = false;
    for (const scope *o = s->outer; o; o = o->outer) {
        const int producer = oc_name_map_get(&o->defined, name);
        exists |= producer >= 0;
        visible |= producer == GIVEN || (producer >= 0 && producer < o->node);
    }
    if (!exists)
        return OC_OK;
    const oc_name made = oc_renames_add(&s->renames, &s->all->fresh, name);
    if (!made)
        return check_memory(s);
    if (!visible)
        return OC_OK;
    return oc_model_remark(s->all->model, s->e,
                           "%s: %s has the name '%s' of a value around the graph, which the "
                           "standard does not allow; it is called '%s' here",
                           s->what, as, name, made);
}

static oc_status define(scope *s, oc_name name, int producer, const char *as)
{
    if (oc_name_map_get(&s->defined, name) >= 0)
        return oc_error_set(s->e, OC_MODEL,
                            "%s: value '%s' is defined twice, the second time as %s", s->what, name,
                            as);
    if (!oc_name_map_put(&s->defined, name, producer))
        return check_memory(s);
    return rename_inner(s, name, as);
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
        return OC_OK; /* an initializer with an input's name is the input's default */
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
        OC_TRY(define_initializer(s, g->sparse[i].values.name, &seen));
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

static oc_status add_dep(scope *s, int producer)
{
    if (producer == GIVEN || s->node == s->graph->n_node)
        return OC_OK;
    s->out_of_order |= producer >= s->node;
    int *dep = OC_PUSH(s->arena, s->dep, s->n_dep);
    OC_TRY(oc_arena_check(s->arena, s->e));
    *dep = producer;
    return OC_OK;
}

/* *name is used by the current node or by the graph's outputs. It becomes the name that the
 * value has now. */
static oc_status use(scope *s, oc_name *name)
{
    char text[OC_NODE_TEXT];
    scope *of = find(s, *name);
    if (of) {
        const int producer = oc_name_map_get(&of->defined, *name);
        const oc_name now = oc_renames_get(&of->renames, *name);
        /* a part of a model that was checked before may be shared, so it is written only when it
         * changes */
        if (*name != now)
            *name = now;
        return add_dep(of, producer);
    }
    if (s->all->open)
        return OC_OK;
    if (s->node == s->graph->n_node)
        return oc_error_set(s->e, OC_MODEL, "%s: output '%s' is not defined", s->what, *name);
    return oc_error_set(s->e, OC_MODEL, "%s: %s: input '%s' is not defined", s->what,
                        oc_node_text(&s->graph->node[s->node], 0, text), *name);
}

static oc_status check_scope(oc_graph *g, const char *what, scope *s);

static oc_status use_subgraph(scope *s, oc_graph *inner)
{
    /* on the heap, because graphs nest deeply and the C stack is small */
    scope *in = oc_arena_alloc(s->arena, sizeof *in);
    OC_TRY(oc_arena_check(s->arena, s->e));
    in->outer = s;
    in->all = s->all;
    in->arena = s->arena;
    in->e = s->e;
    in->depth = s->depth + 1;
    const char *what = oc_arena_printf(s->arena, "graph '%s'", inner->name);
    OC_TRY(oc_arena_check(s->arena, s->e));
    return check_scope(inner, what, in);
}

static oc_status use_inputs(scope *s)
{
    oc_node *n = &s->graph->node[s->node];
    oc_name *own = NULL;
    for (int k = 0; k < n->n_in; k++) {
        oc_name name = n->in[k];
        if (*name)
            OC_TRY(use(s, &name));
        if (!oc_rename_at(s->all->model, &n->in, &own, n->n_in, k, name))
            return check_memory(s);
    }
    for (int a = 0; a < n->n_attr; a++)
        for (int k = 0; k < oc_attr_n_graphs(&n->attr[a]); k++)
            OC_TRY(use_subgraph(s, n->attr[a].u.g[k]));
    return OC_OK;
}

/* ---- order ---- */

static oc_status refuse_circle(const scope *s, const oc_node *n)
{
    char text[OC_NODE_TEXT];
    return oc_error_set(s->e, OC_MODEL, "%s: %s depends on its own output", s->what,
                        oc_node_text(n, 0, text));
}

/* Writes the indices of the nodes in their new order to place. A depth-first walk from each node
 * in turn puts producers before their readers and keeps nodes that are already in order where
 * they are. */
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

static oc_status define_all(scope *s)
{
    s->defined = oc_name_map_new(s->arena);
    s->renames = oc_renames_new(s->arena);
    OC_TRY(define_given(s));
    OC_TRY(define_outputs(s));
    oc_renames_apply(&s->renames, s->all->model, s->graph);
    return check_memory(s);
}

/* A graph may also declare values of the graphs around it. The list may belong to another model,
 * so it is copied before a change. */
static oc_status rename_declared(scope *s)
{
    oc_graph *g = s->graph;
    oc_value_info *copy = NULL;
    for (int i = 0; i < g->n_value; i++) {
        const oc_name name = g->value[i].name;
        const scope *of = find(s, name);
        const oc_name now = of ? oc_renames_get(&of->renames, name) : name;
        if (now == name)
            continue;
        if (!copy) {
            copy = oc_arena_array(&s->all->model->arena, (size_t)g->n_value, sizeof *copy);
            OC_TRY(check_memory(s));
            memcpy(copy, g->value, (size_t)g->n_value * sizeof *copy);
            g->value = copy;
        }
        copy[i].name = now;
    }
    return OC_OK;
}

/* Checks g in scope s. The caller has set outer, all, arena, e and depth of s. */
static oc_status check_scope(oc_graph *g, const char *what, scope *s)
{
    if (s->depth > OC_MAX_NESTING)
        return oc_error_set(s->e, OC_LIMIT, "%s: graphs are nested deeper than %d", what,
                            OC_MAX_NESTING);
    s->graph = g;
    s->what = what;
    s->first = oc_arena_array(s->arena, (size_t)g->n_node + 1, sizeof *s->first);
    OC_TRY(oc_arena_check(s->arena, s->e));
    OC_TRY(define_all(s));
    for (s->node = 0; s->node < g->n_node; s->node++) {
        s->first[s->node] = s->n_dep;
        OC_TRY(use_inputs(s));
    }
    s->first[g->n_node] = s->n_dep;
    for (int i = 0; i < g->n_output; i++)
        OC_TRY(use(s, &g->output[i].name));
    OC_TRY(rename_declared(s));
    return s->out_of_order ? sort_nodes(s) : OC_OK;
}

oc_status oc_scope_check(oc_model *m, oc_graph *g, const char *what, bool open, oc_arena *arena,
                         oc_error *e)
{
    shared all = {.model = m, .fresh = {m, oc_name_map_new(arena)}, .open = open};
    scope *s = oc_arena_alloc(arena, sizeof *s);
    OC_TRY(oc_arena_check(arena, e));
    s->all = &all;
    s->arena = arena;
    s->e = e;
    return check_scope(g, what, s);
}
