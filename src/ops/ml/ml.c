/* SPDX-License-Identifier: Apache-2.0
 * ml.c - lists, labels and transforms of the operators of ai.onnx.ml. */
#include "ops/ml/ml.h"

#include "kernels/elementwise/elementary.h"

#include <math.h>

oc_status oc_ml_reals(oc_call *c, const char *name, const char *tensor, oc_reals *list)
{
    const oc_attr *plain = oc_attr_get(c, name), *other = tensor ? oc_attr_get(c, tensor) : NULL;
    double *v;
    *list = (oc_reals){NULL, 0};
    if (plain && plain->n && other)
        return oc_fail(c, OC_VALUE, "attributes '%s' and '%s' are given, expected one", name,
                       tensor);
    const oc_value *t = other ? &other->u.t->value : NULL;
    if (t && !oc_type_in(t->type, OC_SET_IEEE))
        return oc_fail(c, OC_TYPE, "attribute '%s' is of %s, expected float, double or float16",
                       tensor, oc_type_name(t->type));
    list->n = t ? oc_value_n(t) : plain ? plain->n : 0;
    OC_TRY(OC_SCRATCH(c, v, list->n));
    if (t) {
        void *aligned;
        OC_TRY(OC_SCRATCH_OF(c, aligned, list->n, oc_type_size(t->type)));
        if (list->n)
            oc_call_copy(c, aligned, t->data, oc_value_bytes(t));
        oc_call_convert(c, v, OC_F64, aligned, t->type, list->n);
    } else if (plain) {
        oc_call_convert(c, v, OC_F64, plain->u.f, OC_F32, list->n);
    }
    list->v = v;
    return oc_check_limits(c);
}

oc_status oc_ml_expect(oc_call *c, const char *name, const oc_reals *list, int64_t n, oc_surplus *s)
{
    if (list->n < n)
        return oc_fail(c, OC_VALUE, "attribute '%s' has %" PRId64 " values, expected %" PRId64,
                       name, list->n, n);
    if (list->n > n)
        *s = (oc_surplus){name, list->n, n};
    return OC_OK;
}

void oc_ml_remark(const oc_call *c, const oc_surplus *s)
{
    if (s->name)
        oc_remark(c, "attribute '%s' has %" PRId64 " values, of which the first %" PRId64 " count",
                  s->name, s->has, s->needs);
}

oc_status oc_ml_matrix(oc_call *c, int i, int64_t *rows, int64_t *columns)
{
    const oc_dims *d = &oc_in(c, i)->dims;
    OC_TRY(oc_expect_rank(c, i, 1, 2));
    *rows = d->rank == 2 ? d->n[0] : 1;
    *columns = d->n[d->rank - 1];
    return OC_OK;
}

oc_status oc_ml_labels(oc_call *c, const char *numbers, const char *strings, oc_labels *labels)
{
    const oc_attr *n = oc_attr_get(c, numbers), *s = oc_attr_get(c, strings);
    *labels = (oc_labels){0};
    if ((n && n->n) == (s && s->n))
        return oc_fail(c, OC_VALUE, "expected labels in attribute '%s' or '%s', one of them",
                       numbers, strings);
    if (n && n->n)
        *labels = (oc_labels){n->u.i, NULL, n->n};
    else
        *labels = (oc_labels){NULL, s->u.s, s->n};
    return OC_OK;
}

void oc_ml_put_label(const oc_value *y, int64_t i, const oc_labels *labels, int64_t k)
{
    if (labels->n == 0)
        ((int64_t *)y->data)[i] = k;
    else if (labels->number)
        ((int64_t *)y->data)[i] = labels->number[k];
    else
        ((oc_string *)y->data)[i] = labels->string[k];
}

oc_status oc_ml_post_transform(oc_call *c, oc_post_transform *post)
{
    static const char *const names[] = {"NONE",         "SOFTMAX", "LOGISTIC",
                                        "SOFTMAX_ZERO", "PROBIT",  NULL};
    int index;
    OC_TRY(oc_attr_enum(c, "post_transform", names, &index));
    *post = (oc_post_transform)index;
    return OC_OK;
}

static double logistic(double x)
{
    const double e = oc_exp(x < 0 ? x : -x);
    return x < 0 ? e / (1 + e) : 1 / (1 + e);
}

/* The inverse of the normal distribution, by the approximation that the standard's reference and
 * ONNX Runtime use: sqrt 2 times erf's inverse with the constant 0.147. */
static double probit(double p)
{
    const double x = 2 * p - 1, rest = (1 - x) * (1 + x);
    if (rest == 0 || x != x)
        return x == x ? 0 : x;
    if (rest < 0)
        return (double)NAN;
    const double log = oc_log(rest), v = 2 / (3.141592653589793 * 0.147) + 0.5 * log;
    const double root = sqrt(-v + sqrt(v * v - log / 0.147));
    return 1.4142135623730951 * (x < 0 ? -root : root);
}

/* zero: a score that is nearly 0 stays so, and counts for nothing. */
static void softmax(const oc_work *w, double *score, int64_t n, bool zero)
{
    double most = -(double)INFINITY, sum = 0;
    OC_LOOP (w, i, n, 1024)
        most = score[i] > most ? score[i] : most;
    OC_LOOP (w, i, n, 64) {
        if (zero && score[i] <= 1e-7 && score[i] >= -1e-7)
            score[i] *= oc_exp(-most);
        else
            score[i] = oc_exp(score[i] - most);
        sum += score[i];
    }
    OC_LOOP (w, i, n, 1024)
        score[i] = zero && sum == 0 ? 0.5 : score[i] / sum;
}

void oc_ml_transform(const oc_work *w, oc_post_transform post, double *score, int64_t n)
{
    if (post == OC_POST_SOFTMAX || post == OC_POST_SOFTMAX_ZERO)
        softmax(w, score, n, post == OC_POST_SOFTMAX_ZERO);
    const bool single = post == OC_POST_LOGISTIC || post == OC_POST_PROBIT;
    OC_LOOP (w, i, single ? n : 0, 64)
        score[i] = post == OC_POST_LOGISTIC ? logistic(score[i]) : probit(score[i]);
}
