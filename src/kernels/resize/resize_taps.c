/* SPDX-License-Identifier: Apache-2.0
 * resize_taps.c - positions of outputs, filters, and runs of weights along one axis. */
#include "kernels/resize/resize_taps.h"

#include <assert.h>
#include <math.h>

static double width(const oc_resize_axis *a)
{
    return a->num * (double)a->n_in / a->den;
}

/* Returns the position of output o when the first and last outputs lie at start and end of the
 * input. */
static double between_corners(const oc_resize_axis *a, double o, double start, double end)
{
    const double last = (double)(a->n_in - 1);
    if (a->n_out == 1 && a->coordinates == OC_RESIZE_TF_CROP_AND_RESIZE)
        return 0.5 * (start + end) * last;
    return o == 0 ? start * last : start * last + o * (end - start) * last / (width(a) - 1);
}

static double position(const oc_resize_axis *a, int64_t number)
{
    const double o = (double)number, half = (o + 0.5) * a->den / a->num;
    switch (a->coordinates) {
    case OC_RESIZE_HALF_PIXEL_SYMMETRIC:
        return (double)a->n_in / 2 + (o + 0.5 - (double)a->n_out / 2) * a->den / a->num - 0.5;
    case OC_RESIZE_PYTORCH_HALF_PIXEL:
        return a->n_out > 1 ? half - 0.5 : 0;
    case OC_RESIZE_ALIGN_CORNERS:
        return between_corners(a, o, 0, 1);
    case OC_RESIZE_ASYMMETRIC:
        return o * a->den / a->num;
    case OC_RESIZE_TF_HALF_PIXEL_FOR_NN:
        return half;
    case OC_RESIZE_TF_CROP_AND_RESIZE:
        return between_corners(a, o, a->start, a->end);
    default:
        return half - 0.5;
    }
}

/* Returns the scale below 1 by which a filter against aliasing is stretched; 1 when it is not
 * stretched. */
static double stretch(const oc_resize_axis *a)
{
    return a->antialias && a->num < a->den ? a->num / a->den : 1;
}

/* Returns how many elements on each side of a position may have a weight. */
static double reach(const oc_resize_axis *a)
{
    const double taps = a->mode == OC_RESIZE_CUBIC ? 2 : 1;
    return a->mode == OC_RESIZE_NEAREST ? 0.5 : ceil(taps / stretch(a));
}

static int64_t most_taps(const oc_resize_axis *a)
{
    const double taps = 2 * reach(a);
    return taps < (double)a->n_in ? (int64_t)taps : a->n_in;
}

double oc_resize_taps_bytes(const oc_resize_axis *a, bool f64)
{
    const double most = (double)most_taps(a), each = f64 ? sizeof(double) : sizeof(float);
    return (double)a->n_out * (2 * sizeof(int64_t) + most * each) + (most + 1) * sizeof(double);
}

