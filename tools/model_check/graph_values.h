/* SPDX-License-Identifier: Apache-2.0
 * graph_values.h - the values that the nodes of a model's main graph give, in its order, and what
 * each node computes them from. */
#pragma once

#include "common/index.h"

#include <ocellus_model.h>

typedef struct graph_input {
    char *name;
    int value; /* index of the value; -1: an input or a weight of the model */
} graph_input;

/* A node of the main graph. Inputs include the values that graphs within the node read. */
typedef struct graph_node {
    char *name, *op; /* op: "Relu", "com.me::Twist" */
    graph_input *in;
    int n_in;
} graph_node;

typedef struct graph_value {
    char *name;
    int node;
    bool is_tensor, is_output; /* is_output: of the model */
} graph_value;

typedef struct graph_values {
    graph_node *node;
    graph_value *item;
    int n_node, n;
    int n_inner; /* number of values that nodes of graphs within nodes give, which are not listed */
    text_index names; /* maps names to indices of item */
} graph_values;

/* Free with graph_values_free, also after an error. */
graph_values graph_values_new(const oc_model *model, oc_error *e);
void graph_values_free(graph_values *g);
