/* SPDX-License-Identifier: Apache-2.0
 * svm.h - what SVMRegressor and SVMClassifier share: support vectors and the kernel function of a
 * row and a vector, in double. */
#pragma once

#include "ops/ml/ml.h"

typedef struct oc_svm {
    int64_t rows, columns, supports; /* rows and columns of input 0; number of support vectors */
    int kernel;
    double gamma, coef0, degree;
    oc_reals coefficients, rho, vectors; /* vectors: a row of `columns` each */
    oc_surplus surplus;
    oc_post_transform post;
} oc_svm;

/* Reads the attributes that the operators share, for a model of `supports` vectors. */
oc_status oc_svm_read(oc_call *c, int64_t supports, oc_svm *s);
/* Computes the kernel function of row x and support vector number i. */
double oc_svm_kernel(const oc_svm *s, const double *x, int64_t i);
/* Sums x[k] * w[k] over n columns. */
double oc_svm_dot(const double *x, const double *w, int64_t n);
