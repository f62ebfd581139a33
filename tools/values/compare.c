/* SPDX-License-Identifier: Apache-2.0
 * compare.c - compares a value with the expected one. */
#include "values/compare.h"

#include "base/int.h"
#include "common/number.h"
#include "common/signals.h"
#include "values/stats.h"

#include <math.h>

double compare_gap(oc_type type, const void *a, const void *b, int64_t i)
{
    if (number_is_integer(type))
        return (double)number_ulp(type, a, i, b, i);
    return fabs(number_get(type, a, i) - number_get(type, b, i));
}

/* Do elements i to i + n - 1 of a and b have equal bytes? */
static bool same_bits(oc_type type, const void *a, const void *b, int64_t i, int64_t n)
{
    const size_t size = oc_type_size(type);
    return n == 0 || memcmp((const char *)a + size * (size_t)i, (const char *)b + size * (size_t)i,
                            size * (size_t)n) == 0;
}

/* Updates the measures of *r. Returns whether element i of a agrees with that of b. */
static bool compare_number(oc_type type, const void *a, const void *b, int64_t i,
                           const compare_bound *bound, compare_result *r)
{
    const double x = number_get(type, a, i), y = number_get(type, b, i);
    const uint64_t ulp = number_ulp(type, a, i, b, i);
    if (ulp > r->max_ulp)
        r->max_ulp = ulp;
    r->n_gaps += isnan(x) == isnan(y);
    if (isnan(x) && isnan(y))
        return true;
    if (ulp == 0 && (!(bound->bits || bound->signs) || same_bits(type, a, b, i, 1)))
        return true; /* also equal infinities, whose difference would be NaN */
    const double d = ulp == 0 ? 0 : compare_gap(type, a, b, i);
    const double allowed = bound->atol + bound->rtol * fabs(y);
    const bool agrees = !bound->bits && ulp != 0 && isfinite(x) && isfinite(y) && d <= allowed;
    r->max_abs = d > r->max_abs ? d : r->max_abs;
    r->sum_abs += isnan(d) ? 0 : d;
    const double share = agrees || (isfinite(d) && allowed > 0) ? d / allowed : INFINITY;
    if (share > r->share) {
        r->share = share;
        r->worst = i;
    }
    return agrees;
}

static bool compare_element(oc_type type, const void *a, const void *b, int64_t i,
                            const compare_bound *bound, compare_result *r)
{
    if (type == OC_STRING) {
        const oc_string *s = (const oc_string *)a + i, *t = (const oc_string *)b + i;
        return s->size == t->size && (s->size == 0 || memcmp(s->data, t->data, s->size) == 0);
    }
    if (type == OC_BOOL)
        return number_unsigned(type, a, i) == number_unsigned(type, b, i);
    if (type == OC_C64 || type == OC_C128) {
        const oc_type part = type == OC_C64 ? OC_F32 : OC_F64;
        const bool re = compare_number(part, a, b, 2 * i, bound, r);
        return compare_number(part, a, b, 2 * i + 1, bound, r) && re;
    }
    return compare_number(type, a, b, i, bound, r);
}

static void describe(const oc_value *a, const oc_value *b, compare_result *r)
{
    char index[STATS_SHAPE], x[NUMBER_TEXT], y[NUMBER_TEXT], ulp[48] = "";
    const oc_type type = oc_value_type(a);
    const uint64_t n = type == OC_STRING ? UINT64_MAX
                                         : number_ulp(type, oc_value_data(a), r->first,
                                                      oc_value_data(b), r->first);
    if (n != UINT64_MAX && number_is_float(type))
        snprintf(ulp, sizeof ulp, " (%" PRIu64 " ulp)", n);
    snprintf(r->text, sizeof r->text,
             "%" PRId64 " of %" PRId64 " elements differ, the first at %s: %s, expected %s%s",
             r->n_differ, r->n, stats_index(a, r->first, index),
             number_text(type, oc_value_data(a), r->first, number_digits(type), x),
             number_text(type, oc_value_data(b), r->first, number_digits(type), y), ulp);
}

static void compare_tensors(const oc_value *a, const oc_value *b, const compare_bound *bound,
                            compare_result *r)
{
    const oc_type type = oc_value_type(a);
    r->n = oc_value_count(a);
    if (type != OC_STRING && same_bits(type, oc_value_data(a), oc_value_data(b), 0, r->n)) {
        r->n_gaps = type == OC_BOOL ? 0 : r->n;
        return;
    }
    const bool long_ones = type == OC_STRING; /* one string may take as long as many numbers */
    for (int64_t i = 0; i < r->n; i++) {
        if (long_ones ? signals_cancelled(NULL) : signals_end_at(i)) {
            r->cancelled = true;
            r->agrees = false;
            return;
        }
        if (compare_element(type, oc_value_data(a), oc_value_data(b), i, bound, r))
            continue;
        if (r->n_differ++ == 0)
            r->first = i;
    }
    r->agrees = r->n_differ == 0;
    if (!r->agrees)
        describe(a, b, r);
}

