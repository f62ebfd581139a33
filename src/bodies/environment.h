/* SPDX-License-Identifier: Apache-2.0
 * environment.h - what the names and "@ref" attributes of a function's body mean in one call of it.
 *
 * Only the inliner uses it. Names come from two tables: the old model's and the body library's. The
 * new model's table begins with the names of the old one, so those need no copy; names of the
 * library are interned again. In a body that oc_model_check accepts, a name has one meaning
 * throughout, subgraphs included, so one map for each call is enough. */
#pragma once

#include "graph/graph.h"

/* Makes names that are unique in the new model. */
typedef struct oc_renamer {
    const oc_model *from;
    oc_model *to;
    oc_arena *scratch;
    /* names made so far; each has the next number to try after it. nodes has those of a joint */
    oc_name_map values, nodes, prefixes;
    oc_error *e;
} oc_renamer;

struct oc_inliner;

/* A model that is put behind another one, as the body of a call (join.h). */
typedef struct oc_joint {
    const oc_model *model;
    const char *prefix; /* begins new names, without the slash */
    oc_name_map linked; /* has the inputs that outputs of the other model are linked to */
    /* maps symbols to indices in dim, which has what they stand for in the new model */
    oc_name_map symbols;
    oc_dim *dim;
    int n_dim;
    /* gives the dims of a type that the model declares their symbols in the new model */
    void (*rename_dims)(struct oc_inliner *x, const struct oc_joint *joint, oc_type_info *t);
} oc_joint;

typedef struct oc_env {
    /* environment of the body that contains the call; NULL for the main graph */
    struct oc_env *caller;
    const oc_function *function; /* NULL for the main graph */
    const oc_node *call;         /* the node as the caller's body has it, not renamed */
    bool local;   /* true: function is one of the model's own, and may call others of them */
    bool foreign; /* true: names of the body are not of the old model's table */
    const oc_joint *joint; /* NULL: the body is that of a function, or of the main graph */
    const char *prefix;    /* begins new names, without the slash */
    oc_name_map index;     /* maps a name in the body to its index in renamed */
    oc_name *renamed;
    int n_renamed;
    /* for a graph attribute, the environment in which the attribute is written; index then has
     * only the graph's own names */
    struct oc_env *outer;
    /* maps a name to its index in the call's attributes, followed by the defaults */
    oc_name_map attr;
} oc_env;

oc_renamer oc_renamer_new(const oc_model *from, oc_model *to, oc_arena *scratch, oc_error *e);

/* Returns the error of the first failed allocation; OC_OK if none failed. */
oc_status oc_renamer_check(const oc_renamer *r);
/* Returns "prefix/name", with a number behind it if a value has that name; NULL when memory runs
 * out. */
oc_name oc_renamer_join(oc_renamer *r, const char *prefix, oc_name name);

/* The name in the environment's body means this name in the new model. Returns false when that is
 * NULL or memory runs out. */
bool oc_env_bind(oc_renamer *r, oc_env *env, oc_name name, oc_name renamed);

/* *env becomes a new environment that binds the function's inputs and outputs to the call's. A
 * call that does not fit the function is an error. An output that is also an input, or that is
 * listed twice, is bound once; the caller compares oc_env_value with the output that the call
 * names, and adds an Identity where they differ. */
oc_status oc_env_new(oc_renamer *r, oc_env *caller, const oc_node *call,
                     const oc_function *function, bool local, oc_env **env);

/* Returns how many of the function's outputs the call has. */
int oc_env_n_out(const oc_env *env);

/* *env becomes an environment for the nodes of graph g, an attribute that is written in environment
 * owner and is called by a node in the body of environment user. It renames the graph's inputs, its
 * initializers and the outputs of its nodes; other names mean what they mean in owner. */
oc_status oc_env_of_graph(oc_renamer *r, oc_env *user, oc_env *owner, const oc_graph *g,
                          oc_env **env);

/* Returns the new name of a value. name is its name in the environment's body or in a graph
 * within the body. The new name is "" for "" and for a missing input. It is NULL when memory
 * runs out; oc_renamer_check reports that. */
oc_name oc_env_value(oc_renamer *r, oc_env *env, oc_name name);
/* Returns the new name of a node: "prefix/name". "" stays "". */
oc_name oc_env_node(oc_renamer *r, const oc_env *env, oc_name name);
/* Returns a name of anything else in the new model's table. */
oc_name oc_env_text(oc_renamer *r, const oc_env *env, oc_name name);

/* *found becomes attribute a of a node of the body, or, if a has an "@ref", what the reference
 * is bound to; NULL if that is nothing. *owner becomes the environment in which graphs within
 * *found are written. */
oc_status oc_env_attr(oc_renamer *r, oc_env *env, const oc_attr *a, const oc_attr **found,
                      oc_env **owner);

/* Gives a node of the environment's body, its inputs and its outputs their names in the new
 * model. The new lists are in the arena. */
oc_status oc_env_names(oc_renamer *r, oc_env *env, oc_arena *arena, oc_node *n);

/* Returns the version of its domain that a node of the environment's body runs under; 0 if none
 * is imported. */
int64_t oc_env_opset(const oc_renamer *r, const oc_env *env, const oc_node *n);

/* Returns how messages name a node of caller's body that calls a function: "node 'call/x'
 * (Op-13)". local: the function is one of the model's own, so the text has no version. */
const char *oc_env_label(oc_renamer *r, oc_env *caller, const oc_node *call, bool local);
