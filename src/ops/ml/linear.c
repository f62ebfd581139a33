/* SPDX-License-Identifier: Apache-2.0
 * linear.c - LinearRegressor and LinearClassifier: a product with coefficients, plus intercepts.
 * Sums are in double, in order, and rounded once. */
#include "ops/ml/ml.h"

typedef struct geometry {
    int64_t rows, columns, scores; /* scores: rows of coefficients */
    oc_reals coefficients, intercepts;
    oc_surplus surplus;
    oc_post_transform post;
} geometry;

/* scores 0: as many as intercepts, or without these, as there are coefficients for. */
static oc_status read_geometry(oc_call *c, int64_t scores, geometry *g)
{
    int64_t all;
    *g = (geometry){0};
    OC_TRY(oc_ml_matrix(c, 0, &g->rows, &g->columns));
    OC_TRY(oc_ml_reals(c, "coefficients", NULL, &g->coefficients));
    OC_TRY(oc_ml_reals(c, "intercepts", NULL, &g->intercepts));
    OC_TRY(oc_ml_post_transform(c, &g->post));
    const int64_t n = g->coefficients.n;
    const bool counted = scores || g->intercepts.n;
    g->scores = scores ? scores : counted ? g->intercepts.n : g->columns ? n / g->columns : 0;
    if (g->scores < 1 || !oc_i64_mul(g->scores, g->columns, &all) || all > n ||
        (!counted && all < n))
        return oc_fail(c, OC_VALUE,
                       "attribute 'coefficients' has %" PRId64 " values, expected a row of %" PRId64
                       " for each score",
                       n, g->columns);
    if (g->intercepts.n && g->intercepts.n != g->scores)
        return oc_fail(c, OC_VALUE,
                       "attribute 'intercepts' has %" PRId64 " values, expected %" PRId64,
                       g->intercepts.n, g->scores);
    return oc_ml_expect(c, "coefficients", &g->coefficients, all, &g->surplus);
}

static void score_row(const geometry *g, const oc_work *by, const double *x, double *score)
{
    OC_LOOP (by, s, g->scores, 4) {
        const double *w = g->coefficients.v + s * g->columns;
        double sum = 0;
        OC_LOOP (by, k, g->columns, 4096)
            sum += x[k] * w[k];
        score[s] = sum + (g->intercepts.n ? g->intercepts.v[s] : 0);
    }
}

static oc_status read_regressor(oc_call *c, geometry *g)
{
    const int64_t targets = oc_attr_int(c, "targets");
    if (targets < 1)
        return oc_fail(c, OC_VALUE, "attribute 'targets' is %" PRId64 ", expected 1 or more",
                       targets);
    return read_geometry(c, targets, g);
}

static oc_status regressor_shape(oc_call *c)
{
    geometry g;
    OC_TRY(read_regressor(c, &g));
    return oc_set_out(c, 0, OC_F32, &(oc_dims){2, {g.rows, g.scores}});
}

static oc_status regressor_run(oc_call *c)
{
    geometry g;
    const void *x;
    double *score;
    OC_TRY(read_regressor(c, &g));
    oc_ml_remark(c, &g.surplus);
    OC_TRY(oc_in_as(c, 0, OC_F64, &x));
    OC_TRY(OC_SCRATCH(c, score, g.scores));
    float *y = oc_out(c, 0)->data;
    const oc_work w = oc_call_work(c, 0);
    OC_CALL_LOOP (c, r, g.rows, 4) {
        score_row(&g, &w, (const double *)x + r * g.columns, score);
        oc_ml_transform(&w, g.post, score, g.scores);
        oc_work_convert(&w, 0, y + r * g.scores, OC_F32, score, OC_F64, g.scores);
    }
    return OC_OK;
}

/* ---- LinearClassifier
 *
 * One row of coefficients with two labels decides between them: the second where the score is above
 * 0. Its scores are 1 - s and s, which PROBIT transforms, or the logistic function of -s and s.
 * Without labels it decides between the numbers 0 and 1, and has one score. */

static bool has_labels(const oc_call *c)
{
    const oc_attr *ints = oc_attr_get(c, "classlabels_ints");
    const oc_attr *strings = oc_attr_get(c, "classlabels_strings");
    return (ints && ints->n) || (strings && strings->n);
}

