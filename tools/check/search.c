/* SPDX-License-Identifier: Apache-2.0
 * search.c - searches for the inputs on which results of an operator are farthest apart. */
#include "check/search.h"

#include "common/signals.h"
#include "session/progress.h"

#include <math.h>

enum {
    PLACES = 6, /* places for parents, of each pair */
    TURNS = 24, /* changes of numbers that are tried on a parent in turn */
    FORMS = 8,  /* other forms of a parent that are tried before one of them becomes a parent */
    FEW = 4     /* changes that are tried on a form that is refused, or beyond any bound */
};

/* A case, with its numbers, that others are made from. */
typedef struct parent {
    judge *judge;
    unsigned char *bytes;
    double share;
} parent;

typedef struct searcher {
    const check_plan *plan;
    const search_seeds *seeds;
    check_search *out;
    mutator random;
    check_maker maker;
    parent parents[JUDGE_PAIRS][PLACES];
    progress shown;
    double begin;
    oc_error *e;
} searcher;

void search_seeds_add(search_seeds *s, int i, double share)
{
    int at = s->n < SEARCH_SEEDS ? s->n++ : SEARCH_SEEDS;
    if (at == SEARCH_SEEDS && share <= s->share[SEARCH_SEEDS - 1])
        return;
    for (at -= at == SEARCH_SEEDS; at > 0 && s->share[at - 1] < share; at--) {
        s->share[at] = s->share[at - 1];
        s->at[at] = s->at[at - 1];
    }
    s->share[at] = share;
    s->at[at] = i;
}

/* ---- steps ---- */

static bool is_over(const searcher *s)
{
    const check_options *o = s->plan->options;
    const check_search *out = s->out;
    return s->e->code != OC_OK || signals_cancelled(NULL) || (o->steps && out->steps >= o->steps) ||
           (o->search > 0 && session_clock() - s->begin >= o->search);
}

static void show(searcher *s)
{
    const check_search *out = s->out;
    progress_show(&s->shown, "%s: %" PRId64 " steps, %.0f s, worst %.3g of the bound, %d found",
                  s->plan->family->op, out->steps, session_clock() - s->begin,
                  fmax(out->worst[JUDGE_BODY].gap.share, 0), out->n_found);
}

static void put_parent(parent *p, judge *j, double share)
{
    judge_drop(p->judge);
    free(p->bytes);
    *p = (parent){judge_keep(j), judge_bytes(j), share};
}

/* Makes the case a parent if its share is greater than that of its group's parent, or of the
 * parent of another group. */
static void offer(searcher *s, judge *j, int pair, double share)
{
    parent *least = &s->parents[pair][0];
    if (!isfinite(share) || share < 0)
        return;
    for (int i = 0; i < PLACES; i++) {
        parent *p = &s->parents[pair][i];
        if (p->judge && strcmp(judge_case(p->judge)->group, judge_case(j)->group) == 0) {
            if (share >= p->share)
                put_parent(p, j, share);
            return;
        }
        if (least->judge && (!p->judge || p->share < least->share))
            least = p;
    }
    if (!least->judge || share >= least->share)
        put_parent(least, j, share);
}

static judge_score take_step(searcher *s, judge *j)
{
    double record[JUDGE_PAIRS];
    for (int i = 0; i < JUDGE_PAIRS; i++)
        record[i] = s->out->worst[i].gap.share;
    const judge_score score = judge_try(j, record);
    const double seconds = session_clock() - s->begin;
    s->out->steps++;
    for (int i = 0; i < JUDGE_PAIRS && score.valid; i++) {
        hits_note(s->out, j, (enum judge_pair)i, &score.gap[i], seconds);
        offer(s, j, i, score.gap[i].share);
    }
    if (s->out->steps % 64 == 0)
        show(s);
    return score;
}

/* Changes the numbers of a case as long as the pair's share does not decrease. */
static void climb(searcher *s, judge *j, int pair)
{
    judge_score score = take_step(s, j);
    double best = score.valid ? score.gap[pair].share : -1;
    const int turns = best >= 0 && isfinite(best) ? TURNS : FEW;
    for (int i = 0; i < turns && !is_over(s); i++) {
        unsigned char *before = judge_bytes(j);
        mutate_numbers(&s->random, judge_case(j));
        score = take_step(s, j);
        const double share = score.valid ? score.gap[pair].share : -1;
        if (share >= best && isfinite(share))
            best = share;
        else
            judge_restore(j, before);
        free(before);
    }
}

/* ---- where a climb begins ---- */

