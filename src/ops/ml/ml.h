/* SPDX-License-Identifier: Apache-2.0
 * ml.h - what the operators of ai.onnx.ml share: lists of numbers, labels, and post_transform. */
#pragma once

#include "ops/kit/op.h"

typedef struct oc_reals {
    const double *v;
    int64_t n;
} oc_reals;

/* The numbers of attribute `name`, floats, or of attribute `tensor`, where the operator has one
 * (else NULL); both is an error, none an empty list. Memory is the call's. */
oc_status oc_ml_reals(oc_call *c, const char *name, const char *tensor, oc_reals *list);

/* A list of an attribute that has more values than the model needs; name NULL: none has. */
typedef struct oc_surplus {
    const char *name;
    int64_t has, needs;
} oc_surplus;

/* Fails where attribute `name`, which was read into the list, has fewer than n values. Where it
 * has more, the first ones count, as in other engines, and a remark says so. */
oc_status oc_ml_expect(oc_call *c, const char *name, const oc_reals *list, int64_t n,
                       oc_surplus *s);
/* Remarks on what was noted. For run functions. */
void oc_ml_remark(const oc_call *c, const oc_surplus *s);

/* Reads the rows and columns of an input of dims [C] or [N,C]. */
oc_status oc_ml_matrix(oc_call *c, int i, int64_t *rows, int64_t *columns);

/* The labels of classes: either attribute `numbers` or `strings` is given. n 0: none is, and
 * classes have their numbers for labels; only LinearClassifier has that. */
typedef struct oc_labels {
    const int64_t *number; /* NULL: the labels are strings */
    const oc_string *string;
    int n;
} oc_labels;

oc_status oc_ml_labels(oc_call *c, const char *numbers, const char *strings, oc_labels *labels);
/* Element i of a tensor of labels becomes label k. */
void oc_ml_put_label(const oc_value *y, int64_t i, const oc_labels *labels, int64_t k);

typedef enum oc_post_transform {
    OC_POST_NONE,
    OC_POST_SOFTMAX,
    OC_POST_LOGISTIC,
    OC_POST_SOFTMAX_ZERO,
    OC_POST_PROBIT
} oc_post_transform;

/* Reads the string attribute post_transform. */
oc_status oc_ml_post_transform(oc_call *c, oc_post_transform *post);
/* Transforms the n scores of a row, which are undefined if the work ends early. */
void oc_ml_transform(const oc_work *w, oc_post_transform post, double *score, int64_t n);
