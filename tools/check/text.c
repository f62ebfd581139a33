/* SPDX-License-Identifier: Apache-2.0
 * text.c - prints a check's report as text for people. */
#include "check/report.h"

#include "check/failures.h"
#include "check/replay.h"
#include "common/number.h"

enum { MOST_LINES = 20 }; /* lines for disagreements, without --verbose */

typedef struct text_report {
    check_report report;
    const check_options *options;
    /* The members below are about the current operator, without --verbose. */
    check_failures failures;
    int n_lines; /* number of disagreements that have a line */
    int n_told;  /* number of disagreements that have a line or are counted in failures */
} text_report;

static text_report *of(check_report *r)
{
    return (text_report *)r;
}

/* ---- named operators: a line for each group of cases ---- */

/* Prints the names of the columns that print_counts fills. */
static void print_columns(const check_options *o)
{
    printf("  %6s %7s %6s %6s", "agree", "differ", "fail", o->engine ? "engine" : "kernel");
    if (o->engine)
        printf(" %7s", "refused");
    printf(" %9s %8s %11s", "max abs", "max ulp", "worst/bound");
}

static void print_counts(const check_options *o, const check_counts *n)
{
    char ulp[NUMBER_TEXT];
    printf("  %6d %7d %6d %6d", n->n[CHECK_AGREES], n->n[CHECK_DIFFERS], n->n[CHECK_FAILS],
           n->n[CHECK_KERNEL_FAILS]);
    if (o->engine)
        printf(" %7d", n->n[CHECK_REFUSED]);
    printf(" %9.2g %8s %11.2g", n->max_abs, number_ulp_text(n->max_ulp, ulp), n->share);
}

/* Writes how far an element y may be from the expected one: "2e-07 + 1e-06|y|"; "0" when the
 * bits must be equal. */
static const char *bound_text(const check_tally *t, char text[32])
{
    const compare_bound *b = &t->bound;
    if (t->bounds_differ)
        snprintf(text, 32, "several");
    else if (b->rtol > 0 && b->atol > 0)
        snprintf(text, 32, "%.2g + %.2g|y|", b->atol, b->rtol);
    else if (b->rtol > 0)
        snprintf(text, 32, "%.2g|y|", b->rtol);
    else
        snprintf(text, 32, "%.2g", b->atol);
    return text;
}

static void print_head(check_report *r, const check_plan *p)
{
    const char *first = p->way[0].label, *other = p->reference.label;
    char *title = p->way[0].functions || p->way[0].engine
                      ? tool_format("%s against %s", first, other)
                      : tool_format("%s", first);
    printf("%-44s %5s %21s  %-59s   %s\n", p->family->op, "", "", title,
           p->n > 1 ? p->way[1].label : "");
    printf("%-44s %5s %21s", "", "cases", "bound");
    print_columns(of(r)->options);
    printf(p->n > 1 ? "  %6s %6s %7s %6s\n" : "\n", "agree", "known", "differ", "fail");
    free(title);
}

static void print_group(check_report *r, const check_plan *p, const char *name,
                        const check_tally *t)
{
    const check_counts *second = &t->way[1];
    char bound[32];
    tool_print("%-44s %5d %21s", name, t->n_cases, bound_text(t, bound));
    print_counts(of(r)->options, &t->way[0]);
    if (p->n > 1)
        printf("  %6d %6d %7d %6d", second->n[CHECK_AGREES], second->known,
               second->n[CHECK_DIFFERS], second->n[CHECK_FAILS]);
    putchar('\n');
}

/* Prints the text in a line of its own, if there is a text, and frees it. */
static void print_note(char *text)
{
    if (text)
        tool_line("    %s", text);
    free(text);
}

static void print_way(const check_run *run, int way, bool replay)
{
    const check_result *r = &run->result[way];
    char ulp[NUMBER_TEXT];
    tool_print("  %s, %s: %s", run->c->name, run->plan->way[way].label,
               check_outcome_name(run->plan, r->outcome));
    if (r->ran)
        printf(", max abs %.3g, max ulp %s, %.2g of the bound", r->max_abs,
               number_ulp_text(r->max_ulp, ulp), r->share);
    if (r->outcome != CHECK_AGREES)
        tool_print(": %s%s", r->text, r->defect ? " (known)" : "");
    putchar('\n');
    print_note(check_inner_text(r));
    print_note(check_nearer_text(run, way));
    if (replay)
        print_note(check_replay(run->plan, run->c));
}

