/* SPDX-License-Identifier: Apache-2.0
 * tree_lists.h - trees as the older forms write them: lists of nodes and of votes, in which a node
 * has a number within its tree, and a leaf any number of votes. */
#pragma once

#include "ops/ml/trees.h"

/* Node `index`, whose name in the lists is number `node` of tree `tree`. */
typedef struct oc_tree_place {
    int64_t tree, node;
    int32_t index;
} oc_tree_place;

typedef struct oc_tree_lists {
    oc_ints trees, nodes, features, yes, no, missing;
    oc_ints vote_trees, vote_nodes, vote_targets;
    oc_reals splits, weights;
    const oc_attr *modes;
    oc_tree_place *places; /* places of all nodes, in order */
} oc_tree_lists;

/* The attributes of votes, named class_... or target_... */
typedef struct oc_tree_vote_names {
    const char *trees, *nodes, *ids, *weights, *tensor;
} oc_tree_vote_names;

/* Fills *l, and of *t everything but targets and aggregate, unchecked (oc_trees_check). A tree
 * begins at a node that is no other node's child. Votes of nodes that are no leaves are left out of
 * t, with a remark. For run functions. */
oc_status oc_tree_lists_read(oc_call *c, const oc_tree_vote_names *names, oc_trees *t,
                             oc_tree_lists *l);