static oc_status read_classifier(oc_call *c, geometry *g, oc_labels *labels)
{
    *labels = (oc_labels){0};
    if (has_labels(c))
        OC_TRY(oc_ml_labels(c, "classlabels_ints", "classlabels_strings", labels));
    OC_TRY(read_geometry(c, 0, g));
    if (labels->n && labels->n < g->scores)
        return oc_fail(c, OC_VALUE, "%d labels for %" PRId64 " scores, expected as many", labels->n,
                       g->scores);
    if (g->scores == 1 && labels->n > 2)
        return oc_fail(c, OC_VALUE, "%d labels for 1 score, expected at most 2", labels->n);
    return OC_OK;
}

/* Columns of the scores. */
static int64_t count_scores(const geometry *g, const oc_labels *labels)
{
    return g->scores == 1 && labels->n == 2 ? 2 : g->scores;
}

static void remark_on_labels(const oc_call *c, const geometry *g, const oc_labels *labels)
{
    if (labels->n == 0)
        oc_remark(c, "there are no labels; classes have their numbers");
    else if (labels->n > count_scores(g, labels))
        oc_remark(c, "there are %d labels for %" PRId64 " scores, of which the first ones count",
                  labels->n, g->scores);
    else
        oc_ml_remark(c, &g->surplus);
}

static oc_status classifier_shape(oc_call *c)
{
    geometry g;
    oc_labels labels;
    OC_TRY(read_classifier(c, &g, &labels));
    OC_TRY(oc_set_out(c, 0, labels.string ? OC_STRING : OC_I64, &(oc_dims){1, {g.rows}}));
    return oc_set_out(c, 1, OC_F32, &(oc_dims){2, {g.rows, count_scores(&g, &labels)}});
}

/* Chooses the label by the scores. */
static int64_t choose(const double *score, int64_t n, int64_t labels)
{
    int64_t best = 0;
    if (n == 1)
        return labels != 1 && score[0] > 0;
    for (int64_t i = 1; i < n; i++)
        if (score[i] > score[best])
            best = i;
    return best;
}

static void transform_scores(const geometry *g, const oc_work *w, double *score, int64_t labels)
{
    if (g->scores == 1 && labels == 2) {
        const bool logistic = g->post == OC_POST_LOGISTIC;
        score[1] = score[0];
        score[0] = logistic ? -score[0] : 1 - score[0];
        if (logistic || g->post == OC_POST_PROBIT)
            oc_ml_transform(w, g->post, score, 2);
    } else {
        oc_ml_transform(w, g->post, score, g->scores);
    }
}

static oc_status classifier_run(oc_call *c)
{
    geometry g;
    oc_labels labels;
    const void *x;
    double *score;
    OC_TRY(read_classifier(c, &g, &labels));
    remark_on_labels(c, &g, &labels);
    const int64_t columns = count_scores(&g, &labels);
    OC_TRY(oc_in_as(c, 0, OC_F64, &x));
    OC_TRY(OC_SCRATCH(c, score, columns));
    const oc_work w = oc_call_work(c, 0);
    OC_CALL_LOOP (c, r, g.rows, 4) {
        score_row(&g, &w, (const double *)x + r * g.columns, score);
        oc_ml_put_label(oc_out(c, 0), r, &labels, choose(score, g.scores, labels.n));
        transform_scores(&g, &w, score, labels.n);
        oc_work_convert(&w, 0, (float *)oc_out(c, 1)->data + r * columns, OC_F32, score, OC_F64,
                        columns);
    }
    return OC_OK;
}

/* clang-format off */
const oc_op oc_ops_linear[] = {
    {1, "ai.onnx.ml::LinearRegressor <floats coefficients?, floats intercepts?, "
        "string post_transform = \"NONE\", int targets = 1> (T X) => (float Y) | T: float double int64 int32",
        regressor_shape, regressor_run},
    {1, "ai.onnx.ml::LinearClassifier <ints classlabels_ints?, strings classlabels_strings?, "
        "floats coefficients, floats intercepts?, int multi_class = 0, string post_transform = \"NONE\"> "
        "(T1 X) => (T2 Y, float Z) | T1: float double int64 int32; T2: string int64",
        classifier_shape, classifier_run},
    {0}
};
