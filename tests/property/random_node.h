/* SPDX-License-Identifier: Apache-2.0
 * random_node.h - models of one node each, made at random from the signature of its operator. */
#ifndef OC_TESTS_RANDOM_NODE_H
#define OC_TESTS_RANDOM_NODE_H

#include "models.h"

#include "ops/kit/sig.h"

enum { RANDOM_NODE_RANK = 6 };

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
    int n_out;
    text_buffer inputs, constants, before, operands, attributes;
} random_node;

/* The text of a model whose node "victim" has this signature and version; the caller frees it. All
 * inputs have default values, so that it runs as it is. Its outputs are y0, y1 and so on; n->n_out
 * counts them. */
char *random_node_text(random_node *n, const oc_sig *sig, int since);

#endif
