/* SPDX-License-Identifier: Apache-2.0
 * svm_classifier.c - SVMClassifier: a decision between each pair of classes, by the support vectors
 * of the two; the class that most of them choose is the label. Without support vectors it is a
 * linear model with a score for each class. Everything is computed in double and rounded once.
 *
 * The scores are the decisions in the order (0,1), (0,2), ..., (1,2), ...; of two classes, minus
 * the one decision and itself. With prob_a and prob_b they are the probabilities of the classes. Of
 * equal classes the first is the label. */
#include "ops/ml/svm.h"

#include <math.h>

#include "kernels/elementwise/elementary.h"

typedef struct model {
    oc_svm svm;
    oc_labels labels;
    oc_ints of_class;                /* how many support vectors each class has */
    int64_t classes, pairs, columns; /* columns is the number of scores */
    oc_reals a, b;                   /* prob_a and prob_b */
} model;

/* Room for one row. */
typedef struct space {
    double *kernel;   /* kernel value of each support vector */
    double *decision; /* decision of each pair of classes */
    double *votes, *score, *gradient;
    double *q; /* classes * classes */
} space;

static oc_status read_vectors(oc_call *c, model *m, int64_t *supports)
{
    m->of_class = oc_attr_ints(c, "vectors_per_class");
    *supports = 0;
    for (int i = 0; i < m->of_class.n; i++)
        if (m->of_class.v[i] < 0 || !oc_i64_add(*supports, m->of_class.v[i], supports))
            return oc_fail(c, OC_VALUE,
                           "attribute 'vectors_per_class' has %" PRId64
                           " at [%d], expected a count",
                           m->of_class.v[i], i);
    if (*supports && m->classes < 2)
        return oc_fail(c, OC_VALUE, "there is 1 label, expected 2 or more for support vectors");
    if (*supports && m->of_class.n != m->classes)
        return oc_fail(c, OC_VALUE,
                       "attribute 'vectors_per_class' has %d values, expected %" PRId64,
                       m->of_class.n, m->classes);
    return OC_OK;
}

static oc_status read_probabilities(oc_call *c, model *m)
{
    OC_TRY(oc_ml_reals(c, "prob_a", NULL, &m->a));
    OC_TRY(oc_ml_reals(c, "prob_b", NULL, &m->b));
    if (m->a.n == 0 && m->b.n == 0)
        return OC_OK;
    OC_TRY(oc_ml_expect(c, "prob_a", &m->a, m->pairs, &m->svm.surplus));
    return oc_ml_expect(c, "prob_b", &m->b, m->pairs, &m->svm.surplus);
}

/* Checks the coefficients of a linear model: a row of columns for each class; there may be more,
 * but not enough for another column. */
static oc_status expect_rows(oc_call *c, model *m)
{
    const int64_t columns = m->svm.columns, n = m->svm.coefficients.n;
    if (n / m->classes != columns)
        return oc_fail(c, OC_VALUE,
                       "attribute 'coefficients' has %" PRId64 " values, expected a row of %" PRId64
                       " for each of %" PRId64 " labels",
                       n, columns, m->classes);
    OC_TRY(oc_ml_expect(c, "rho", &m->svm.rho, 1, &m->svm.surplus));
    return oc_ml_expect(c, "coefficients", &m->svm.coefficients, columns * m->classes,
                        &m->svm.surplus);
}

/* Checks that a model of support vectors has what each pair of classes needs. */
static oc_status expect_vectors(oc_call *c, model *m)
{
    int64_t n;
    if (!oc_i64_mul(m->classes - 1, m->svm.supports, &n))
        return oc_fail(c, OC_LIMIT, "there are too many coefficients");
    OC_TRY(oc_ml_expect(c, "coefficients", &m->svm.coefficients, n, &m->svm.surplus));
    OC_TRY(oc_ml_expect(c, "rho", &m->svm.rho, m->pairs, &m->svm.surplus));
    return read_probabilities(c, m);
}

