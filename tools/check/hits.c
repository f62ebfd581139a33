/* SPDX-License-Identifier: Apache-2.0
 * hits.c - keeps and simplifies the worst cases that a search has met. */
#include "check/hits.h"

#include "check/found.h"
#include "common/number.h"
#include "common/signals.h"

#include <math.h>

static int64_t count_elements(const check_case *c)
{
    int64_t n = 0;
    for (int i = 0; i < c->n_in; i++)
        n += oc_value_count(c->in[i]);
    return n;
}

/* ---- hits ---- */

static void drop(search_hit *h)
{
    free(h->file);
    free(h->bytes);
    judge_drop(h->judge);
    *h = (search_hit){.gap.share = -1};
}

static void set(search_hit *h, judge *j, enum judge_pair pair, const judge_gap *gap)
{
    judge_keep(j);
    free(h->file);
    free(h->bytes);
    judge_drop(h->judge);
    h->judge = j;
    h->bytes = judge_bytes(j);
    h->file = NULL;
    h->gap = *gap;
    h->pair = pair;
    h->elements = count_elements(judge_case(j));
    snprintf(h->name, sizeof h->name, "%s", judge_case(j)->name);
    judge_describe(j, pair, gap, h->text);
    judge_kind(j, pair, gap, h->kind);
}

static bool is_worse(const judge_gap *gap, int64_t elements, const search_hit *than)
{
    return gap->share > than->gap.share ||
           (gap->share == than->gap.share && elements < than->elements);
}

/* Returns the place for a kind of difference beyond the bound; NULL when all places have other
 * kinds. */
static search_hit *find_place(check_search *out, const char *kind, enum judge_pair pair)
{
    for (int i = 0; i < out->n_found; i++)
        if (out->found[i].pair == pair && strcmp(out->found[i].kind, kind) == 0)
            return &out->found[i];
    if (out->n_found == SEARCH_FOUND)
        return NULL;
    out->found[out->n_found].gap.share = -1;
    return &out->found[out->n_found++];
}

static void note(search_hit *h, check_search *out, judge *j, enum judge_pair pair,
                 const judge_gap *gap, double seconds)
{
    const bool is_first = !h->judge;
    set(h, j, pair, gap);
    if (is_first || gap->share <= 1) {
        h->step = out->steps;
        h->seconds = seconds;
    }
}

void hits_note(check_search *out, judge *j, enum judge_pair pair, const judge_gap *gap,
               double seconds)
{
    const int64_t n = count_elements(judge_case(j));
    const bool is_bad = gap->share > 1 && (pair == JUDGE_BODY || pair == JUDGE_CPU);
    char kind[JUDGE_TEXT];
    if (gap->share > 0 && !is_bad && is_worse(gap, n, &out->worst[pair]))
        note(&out->worst[pair], out, j, pair, gap, seconds);
    if (!is_bad)
        return;
    search_hit *h = find_place(out, judge_kind(j, pair, gap, kind), pair);
    if (h && is_worse(gap, n, h))
        note(h, out, j, pair, gap, seconds);
}

/* ---- simpler cases ---- */

/* Does the case still show the hit? */
static bool still_shows(const search_hit *h, judge *j, judge_gap *gap)
{
    char kind[JUDGE_TEXT];
    const double record[JUDGE_PAIRS] = {h->gap.share, INFINITY, INFINITY};
    const judge_score score = judge_try(j, record);
    *gap = score.gap[h->pair];
    return score.valid &&
           gap->share >= (h->gap.share > 1 ? fmax(1.0000001, 0.9 * h->gap.share) : h->gap.share) &&
           strcmp(judge_kind(j, h->pair, gap, kind), h->kind) == 0;
}

static void simplify_form(search_hit *h, mutator *m)
{
    enum { TRIES = 200 };
    for (int i = 0; i < TRIES && !signals_cancelled(NULL); i++) {
        oc_error e = {0};
        check_case c;
        judge_gap gap;
        judge_restore(h->judge, h->bytes);
        if (!mutate_form(m, judge_case(h->judge), &c, &e))
            continue;
        if (count_elements(&c) >= h->elements) {
            check_case_free(&c);
            continue;
        }
        judge *j = judge_new(judge_plan(h->judge), &c);
        if (still_shows(h, j, &gap))
            set(h, j, h->pair, &gap);
        judge_drop(j);
    }
}