static double cubic(double x, double a)
{
    if (x <= 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/* Returns the weight of an element at distance x from the position. */
static double filter(const oc_resize_axis *a, double x)
{
    const double d = fabs(x) * stretch(a);
    return a->mode == OC_RESIZE_CUBIC ? cubic(d, a->cubic_a) : d < 1 ? 1 - d : 0;
}

/* Adds the weights of the taps about x to sums[0] to sums[n_in-1 or most-1], which begin at
 * element *first. Returns the number that they must be divided by, so that the weights of a
 * filter sum to 1. */
static double add_taps(const oc_resize_axis *a, double x, double *sums, int64_t most,
                       int64_t *first, const oc_work *by)
{
    const double p = floor(x), side = reach(a), last = (double)(a->n_in - 1);
    double begin = p - side + 1, total = 0;
    if (p == x) /* an element left of x takes part instead of the rightmost one */
        begin--;
    *first = (int64_t)fmin(fmax(begin, 0), last - (double)(most - 1));
    oc_work_zero(by, sums, (size_t)most * sizeof *sums);
    oc_count count = oc_count_of(by);
    for (double j = begin; j < begin + 2 * side && oc_counts(&count); j++) {
        const double w = filter(a, j - x);
        const bool inside = j >= 0 && j <= last;
        if (a->exclude_outside && !inside)
            continue;
        sums[(int64_t)fmin(fmax(j, 0), last) - *first] += w;
        total += w;
    }
    return (a->antialias || a->exclude_outside) && total != 0 ? total : 1;
}

static double element(const void *weights, int64_t i, bool f64)
{
    return f64 ? ((const double *)weights)[i] : (double)((const float *)weights)[i];
}

static void set_element(void *weights, int64_t i, bool f64, double weight)
{
    if (f64)
        ((double *)weights)[i] = weight;
    else
        ((float *)weights)[i] = (float)weight;
}

/* Divides sums by total and rounds. The weights are those from the first to the last that is not
 * 0; the first one alone when all are 0. */
static void set_weights(oc_resize_taps *t, int64_t o, const double *sums, double total,
                        int64_t most, const oc_work *w)
{
    int64_t begin = 0, end = 0;
    OC_LOOP (w, k, most, 1024) {
        const int64_t i = o * t->stride + k - begin;
        set_element(t->weight, i, t->f64, sums[k] / total);
        if (element(t->weight, i, t->f64) != 0)
            end = k + 1;
        else if (end == 0 && k + 1 < most)
            begin = k + 1;
    }
    if (end == 0)
        begin = 0;
    t->first[o] += begin;
    t->count[o] = end > begin ? end - begin : 1;
}

static int64_t nearest(const oc_resize_axis *a, double x)
{
    const double p = floor(x), rest = x - p;
    const bool up = a->nearest == OC_RESIZE_ROUND_PREFER_FLOOR ? rest > 0.5
                    : a->nearest == OC_RESIZE_ROUND_PREFER_CEIL
                        ? rest >= 0.5
                        : a->nearest == OC_RESIZE_CEIL && rest > 0;
    return (int64_t)fmin(fmax(p + up, 0), (double)(a->n_in - 1));
}

static void make_taps(oc_resize_taps *t, const oc_resize_axis *a, int64_t o, double *sums,
                      const oc_work *w)
{
    const double x = position(a, o);
    t->count[o] = 1;
    t->first[o] = 0;
    if (a->coordinates == OC_RESIZE_TF_CROP_AND_RESIZE && !(x >= 0 && x <= (double)(a->n_in - 1))) {
        t->count[o] = 0;
        t->outside = true;
    } else if (a->mode == OC_RESIZE_NEAREST) {
        t->first[o] = nearest(a, x);
        set_element(t->weight, o, t->f64, 1);
    } else {
        const double total = add_taps(a, x, sums, t->stride, &t->first[o], w);
        set_weights(t, o, sums, total, t->stride, w);
    }
    if (t->count[o] > t->most)
        t->most = t->count[o];
    t->identity = t->identity && t->count[o] == 1 && t->first[o] == o &&
                  element(t->weight, o * t->stride, t->f64) == 1;
}

/* Returns the first output from `first` on whose position is x or more; positions never fall. */
static int64_t output_at(const oc_resize_axis *a, double x, int64_t first)
{
    int64_t end = a->n_out;
    while (first < end) {
        const int64_t middle = first + (end - first) / 2;
        if (position(a, middle) < x)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Outputs first to end-1, which have all of their taps within the axis. When the scale is a
 * ratio of lengths, each has the weights of the output `period` before it, for elements `step`
 * further on. */
typedef struct repeat {
    int64_t first, end, period, step;
} repeat;

static repeat find_repeat(const oc_resize_axis *a)
{
    int64_t g = (int64_t)a->num, rest = (int64_t)a->den;
    const bool whole = (double)g == a->num && (double)rest == a->den;
    if (!whole || a->mode == OC_RESIZE_NEAREST || a->coordinates == OC_RESIZE_ALIGN_CORNERS ||
        a->coordinates == OC_RESIZE_TF_CROP_AND_RESIZE)
        return (repeat){0};
    while (rest) {
        const int64_t next = g % rest;
        g = rest;
        rest = next;
    }
    const double side = reach(a) + 1;
    repeat r = {.period = (int64_t)a->num / g, .step = (int64_t)a->den / g};
    r.first = output_at(a, side, 0) + r.period;
    r.end = output_at(a, (double)(a->n_in - 1) - side, 0);
    return r;
}

static void copy(oc_resize_taps *t, int64_t o, int64_t period, int64_t step)
{
    const size_t each = t->f64 ? sizeof(double) : sizeof(float);
    char *row = (char *)t->weight + (size_t)(o * t->stride) * each;
    const char *from = row - (size_t)(period * t->stride) * each;
    t->first[o] = t->first[o - period] + step;
    t->count[o] = t->count[o - period];
    for (size_t k = 0; k < (size_t)t->count[o] * each; k += sizeof(float))
        memcpy(row + k, from + k, sizeof(float));
}

/* Does output o have the weights of output o - back, for elements `step` further on? */
static bool follows(const oc_resize_taps *t, int64_t o, int64_t back, int64_t step)
{
    const size_t each = t->f64 ? sizeof(double) : sizeof(float), row = (size_t)t->stride * each;
    const char *w = (const char *)t->weight + (size_t)o * row;
    return t->first[o] == t->first[o - back] + step && t->count[o] == t->count[o - back] &&
           memcmp(w, w - (size_t)back * row, (size_t)t->count[o] * each) == 0;
}

/* Finds the outputs that follow each other so. Looks only at outputs about the middle, because
 * those near the ends may have other taps. */
static oc_span find_following(const oc_resize_taps *t, int64_t back, int64_t step, const oc_work *w)
{
    oc_span s = {t->n_out / 2, t->n_out / 2 + back};
    if (s.end > t->n_out)
        return (oc_span){0, 0};
    for (int64_t o = s.first; o < s.end; o++)
        if (t->count[o] == 0 || t->count[o] != t->count[s.first])
            return (oc_span){0, 0};
    oc_count count = oc_count_of(w);
    while (s.first > 0 && oc_counts(&count) && follows(t, s.first - 1 + back, back, step))
        s.first--;
    while (s.end < t->n_out && oc_counts(&count) && follows(t, s.end, back, step))
        s.end++;
    return s;
}

oc_resize_taps oc_resize_taps_new(const oc_resize_axis *a, bool f64, const oc_work *w, void *memory)
{
    assert(a->n_in > 0 && a->n_out >= 0 && a->num > 0 && a->den > 0);
    oc_resize_taps t = {.n_in = a->n_in,
                        .n_out = a->n_out,
                        .stride = most_taps(a),
                        .f64 = f64,
                        .identity = a->n_in == a->n_out};
    double *sums = memory;
    t.first = (int64_t *)(void *)(sums + t.stride);
    t.count = t.first + t.n_out;
    t.weight = t.count + t.n_out;
    const repeat r = find_repeat(a);
    OC_LOOP (w, o, t.n_out, 16)
        if (o >= r.first && o < r.end)
            copy(&t, o, r.period, r.step);
        else
            make_taps(&t, a, o, sums, w);
    if (!oc_work_ended(w)) {
        t.halves = find_following(&t, 1, 2, w);
        t.doubles = find_following(&t, 2, 1, w);
    }
    return t;
}
