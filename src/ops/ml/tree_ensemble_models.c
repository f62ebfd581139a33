/* SPDX-License-Identifier: Apache-2.0
 * tree_ensemble_models.c - TreeEnsembleRegressor and TreeEnsembleClassifier, the older forms.
 *
 * A classifier of two labels whose votes are all for one class decides between the two: by 0.5 if
 * no vote is negative, else by 0. */
#include "ops/ml/tree_lists.h"

/* ---- TreeEnsembleRegressor */

static oc_status regressor_shape(oc_call *c)
{
    int64_t rows, columns;
    const int64_t targets = oc_attr_int(c, "n_targets");
    OC_TRY(oc_ml_matrix(c, 0, &rows, &columns));
    if (targets < 1)
        return oc_fail(c, OC_VALUE, "attribute 'n_targets' is %" PRId64 ", expected 1 or more",
                       targets);
    return oc_set_out(c, 0, OC_F32, &(oc_dims){2, {rows, targets}});
}

typedef struct regression {
    float *y;
    int64_t targets;
    oc_post_transform post;
} regression;

/* An oc_trees_done. */
static void put_targets(void *ctx, const oc_work *w, int64_t r, double *score,
                        OC_UNUSED const bool *voted)
{
    const regression *g = ctx;
    oc_ml_transform(w, g->post, score, g->targets);
    oc_work_convert(w, 0, g->y + r * g->targets, OC_F32, score, OC_F64, g->targets);
}

static oc_status regressor_run(oc_call *c)
{
    static const char *const names[] = {"AVERAGE", "SUM", "MIN", "MAX", NULL};
    static const oc_tree_vote_names votes = {"target_treeids", "target_nodeids", "target_ids",
                                             "target_weights", "target_weights_as_tensor"};
    oc_trees t = {.targets = oc_attr_int(c, "n_targets")};
    regression g = {oc_out(c, 0)->data, t.targets, OC_POST_NONE};
    oc_tree_lists l;
    int aggregate;
    OC_TRY(oc_attr_enum(c, "aggregate_function", names, &aggregate));
    OC_TRY(oc_ml_post_transform(c, &g.post));
    t.aggregate = (oc_aggregate)aggregate;
    OC_TRY(oc_tree_lists_read(c, &votes, &t, &l));
    OC_TRY(oc_trees_check(c, &t));
    return oc_trees_run(c, &t, put_targets, &g);
}

/* ---- TreeEnsembleClassifier */

static oc_status classifier_shape(oc_call *c)
{
    int64_t rows, columns;
    oc_labels labels;
    OC_TRY(oc_ml_labels(c, "classlabels_int64s", "classlabels_strings", &labels));
    OC_TRY(oc_ml_matrix(c, 0, &rows, &columns));
    OC_TRY(oc_set_out(c, 0, labels.number ? OC_I64 : OC_STRING, &(oc_dims){1, {rows}}));
    return oc_set_out(c, 1, OC_F32, &(oc_dims){2, {rows, labels.n}});
}

typedef struct classification {
    const oc_value *label, *scores;
    oc_labels labels;
    oc_post_transform post;
    int64_t single; /* the class of all votes, where there are two labels; else -1 */
    bool positive;  /* no vote is negative */
} classification;

/* Chooses the label by the score of a single class. Votes for class 0 give the scores of both
 * classes; of these post_transform can only make the logistic function. */
static int64_t decide(const classification *g, const oc_work *w, double *score)
{
    const double s = score[g->single];
    const bool second = s > (g->positive ? 0.5 : 0);
    if (g->single == 0) {
        score[1] = s;
        score[0] = g->positive && g->post != OC_POST_LOGISTIC ? 1 - s : -s;
    }
    if (g->single == 1 || g->post == OC_POST_LOGISTIC)
        oc_ml_transform(w, g->post, score, 2);
    return second;
}

/* A row whose score is not above 0 does not get the only label, a number, but 0: so engines agree.
 */
static bool has_no_label(const classification *g, const double *score)
{
    return g->labels.n == 1 && g->labels.number && !(score[0] > 0);
}

/* An oc_trees_done. */
static void put_class(void *ctx, const oc_work *w, int64_t r, double *score, const bool *voted)
{
    const classification *g = ctx;
    const int64_t n = g->labels.n;
    const bool none = has_no_label(g, score);
    int64_t best = 0;
    if (g->single >= 0) {
        best = decide(g, w, score);
    } else {
        bool any = voted[0];
        for (int64_t k = 1; k < n; k++)
            if (voted[k] && (!any || score[k] > score[best])) {
                best = k;
                any = true;
            }
        oc_ml_transform(w, g->post, score, n);
    }
    if (none)
        ((int64_t *)g->label->data)[r] = 0;
    else
        oc_ml_put_label(g->label, r, &g->labels, best);
    oc_work_convert(w, 0, (float *)g->scores->data + r * n, OC_F32, score, OC_F64, n);
}

/* Exporters write one base value for the one score that decides between two classes. */
static oc_status spread_base(oc_call *c, oc_trees *t)
{
    double *both;
    if (t->base.n != 1 || t->targets != 2)
        return OC_OK;
    OC_TRY(OC_SCRATCH(c, both, 2));
    both[0] = both[1] = t->base.v[0];
    t->base = (oc_reals){both, 2};
    oc_remark(c, "there is one base value for two classes, and added to the scores of both");
    return OC_OK;
}

static oc_status classifier_run(oc_call *c)
{
    static const oc_tree_vote_names votes = {"class_treeids", "class_nodeids", "class_ids",
                                             "class_weights", "class_weights_as_tensor"};
    classification g = {
        .label = oc_out(c, 0), .scores = oc_out(c, 1), .single = -1, .positive = true};
    oc_trees t = {.aggregate = OC_SUM};
    oc_tree_lists l;
    OC_TRY(oc_ml_labels(c, "classlabels_int64s", "classlabels_strings", &g.labels));
    OC_TRY(oc_ml_post_transform(c, &g.post));
    t.targets = g.labels.n;
    OC_TRY(oc_tree_lists_read(c, &votes, &t, &l));
    OC_TRY(spread_base(c, &t));
    OC_TRY(oc_trees_check(c, &t));
    if (g.labels.n == 1 && g.labels.number)
        oc_remark(c, "there is one label, which rows get whose score is above 0; others get 0");
    bool same = g.labels.n == 2 && t.n_votes > 0;
    for (int i = 0; i < l.vote_targets.n; i++) { /* votes of inner nodes count here too */
        same = same && l.vote_targets.v[i] == t.vote[0].target;
        g.positive = g.positive && l.weights.v[i] >= 0;
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
