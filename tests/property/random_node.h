/* SPDX-License-Identifier: Apache-2.0
 * random_node.h - models of one node each, made at random from the signature of its operator. */
#pragma once

#include "models.h"

#include "ops/signature/sig.h"

enum { RANDOM_NODE_RANK = 6, RANDOM_NODE_PORTS = OC_SIG_PORTS + 4 };
typedef enum random_node_port {
    RANDOM_NODE_READ,   /* an output of the graph */
    RANDOM_NODE_UNREAD, /* it has a name, but nobody reads it */
    RANDOM_NODE_LEFT_OUT
} random_node_port;

/* What one model is made from. `wild` is how many of a hundred choices break the signature's rules
 * or use an extreme number. */
typedef struct random_node {
    suite_random random;
    uint32_t wild;
    uint32_t most; /* the largest dim of usual inputs */
    const oc_sig *sig;
    int since;
    oc_type type[OC_SIG_VARS];
    int rank; /* most inputs have these dims, or some of them */
    int64_t dim[RANDOM_NODE_RANK];
    int ports; /* outputs that the node has */
    random_node_port port[RANDOM_NODE_PORTS];
    int n_out; /* those that the graph gives */
    text_buffer inputs, constants, before, operands, attributes;
} random_node;

/* The text of a model whose node "victim" has this signature and version; the caller frees it. All
 * inputs have default values, so that it runs as it is. The node's outputs are y0, y1 and so on,
 * some without a name; n->n_out of them are outputs of the model. */
char *random_node_text(random_node *n, const oc_sig *sig, int since);
