/* SPDX-License-Identifier: Apache-2.0
 * loss.c - NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss.
 *
 * The loss of a place is minus its score at the target class (for softmax, minus the logarithm of
 * the softmax of its scores there), times the weight of that class. Where the target is the ignored
 * one, the loss and the weight are 0. The mean divides by the sum of the weights, which are 1 if
 * none are given; 0 / 0 is NaN. Everything is computed in double, sums are taken in the order of
 * the places, and results are rounded once. */
#include "kernels/reduce/reduce.h"
#include "ops/kit/op.h"

#include <math.h>

enum { NONE, SUM, MEAN };

enum { FEW = 1024 }; /* places of a strip; numbers whose powers are worth computing together */

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
    OC_TRY(oc_set_out(c, 1, x->type, &x->dims));
    return oc_set_out(c, 0, x->type, g.reduction == NONE ? &g.places : &(oc_dims){0, {0}});
}

/* What is known of a strip of places. Samples follow each other, so one may end within it. */
typedef struct strip {
    double most[FEW], sum[FEW]; /* for each place; a logarithm of softmax is score - most - sum */
    double loss[FEW];
    double score[FEW], power[FEW]; /* scores of a few classes of places, and their powers */
    int64_t class[FEW];            /* targets */
} strip;

/* The scores of one sample are [classes, places]. */
typedef struct job {
    const oc_value *x, *target, *weight, *y, *log_prob; /* log_prob is NULL if nobody wants it */
    int64_t classes, places;
    bool softmax, each, has_ignored;
    int64_t ignored;
    strip *s;
    oc_work work;
    double *of_class; /* the weights as double; NULL: all are 1 */
    double sum, sum_of_weights;
    unsigned cpu;
    const oc_elementary *functions;
    const oc_folds *folds;
} job;

static char *element(const oc_value *v, int64_t i)
{
    return (char *)v->data + oc_type_size(v->type) * (size_t)i;
}

/* ---- softmax */

/* A rectangle of scores becomes [lines][n] doubles; `step` elements lie from line to line. */
static void load(const job *j, int64_t at, int64_t step, int64_t lines, int64_t n)
{
    const int64_t whole = step == n ? lines : 1;
    for (int64_t i = 0; i < lines; i += whole)
        oc_convert_fast(j->cpu, j->s->score + i * n, OC_F64, element(j->x, at + i * step),
                        j->x->type, whole * n);
}

static void store(const job *j, int64_t at, int64_t step, int64_t lines, int64_t n)
{
    const int64_t whole = step == n ? lines : 1;
    for (int64_t i = 0; i < lines; i += whole)
        oc_convert_fast(j->cpu, element(j->log_prob, at + i * step), j->log_prob->type,
                        j->s->score + i * n, OC_F64, whole * n);
}

/* Sets power to e^score for n scores. The function reads whole blocks, past the n scores too. */
static void raise_e(const job *j, int64_t n)
{
    for (int64_t i = 0; i < n; i += OC_ELEMENTARY_BLOCK)
        j->functions->exp(j->s->power + i, j->s->score + i);
}

/* Computes softmax of n <= FEW places of one sample, a few classes of all places at a time. Score
 * `at` is that of class 0 of the first place, which is number `first` of the strip. */
