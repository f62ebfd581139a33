/* SPDX-License-Identifier: Apache-2.0
 * linear.c - LinearRegressor and LinearClassifier: a product with coefficients, plus intercepts.
 * Sums are in double, in order, and rounded once. */
#include "ops/ml/ml.h"

#include <inttypes.h>
#include <string.h>

enum {
    PIECE = 1 << 14, /* products between two looks at the limits */
    SUM_WORK = 32    /* products of a vector kernel that take as long as one here */
};

typedef struct geometry {
    int64_t rows, columns, scores; /* scores: rows of coefficients */
    oc_reals coefficients, intercepts;
    oc_post_transform post;
} geometry;

/* scores 0: as many as there are coefficients for. */
static oc_status read_geometry(oc_call *c, int64_t scores, geometry *g)
{
    OC_TRY(oc_ml_matrix(c, 0, &g->rows, &g->columns));
    OC_TRY(oc_ml_reals(c, "coefficients", NULL, &g->coefficients));
    OC_TRY(oc_ml_reals(c, "intercepts", NULL, &g->intercepts));
    OC_TRY(oc_ml_post_transform(c, &g->post));
    g->scores = scores ? scores : g->columns ? g->coefficients.n / g->columns : 0;
    int64_t all;
    if (g->scores < 1 || !oc_i64_mul(g->scores, g->columns, &all) || all != g->coefficients.n)
        return oc_fail(c, OC_VALUE,
                       "attribute 'coefficients' has %" PRId64 " values, expected a row of %" PRId64
                       " for each score",
                       g->coefficients.n, g->columns);
    if (g->intercepts.n && g->intercepts.n != g->scores)
        return oc_fail(c, OC_VALUE,
                       "attribute 'intercepts' has %" PRId64 " values, expected %" PRId64,
                       g->intercepts.n, g->scores);
    return OC_OK;
}

/* false: the limits ended it. */
static bool score_row(const geometry *g, oc_pace *pace, const double *x, double *score)
{
    for (int64_t s = 0; s < g->scores; s++) {
        const double *w = g->coefficients.v + s * g->columns;
        double sum = 0;
        int64_t k = 0;
        do {
            const int64_t begin = k, end = g->columns - k < PIECE ? g->columns : k + PIECE;
            for (; k < end; k++)
                sum += x[k] * w[k];
            if (!oc_pace_on(pace, (end - begin) * SUM_WORK + 2 * OC_PLACE))
                return false;
        } while (k < g->columns);
        score[s] = sum + (g->intercepts.n ? g->intercepts.v[s] : 0);
    }
    return true;
}

/* ---- LinearRegressor */

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
    return oc_set_out(c, 0, OC_F32, (oc_dims){2, {g.rows, g.scores}});
}

static oc_status regressor_run(oc_call *c)
{
    geometry g;
    const void *x;
    double *score;
    OC_TRY(read_regressor(c, &g));
    OC_TRY(oc_in_as(c, 0, OC_F64, &x));
    OC_TRY(OC_SCRATCH(c, score, g.scores));
    float *y = oc_out(c, 0)->data;
    oc_pace pace = {oc_call_go_on(c), 0};
    for (int64_t r = 0; r < g.rows; r++, y += g.scores) {
        if (!score_row(&g, &pace, (const double *)x + r * g.columns, score))
            return oc_check_limits(c);
        oc_ml_transform(&pace, g.post, score, g.scores);
        oc_pace_convert(&pace, 0, y, OC_F32, score, OC_F64, g.scores);
    }
    return OC_OK;
}

/* ---- LinearClassifier
 *
 * One row of coefficients with two labels decides between them: the second where the score is above
 * 0. Its scores are 1 - s and s, or the logistic function of -s and s. */

static oc_status read_classifier(oc_call *c, geometry *g, oc_labels *labels)
{
    OC_TRY(oc_ml_labels(c, "classlabels_ints", "classlabels_strings", labels));
    OC_TRY(read_geometry(c, 0, g));
    if (labels->n != g->scores && !(g->scores == 1 && labels->n == 2))
        return oc_fail(c, OC_VALUE, "%d labels for %" PRId64 " scores, expected as many", labels->n,
                       g->scores);
    return OC_OK;
}

static oc_status classifier_shape(oc_call *c)
{
    geometry g;
    oc_labels labels;
    OC_TRY(read_classifier(c, &g, &labels));
    OC_TRY(oc_set_out(c, 0, labels.number ? OC_I64 : OC_STRING, oc_dims_1d(g.rows)));
    return oc_set_out(c, 1, OC_F32, (oc_dims){2, {g.rows, labels.n}});
}

/* The label of the scores. */
static int64_t choose(const double *score, int64_t n, int64_t labels)
{
    int64_t best = 0;
    if (n == 1)
        return labels == 2 && score[0] > 0;
    for (int64_t i = 1; i < n; i++)
        if (score[i] > score[best])
            best = i;
    return best;
}

static void transform_scores(const geometry *g, oc_pace *pace, double *score, int64_t labels)
{
    if (g->scores == 1 && labels == 2 && g->post != OC_POST_PROBIT) {
        const bool logistic = g->post == OC_POST_LOGISTIC;
        score[1] = score[0];
        score[0] = logistic ? -score[0] : 1 - score[0];
        if (logistic)
            oc_ml_transform(pace, g->post, score, 2);
    } else {
        oc_ml_transform(pace, g->post, score, g->scores);
    }
}

static oc_status classifier_run(oc_call *c)
{
    geometry g;
    oc_labels labels;
    const void *x;
    double *score;
    OC_TRY(read_classifier(c, &g, &labels));
    OC_TRY(oc_in_as(c, 0, OC_F64, &x));
    OC_TRY(OC_SCRATCH(c, score, labels.n));
    oc_pace pace = {oc_call_go_on(c), 0};
    for (int64_t r = 0; r < g.rows; r++) {
        if (!score_row(&g, &pace, (const double *)x + r * g.columns, score))
            return oc_check_limits(c);
        if (oc_wants(c, 0))
            oc_ml_put_label(oc_out(c, 0), r, &labels, choose(score, g.scores, labels.n));
        if (!oc_wants(c, 1))
            continue;
        transform_scores(&g, &pace, score, labels.n);
        oc_pace_convert(&pace, 0, (float *)oc_out(c, 1)->data + r * labels.n, OC_F32, score, OC_F64,
                        labels.n);
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
/* clang-format on */