/* Returns the ordinary case of this number; NULL when a climb cannot begin there. */
static judge *make_ordinary(searcher *s, int i)
{
    check_case c = {.defect = -1};
    judge *j = NULL;
    if (s->plan->family->make(&s->maker, i, &c, s->e) && !c.refused &&
        mutate_open(&s->random, &c, s->e) && s->e->code == OC_OK)
        j = judge_new(s->plan, &c);
    check_case_free(&c);
    return j;
}

static const parent *choose_parent(searcher *s, int pair)
{
    const parent *p = &s->parents[pair][mutate_below(&s->random, PLACES)];
    return p->judge ? p : NULL;
}

/* Returns a case of another form than its parent's. */
static judge *make_form(searcher *s, const parent *p)
{
    check_case c = {0};
    judge_restore(p->judge, p->bytes);
    return mutate_form(&s->random, judge_case(p->judge), &c, s->e) ? judge_new(s->plan, &c) : NULL;
}

/* Tries some other forms. Returns the one of the greatest share; NULL when the operator takes
 * none of them. */
static judge *choose_form(searcher *s, const parent *p, int pair)
{
    judge *best = NULL;
    double share = -1;
    for (int i = 0; i < FORMS && !is_over(s); i++) {
        judge *j = make_form(s, p);
        const judge_score score = j ? take_step(s, j) : (judge_score){0};
        const bool is_best = score.valid && score.gap[pair].share >= share;
        judge_drop(is_best ? best : j);
        if (is_best) {
            best = j;
            share = score.gap[pair].share;
        }
    }
    return best;
}

/* Returns a form near that of an ordinary case. */
static judge *make_near(searcher *s, int pair)
{
    judge *j = make_ordinary(s, mutate_below(&s->random, s->seeds->n_cases)), *found = NULL;
    if (j) {
        const parent p = {j, judge_bytes(j), 0};
        found = choose_form(s, &p, pair);
        free(p.bytes);
    }
    judge_drop(j);
    return found;
}

static void begin_climb(searcher *s)
{
    static const int pairs[] = {JUDGE_BODY,       JUDGE_KERNEL_EXACT, JUDGE_BODY,
                                JUDGE_BODY_EXACT, JUDGE_BODY,         JUDGE_CPU};
    const int pair = s->plan->n ? pairs[mutate_below(&s->random, 6)] : JUDGE_CPU,
              what = mutate_below(&s->random, 5);
    const parent *p = what > 1 ? choose_parent(s, pair) : NULL;
    judge *j;
    if (what == 1) {
        j = make_near(s, pair);
    } else if (!p) {
        j = make_ordinary(s, mutate_below(&s->random, s->seeds->n_cases));
    } else if (what == 2) {
        j = choose_form(s, p, pair);
    } else {
        j = judge_keep(p->judge);
        judge_restore(j, p->bytes);
    }
    s->out->steps += !j;
    if (j)
        climb(s, j, pair);
    judge_drop(j);
}

static void free_parents(searcher *s)
{
    for (int i = 0; i < JUDGE_PAIRS; i++)
        for (int k = 0; k < PLACES; k++) {
            judge_drop(s->parents[i][k].judge);
            free(s->parents[i][k].bytes);
        }
}

void check_search_run(const check_plan *plan, const search_seeds *seeds, check_search *out,
                      oc_error *e)
{
    const uint64_t seed = (uint64_t)plan->options->session.seed;
    searcher *s = tool_alloc(1, sizeof *s);
    *s = (searcher){.plan = plan, .seeds = seeds, .out = out, .e = e};
    s->random = mutator_new(plan->family, seed);
    s->maker = (check_maker){.family = plan->family, .seed = seed};
    s->begin = session_clock();
    s->shown = progress_begin(true, 0);
    for (int i = 0; i < JUDGE_PAIRS; i++)
        out->worst[i].gap.share = -1;
    for (int i = 0; i < seeds->n && !is_over(s); i++) {
        judge *j = make_ordinary(s, seeds->at[i]);
        if (j)
            climb(s, j, plan->n ? JUDGE_BODY : JUDGE_CPU);
        judge_drop(j);
    }
    while (seeds->n_cases && !is_over(s))
        begin_climb(s);
    out->interrupted = signals_cancelled(NULL);
    out->seconds = session_clock() - s->begin;
    hits_simplify(out, &s->random);
    progress_clear(&s->shown);
    free_parents(s);
    free(s);
}

void check_search_one(const check_plan *plan, check_case *c, check_search *out)
{
    static const double record[JUDGE_PAIRS] = {0};
    judge *j = judge_new(plan, c);
    const judge_score score = judge_try(j, record);
    for (int i = 0; i < JUDGE_PAIRS; i++) {
        out->worst[i].gap.share = -1;
        if (score.valid)
            hits_note(out, j, (enum judge_pair)i, &score.gap[i], 0);
    }
    out->steps = 1;
    judge_drop(j);
}