static void softmax_of_places(const job *j, int64_t at, int64_t first, int64_t n)
{
    double *most = j->s->most + first, *sum = j->s->sum + first, *score = j->s->score;
    const int64_t few = FEW / n, parts = (j->classes + few - 1) / few;
    for (int64_t p = 0; p < n; p++) {
        most[p] = -INFINITY;
        sum[p] = 0;
    }
    OC_LOOP (&j->work, i, parts, 4) {
        const int64_t k = i * few, lines = j->classes - k < few ? j->classes - k : few;
        load(j, at + k * j->places, j->places, lines, n);
        for (int64_t line = 0; line < lines; line++)
            j->folds->max.across(most, score + line * n, n);
    }
    OC_LOOP (&j->work, i, parts, 4) {
        const int64_t k = i * few, lines = j->classes - k < few ? j->classes - k : few;
        load(j, at + k * j->places, j->places, lines, n);
        for (int64_t line = 0; line < lines * n; line += n)
            for (int64_t p = 0; p < n; p++)
                score[line + p] -= most[p];
        raise_e(j, lines * n);
        for (int64_t line = 0; line < lines; line++)
            j->folds->sum.across(sum, j->s->power + line * n, n);
    }
    oc_elementary_apply(j->functions->log, sum, n);
    OC_LOOP (&j->work, i, j->log_prob ? parts : 0, 4) {
        const int64_t k = i * few, lines = j->classes - k < few ? j->classes - k : few;
        load(j, at + k * j->places, j->places, lines, n);
        for (int64_t line = 0; line < lines * n; line += n)
            for (int64_t p = 0; p < n; p++)
                score[line + p] = score[line + p] - most[p] - sum[p];
        store(j, at + k * j->places, j->places, lines, n);
    }
}

enum { ROWS = 4, SOME = FEW / ROWS };

static double greatest_of_row(const job *j, int64_t at)
{
    double part[OC_REDUCE_SUMS], most = -INFINITY;
    for (int k = 0; k < OC_REDUCE_SUMS; k++)
        part[k] = -INFINITY;
    OC_LOOP (&j->work, i, (j->classes + FEW - 1) / FEW, 4) {
        const int64_t k = i * FEW, n = j->classes - k < FEW ? j->classes - k : FEW;
        load(j, at + k, n, 1, n);
        j->folds->max.along(part, j->s->score, n);
    }
    for (int k = 0; k < OC_REDUCE_SUMS; k++)
        j->folds->max.across(&most, &part[k], 1);
    return most;
}

/* As softmax_of_places, for n <= ROWS samples of one place, whose classes are neighbours. Their
 * sums do not wait for each other. */
static void softmax_of_rows(const job *j, int64_t at, int64_t first, int64_t n)
{
    double *most = j->s->most + first, *sum = j->s->sum + first, *score = j->s->score;
    const double *power = j->s->power;
    const int64_t parts = (j->classes + SOME - 1) / SOME;
    double a = 0, b = 0, c = 0, d = 0;
    for (int64_t r = 0; r < n; r++)
        most[r] = greatest_of_row(j, at + r * j->classes);
    OC_LOOP (&j->work, part, parts, 4) {
        const int64_t k = part * SOME, some = j->classes - k < SOME ? j->classes - k : SOME;
        load(j, at + k, j->classes, n, some);
        for (int64_t r = 0; r < n; r++)
            for (int64_t i = 0; i < some; i++)
                score[r * some + i] -= most[r];
        raise_e(j, n * some);
        for (int64_t i = 0; i < some; i++) {
            a += power[i];
            b += power[some + i];
            c += power[2 * some + i];
            d += power[3 * some + i];
        }
    }
    const double all[ROWS] = {a, b, c, d};
    memcpy(sum, all, (size_t)n * sizeof *sum);
    oc_elementary_apply(j->functions->log, sum, n);
    OC_LOOP (&j->work, part, j->log_prob ? parts : 0, 4) {
        const int64_t k = part * SOME, some = j->classes - k < SOME ? j->classes - k : SOME;
        load(j, at + k, j->classes, n, some);
        for (int64_t r = 0; r < n; r++)
            for (int64_t i = 0; i < some; i++)
                score[r * some + i] = score[r * some + i] - most[r] - sum[r];
        store(j, at + k, j->classes, n, some);
    }
}

/* Computes for each place from `first` on the greatest score, and ln of the sum of e^(score -
 * greatest). */
static void softmax(const job *j, int64_t first, int64_t n)
{
    for (int64_t i = 0, some; i < n; i += some) {
        const int64_t sample = (first + i) / j->places, p = (first + i) % j->places;
        const int64_t at = sample * j->classes * j->places + p;
        const int64_t most = j->places > 1 ? j->places - p : ROWS;
        some = n - i < most ? n - i : most;
        (j->places > 1 ? softmax_of_places : softmax_of_rows)(j, at, i, some);
    }
}