/* Tries a simpler number in place of element i of input k. Returns whether the case still shows
 * the hit. */
static bool try_number(search_hit *h, int k, int64_t i, double simple)
{
    oc_value *v = judge_case(h->judge)->in[k];
    judge_gap gap;
    const double x = number_get(oc_value_type(v), oc_value_data(v), i);
    if (x == simple && !signbit(x) == !signbit(simple))
        return true;
    number_set(oc_value_type(v), oc_value_mutable_data(v), i, simple);
    if (still_shows(h, h->judge, &gap)) {
        set(h, h->judge, h->pair, &gap);
        return true;
    }
    judge_restore(h->judge, h->bytes);
    return false;
}

/* Returns x with two significant digits. */
static double shorten(double x)
{
    char text[32];
    snprintf(text, sizeof text, "%.2g", x);
    return strtod(text, NULL);
}

static void simplify_numbers(search_hit *h)
{
    enum { MOST = 300 };
    const check_case *c = judge_case(h->judge);
    judge_restore(h->judge, h->bytes);
    for (int k = 0; k < c->n_in && h->elements <= MOST; k++) {
        const oc_type type = oc_value_type(c->in[k]);
        for (int64_t i = 0; number_is_float(type) && i < oc_value_count(c->in[k]); i++) {
            const double x = number_get(type, oc_value_data(c->in[k]), i);
            if (signals_cancelled(NULL))
                return;
            if (!try_number(h, k, i, 0) && !try_number(h, k, i, 1) && isfinite(x))
                try_number(h, k, i, shorten(x));
        }
    }
}

/* Sets the text of the case's file. */
static void write_down(search_hit *h)
{
    char pair[JUDGE_TEXT];
    const check_plan *p = judge_plan(h->judge);
    judge_restore(h->judge, h->bytes);
    char *comment = tool_format("ocellus check %s --case FILE\n%s: %s", p->family->op,
                                judge_pair_text(p, h->pair, pair), h->text);
    for (char *at = strchr(comment, '\n') + 1; (at = strchr(at, '\n')) != NULL;)
        *at = ' ';
    h->file = check_found_text(judge_case(h->judge), comment);
    free(comment);
}

void hits_simplify(check_search *out, mutator *m)
{
    for (int i = 0; i < out->n_found && !out->interrupted; i++) {
        simplify_form(&out->found[i], m);
        simplify_numbers(&out->found[i]);
    }
    for (int i = 0; i < out->n_found; i++)
        write_down(&out->found[i]);
    for (int i = 0; i < JUDGE_PAIRS; i++)
        if (out->worst[i].judge)
            write_down(&out->worst[i]);
}

void check_search_free(check_search *s)
{
    for (int i = 0; i < JUDGE_PAIRS; i++)
        drop(&s->worst[i]);
    for (int i = 0; i < s->n_found; i++)
        drop(&s->found[i]);
}

const search_hit *check_search_worst(const check_search *s)
{
    const search_hit *worst = s->n_found ? &s->found[0] : &s->worst[JUDGE_BODY];
    for (int i = 1; i < s->n_found; i++)
        if (s->found[i].gap.share > worst->gap.share)
            worst = &s->found[i];
    for (int i = 1; i < JUDGE_PAIRS && !worst->judge; i++)
        worst = &s->worst[i];
    return worst->judge ? worst : NULL;
}

void check_search_write(const check_search *s, const char *path, oc_error *e)
{
    const search_hit *worst = check_search_worst(s);
    const char *dot = strrchr(path, '.');
    if (worst)
        check_found_write(path, worst->file, e);
    for (int i = 0, n = 1; i < s->n_found; i++) {
        if (&s->found[i] == worst)
            continue;
        char *more = tool_format("%.*s-%d%s", (int)(dot - path), path, ++n, dot);
        check_found_write(more, s->found[i].file, e);
        free(more);
    }
}
