/* SPDX-License-Identifier: Apache-2.0
 * tree_ensemble.c - TreeEnsemble: each row takes one path through each tree, and the leaves'
 * weights are aggregated. Everything is computed in double and rounded once. */
#include "ops/ml/trees.h"

/* The lists of nodes and leaves, all of one length each. */
typedef struct lists {
    oc_ints features, yes, no, yes_leaf, no_leaf, missing, targets, roots;
    oc_reals splits, weights, members;
    const uint8_t *modes;
} lists;

static oc_status read_list(oc_call *c, const char *name, int64_t n, oc_ints *list)
{
    *list = oc_attr_ints(c, name);
    return list->n == n ? OC_OK
                        : oc_fail(c, OC_VALUE, "attribute '%s' has %d values, expected %" PRId64,
                                  name, list->n, n);
}

static oc_status read_modes(oc_call *c, int64_t n, const uint8_t **modes)
{
    const oc_value *v = &oc_attr_get(c, "nodes_modes")->u.t->value;
    if (v->type != OC_U8 || oc_value_n(v) != n)
        return oc_fail(c, OC_VALUE,
                       "attribute 'nodes_modes' is %s of %" PRId64
                       " values, expected uint8 of %" PRId64,
                       oc_type_name(v->type), oc_value_n(v), n);
    *modes = v->data;
    OC_CALL_LOOP (c, i, n, 1024)
        if ((*modes)[i] > OC_BRANCH_MEMBER)
            return oc_fail(c, OC_VALUE,
                           "attribute 'nodes_modes' has %d at [%" PRId64 "], expected 0 to 6",
                           (*modes)[i], i);
    return OC_OK;
}

static oc_status read_lists(oc_call *c, lists *l)
{
    *l = (lists){.features = oc_attr_ints(c, "nodes_featureids"),
                 .missing = oc_attr_ints(c, "nodes_missing_value_tracks_true"),
                 .targets = oc_attr_ints(c, "leaf_targetids"),
                 .roots = oc_attr_ints(c, "tree_roots")};
    const int64_t n = l->features.n;
    OC_TRY(read_list(c, "nodes_truenodeids", n, &l->yes));
    OC_TRY(read_list(c, "nodes_falsenodeids", n, &l->no));
    OC_TRY(read_list(c, "nodes_trueleafs", n, &l->yes_leaf));
    OC_TRY(read_list(c, "nodes_falseleafs", n, &l->no_leaf));
    if (l->missing.n)
        OC_TRY(read_list(c, "nodes_missing_value_tracks_true", n, &l->missing));
    OC_TRY(oc_ml_reals(c, "", "nodes_splits", &l->splits));
    OC_TRY(oc_ml_reals(c, "", "leaf_weights", &l->weights));
    OC_TRY(oc_ml_reals(c, "", "membership_values", &l->members));
    OC_TRY(read_modes(c, n, &l->modes));
    if (l->splits.n != n)
        return oc_fail(c, OC_VALUE,
                       "attribute 'nodes_splits' has %" PRId64 " values, expected %" PRId64,
                       l->splits.n, n);
    if (l->weights.n != l->targets.n)
        return oc_fail(c, OC_VALUE, "attribute 'leaf_weights' has %" PRId64 " values, expected %d",
                       l->weights.n, l->targets.n);
    return OC_OK;
}

static oc_status set_child(oc_call *c, const lists *l, const oc_ints *ids, const oc_ints *is_leaf,
                           int64_t i, int32_t *child)
{
    const bool leaf = is_leaf->v[i] != 0;
    const int64_t id = ids->v[i], n = leaf ? l->targets.n : l->features.n;
    if (id < 0 || id >= n)
        return oc_fail(c, OC_VALUE,
                       "node [%" PRId64 "] has %s %" PRId64 ", expected one of %" PRId64, i,
                       leaf ? "leaf" : "child", id, n);
    *child = leaf ? ~(int32_t)id : (int32_t)id;
    return OC_OK;
}

/* Reads the members of each node in turn; a NaN ends the list of a node. */
static oc_status set_members(oc_call *c, const lists *l, oc_trees *t)
{
    int64_t at = 0;
    t->member = l->members.v;
    oc_count count = oc_call_count(c);
    OC_CALL_LOOP (c, i, t->n_nodes, 1024) {
        if (t->node[i].mode != OC_BRANCH_MEMBER)
            continue;
        if (at >= l->members.n)
            return oc_fail(c, OC_VALUE, "membership_values has no set for node [%" PRId64 "]", i);
        t->node[i].first = at;
        while (at < l->members.n && l->members.v[at] == l->members.v[at] && oc_counts(&count))
            at++;
        t->node[i].n = at++ - t->node[i].first;
    }
    return OC_OK;
}

