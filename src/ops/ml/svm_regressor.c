/* SPDX-License-Identifier: Apache-2.0
 * svm_regressor.c - SVMRegressor: a sum of kernels of a row and the support vectors. Without
 * support vectors it is a linear model. Everything is computed in double and rounded once. */
#include "kernels/rows/elementary.h"
#include "ops/ml/ml.h"

#include <inttypes.h>
#include <math.h>

enum { LINEAR, POLY, RBF, SIGMOID };

typedef struct geometry {
    int64_t rows, columns, supports;
    int kernel;
    double gamma, coef0, degree, rho;
    oc_reals coefficients, vectors;
    oc_post_transform post;
} geometry;

static oc_status read_parameters(oc_call *c, geometry *g)
{
    static const char *const names[] = {"LINEAR", "POLY", "RBF", "SIGMOID", NULL};
    oc_reals given, rho;
    OC_TRY(oc_attr_enum(c, "kernel_type", names, &g->kernel));
    OC_TRY(oc_ml_reals(c, "kernel_params", NULL, &given));
    OC_TRY(oc_ml_reals(c, "rho", NULL, &rho));
    if (given.n != 0 && given.n != 3)
        return oc_fail(c, OC_VALUE, "attribute 'kernel_params' has %" PRId64 " values, expected 3",
                       given.n);
    if (given.n) {
        g->gamma = given.v[0];
        g->coef0 = given.v[1];
        g->degree = given.v[2];
    }
    if (rho.n != 1)
        return oc_fail(c, OC_VALUE, "attribute 'rho' has %" PRId64 " values, expected 1", rho.n);
    g->rho = rho.v[0];
    return OC_OK;
}

static oc_status read_geometry(oc_call *c, geometry *g)
{
    int64_t size;
    *g = (geometry){.supports = oc_attr_int(c, "n_supports")};
    OC_TRY(oc_ml_matrix(c, 0, &g->rows, &g->columns));
    OC_TRY(read_parameters(c, g));
    OC_TRY(oc_ml_post_transform(c, &g->post));
    OC_TRY(oc_ml_reals(c, "coefficients", NULL, &g->coefficients));
    OC_TRY(oc_ml_reals(c, "support_vectors", NULL, &g->vectors));
    if (g->supports < 0 || !oc_i64_mul(g->supports, g->columns, &size) || g->vectors.n != size)
        return oc_fail(c, OC_VALUE,
                       "attribute 'support_vectors' has %" PRId64 " values, expected %" PRId64
                       " rows of %" PRId64,
                       g->vectors.n, g->supports, g->columns);
    if (g->coefficients.n != (g->supports ? g->supports : g->columns))
        return oc_fail(c, OC_VALUE,
                       "attribute 'coefficients' has %" PRId64 " values, expected %" PRId64,
                       g->coefficients.n, g->supports ? g->supports : g->columns);
    return OC_OK;
}

static oc_status svm_shape(oc_call *c)
{
    geometry g;
    OC_TRY(read_geometry(c, &g));
    return oc_set_out(c, 0, OC_F32, (oc_dims){2, {g.rows, 1}});
}

static double kernel_of(const geometry *g, const double *x, const double *v)
{
    double sum = 0;
    for (int64_t k = 0; k < g->columns; k++)
        sum += g->kernel == RBF ? (x[k] - v[k]) * (x[k] - v[k]) : x[k] * v[k];
    if (g->kernel == LINEAR)
        return sum;
    if (g->kernel == RBF)
        return oc_exp(-g->gamma * sum);
    const double s = g->gamma * sum + g->coef0;
    if (g->kernel == POLY)
        return oc_pow(s, g->degree);
    const double e = oc_exp(-2 * fabs(s));
    return copysign((1 - e) / (1 + e), s);
}

static oc_status svm_run(oc_call *c)
{
    geometry g;
    const void *x;
    float *y = oc_out(c, 0)->data;
    OC_TRY(read_geometry(c, &g));
    OC_TRY(oc_in_as(c, 0, OC_F64, &x));
    const int64_t supports = g.supports ? g.supports : 1;
    oc_rounds rounds =
        oc_rounds_new(oc_call_go_on(c), g.rows, (double)supports * (double)(g.columns + 16), 1);
    while (oc_rounds_next(&rounds))
        for (int64_t r = rounds.first; r < rounds.end; r++) {
            const double *row = (const double *)x + r * g.columns;
            double score = 0;
            for (int64_t s = 0; s < g.supports; s++)
                score += g.coefficients.v[s] * kernel_of(&g, row, g.vectors.v + s * g.columns);
            for (int64_t k = 0; g.supports == 0 && k < g.columns; k++)
                score += g.coefficients.v[k] * row[k];
            score += g.rho;
            if (oc_attr_int(c, "one_class"))
                score = score > 0 ? 1 : -1;
            oc_ml_transform(g.post, &score, 1);
            y[r] = (float)score;
        }
    return oc_call_error(c)->code;
}

/* clang-format off */
const oc_op oc_ops_svm_regressor[] = {
    {1, "ai.onnx.ml::SVMRegressor <floats coefficients?, floats kernel_params?, string kernel_type = \"LINEAR\", "
        "int n_supports = 0, int one_class = 0, string post_transform = \"NONE\", floats rho?, "
        "floats support_vectors?> (T X) => (float Y) | T: float double int64 int32", svm_shape, svm_run},
    {0}
};
/* clang-format on */
