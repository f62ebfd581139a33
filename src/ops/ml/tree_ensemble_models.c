/* SPDX-License-Identifier: Apache-2.0
 * tree_ensemble_models.c - TreeEnsembleRegressor and TreeEnsembleClassifier: the older forms, in
 * which a node has a number within its tree, and a leaf any number of votes.
 *
 * A tree begins at a node that is no other node's child. A classifier of two labels whose votes are
 * all for one class decides between the two: by 0.5 if no vote is negative, else by 0. */
#include "kernels/rows/order.h"
#include "ops/ml/trees.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Node `index`, whose name in the lists is number `node` of tree `tree`. */
typedef struct place {
    int64_t tree, node;
    int32_t index;
} place;

typedef struct lists {
    oc_ints trees, nodes, features, yes, no, missing;
    oc_ints vote_trees, vote_nodes, vote_targets;
    oc_reals splits, weights;
    const oc_attr *modes;
    place *places; /* of all nodes, in order */
} lists;

static int compare(const void *a_, const void *b_)
{
    const place *a = a_, *b = b_;
    if (a->tree != b->tree)
        return a->tree < b->tree ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

/* An oc_compare_fn of the nodes of the lists. */
static int compare_nodes(const void *ctx, int64_t a, int64_t b)
{
    const lists *l = ctx;
    const place left = {l->trees.v[a], l->nodes.v[a], 0}, right = {l->trees.v[b], l->nodes.v[b], 0};
    return compare(&left, &right);
}

static oc_status sort_nodes(oc_call *c, lists *l)
{
    const int64_t n = l->nodes.n;
    oc_pace pace = {oc_call_go_on(c), 0};
    int64_t *order;
    OC_TRY(OC_SCRATCH(c, l->places, n));
    OC_TRY(OC_SCRATCH_OF(c, order, n, 2 * sizeof *order));
    for (int64_t i = 0; i < n; i++)
        order[i] = i;
    if (!oc_order_merge(order, order + n, n, compare_nodes, l, &pace))
        return oc_check_limits(c);
    for (int64_t i = 0; i < n; i++)
        l->places[i] = (place){l->trees.v[order[i]], l->nodes.v[order[i]], (int32_t)order[i]};
    for (int64_t i = 1; i < n; i++)
        if (compare(&l->places[i - 1], &l->places[i]) == 0)
            return oc_fail(c, OC_VALUE, "tree %" PRId64 " has node %" PRId64 " twice",
                           l->places[i].tree, l->places[i].node);
    return OC_OK;
}

enum { FIND_WORK = 1 << 13 }; /* products that take as long as finding a node twice */

static const place *find(const lists *l, int64_t tree, int64_t node)
{
    const place wanted = {tree, node, 0};
    return bsearch(&wanted, l->places, (size_t)l->nodes.n, sizeof wanted, compare);
}

static oc_status read_list(oc_call *c, const char *name, int64_t n, oc_ints *list)
{
    *list = oc_attr_ints(c, name);
    return list->n == n ? OC_OK
                        : oc_fail(c, OC_VALUE, "attribute '%s' has %d values, expected %" PRId64,
                                  name, list->n, n);
}

static oc_status read_nodes(oc_call *c, lists *l)
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

/* The attributes of votes, named class_... or target_... */
typedef struct vote_names {
    const char *trees, *nodes, *ids, *weights, *tensor;
} vote_names;

static oc_status read_votes(oc_call *c, const vote_names *names, lists *l)
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

static oc_status set_child(oc_call *c, const lists *l, const oc_trees *t, int64_t i, int64_t id,
                           bool *is_child, int32_t *child)
{
    const place *p = find(l, l->trees.v[i], id);
    if (!p)
        return oc_fail(c, OC_VALUE,
                       "node [%" PRId64 "] has child %" PRId64 ", which is not in its tree", i, id);
    is_child[p->index] = true;
    *child = t->leaf[p->index].n < 0 ? p->index : ~p->index;
    return OC_OK;
}

/* The mode of node i; -1 for a leaf. */
static oc_status read_mode(oc_call *c, const lists *l, int64_t i, int *mode)
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
                   (int)(s.size < 32 ? s.size : 32), s.data, i);
}