static oc_status read_model(oc_call *c, model *m)
{
    int64_t supports;
    *m = (model){0};
    OC_TRY(oc_ml_labels(c, "classlabels_ints", "classlabels_strings", &m->labels));
    m->classes = m->labels.n;
    m->pairs = m->classes * (m->classes - 1) / 2;
    OC_TRY(read_vectors(c, m, &supports));
    OC_TRY(oc_svm_read(c, supports, &m->svm));
    if (supports)
        OC_TRY(expect_vectors(c, m));
    else
        OC_TRY(expect_rows(c, m));
    m->columns = !supports || m->a.n || m->classes == 2 ? m->classes : m->pairs;
    return OC_OK;
}

static oc_status svm_shape(oc_call *c)
{
    model m;
    OC_TRY(read_model(c, &m));
    OC_TRY(oc_set_out(c, 0, m.labels.number ? OC_I64 : OC_STRING, &(oc_dims){1, {m.svm.rows}}));
    return oc_set_out(c, 1, OC_F32, &(oc_dims){2, {m.svm.rows, m.columns}});
}

/* ---- decisions: class i against class j is above 0 for i. The coefficients are classes - 1 lists
 * of one for each support vector; those of class i against class j are in list j - 1, those of
 * class j against class i in list i. */

static void decide(const model *m, const oc_work *w, const double *x, space *s)
{
    const oc_svm *svm = &m->svm;
    const double *rho = svm->rho.v;
    double *to = s->decision;
    OC_LOOP (w, k, svm->supports, 4)
        s->kernel[k] = oc_svm_kernel(svm, x, k);
    memset(s->votes, 0, (size_t)m->classes * sizeof *s->votes);
    oc_count count = oc_count_of(w); /* counts pairs of classes */
    for (int64_t i = 0, at_i = 0; i < m->classes; at_i += m->of_class.v[i++])
        for (int64_t j = i + 1, at_j = at_i + m->of_class.v[i]; j < m->classes;
             at_j += m->of_class.v[j++]) {
            if (!oc_counts(&count))
                return;
            const double *for_i = svm->coefficients.v + (j - 1) * svm->supports;
            const double *for_j = svm->coefficients.v + i * svm->supports;
            *to = oc_svm_dot(s->kernel + at_i, for_i + at_i, m->of_class.v[i]) +
                  oc_svm_dot(s->kernel + at_j, for_j + at_j, m->of_class.v[j]) + *rho++;
            s->votes[*to++ > 0 ? i : j]++;
        }
}

/* ---- probabilities: the p of sum 1 for which the sum over all pairs of
 * (r[j][i] p[i] - r[i][j] p[j])^2 is least, r[i][j] being the probability of i among i and j. With
 * that sum as a quadratic form Q, steps along one class at a time approach p, until Q p differs
 * from its mean by less than 0.005 / classes. */

static void set_form(const model *m, const oc_work *w, const double *decision, double *q)
{
    const int64_t n = m->classes;
    OC_LOOP (w, i, n, 4)
        memset(q + i * n, 0, (size_t)n * sizeof *q);
    oc_count count = oc_count_of(w); /* counts pairs */
    for (int64_t i = 0, pair = 0; i < n; i++)
        for (int64_t j = i + 1; j < n && oc_counts(&count); j++, pair++) {
            const double p = 1 / (1 + oc_exp(decision[pair] * m->a.v[pair] + m->b.v[pair]));
            const double r = p < 1e-7 ? 1e-7 : p > 1 - 1e-7 ? 1 - 1e-7 : p;
            q[i * n + i] += (1 - r) * (1 - r);
            q[j * n + j] += r * r;
            q[i * n + j] = q[j * n + i] = -r * (1 - r);
        }
}

/* Returns the mean of the elements of Q p, weighted by p; *off becomes the largest difference of an
 * element from it. */
static double apply_form(const model *m, const oc_work *w, space *s, double *off)
{
    const int64_t n = m->classes;
    double mean = 0;
    OC_LOOP (w, i, n, 4) {
        s->gradient[i] = oc_svm_dot(s->score, s->q + i * n, n);
        mean += s->score[i] * s->gradient[i];
    }
    *off = 0;
    for (int64_t i = 0; i < n; i++)
        *off = fmax(*off, fabs(s->gradient[i] - mean));
    return mean;
}

