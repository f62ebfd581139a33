/* SPDX-License-Identifier: Apache-2.0
 * loss.c - NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss.
 *
 * The loss of a place is minus its score at the target class (for softmax, minus the logarithm of
 * the softmax of its scores there), times the weight of that class. Where the target is the ignored
 * one, the loss and the weight are 0. The mean divides by the sum of the weights, which are 1 if
 * none are given; 0 / 0 is NaN. Everything is computed in double, sums are taken in the order of
 * the places, and results are rounded once. */
#include "kernels/rows/elementary.h"
#include "ops/kit/op.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { NONE, SUM, MEAN };

enum { FEW = 1024 }; /* places whose powers are worth computing together */

typedef struct geometry {
    int reduction;
    oc_dims places; /* the scores' dims without the classes, samples included */
    int64_t classes;
} geometry;

static oc_status read_geometry(oc_call *c, geometry *g)
{
    static const char *const names[] = {"none", "sum", "mean", NULL};
    const oc_dims *x = &oc_in(c, 0)->dims;
    OC_TRY(oc_attr_enum(c, "reduction", names, &g->reduction));
    OC_TRY(oc_expect_rank(c, 0, 2, OC_MAX_RANK));
    g->classes = x->n[1];
    g->places = (oc_dims){.rank = x->rank - 1, .n = {x->n[0]}};
    for (int a = 1; a < g->places.rank; a++)
        g->places.n[a] = x->n[a + 1];
    OC_TRY(oc_expect_dims(c, 1, &g->places, ", a class for each place"));
    return oc_expect_dims(c, 2, &(oc_dims){1, {g->classes}}, ", one for each class");
}

static oc_status loss_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    geometry g;
    OC_TRY(read_geometry(c, &g));
    if (oc_n_out(c) > 1)
        OC_TRY(oc_set_out(c, 1, x->type, x->dims));
    return oc_set_out(c, 0, x->type, g.reduction == NONE ? g.places : (oc_dims){0, {0}});
}

/* The scores of one sample are [classes, places]. */
typedef struct job {
    const oc_value *x, *target, *weight, *y, *log_prob; /* y and log_prob: NULL when not wanted */
    int64_t classes, places;
    bool each, has_ignored;
    int64_t ignored;
    double *score;       /* of one sample, classes * places */
    double *most, *loss; /* places each */
    double *power;       /* of as many classes at a time as `lines`, places each */
    int64_t lines;
    double *of_class; /* the weights as double; NULL: all 1 */
    int64_t *class;   /* the sample's targets */
    double sum, sum_of_weights;
    const oc_elementary *functions;
} job;

/* The n elements that belong to the sample. */
static char *slab(const oc_value *v, int64_t sample, int64_t n)
{
    return (char *)v->data + oc_type_size(v->type) * (size_t)(sample * n);
}

/* As log_softmax, for one place: its classes are neighbours. */
static void log_softmax_of_place(const job *j)
{
    double *score = j->score, most = -INFINITY, sum = 0;
    for (int64_t k = 0; k < j->classes; k++)
        most = score[k] > most || isnan(score[k]) ? score[k] : most;
    for (int64_t k = 0; k < j->classes; k++)
        score[k] -= most;
    for (int64_t k = 0; k < j->classes; k += j->lines) {
        const int64_t lines = j->classes - k < j->lines ? j->classes - k : j->lines;
        memcpy(j->power, score + k, (size_t)lines * sizeof *score);
        oc_elementary_apply(j->functions->exp, j->power, lines);
        for (int64_t i = 0; i < lines; i++)
            sum += j->power[i];
    }
    oc_elementary_apply(j->functions->log, &sum, 1);
    for (int64_t k = 0; k < j->classes; k++)
        score[k] -= sum;
}

/* score -= ln(sum of e^score over the classes). The greatest score is subtracted first. */
static void log_softmax(const job *j)
{
    const int64_t n = j->places;
    if (n == 1) {
        log_softmax_of_place(j);
        return;
    }
    double *sum = j->loss;
    for (int64_t p = 0; p < n; p++) {
        j->most[p] = -INFINITY;
        sum[p] = 0;
    }
    for (int64_t k = 0; k < j->classes; k++)
        for (int64_t p = 0; p < n; p++) {
            const double score = j->score[k * n + p];
            j->most[p] = score > j->most[p] || isnan(score) ? score : j->most[p];
        }
    for (int64_t k = 0; k < j->classes; k += j->lines) {
        const int64_t lines = j->classes - k < j->lines ? j->classes - k : j->lines;
        double *score = j->score + k * n;
        for (int64_t i = 0; i < lines * n; i += n)
            for (int64_t p = 0; p < n; p++)
                j->power[i + p] = score[i + p] -= j->most[p];
        oc_elementary_apply(j->functions->exp, j->power, lines * n);
        for (int64_t i = 0; i < lines * n; i += n)
            for (int64_t p = 0; p < n; p++)
                sum[p] += j->power[i + p];
    }
    oc_elementary_apply(j->functions->log, sum, n);
    for (int64_t k = 0; k < j->classes; k++)
        for (int64_t p = 0; p < n; p++)
            j->score[k * n + p] -= sum[p];
}