static void print_run(check_report *r, const check_run *run, OC_UNUSED const check_tally *t)
{
    text_report *to = of(r);
    for (int i = 0; i < run->plan->n; i++) {
        const bool bad = check_is_bad(&run->result[i]);
        if (to->options->verbose) {
            print_way(run, i, bad);
        } else if (bad && failures_add(&to->failures, run, i)) {
            to->n_told++;
        } else if (bad && to->n_lines < MOST_LINES) {
            print_way(run, i, bad);
            to->n_lines++;
            to->n_told++;
        }
    }
    if (of(r)->options->only)
        check_print_run(run);
}

static void print_defects(const check_plan *p, const check_tally *t)
{
    for (int i = 0; p->family->defects && p->family->defects[i].text; i++)
        if (t->defect[i].touched)
            printf("known defect of the standard's text: %s\n  seen in %d of %d cases, first %s\n",
                   p->family->defects[i].text, t->defect[i].seen, t->defect[i].touched,
                   t->defect[i].first);
}

static void print_hit(const check_plan *p, const search_hit *h)
{
    char pair[JUDGE_TEXT];
    tool_print("  %s: ", judge_pair_text(p, h->pair, pair));
    if (h->gap.fails)
        printf("fails");
    else
        printf("%.3g of the bound", h->gap.share);
    tool_line(": %s: %s", h->name, h->text);
}

static void print_searched(check_report *r, const check_plan *p, const check_search *s)
{
    char pair[JUDGE_TEXT];
    if (of(r)->options->search > 0 || of(r)->options->steps)
        printf("a search of %" PRId64 " steps in %.1f s%s; the worst of the cases was %.3g of the "
               "bound\n",
               s->steps, s->seconds, s->interrupted ? ", interrupted" : "", s->before);
    for (int i = 0; i < JUDGE_PAIRS; i++)
        if (s->worst[i].judge)
            print_hit(p, &s->worst[i]);
        else if (!s->n_found && (p->n || i == JUDGE_CPU))
            printf("  %s: nothing differs\n", judge_pair_text(p, (enum judge_pair)i, pair));
    for (int i = 0; i < s->n_found; i++) {
        printf("found at step %" PRId64 ", after %.2f s:\n", s->found[i].step, s->found[i].seconds);
        print_hit(p, &s->found[i]);
    }
}

/* Prints what follows the operator's last case. */
static void print_more(check_report *r, const check_tally *t)
{
    text_report *to = of(r);
    failures_end(&to->failures);
    if (t->n_bad > to->n_told && !to->options->verbose)
        printf("%d disagreements more; --verbose lists them\n", t->n_bad - to->n_told);
    to->n_lines = to->n_told = 0;
}

/* complete: no error stopped the check before the last case. */
static void print_sum(const check_tally *t, bool complete)
{
    printf("%s%d cases, %d disagreements that are not known",
           complete ? "" : "incomplete: ", t->n_cases, t->n_bad);
    const int refused = t->way[0].refused + t->way[0].n[CHECK_REFUSED];
    if (refused)
        printf("; %d refused", refused);
    putchar('\n');
}

static void print_end(check_report *r, const check_plan *p, const check_tally *t, const oc_error *e)
{
    print_defects(p, t);
    print_more(r, t);
    print_sum(t, e->code == OC_OK);
}

/* ---- --all: a line for each operator ---- */

static void print_line(check_report *r, const check_plan *p, const check_tally *t,
                       OC_UNUSED const oc_error *e)
{
    printf("%-28s %6d", p->family->op, t->n_cases);
    print_counts(of(r)->options, &t->way[0]);
    putchar('\n');
    print_more(r, t);
}

static void finish(check_report *r, const check_tally *all, OC_UNUSED oc_error *e)
{
    if (of(r)->options->all)
        print_sum(all, true);
    free(r);
}

check_report *check_text_new(const check_options *options)
{
    text_report *r = tool_alloc(1, sizeof *r);
    r->options = options;
    r->report.run = print_run;
    r->report.finish = finish;
    r->report.searched = print_searched;
    if (options->all) {
        printf("%-28s %6s", "", "cases");
        print_columns(options);
        putchar('\n');
        r->report.end = print_line;
    } else {
        r->report.begin = print_head;
        r->report.group = print_group;
        r->report.end = print_end;
    }
    return &r->report;
}
