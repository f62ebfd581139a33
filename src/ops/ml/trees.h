/* SPDX-License-Identifier: Apache-2.0
 * trees.h - what the tree ensembles share: checked trees, and rows sent down to their leaves. */
#pragma once

#include "ops/ml/ml.h"

typedef enum oc_branch {
    OC_BRANCH_LEQ,
    OC_BRANCH_LT,
    OC_BRANCH_GTE,
    OC_BRANCH_GT,
    OC_BRANCH_EQ,
    OC_BRANCH_NEQ,
    OC_BRANCH_MEMBER
} oc_branch;

/* A child is the index of a node, or ~index of a leaf. */
typedef struct oc_tree_node {
    oc_branch mode;
    bool missing_is_true; /* NaN goes to the true branch */
    int32_t feature, yes, no;
    double split;
    int64_t first, n; /* first member and number of members, for OC_BRANCH_MEMBER */
} oc_tree_node;

/* A leaf has the votes first .. first + n - 1. */
typedef struct oc_tree_leaf {
    int64_t first, n;
} oc_tree_leaf;

typedef struct oc_tree_vote {
    int64_t target;
    double weight;
} oc_tree_vote;

typedef enum oc_aggregate { OC_AVERAGE, OC_SUM, OC_MIN, OC_MAX } oc_aggregate;

typedef struct oc_trees {
    oc_tree_node *node;
    oc_tree_leaf *leaf;
    oc_tree_vote *vote;
    int32_t *root; /* the root of each tree, written as a child */
    const double *member;
    int64_t n_nodes, n_leaves, n_votes, n_roots;
    int64_t targets;
    oc_aggregate aggregate;
    oc_reals base;         /* empty, or one for each target */
    int64_t rows, columns; /* rows and columns of the input */
} oc_trees;

/* Checks that no row can go in a circle, that features and targets exist, and that children are
 * within their lists. */
oc_status oc_trees_check(oc_call *c, const oc_trees *t);

/* Takes the scores of row r; voted tells which targets have a vote. */
typedef void oc_trees_done(void *ctx, const oc_work *w, int64_t r, double *score,
                           const bool *voted);

/* Scores all rows of input 0. done is called on any thread, for each row once. */
oc_status oc_trees_run(oc_call *c, const oc_trees *t, oc_trees_done *done, void *ctx);