static oc_status set_nodes(oc_call *c, const lists *l, oc_trees *t)
{
    OC_CALL_LOOP (c, i, t->n_nodes, 64) {
        oc_tree_node *n = &t->node[i];
        const int64_t feature = l->features.v[i];
        *n = (oc_tree_node){.mode = l->modes[i],
                            .missing_is_true = l->missing.n && l->missing.v[i],
                            .feature = feature == (int32_t)feature ? (int32_t)feature : -1,
                            .split = l->splits.v[i]};
        OC_TRY(set_child(c, l, &l->yes, &l->yes_leaf, i, &n->yes));
        OC_TRY(set_child(c, l, &l->no, &l->no_leaf, i, &n->no));
    }
    OC_CALL_LOOP (c, i, t->n_leaves, 64) {
        t->leaf[i] = (oc_tree_leaf){i, 1};
        t->vote[i] = (oc_tree_vote){l->targets.v[i], l->weights.v[i]};
    }
    for (int64_t i = 0; i < t->n_roots; i++) {
        if (l->roots.v[i] < 0 || l->roots.v[i] >= t->n_nodes)
            return oc_fail(c, OC_VALUE,
                           "tree [%" PRId64 "] has root %" PRId64 ", expected one of %" PRId64, i,
                           l->roots.v[i], t->n_nodes);
        t->root[i] = (int32_t)l->roots.v[i];
    }
    return set_members(c, l, t);
}

static oc_status read_trees(oc_call *c, oc_trees *t)
{
    lists l;
    const int64_t aggregate = oc_attr_int(c, "aggregate_function");
    OC_TRY(read_lists(c, &l));
    *t = (oc_trees){.n_nodes = l.features.n,
                    .n_leaves = l.targets.n,
                    .n_votes = l.targets.n,
                    .n_roots = l.roots.n,
                    .targets = oc_attr_int(c, "n_targets")};
    if (aggregate < OC_AVERAGE || aggregate > OC_MAX)
        return oc_fail(c, OC_VALUE,
                       "attribute 'aggregate_function' is %" PRId64 ", expected 0 to 3", aggregate);
    t->aggregate = (oc_aggregate)aggregate;
    OC_TRY(oc_ml_matrix(c, 0, &t->rows, &t->columns));
    OC_TRY(OC_SCRATCH(c, t->node, t->n_nodes));
    OC_TRY(OC_SCRATCH(c, t->leaf, t->n_leaves));
    OC_TRY(OC_SCRATCH(c, t->vote, t->n_leaves));
    OC_TRY(OC_SCRATCH(c, t->root, t->n_roots));
    OC_TRY(set_nodes(c, &l, t));
    return oc_trees_check(c, t);
}

static oc_status ensemble_shape(oc_call *c)
{
    int64_t rows, columns;
    const int64_t targets = oc_attr_int(c, "n_targets"), post = oc_attr_int(c, "post_transform");
    if (targets < 1)
        return oc_fail(c, OC_VALUE, "attribute 'n_targets' is %" PRId64 ", expected 1 or more",
                       targets);
    if (post < OC_POST_NONE || post > OC_POST_PROBIT)
        return oc_fail(c, OC_VALUE, "attribute 'post_transform' is %" PRId64 ", expected 0 to 4",
                       post);
    OC_TRY(oc_ml_matrix(c, 0, &rows, &columns));
    return oc_set_out(c, 0, oc_in(c, 0)->type, &(oc_dims){2, {rows, targets}});
}

typedef struct output {
    const oc_value *y;
    int64_t targets;
    oc_post_transform post;
} output;

/* An oc_trees_done. */
static void put_row(void *ctx, const oc_work *w, int64_t r, double *score,
                    OC_UNUSED const bool *voted)
{
    const output *o = ctx;
    const size_t size = oc_type_size(o->y->type) * (size_t)o->targets;
    oc_ml_transform(w, o->post, score, o->targets);
    oc_work_convert(w, 0, (char *)o->y->data + size * (size_t)r, o->y->type, score, OC_F64,
                    o->targets);
}

static oc_status ensemble_run(oc_call *c)
{
    oc_trees t;
    OC_TRY(read_trees(c, &t));
    output o = {oc_out(c, 0), t.targets, (oc_post_transform)oc_attr_int(c, "post_transform")};
    return oc_trees_run(c, &t, put_row, &o);
}

/* clang-format off */
const oc_op oc_ops_tree_ensemble[] = {
    {5, "ai.onnx.ml::TreeEnsemble <int aggregate_function = 1, ints leaf_targetids, tensor leaf_weights, "
        "tensor membership_values?, int n_targets?, ints nodes_falseleafs, ints nodes_falsenodeids, "
        "ints nodes_featureids, tensor nodes_hitrates?, ints nodes_missing_value_tracks_true?, "
        "tensor nodes_modes, tensor nodes_splits, ints nodes_trueleafs, ints nodes_truenodeids, "
        "int post_transform = 0, ints tree_roots> (T X) => (T Y) | T: float double float16",
        ensemble_shape, ensemble_run},
    {0}
};