static void find_probabilities(const model *m, const oc_work *w, space *s)
{
    const int64_t n = m->classes, most = oc_max(n, 100);
    double off;
    set_form(m, w, s->decision, s->q);
    for (int64_t i = 0; i < n; i++)
        s->score[i] = 1 / (double)n;
    OC_LOOP (w, round, most, 64) {
        double mean = apply_form(m, w, s, &off);
        if (off < 0.005 / (double)n)
            return;
        OC_LOOP (w, i, n, 4) {
            const double own = s->q[i * n + i], step = (mean - s->gradient[i]) / own;
            const double all = 1 + step;
            mean = (mean + step * (step * own + 2 * s->gradient[i])) / (all * all);
            s->score[i] += step;
            for (int64_t j = 0; j < n; j++) {
                s->score[j] /= all;
                s->gradient[j] = (s->gradient[j] + step * s->q[i * n + j]) / all;
            }
        }
    }
}

/* ---- rows */

static int64_t first_greatest(const double *x, int64_t n)
{
    int64_t best = 0;
    for (int64_t i = 1; i < n; i++)
        if (x[i] > x[best])
            best = i;
    return best;
}

static void copy_decisions(const model *m, const oc_work *w, space *s)
{
    OC_LOOP (w, i, m->pairs, 1024)
        s->score[i] = s->decision[i];
}

/* Sets the scores of a row, and gives the class of its label. */
static int64_t classify(const model *m, const oc_work *w, const double *x, space *s)
{
    const oc_svm *svm = &m->svm;
    if (svm->supports == 0) {
        OC_LOOP (w, i, m->classes, 4)
            s->score[i] =
                oc_svm_dot(x, svm->coefficients.v + i * svm->columns, svm->columns) + svm->rho.v[0];
        return first_greatest(s->score, m->classes);
    }
    decide(m, w, x, s);
    if (m->a.n) {
        find_probabilities(m, w, s);
    } else if (m->classes == 2) {
        s->score[0] = -s->decision[0];
        s->score[1] = s->decision[0];
    } else {
        copy_decisions(m, w, s);
    }
    return first_greatest(s->votes, m->classes);
}

static oc_status make_space(oc_call *c, const model *m, space *s)
{
    OC_TRY(OC_SCRATCH(c, s->kernel, m->svm.supports));
    OC_TRY(OC_SCRATCH(c, s->decision, m->pairs));
    OC_TRY(OC_SCRATCH(c, s->votes, m->classes));
    OC_TRY(OC_SCRATCH(c, s->score, m->columns));
    OC_TRY(OC_SCRATCH(c, s->gradient, m->classes));
    return OC_SCRATCH(c, s->q, m->a.n ? m->classes * m->classes : 0);
}

static oc_status svm_run(oc_call *c)
{
    model m;
    space s;
    const void *x;
    OC_TRY(read_model(c, &m));
    oc_ml_remark(c, &m.svm.surplus);
    OC_TRY(make_space(c, &m, &s));
    OC_TRY(oc_in_as(c, 0, OC_F64, &x));
    const oc_work w = oc_call_work(c, 0);
    OC_CALL_LOOP (c, r, m.svm.rows, 64) {
        const int64_t label = classify(&m, &w, (const double *)x + r * m.svm.columns, &s);
        oc_ml_put_label(oc_out(c, 0), r, &m.labels, label);
        oc_ml_transform(&w, m.svm.post, s.score, m.columns);
        oc_work_convert(&w, 0, (float *)oc_out(c, 1)->data + r * m.columns, OC_F32, s.score, OC_F64,
                        m.columns);
    }
    return OC_OK;
}

/* clang-format off */
const oc_op oc_ops_svm_classifier[] = {
    {1, "ai.onnx.ml::SVMClassifier <ints classlabels_ints?, strings classlabels_strings?, floats coefficients?, "
        "floats kernel_params?, string kernel_type = \"LINEAR\", string post_transform = \"NONE\", "
        "floats prob_a?, floats prob_b?, floats rho?, floats support_vectors?, ints vectors_per_class?> "
        "(T1 X) => (T2 Y, float Z) | T1: float double int64 int32; T2: string int64",
        svm_shape, svm_run},
    {0}
};
