/* SPDX-License-Identifier: Apache-2.0
 * recursion.c - do functions call each other in a circle?
 *
 * A depth-first walk over the calls between functions. It has its own stack, because a file may
 * hold a chain of a million functions. */
#include "graph/recursion.h"

#include "graph/walk.h"

enum { MAX_NAMED = 12 }; /* most functions that the message names */

typedef struct calls {
    int *callee; /* function f calls callee[first[f]] to callee[first[f + 1] - 1] */
    int n;
    int *first;
} calls;

typedef struct walk {
    const oc_model *model;
    const oc_opkey_map *functions;
    calls calls;
    oc_arena *arena;
    oc_error *e;
} walk;

static oc_status add_calls(walk *w, const oc_graph *g)
{
    oc_walk nodes = oc_walk_new(g);
    for (const oc_node *n; (n = oc_walk_next(&nodes));) {
        const int f = oc_opkey_map_get(w->functions, oc_opkey_of_call(n));
        if (f < 0)
            continue;
        int *callee = OC_PUSH(w->arena, w->calls.callee, w->calls.n);
        OC_TRY(oc_arena_check(w->arena, w->e));
        *callee = f;
    }
    return OC_OK;
}

/* Sets the error for a circle: each of the functions stack[from] to stack[depth - 1] calls the
 * next one, and the last one calls the first. */
static oc_status circle(const walk *w, const int *stack, int from, int depth)
{
    const oc_function *f = w->model->function;
    const char *first = f[stack[from]].name, *path = first;
    for (int i = from + 1; i < depth && i < from + MAX_NAMED && path; i++)
        path = oc_arena_printf(w->arena, "%s -> %s", path, f[stack[i]].name);
    return oc_error_set(w->e, OC_MODEL, "functions call each other in a circle: %s%s -> %s",
                        path ? path : first, depth - from > MAX_NAMED ? " -> ..." : "", first);
}

static oc_status find_circle(const walk *w, int *stack, int *next, int *place)
{
    /* a function on the stack has the place OPEN + its index on the stack */
    enum { UNSEEN, DONE, OPEN };
    const int n = w->model->n_function;
    for (int root = 0; root < n; root++) {
        int depth = 0;
        if (place[root] == UNSEEN)
            stack[depth++] = root;
        while (depth) {
            const int f = stack[depth - 1];
            if (place[f] == UNSEEN) {
                place[f] = OPEN + depth - 1;
                next[f] = w->calls.first[f];
            }
            if (next[f] == w->calls.first[f + 1]) {
                place[f] = DONE;
                depth--;
                continue;
            }
            const int callee = w->calls.callee[next[f]++];
            if (place[callee] >= OPEN)
                return circle(w, stack, place[callee] - OPEN, depth);
            if (place[callee] == UNSEEN)
                stack[depth++] = callee;
        }
    }
    return OC_OK;
}

oc_status oc_recursion_check(const oc_model *m, const oc_opkey_map *functions, oc_arena *arena,
                             oc_error *e)
{
    const size_t n = (size_t)m->n_function;
    walk w = {.model = m, .functions = functions, .arena = arena, .e = e};
    w.calls.first = oc_arena_array(arena, n + 1, sizeof *w.calls.first);
    int *stack = oc_arena_array(arena, n, sizeof *stack);
    int *next = oc_arena_array(arena, n, sizeof *next);
    int *place = oc_arena_array(arena, n, sizeof *place);
    OC_TRY(oc_arena_check(arena, e));
    for (int f = 0; f < m->n_function; f++) {
        OC_TRY(add_calls(&w, &m->function[f].body));
        w.calls.first[f + 1] = w.calls.n;
    }
    return find_circle(&w, stack, next, place);
}
