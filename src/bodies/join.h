/* SPDX-License-Identifier: Apache-2.0
 * join.h - puts one model behind another.
 *
 * The main graph of the second model is inlined as if it were the body of a function that the first
 * model calls behind its last node. What does this is called through pointers, so that a library
 * without oc_model_join is not larger for it. */
#pragma once

#include "graph/graph.h"

#include <ocellus_model.h>

struct oc_inliner;
struct oc_env;

typedef struct oc_join {
    const oc_model *first, *second;
    const oc_link *links;
    int n_links;        /* 0: an output is linked to the input of its name */
    const char *prefix; /* of names within the second model; "": none */
    /* These are set by oc_bodies_join. copy makes the main graph of the new model. declare appends
     * to out what graph g of either model declares of values that are neither inputs nor outputs.
     */
    oc_status (*copy)(struct oc_inliner *x, struct oc_env *main_env);
    oc_status (*declare)(struct oc_inliner *x, struct oc_env *env, const oc_graph *g,
                         oc_graph *out);
} oc_join;

/* *out becomes a new model that runs join->first and then join->second, checked and with its
 * operators counted. It borrows from both, has no functions, and all its nodes of a domain run
 * under one opset version. watch may be NULL. */
oc_status oc_bodies_join(oc_join *join, oc_watch *watch, oc_model **out, oc_error *e);
