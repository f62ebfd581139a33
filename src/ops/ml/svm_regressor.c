/* SPDX-License-Identifier: Apache-2.0
 * svm_regressor.c - SVMRegressor: a sum of kernels of a row and the support vectors. Without
 * support vectors it is a linear model. Everything is computed in double and rounded once. */
#include "ops/ml/svm.h"

static oc_status read_model(oc_call *c, oc_svm *m)
{
    OC_TRY(oc_svm_read(c, oc_attr_int(c, "n_supports"), m));
    OC_TRY(oc_ml_expect(c, "rho", &m->rho, 1, &m->surplus));
    if (m->supports)
        return oc_ml_expect(c, "coefficients", &m->coefficients, m->supports, &m->surplus);
    if (m->coefficients.n == m->columns)
        return OC_OK;
    return oc_fail(c, OC_VALUE,
                   "attribute 'coefficients' has %" PRId64 " values, expected %" PRId64
                   ", one for each column",
                   m->coefficients.n, m->columns);
}

static oc_status svm_shape(oc_call *c)
{
    oc_svm m;
    OC_TRY(read_model(c, &m));
    return oc_set_out(c, 0, OC_F32, &(oc_dims){2, {m.rows, 1}});
}

static double score_row(const oc_svm *m, const oc_work *w, const double *x)
{
    double score = 0;
    if (m->supports == 0)
        score = oc_svm_dot(x, m->coefficients.v, m->columns);
    OC_LOOP (w, s, m->supports, 4)
        score += m->coefficients.v[s] * oc_svm_kernel(m, x, s);
    return score + m->rho.v[0];
}

static oc_status svm_run(oc_call *c)
{
    oc_svm m;
    const void *x;
    float *y = oc_out(c, 0)->data;
    OC_TRY(read_model(c, &m));
    oc_ml_remark(c, &m.surplus);
    OC_TRY(oc_in_as(c, 0, OC_F64, &x));
    const oc_work w = oc_call_work(c, 0);
    OC_CALL_LOOP (c, r, m.rows, 64) {
        double score = score_row(&m, &w, (const double *)x + r * m.columns);
        if (oc_attr_int(c, "one_class"))
            score = score > 0 ? 1 : -1;
        oc_ml_transform(&w, m.post, &score, 1);
        y[r] = (float)score;
    }
    return OC_OK;
}

/* clang-format off */
const oc_op oc_ops_svm_regressor[] = {
    {1, "ai.onnx.ml::SVMRegressor <floats coefficients?, floats kernel_params?, string kernel_type = \"LINEAR\", "
        "int n_supports = 0, int one_class = 0, string post_transform = \"NONE\", floats rho?, "
        "floats support_vectors?> (T X) => (float Y) | T: float double int64 int32", svm_shape, svm_run},
    {0}
};
