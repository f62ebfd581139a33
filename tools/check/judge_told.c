/* SPDX-License-Identifier: Apache-2.0
 * judge_told.c - describes a difference that a judge has found. */
#include "check/judge_ways.h"

#include "common/number.h"
#include "values/stats.h"

#include <ctype.h>
#include <math.h>

static const judge_way *got_of(const judge *j, enum judge_pair pair)
{
    return pair == JUDGE_KERNEL_EXACT ? &j->kernel
           : pair == JUDGE_CPU        ? &j->set[j->worst_set]
                                      : &j->body;
}

/* Finds the element of a gap in the two results; the caller frees *exact. Returns false when
 * there is none. */
static bool find_element(const judge *j, enum judge_pair pair, const judge_gap *gap,
                         const oc_value **got, const oc_value **want, oc_value **exact)
{
    *got = judge_output(got_of(j, pair), gap->output);
    *exact = NULL;
    if (pair == JUDGE_KERNEL_EXACT || pair == JUDGE_BODY_EXACT)
        *want = *exact = judge_round(judge_output(&j->exact, gap->output), *got);
    else
        *want = judge_output(&j->kernel, gap->output);
    return gap->at >= 0 && *got && *want && compare_same_form(*got, *want) &&
           oc_value_kind(*got) == OC_TENSOR;
}

const char *judge_describe(const judge *j, enum judge_pair pair, const judge_gap *gap,
                           char text[JUDGE_TEXT])
{
    char index[STATS_SHAPE], x[NUMBER_TEXT], y[NUMBER_TEXT];
    const oc_value *got, *want;
    oc_value *exact;
    const bool found = find_element(j, pair, gap, &got, &want, &exact);
    if (gap->fails)
        snprintf(text, JUDGE_TEXT, "%.*s", JUDGE_TEXT - 1, got_of(j, pair)->error.text);
    else if (found) {
        const oc_type type = oc_value_type(got);
        snprintf(text, JUDGE_TEXT, "y%d%s is %s, expected %s", gap->output,
                 stats_index(got, gap->at, index),
                 number_text(type, oc_value_data(got), gap->at, number_digits(type), x),
                 number_text(type, oc_value_data(want), gap->at, number_digits(type), y));
    } else {
        snprintf(text, JUDGE_TEXT, "y%d: %s", gap->output,
                 compare_values(got, want, &j->c.bound).text);
    }
    oc_value_free(exact);
    return text;
}

/* Returns "NaN", "Inf" or "a number". */
static const char *name_class(const oc_value *v, int64_t i)
{
    const double x = number_get(oc_value_type(v), oc_value_data(v), i);
    return isnan(x) ? "NaN" : isinf(x) ? "Inf" : x == 0 ? "0" : "a number";
}

const char *judge_kind(const judge *j, enum judge_pair pair, const judge_gap *gap,
                       char text[JUDGE_TEXT])
{
    const oc_value *got, *want;
    oc_value *exact;
    const bool found = find_element(j, pair, gap, &got, &want, &exact);
    if (gap->fails) {
        size_t n = 0;
        for (const char *p = got_of(j, pair)->error.text; *p && n < JUDGE_TEXT - 1; p++)
            if (!isdigit((unsigned char)*p) && *p != ',' && *p != '-')
                text[n++] = *p;
        text[n] = 0;
    } else if (found && oc_value_type(got) != OC_STRING) {
        snprintf(text, JUDGE_TEXT, "y%d %s, expected %s", gap->output, name_class(got, gap->at),
                 name_class(want, gap->at));
    } else {
        snprintf(text, JUDGE_TEXT, "y%d has another form", gap->output);
    }
    oc_value_free(exact);
    return text;
}

const char *judge_pair_text(const check_plan *p, enum judge_pair pair, char text[JUDGE_TEXT])
{
    const char *body = p->n ? p->way[0].label : "body", *kernel = p->reference.label;
    if (pair == JUDGE_BODY)
        snprintf(text, JUDGE_TEXT, "%s against %s", body, kernel);
    else if (pair == JUDGE_CPU)
        snprintf(text, JUDGE_TEXT, "%s on other instruction sets", kernel);
    else
        snprintf(text, JUDGE_TEXT, "%s against the body in double",
                 pair == JUDGE_KERNEL_EXACT ? kernel : body);
    return text;
}