static oc_status set_nodes(oc_call *c, const lists *l, oc_trees *t)
{
    bool *is_child;
    int mode = -1;
    OC_TRY(OC_SCRATCH(c, is_child, t->n_nodes));
    memset(is_child, 0, (size_t)t->n_nodes);
    oc_pace pace = {oc_call_go_on(c), 0};
    for (int64_t i = 0; i < t->n_nodes; i++) { /* n -1: no leaf */
        if (!oc_pace_on(&pace, OC_PLACE))
            return oc_check_limits(c);
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
    for (int64_t i = 0; i < t->n_nodes; i++)
        if (t->leaf[i].n < 0) {
            if (!oc_pace_on(&pace, FIND_WORK))
                return oc_check_limits(c);
            OC_TRY(set_child(c, l, t, i, l->yes.v[i], is_child, &t->node[i].yes));
            OC_TRY(set_child(c, l, t, i, l->no.v[i], is_child, &t->node[i].no));
        }
    for (int32_t i = 0; i < t->n_nodes; i++)
        if (!is_child[i])
            t->root[t->n_roots++] = t->leaf[i].n < 0 ? i : ~i;
    return OC_OK;
}

/* Votes are grouped by leaf, in the order of the lists. */
static oc_status set_votes(oc_call *c, const lists *l, oc_trees *t)
{
    int32_t *leaf;
    int64_t at = 0;
    OC_TRY(OC_SCRATCH(c, leaf, t->n_votes));
    oc_pace pace = {oc_call_go_on(c), 0};
    for (int64_t i = 0; i < t->n_votes; i++) {
        if (!oc_pace_on(&pace, FIND_WORK))
            return oc_check_limits(c);
        const place *p = find(l, l->vote_trees.v[i], l->vote_nodes.v[i]);
        if (!p || t->leaf[p->index].n < 0)
            return oc_fail(c, OC_VALUE,
                           "vote [%" PRId64 "] is of node %" PRId64 " in tree %" PRId64
                           ", which is no leaf",
                           i, l->vote_nodes.v[i], l->vote_trees.v[i]);
        leaf[i] = p->index;
        t->leaf[p->index].n++;
    }
    for (int64_t i = 0; i < t->n_nodes; i++) {
        t->leaf[i].first = at;
        at += t->leaf[i].n > 0 ? t->leaf[i].n : 0;
        t->leaf[i].n = 0;
    }
    for (int64_t i = 0; i < t->n_votes; i++) {
        oc_tree_leaf *to = &t->leaf[leaf[i]];
        t->vote[to->first + to->n++] = (oc_tree_vote){l->vote_targets.v[i], l->weights.v[i]};
    }
    return OC_OK;
}

/* targets and aggregate are set before. */
static oc_status read_trees(oc_call *c, const vote_names *names, oc_trees *t, lists *l)
{
    *l = (lists){0};
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
    OC_TRY(set_votes(c, l, t));
    return oc_trees_check(c, t);
}

/* ---- TreeEnsembleRegressor */

static oc_status regressor_shape(oc_call *c)
{
    int64_t rows, columns;
    const int64_t targets = oc_attr_int(c, "n_targets");
    OC_TRY(oc_ml_matrix(c, 0, &rows, &columns));
    if (targets < 1)
        return oc_fail(c, OC_VALUE, "attribute 'n_targets' is %" PRId64 ", expected 1 or more",
                       targets);
    return oc_set_out(c, 0, OC_F32, (oc_dims){2, {rows, targets}});
}

typedef struct regression {
    float *y;
    int64_t targets;
    oc_post_transform post;
} regression;

/* An oc_trees_done. */
static void put_targets(void *ctx, oc_pace *pace, int64_t r, double *score, const bool *voted)
{
    const regression *g = ctx;
    (void)voted;
    oc_ml_transform(pace, g->post, score, g->targets);
    oc_pace_convert(pace, 0, g->y + r * g->targets, OC_F32, score, OC_F64, g->targets);
}

static oc_status regressor_run(oc_call *c)
{
    static const char *const names[] = {"AVERAGE", "SUM", "MIN", "MAX", NULL};
    static const vote_names votes = {"target_treeids", "target_nodeids", "target_ids",
                                     "target_weights", "target_weights_as_tensor"};
    oc_trees t = {.targets = oc_attr_int(c, "n_targets")};
    regression g = {oc_out(c, 0)->data, t.targets, OC_POST_NONE};
    lists l;
    int aggregate;
    OC_TRY(oc_attr_enum(c, "aggregate_function", names, &aggregate));
    OC_TRY(oc_ml_post_transform(c, &g.post));
    t.aggregate = (oc_aggregate)aggregate;
    OC_TRY(read_trees(c, &votes, &t, &l));
    return oc_trees_run(c, &t, put_targets, &g);
}

/* ---- TreeEnsembleClassifier */

static oc_status classifier_shape(oc_call *c)
{
    int64_t rows, columns;
    oc_labels labels;
    OC_TRY(oc_ml_labels(c, "classlabels_int64s", "classlabels_strings", &labels));
    OC_TRY(oc_ml_matrix(c, 0, &rows, &columns));
    OC_TRY(oc_set_out(c, 0, labels.number ? OC_I64 : OC_STRING, oc_dims_1d(rows)));
    return oc_set_out(c, 1, OC_F32, (oc_dims){2, {rows, labels.n}});
}

typedef struct classification {
    const oc_value *label, *scores; /* NULL: not wanted */
    oc_labels labels;
    oc_post_transform post;
    int64_t single; /* the class of all votes, where there are two labels; else -1 */
    bool positive;  /* no vote is negative */
} classification;

/* The label by a single class's score. Votes for class 0 give the scores of both classes, of which
 * post_transform can only make the logistic function. */
static int64_t decide(const classification *g, oc_pace *pace, double *score)
{
    const double s = score[g->single];
    const bool second = s > (g->positive ? 0.5 : 0);
    if (g->single == 0) {
        score[1] = s;
        score[0] = g->positive && g->post != OC_POST_LOGISTIC ? 1 - s : -s;
    }
    if (g->single == 1 || g->post == OC_POST_LOGISTIC)
        oc_ml_transform(pace, g->post, score, 2);
    return second;
}

/* An oc_trees_done. */
static void put_class(void *ctx, oc_pace *pace, int64_t r, double *score, const bool *voted)
{
    const classification *g = ctx;
    const int64_t n = g->labels.n;
    int64_t best = 0;
    if (g->single >= 0) {
        best = decide(g, pace, score);
    } else {
        bool any = voted[0];
        for (int64_t k = 1; k < n; k++)
            if (voted[k] && (!any || score[k] > score[best])) {
                best = k;
                any = true;
            }
        oc_ml_transform(pace, g->post, score, n);
    }
    if (g->label)
        oc_ml_put_label(g->label, r, &g->labels, best);
    if (g->scores)
        oc_pace_convert(pace, 0, (float *)g->scores->data + r * n, OC_F32, score, OC_F64, n);
}

static oc_status classifier_run(oc_call *c)
{
    static const vote_names votes = {"class_treeids", "class_nodeids", "class_ids", "class_weights",
                                     "class_weights_as_tensor"};
    classification g = {.label = oc_wants(c, 0) ? oc_out(c, 0) : NULL,
                        .scores = oc_wants(c, 1) ? oc_out(c, 1) : NULL,
                        .single = -1,
                        .positive = true};
    oc_trees t = {.aggregate = OC_SUM};
    lists l;
    OC_TRY(oc_ml_labels(c, "classlabels_int64s", "classlabels_strings", &g.labels));
    OC_TRY(oc_ml_post_transform(c, &g.post));
    t.targets = g.labels.n;
    OC_TRY(read_trees(c, &votes, &t, &l));
    bool same = g.labels.n == 2 && t.n_votes > 0;
    for (int64_t i = 0; i < t.n_votes; i++) {
        same = same && t.vote[i].target == t.vote[0].target;
        g.positive = g.positive && t.vote[i].weight >= 0;
    }
    g.single = same ? t.vote[0].target : -1;
    return oc_trees_run(c, &t, put_class, &g);
}

/* clang-format off */
#define NODES "ints nodes_falsenodeids?, ints nodes_featureids?, floats nodes_hitrates?, " \
    "ints nodes_missing_value_tracks_true?, strings nodes_modes?, ints nodes_nodeids?, ints nodes_treeids?, " \
    "ints nodes_truenodeids?, floats nodes_values?, string post_transform = \"NONE\", floats base_values?"
#define TENSORS ", tensor base_values_as_tensor?, tensor nodes_hitrates_as_tensor?, tensor nodes_values_as_tensor?"
#define REGRESSOR(more) "ai.onnx.ml::TreeEnsembleRegressor <string aggregate_function = \"SUM\", int n_targets?, " \
    NODES ", ints target_ids?, ints target_nodeids?, ints target_treeids?, floats target_weights?" more \
    "> (T X) => (float Y) | T: float double int64 int32"
#define CLASSIFIER(more) "ai.onnx.ml::TreeEnsembleClassifier <ints class_ids?, ints class_nodeids?, " \
    "ints class_treeids?, floats class_weights?, ints classlabels_int64s?, strings classlabels_strings?, " \
    NODES more "> (T1 X) => (T2 Y, float Z) | T1: float double int64 int32; T2: string int64"
const oc_op oc_ops_tree_ensemble_models[] = {
    {3, REGRESSOR(TENSORS ", tensor target_weights_as_tensor?"),  regressor_shape,  regressor_run},
    {1, REGRESSOR(""),                                            regressor_shape,  regressor_run},
    {3, CLASSIFIER(TENSORS ", tensor class_weights_as_tensor?"),  classifier_shape, classifier_run},
    {1, CLASSIFIER(""),                                           classifier_shape, classifier_run},
    {0}
};
/* clang-format on */
