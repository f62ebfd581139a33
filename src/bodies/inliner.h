/* SPDX-License-Identifier: Apache-2.0
 * inliner.h - what inline.c and inline_call.c share.
 *
 * The work that bodies cost is limited, because a few functions that each call the next one
 * twice would otherwise expand without bound. A unit of work is a node, or one of its names. */
#pragma once

#include "bodies/choose.h"
#include "bodies/environment.h"
#include "bodies/join.h"
#include "graph/opkey.h"

typedef struct oc_inliner {
    oc_renamer names;
    oc_model *to;
    oc_chooser *chooser; /* NULL: only the model's own functions are expanded */
    oc_types *types;     /* types of the new model's values */
    const oc_join *join; /* what is put behind the old model (join.h); NULL: nothing */
    /* maps a call to the index of the old model's function, or of the joined one's, which follow */
    oc_opkey_map functions;
    int n_calls, depth; /* number of calls, and of graphs within graphs, that are open now */
    int64_t work;       /* units of work that calls may still cost */
    /* the first replaced call whose annotations are lost; NULL: there is none */
    const oc_node *untold;
    oc_error *e;
} oc_inliner;

/* ---- bodies.c */

/* *out becomes a checked copy of m without calls. unify: all its nodes of one domain run under
 * one version. */
oc_status oc_bodies_rewrite(const oc_model *m, oc_chooser *c, bool unify, oc_model **out);

/* ---- inline.c */

/* Counts n units of work within a call, and fails when none are left. Work for the main graph's own
 * nodes is not counted. */
oc_status oc_inliner_spend(oc_inliner *x, int64_t n);
/* Returns room for n names, in the arena of the new model. */
oc_name *oc_inliner_names(oc_inliner *x, int n);

/* Appends the initializers, or the nodes, of graph g to out, with the names that environment env
 * gives them. */
oc_status oc_inline_initializers(oc_inliner *x, oc_env *env, const oc_graph *g, oc_graph *out);
oc_status oc_inline_nodes(oc_inliner *x, oc_env *env, const oc_graph *g, oc_graph *out);
/* *out becomes graph g with the names that the environment gives it. n is the node, with its new
 * names, that has the graph as its attribute attr; NULL for the main graph. */
oc_status oc_inline_copy(oc_inliner *x, oc_env *env, const oc_node *n, const char *attr,
                         const oc_graph *g, oc_graph *out);

/* Appends n declarations of values to a list. In a function's body shapes are left out: their
 * symbols belong to the function, not to the model. */
oc_status oc_inline_infos(oc_inliner *x, oc_env *env, const oc_value_info *info, int n,
                          oc_value_info **list, int *n_list);

/* ---- inline_call.c */

/* *function becomes the function that node n calls: one of the model's own if the environment's
 * nodes may call those, else the body that the chooser gives. *function is NULL if the node
 * stays. */
oc_status oc_inline_callee(oc_inliner *x, oc_env *env, const oc_node *n,
                           const oc_function **function, bool *local);
/* Appends the nodes of function's body to out, in place of call n. */
oc_status oc_inline_call(oc_inliner *x, oc_env *caller, const oc_node *n,
                         const oc_function *function, bool local, oc_graph *out);
/* Appends an Identity for each output of the environment's call that is also an input of the
 * function, or that the function lists twice. */
oc_status oc_inline_identities(oc_inliner *x, oc_env *env, oc_graph *out);

/* Does the node call a graph attribute of the body's function? */
bool oc_is_graph_call(const oc_env *env, const oc_node *n);
/* Appends the nodes of the graph attribute that n calls to out, between Identity nodes that bind
 * the graph's inputs and outputs to those of n. */
oc_status oc_inline_graph(oc_inliner *x, oc_env *env, const oc_node *n, oc_graph *out);
