/* SPDX-License-Identifier: Apache-2.0
 * tree_lists.c - lists of nodes and votes become trees. */
#include "ops/ml/tree_lists.h"

#include "kernels/sort/order.h"

#include <stdlib.h>

static int compare(const void *a_, const void *b_)
{
    const oc_tree_place *a = a_, *b = b_;
    if (a->tree != b->tree)
        return a->tree < b->tree ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

/* An oc_compare_fn of the nodes of the lists. */
static int compare_nodes(const void *ctx, int64_t a, int64_t b)
{
    const oc_tree_lists *l = ctx;
    const oc_tree_place left = {l->trees.v[a], l->nodes.v[a], 0},
                        right = {l->trees.v[b], l->nodes.v[b], 0};
    return compare(&left, &right);
}

static oc_status sort_nodes(oc_call *c, oc_tree_lists *l)
{
    const int64_t n = l->nodes.n;
    const oc_work w = oc_call_work(c, 0);
    int64_t *order;
    OC_TRY(OC_SCRATCH(c, l->places, n));
    OC_TRY(OC_SCRATCH_OF(c, order, n, 2 * sizeof *order));
    OC_CALL_LOOP (c, i, n, 1024)
        order[i] = i;
    oc_order_merge(order, order + n, n, compare_nodes, l, &w);
    OC_CALL_LOOP (c, i, n, 1024)
        l->places[i] =
            (oc_tree_place){l->trees.v[order[i]], l->nodes.v[order[i]], (int32_t)order[i]};
    OC_CALL_LOOP (c, i, n - 1, 1024)
        if (compare(&l->places[i], &l->places[i + 1]) == 0)
            return oc_fail(c, OC_VALUE, "tree %" PRId64 " has node %" PRId64 " twice",
                           l->places[i].tree, l->places[i].node);
    return OC_OK;
}

static const oc_tree_place *find(const oc_tree_lists *l, int64_t tree, int64_t node)
{
    const oc_tree_place wanted = {tree, node, 0};
    return bsearch(&wanted, l->places, (size_t)l->nodes.n, sizeof wanted, compare);
}

static oc_status read_list(oc_call *c, const char *name, int64_t n, oc_ints *list)
{
    *list = oc_attr_ints(c, name);
    return list->n == n ? OC_OK
                        : oc_fail(c, OC_VALUE, "attribute '%s' has %d values, expected %" PRId64,
                                  name, list->n, n);
}

static oc_status read_nodes(oc_call *c, oc_tree_lists *l)
{
    l->nodes = oc_attr_ints(c, "nodes_nodeids");
    l->missing = oc_attr_ints(c, "nodes_missing_value_tracks_true");
    l->modes = oc_attr_get(c, "nodes_modes");
    const int64_t n = l->nodes.n;
    OC_TRY(read_list(c, "nodes_treeids", n, &l->trees));
    OC_TRY(read_list(c, "nodes_featureids", n, &l->features));
    OC_TRY(read_list(c, "nodes_truenodeids", n, &l->yes));
    OC_TRY(read_list(c, "nodes_falsenodeids", n, &l->no));
    if (l->missing.n)
        OC_TRY(read_list(c, "nodes_missing_value_tracks_true", n, &l->missing));
    OC_TRY(oc_ml_reals(c, "nodes_values", oc_call_since(c) >= 3 ? "nodes_values_as_tensor" : NULL,
                       &l->splits));
    if (l->splits.n != n || !l->modes || l->modes->n != n)
        return oc_fail(c, OC_VALUE, "%" PRId64 " values and %d modes of nodes, expected %" PRId64,
                       l->splits.n, l->modes ? l->modes->n : 0, n);
    return sort_nodes(c, l);
}

static oc_status read_votes(oc_call *c, const oc_tree_vote_names *names, oc_tree_lists *l)
{
    l->vote_targets = oc_attr_ints(c, names->ids);
    OC_TRY(read_list(c, names->trees, l->vote_targets.n, &l->vote_trees));
    OC_TRY(read_list(c, names->nodes, l->vote_targets.n, &l->vote_nodes));
    OC_TRY(
        oc_ml_reals(c, names->weights, oc_call_since(c) >= 3 ? names->tensor : NULL, &l->weights));
    return l->weights.n == l->vote_targets.n
               ? OC_OK
               : oc_fail(c, OC_VALUE, "attribute '%s' has %" PRId64 " values, expected %d",
                         names->weights, l->weights.n, l->vote_targets.n);
}

/* ---- the lists become trees; a leaf has the index of its node */

static oc_status set_child(oc_call *c, const oc_tree_lists *l, const oc_trees *t, int64_t i,
                           int64_t id, bool *is_child, int32_t *child)
{
    const oc_tree_place *p = find(l, l->trees.v[i], id);
    if (!p)
        return oc_fail(c, OC_VALUE,
                       "node [%" PRId64 "] has child %" PRId64 ", which is not in its tree", i, id);
    is_child[p->index] = true;
    *child = t->leaf[p->index].n < 0 ? p->index : ~p->index;
    return OC_OK;
}

/* Returns the mode of node i; -1 for a leaf. */
static oc_status read_mode(oc_call *c, const oc_tree_lists *l, int64_t i, int *mode)
{
    static const char *const names[] = {"BRANCH_LEQ", "BRANCH_LT",  "BRANCH_GTE", "BRANCH_GT",
                                        "BRANCH_EQ",  "BRANCH_NEQ", "LEAF"};
    const oc_string s = l->modes->u.s[i];
    for (int k = 0; k < 7; k++)
        if (s.size == strlen(names[k]) && memcmp(s.data, names[k], s.size) == 0) {
            *mode = k < 6 ? k : -1;
            return OC_OK;
        }
    return oc_fail(c, OC_VALUE, "attribute 'nodes_modes' has '%.*s' at [%" PRId64 "]",
                   (int)oc_min(s.size, 32), s.data, i);
}

static oc_status set_nodes(oc_call *c, const oc_tree_lists *l, oc_trees *t)
{
    bool *is_child;
    int mode = -1;
    OC_TRY(OC_SCRATCH(c, is_child, t->n_nodes));
    memset(is_child, 0, (size_t)t->n_nodes);
    OC_CALL_LOOP (c, i, t->n_nodes, 64) { /* n -1: no leaf */
        OC_TRY(read_mode(c, l, i, &mode));
        t->leaf[i] = (oc_tree_leaf){0, mode < 0 ? 0 : -1};
        const int64_t feature = l->features.v[i];
        t->node[i] = (oc_tree_node){.mode = mode < 0 ? OC_BRANCH_LEQ : (oc_branch)mode,
                                    .missing_is_true = l->missing.n && l->missing.v[i],
                                    .feature = mode < 0                      ? 0
                                               : feature == (int32_t)feature ? (int32_t)feature
                                                                             : -1,
                                    .split = l->splits.v[i],
                                    .yes = -1,
                                    .no = -1};
    }
    OC_CALL_LOOP (c, i, t->n_nodes, 64)
        if (t->leaf[i].n < 0) {
            OC_TRY(set_child(c, l, t, i, l->yes.v[i], is_child, &t->node[i].yes));
            OC_TRY(set_child(c, l, t, i, l->no.v[i], is_child, &t->node[i].no));
        }
    OC_CALL_LOOP (c, i, t->n_nodes, 1024)
        if (!is_child[i])
            t->root[t->n_roots++] = t->leaf[i].n < 0 ? (int32_t)i : ~(int32_t)i;
    return OC_OK;
}

/* Votes are grouped by leaf, in the order of the lists. Those of nodes that are no leaves count for
 * nothing. */
static oc_status set_votes(oc_call *c, const oc_tree_lists *l, oc_trees *t)
{
    int32_t *leaf;
    int64_t at = 0, ignored = 0;
    OC_TRY(OC_SCRATCH(c, leaf, t->n_votes));
    OC_CALL_LOOP (c, i, t->n_votes, 64) {
        const oc_tree_place *p = find(l, l->vote_trees.v[i], l->vote_nodes.v[i]);
        if (!p)
            return oc_fail(c, OC_VALUE,
                           "vote [%" PRId64 "] is of node %" PRId64 " in tree %" PRId64
                           ", which does not exist",
                           i, l->vote_nodes.v[i], l->vote_trees.v[i]);
        const bool counts = t->leaf[p->index].n >= 0;
        leaf[i] = counts ? p->index : -1;
        t->leaf[p->index].n += counts;
        ignored += !counts;
    }
    if (ignored)
        oc_remark(c,
                  "%" PRId64 " of %" PRId64 " votes are of nodes that are no leaves, and ignored",
                  ignored, t->n_votes);
    OC_CALL_LOOP (c, i, t->n_nodes, 1024) {
        t->leaf[i].first = at;
        at += oc_max(t->leaf[i].n, 0);
        t->leaf[i].n = 0;
    }
    OC_CALL_LOOP (c, i, t->n_votes, 1024)
        if (leaf[i] >= 0) {
            oc_tree_leaf *to = &t->leaf[leaf[i]];
            t->vote[to->first + to->n++] = (oc_tree_vote){l->vote_targets.v[i], l->weights.v[i]};
        }
    t->n_votes = at;
    return OC_OK;
}

oc_status oc_tree_lists_read(oc_call *c, const oc_tree_vote_names *names, oc_trees *t,
                             oc_tree_lists *l)
{
    *l = (oc_tree_lists){0};
    OC_TRY(oc_ml_matrix(c, 0, &t->rows, &t->columns));
    OC_TRY(read_nodes(c, l));
    OC_TRY(read_votes(c, names, l));
    OC_TRY(oc_ml_reals(c, "base_values", oc_call_since(c) >= 3 ? "base_values_as_tensor" : NULL,
                       &t->base));
    t->n_nodes = t->n_leaves = l->nodes.n;
    t->n_votes = l->vote_targets.n;
    OC_TRY(OC_SCRATCH(c, t->node, t->n_nodes));
    OC_TRY(OC_SCRATCH(c, t->leaf, t->n_nodes));
    OC_TRY(OC_SCRATCH(c, t->root, t->n_nodes));
    OC_TRY(OC_SCRATCH(c, t->vote, t->n_votes));
    OC_TRY(set_nodes(c, l, t));
    return set_votes(c, l, t);
}
