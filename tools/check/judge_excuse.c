/* SPDX-License-Identifier: Apache-2.0
 * judge_excuse.c - are the inputs to blame for a difference that the bound does not cover? */
#include "check/judge_ways.h"

#include "check/form.h"
#include "common/number.h"
#include "values/fill.h"

#include <math.h>

static int64_t count_floats(const check_case *c)
{
    int64_t n = 0;
    for (int k = 0; k < c->n_in; k++)
        n += number_is_float(oc_value_type(c->in[k])) ? oc_value_count(c->in[k]) : 0;
    return n;
}

/* UNITS is large enough for the change to stand out from rounding errors of the result. */
enum { UNITS = 1024, GROUPS = 128 };

/* Keys 0 and 1 move neighbours apart, or towards each other; other keys move them at random. */
static bool goes_up(uint64_t key, int64_t n)
{
    return key < 2 ? ((uint64_t)n + key) % 2 : fill_bits(key, (uint64_t)n) >> 63;
}

/* Moves inputs by units in the last place of the coarsest type that the case computes in, some
 * up and some down: the floats whose index has this rest, or all of them when rest is -1. */
static void shake(const judge *j, int64_t rest, int units, uint64_t key)
{
    const check_case *c = &j->c;
    int64_t n = 0;
    for (int k = 0; k < c->n_in; k++) {
        const oc_type type = oc_value_type(c->in[k]);
        void *data = oc_value_mutable_data(c->in[k]);
        for (int64_t i = 0; number_is_float(type) && i < oc_value_count(c->in[k]); i++) {
            const double x = number_get(type, data, i);
            const double unit = units * check_form_unit(&j->plan->family->spec, &c->form, x);
            if (n++ % GROUPS == rest || rest < 0)
                number_set(type, data, i, goes_up(key, n) ? x + unit : x - unit);
        }
    }
}

static double number_or_nan(const oc_value *v, int64_t i)
{
    return v && i >= 0 && i < oc_value_count(v) ? number_get(oc_value_type(v), oc_value_data(v), i)
                                                : NAN;
}

/* Returns how far the element moves from x, per unit, when some inputs are shaken. */
static double move(judge *j, const judge_gap *gap, double x, int64_t rest, int units, uint64_t key)
{
    unsigned char *before = judge_bytes(j);
    shake(j, rest, units, key);
    judge_run(&j->kernel);
    const double moved =
        fabs(number_or_nan(judge_output(&j->kernel, gap->output), gap->at) - x) / units;
    judge_restore(j, before);
    free(before);
    return isfinite(moved) ? moved : 0;
}

/* Is the difference at most a few times what the element of the gap moves by when each float of
 * the inputs moves by a unit in the last place? A sum of m terms may be off by m / 2 times that.
 * Runs the kernel, and restores its results. */
static bool is_excused(judge *j, const judge_gap *gap, double difference)
{
    enum { TIMES = 4, KEYS = 6 };
    const double x = number_or_nan(judge_output(&j->kernel, gap->output), gap->at);
    const int64_t n = count_floats(&j->c);
    double swing = move(j, gap, x, -1, UNITS, KEYS), m = 0;
    for (uint64_t key = 0; key < KEYS && TIMES * swing < difference; key++)
        swing = fmax(swing, move(j, gap, x, -1, 1, key));
    bool excused = difference <= TIMES * swing;
    if (!excused && difference <= (double)n * (double)n * TIMES * swing) {
        swing = 0;
        for (int64_t i = 0; i < n && i < GROUPS; i++) {
            const double moved = move(j, gap, x, i, UNITS, 1);
            swing += moved;
            m += moved > 0 ? fmax((double)n / GROUPS, 1) : 0;
        }
        excused = difference <= fmax(TIMES, m / 2) * swing;
    }
    judge_run(&j->kernel);
    return excused;
}

/* Returns what the bound allows for the element that is farthest apart. */
static double find_difference(const judge *j, const judge_gap *gap)
{
    const oc_value *v = judge_output(&j->kernel, gap->output);
    const compare_bound bound = judge_exact_bound(&j->c.bound, oc_value_type(v));
    return gap->share * (bound.atol + bound.rtol * fabs(number_or_nan(v, gap->at)));
}

/* When units in the last place of the inputs move a result about as far as two ways of computing
 * it are apart, the inputs are to blame: no bound covers sums whose terms cancel each other. */
void judge_excuse(judge *j, const double record[JUDGE_PAIRS], judge_score *s)
{
    for (int i = 0; i < JUDGE_CPU; i++) {
        judge_gap *gap = &s->gap[i];
        const oc_value *v = judge_output(&j->kernel, gap->output);
        if (!isfinite(gap->share) || gap->share <= fmin(1, record[i]) || gap->share <= 0.5 || !v ||
            !j->c.form.opset || !number_is_float(oc_value_type(v)))
            continue;
        if (is_excused(j, gap, find_difference(j, gap)))
            gap->share = -1;
    }
    s->valid = s->valid && !(j->plan->n && s->gap[JUDGE_BODY].share < 0);
}
