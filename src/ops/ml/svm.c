/* SPDX-License-Identifier: Apache-2.0
 * svm.c - attributes and kernel functions of support vector machines. */
#include "ops/ml/svm.h"

#include <math.h>

#include "kernels/elementwise/elementary.h"

enum { LINEAR, POLY, RBF, SIGMOID };

static oc_status read_kernel(oc_call *c, oc_svm *s)
{
    static const char *const names[] = {"LINEAR", "POLY", "RBF", "SIGMOID", NULL};
    oc_reals given;
    OC_TRY(oc_attr_enum(c, "kernel_type", names, &s->kernel));
    OC_TRY(oc_ml_reals(c, "kernel_params", NULL, &given));
    if (given.n == 0)
        return OC_OK;
    if (given.n != 3)
        return oc_fail(c, OC_VALUE, "attribute 'kernel_params' has %" PRId64 " values, expected 3",
                       given.n);
    s->gamma = given.v[0];
    s->coef0 = given.v[1];
    s->degree = given.v[2];
    return OC_OK;
}

oc_status oc_svm_read(oc_call *c, int64_t supports, oc_svm *s)
{
    int64_t size;
    *s = (oc_svm){.supports = supports};
    OC_TRY(oc_ml_matrix(c, 0, &s->rows, &s->columns));
    OC_TRY(read_kernel(c, s));
    OC_TRY(oc_ml_post_transform(c, &s->post));
    OC_TRY(oc_ml_reals(c, "rho", NULL, &s->rho));
    OC_TRY(oc_ml_reals(c, "coefficients", NULL, &s->coefficients));
    OC_TRY(oc_ml_reals(c, "support_vectors", NULL, &s->vectors));
    if (supports < 0 || !oc_i64_mul(supports, s->columns, &size) || s->vectors.n != size)
        return oc_fail(c, OC_VALUE,
                       "attribute 'support_vectors' has %" PRId64 " values, expected %" PRId64
                       " rows of %" PRId64,
                       s->vectors.n, supports, s->columns);
    return OC_OK;
}

double oc_svm_dot(const double *x, const double *w, int64_t n)
{
    double sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += x[k] * w[k];
    return sum;
}

double oc_svm_kernel(const oc_svm *s, const double *x, int64_t i)
{
    const double *v = s->vectors.v + i * s->columns;
    double sum = 0;
    if (s->kernel == RBF) {
        for (int64_t k = 0; k < s->columns; k++)
            sum += (x[k] - v[k]) * (x[k] - v[k]);
        return oc_exp(-s->gamma * sum);
    }
    sum = oc_svm_dot(x, v, s->columns);
    if (s->kernel == LINEAR)
        return sum;
    const double inner = s->gamma * sum + s->coef0;
    if (s->kernel == POLY)
        return oc_pow(inner, s->degree);
    const double e = oc_exp(-2 * fabs(inner)); /* the hyperbolic tangent */
    return copysign((1 - e) / (1 + e), inner);
}