static oc_status sum_sample(oc_call *c, job *j, int64_t sample)
{
    oc_convert(j->class, OC_I64, slab(j->target, sample, j->places), j->target->type, j->places,
               true);
    for (int64_t p = 0; p < j->places; p++) {
        const int64_t k = j->class[p];
        if (j->has_ignored && k == j->ignored) {
            j->loss[p] = 0;
            continue;
        }
        if (k < 0 || k >= j->classes)
            return oc_fail(c, OC_VALUE,
                           "input 1 has %" PRId64 " in sample %" PRId64
                           ", expected a class in [0, %" PRId64 "]",
                           k, sample, j->classes - 1);
        const double weight = j->of_class ? j->of_class[k] : 1;
        j->loss[p] = -j->score[k * j->places + p] * weight;
        j->sum += j->loss[p];
        j->sum_of_weights += weight;
    }
    return OC_OK;
}

static oc_status run_sample(oc_call *c, job *j, int64_t sample, bool softmax)
{
    const int64_t n = j->classes * j->places;
    oc_convert(j->score, OC_F64, slab(j->x, sample, n), j->x->type, n, true);
    if (softmax)
        log_softmax(j);
    if (j->log_prob)
        oc_convert(slab(j->log_prob, sample, n), j->log_prob->type, j->score, OC_F64, n, true);
    OC_TRY(sum_sample(c, j, sample));
    if (j->y && j->each)
        oc_convert(slab(j->y, sample, j->places), j->y->type, j->loss, OC_F64, j->places, true);
    return OC_OK;
}

/* Room for a sample in double; its size cannot wrap unless memory could not hold it. */
static oc_status make_room(oc_call *c, job *j)
{
    const size_t places = (size_t)j->places, classes = (size_t)j->classes;
    size_t n;
    j->lines = j->places < FEW ? FEW / (j->places ? j->places : 1) : 1;
    j->lines = j->lines < j->classes ? j->lines : j->classes;
    if (!oc_size_add(classes, 3 + (size_t)j->lines, &n) || !oc_size_mul(n, places, &n) ||
        !oc_size_add(n, classes, &n))
        return oc_fail(c, OC_LIMIT, "a sample of %zu classes and %zu places is too large", classes,
                       places);
    OC_TRY(OC_SCRATCH(c, j->score, n));
    j->most = j->score + classes * places;
    j->loss = j->most + places;
    j->power = j->loss + places;
    j->class = (int64_t *)(j->power + (size_t)j->lines * places);
    if (j->weight) {
        j->of_class = (double *)(j->class + places);
        oc_convert(j->of_class, OC_F64, j->weight->data, j->weight->type, j->classes, true);
    }
    return OC_OK;
}

static oc_status run(oc_call *c, bool softmax)
{
    const oc_value *x = oc_in(c, 0);
    job j = {.x = x, .target = oc_in(c, 1), .weight = oc_in(c, 2), .y = oc_out(c, 0)};
    geometry g;
    j.functions = oc_elementary_pick(oc_call_cpu(c));
    OC_TRY(read_geometry(c, &g));
    j.log_prob = oc_n_out(c) > 1 ? oc_out(c, 1) : NULL;
    j.classes = g.classes;
    j.places = oc_dims_product(&g.places, 1, g.places.rank);
    j.each = g.reduction == NONE;
    j.has_ignored = oc_attr_has(c, "ignore_index");
    j.ignored = oc_attr_int(c, "ignore_index");
    if (oc_value_n(j.target)) {
        OC_TRY(make_room(c, &j));
        for (int64_t sample = 0; sample < x->dims.n[0]; sample++)
            OC_TRY(run_sample(c, &j, sample, softmax));
    }
    const double total = g.reduction == MEAN ? j.sum / j.sum_of_weights : j.sum;
    if (j.y && !j.each)
        oc_convert(j.y->data, j.y->type, &total, OC_F64, 1, true);
    return OC_OK;
}

static oc_status nll_run(oc_call *c)
{
    return run(c, false);
}

static oc_status sce_run(oc_call *c)
{
    return run(c, true);
}

/* clang-format off */
#define ATTRS "<int ignore_index?, string reduction = \"mean\">"
#define NLL(set) "NegativeLogLikelihoodLoss " ATTRS " (T input, Tind target, T weight?) => (T loss)" \
                 " | T: " set "; Tind: index"
#define SCE(set) "SoftmaxCrossEntropyLoss " ATTRS " (T scores, Tind labels, T weights?)" \
                 " => (T output, T log_prob?) | T: " set "; Tind: index"
const oc_op oc_ops_loss[] = {
    {22, NLL("float_ir4"), loss_shape, nll_run},
    {13, NLL("ieee"),      loss_shape, nll_run},
    {12, NLL("ieee"),      loss_shape, nll_run},
    {13, SCE("float_ir4"), loss_shape, sce_run},
    {12, SCE("ieee"),      loss_shape, sce_run},
    {0}
};
/* clang-format on */