bool compare_same_form(const oc_value *a, const oc_value *b)
{
    if (oc_value_kind(a) != oc_value_kind(b))
        return false;
    if (oc_value_kind(a) != OC_TENSOR)
        return oc_value_count(a) == oc_value_count(b);
    const size_t size = sizeof(int64_t) * (size_t)oc_value_rank(a);
    return oc_value_type(a) == oc_value_type(b) && oc_value_rank(a) == oc_value_rank(b) &&
           (size == 0 || memcmp(oc_value_dims(a), oc_value_dims(b), size) == 0);
}

void compare_add(compare_result *all, const compare_result *one)
{
    all->agrees = all->agrees && one->agrees;
    all->max_abs = fmax(all->max_abs, one->max_abs);
    all->sum_abs += one->sum_abs;
    all->n_gaps += one->n_gaps;
    all->max_ulp = oc_max(one->max_ulp, all->max_ulp);
    all->share = fmax(all->share, one->share);
    all->n += one->n;
    all->n_differ += one->n_differ;
    all->cancelled = all->cancelled || one->cancelled;
}

double compare_mean_abs(const compare_result *r)
{
    return r->n_gaps ? r->sum_abs / (double)r->n_gaps : 0;
}

double compare_share_beyond(const compare_result *r)
{
    return r->n ? (double)r->n_differ / (double)r->n : 0;
}

const char *compare_figures(const compare_result *r, char text[COMPARE_FIGURES])
{
    char ulp[NUMBER_TEXT];
    int at = 0;
    if (r->n_gaps)
        at = snprintf(text, COMPARE_FIGURES, "max abs %.3g, max ulp %s, mean abs %.3g, ",
                      r->max_abs, number_ulp_text(r->max_ulp, ulp), compare_mean_abs(r));
    snprintf(text + at, (size_t)(COMPARE_FIGURES - at), "%.3g %% beyond the tolerance",
             100 * compare_share_beyond(r));
    return text;
}

void compare_json(const compare_result *r, json_writer *j)
{
    json_number(j, "max_abs", r->max_abs);
    json_unsigned(j, "max_ulp", r->max_ulp);
    json_number(j, "mean_abs", compare_mean_abs(r));
    json_number(j, "beyond_tolerance", compare_share_beyond(r));
}

static const compare_bound exact = {0};

/* Writes which item of `of` the text is about. */
static void describe_item(const oc_value *of, int64_t i, const char *text, compare_result *r)
{
    if (oc_value_kind(of) == OC_MAP)
        snprintf(r->text, sizeof r->text, "%s: %.*s", i ? "values" : "keys", COMPARE_TEXT - 40,
                 text);
    else
        snprintf(r->text, sizeof r->text, "item %" PRId64 ": %.*s", i, COMPARE_TEXT - 40, text);
}

/* The keys of maps must be equal. */
static void compare_items(const oc_value *a, const oc_value *b, const compare_bound *bound,
                          compare_result *r)
{
    for (int64_t i = 0; i < oc_value_count(a) && !r->cancelled; i++) {
        if (signals_cancelled(NULL)) {
            r->cancelled = true;
            r->agrees = false;
            return;
        }
        const bool keys = i == 0 && oc_value_kind(a) == OC_MAP;
        const compare_result item =
            compare_values(oc_value_item(a, i), oc_value_item(b, i), keys ? &exact : bound);
        if (r->agrees && !item.agrees)
            describe_item(a, i, item.text, r);
        compare_add(r, &item);
    }
}

compare_result compare_values(const oc_value *a, const oc_value *b, const compare_bound *bound)
{
    compare_result r = {.agrees = true, .first = -1, .worst = -1};
    char x[STATS_SHAPE], y[STATS_SHAPE];
    if (!compare_same_form(a, b)) {
        r.agrees = false;
        snprintf(r.text, sizeof r.text, "%.180s, expected %.180s", stats_shape(a, x),
                 stats_shape(b, y));
    } else if (oc_value_kind(a) == OC_TENSOR) {
        compare_tensors(a, b, bound, &r);
    } else {
        compare_items(a, b, bound, &r);
    }
    return r;
}
