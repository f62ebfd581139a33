/* SPDX-License-Identifier: Apache-2.0
 * tally.c - counts of outcomes: of a group of cases, of an operator, of all operators. */
#include "check/tally.h"

#include "base/int.h"

#include <math.h>

static void see_defect(check_tally *t, const check_run *run, const check_result *r)
{
    const int i = run->c->defect;
    t->defect[i].touched++;
    if (r->defect && t->defect[i].seen++ == 0)
        snprintf(t->defect[i].first, COMPARE_TEXT, "%.180s: %.200s", run->c->name, r->text);
}

static void widen(check_counts *n, double max_abs, uint64_t max_ulp, double share)
{
    n->max_abs = fmax(n->max_abs, max_abs);
    n->max_ulp = oc_max(max_ulp, n->max_ulp);
    n->share = fmax(n->share, share);
}

static void see_bound(check_tally *t, const compare_bound *b)
{
    if (t->n_cases == 1)
        t->bound = *b;
    t->bounds_differ = t->bounds_differ || t->bound.rtol != b->rtol || t->bound.atol != b->atol;
}

void check_tally_add(check_tally *t, const check_run *run)
{
    t->n_cases++;
    see_bound(t, &run->c->bound);
    for (int i = 0; i < run->plan->n; i++) {
        const check_result *r = &run->result[i];
        check_counts *n = &t->way[i];
        if (run->plan->way[i].standard && run->c->defect >= 0)
            see_defect(t, run, r);
        t->n_bad += check_is_bad(r);
        if (r->defect) {
            n->known++;
            continue;
        }
        n->n[r->outcome]++;
        if (r->outcome == CHECK_AGREES) {
            n->exact += r->exact || !r->ran;
            n->refused += !r->ran;
            widen(n, r->max_abs, r->max_ulp, r->share);
        }
    }
}

void check_tally_join(check_tally *all, const check_tally *one)
{
    all->n_operators++;
    all->n_cases += one->n_cases;
    all->n_bad += one->n_bad;
    for (int i = 0; i < CHECK_WAYS; i++) {
        check_counts *to = &all->way[i];
        const check_counts *from = &one->way[i];
        for (int k = 0; k < CHECK_N_OUTCOMES; k++)
            to->n[k] += from->n[k];
        to->known += from->known;
        to->exact += from->exact;
        to->refused += from->refused;
        widen(to, from->max_abs, from->max_ulp, from->share);
    }
}