/* ---- losses */

/* x is the score of the target class at place i of the strip. */
static double log_prob_of(const job *j, int64_t i, double x)
{
    return j->softmax ? x - j->s->most[i] - j->s->sum[i] : x;
}

/* Adds up places first .. first + n - 1. */
static oc_status sum_strip(oc_call *c, job *j, int64_t first, int64_t n)
{
    const bool is_float = j->x->type == OC_F32;
    int64_t sample = first / j->places, p = first % j->places;
    oc_convert(j->s->class, OC_I64, element(j->target, first), j->target->type, n, true);
    for (int64_t i = 0; i < n; i++) {
        const int64_t k = j->s->class[i];
        j->s->loss[i] = 0;
        if (!j->has_ignored || k != j->ignored) {
            if (k < 0 || k >= j->classes)
                return oc_fail(c, OC_VALUE,
                               "input 1 has %" PRId64 " in sample %" PRId64
                               ", expected a class in [0, %" PRId64 "]",
                               k, sample, j->classes - 1);
            const int64_t at = (sample * j->classes + k) * j->places + p;
            const double x = is_float ? (double)((const float *)j->x->data)[at]
                                      : oc_element_f64(j->x->type, j->x->data, at);
            const double weight = j->of_class ? j->of_class[k] : 1;
            j->s->loss[i] = -log_prob_of(j, i, x) * weight;
            j->sum += j->s->loss[i];
            j->sum_of_weights += weight;
        }
        if (++p == j->places) {
            p = 0;
            sample++;
        }
    }
    return OC_OK;
}

static oc_status sum_strips(oc_call *c, job *j)
{
    const int64_t all = oc_value_n(j->target);
    const int64_t few = j->places < FEW ? FEW / j->places * j->places : FEW;
    OC_TRY(OC_SCRATCH(c, j->s, 1));
    memset(j->s, 0, sizeof *j->s);
    if (j->weight) {
        OC_TRY(OC_SCRATCH(c, j->of_class, j->classes));
        oc_call_convert(c, j->of_class, OC_F64, j->weight->data, j->weight->type, j->classes);
    }
    OC_LOOP (&j->work, i, (all + few - 1) / few, 1) {
        const int64_t first = i * few, n = all - first < few ? all - first : few;
        if (j->softmax)
            softmax(j, first, n);
        OC_TRY(sum_strip(c, j, first, n));
        if (j->each)
            oc_convert(element(j->y, first), j->y->type, j->s->loss, OC_F64, n, true);
    }
    return OC_OK;
}

static oc_status compute_loss(oc_call *c, bool softmax)
{
    const oc_value *x = oc_in(c, 0);
    job j = {.x = x, .target = oc_in(c, 1), .weight = oc_in_or_null(c, 2), .y = oc_out(c, 0)};
    geometry g;
    j.softmax = softmax;
    j.cpu = oc_call_cpu(c);
    j.functions = oc_elementary_pick(j.cpu);
    j.folds = oc_folds_pick(OC_F64, j.cpu);
    j.work = oc_call_work(c, 0);
    OC_TRY(read_geometry(c, &g));
    j.log_prob = oc_out_or_null(c, 1);
    j.classes = g.classes;
    j.places = oc_dims_product(&g.places, 1, g.places.rank);
    j.each = g.reduction == NONE;
    j.has_ignored = oc_attr_has(c, "ignore_index");
    j.ignored = oc_attr_int(c, "ignore_index");
    if (oc_value_n(j.target))
        OC_TRY(sum_strips(c, &j));
    const double total = g.reduction == MEAN ? j.sum / j.sum_of_weights : j.sum;
    if (!j.each)
        oc_convert(j.y->data, j.y->type, &total, OC_F64, 1, true);
    return OC_OK;
}

OC_CALL_FN(nll_run, compute_loss(c, false))
OC_CALL_FN(sce_run, compute_loss(c, true))

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
