/* SPDX-License-Identifier: Apache-2.0
 * markdown.c - writes a check's report as a page of Markdown. */
#include "check/report.h"

#include <math.h>

typedef struct markdown_report {
    check_report report;
    bool all, searches;
    /* of the operator's search: between body and kernel, and between kernel and double */
    double share[2];
    char *worst; /* the list of the worst inputs, which is printed below the table */
    char *seen;  /* " Relu Softmax ": the operators that were checked */
    char *known; /* the list of known defects, which is printed below the table */
} markdown_report;

/* Prints "13, 18": the versions that have a body. */
static void print_versions(const char *op)
{
    const char *name;
    int since, last = 0, next;
    do {
        next = 0;
        for (int i = 0; (name = oc_builtin_body(i, &since)) != NULL; i++)
            if (strcmp(name, op) == 0 && since > last && (!next || since < next))
                next = since;
        if (next)
            printf("%s%d", last ? ", " : "", next);
        last = next;
    } while (next);
}

/* Writes one digit, because the others depend on the machine. */
static const char *rough(double x, char text[32])
{
    snprintf(text, 32, x == 0 ? "0" : x >= 1 && x < 1000 ? "%.0f" : "%.0e", x);
    return text;
}

static void note_defects(markdown_report *m, const check_plan *p, const check_tally *t)
{
    for (int i = 0; p->family->defects && p->family->defects[i].text; i++) {
        char *longer = tool_format("%s- **%s**: %s. Shown by %d of the %d cases that it touches.\n",
                                   m->known, p->family->op, p->family->defects[i].text,
                                   t->defect[i].seen, t->defect[i].touched);
        free(m->known);
        m->known = longer;
    }
}

/* Appends the worst case of a pair, and the case itself if it is short. */
static void note_hit(markdown_report *m, const check_plan *p, const search_hit *h)
{
    enum { SHORT = 700 };
    char pair[JUDGE_TEXT], share[32];
    const bool is_short = strlen(h->file) <= SHORT;
    char *longer =
        tool_format("%s- **%s**, %s, %s of the bound: `%s`: %s.\n%s%s%s", m->worst, p->family->op,
                    judge_pair_text(p, h->pair, pair),
                    h->gap.fails ? "fails, Inf" : rough(h->gap.share, share), h->name, h->text,
                    is_short ? "```\n" : "", is_short ? h->file : "", is_short ? "```\n" : "");
    free(m->worst);
    m->worst = longer;
}

static void searched(check_report *r, const check_plan *p, const check_search *s)
{
    markdown_report *m = (markdown_report *)r;
    const search_hit *worst = check_search_worst(s);
    const bool is_share = worst && (worst->pair == JUDGE_BODY || s->n_found);
    m->share[0] = fmax(s->before, is_share ? worst->gap.share : 0);
    m->share[1] = fmax(s->worst[JUDGE_KERNEL_EXACT].gap.share, 0);
    for (int i = 0; i < s->n_found; i++)
        note_hit(m, p, &s->found[i]);
    if (worst && !s->n_found)
        note_hit(m, p, worst);
}

static void end(check_report *r, const check_plan *p, const check_tally *t, const oc_error *e)
{
    (void)e;
    const check_counts *n = &t->way[0];
    char abs[32], ulp[32], share[32];
    printf("| %s | ", p->family->op);
    print_versions(p->family->op);
    printf(" | %d | %d | %d | %d | %d | %d | %s | %s | %s |", t->n_cases, n->n[CHECK_AGREES],
           n->n[CHECK_DIFFERS], n->n[CHECK_FAILS], n->n[CHECK_KERNEL_FAILS], t->way[1].known,
           rough(n->max_abs, abs), rough((double)n->max_ulp, ulp), rough(n->share, share));
    markdown_report *m = (markdown_report *)r;
    if (m->searches)
        printf(" %s | %s |", rough(m->share[0], share), rough(m->share[1], abs));
    putchar('\n');
    char *seen = tool_format("%s%s ", m->seen, p->family->op);
    free(m->seen);
    m->seen = seen;
    note_defects(m, p, t);
}

/* Names the operators whose body no case runs. */
static void print_rest(const markdown_report *m)
{
    const char *name, *last = "";
    int since, n = 0;
    for (int i = 0; (name = oc_builtin_body(i, &since)) != NULL; i++) {
        char *word = tool_format(" %s ", name);
        if (!strstr(m->seen, word) && strcmp(last, name) != 0)
            printf("%s%s", n++ ? ", " : "\nBodies that no case here runs: ", name);
        last = name;
        free(word);
    }
    if (n)
        puts(".");
}

static void finish(check_report *r, const check_tally *all, OC_UNUSED oc_error *e)
{
    markdown_report *m = (markdown_report *)r;
    printf("\n%d cases of %d operators, %d disagreements that are not known. %d of the cases are "
           "refused: the operator does not\nallow their inputs, and nothing is compared.\n",
           all->n_cases, all->n_operators, all->n_bad, all->way[0].refused);
    if (m->all)
        print_rest(m);
    if (*m->known)
        printf("\n## Known defects of the standard's text\n\n%s", m->known);
    if (*m->worst)
        printf("\n## The worst inputs that a search found\n\n%s", m->worst);
    free(m->worst);
    free(m->known);
    free(m->seen);
    free(m);
}

check_report *check_markdown_new(const check_options *options)
{
    markdown_report *r = tool_alloc(1, sizeof *r);
    r->report = (check_report){.searched = searched, .end = end, .finish = finish};
    r->searches = options->search > 0 || options->steps;
    r->worst = tool_format("%s", "");
    r->all = options->all;
    r->known = tool_format("%s", "");
    r->seen = tool_format(" ");
    /* clang-format off */
    fputs("# Function bodies and kernels\n"
          "\n"
          "Written by `ocellus check --all --markdown`.\n"
          "\n"
          "Each case runs an operator by its kernel and by its function body on the same inputs: types, shapes, attributes, special\n"
          "values. Bodies are the repaired ones where the standard's own are wrong (`functions/KNOWN.md`); the column\n"
          "*known* counts the cases in which the standard's own text goes wrong as is known. The two greatest differences are of cases that\n"
          "agree, and depend on the machine; ULP counts are large where a value lies near zero, which the bound allows for;\n"
          "*worst/bound* is the greatest difference as a share of what its element's bound allows.\n",
          stdout);
    if (r->searches)
        fputs("A search then went on from the cases: *searched* is the greatest share of the bound that it found between body and kernel,\n"
              "*in double* that between the kernel and the body in double (of 1 unit in the last place where the bound allows nothing).\n", stdout);
    printf("\n"
          "| operator | bodies since | cases | agree | differ | body fails | kernel fails | known | max abs | max ulp | worst/bound |%s\n"
          "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|%s\n",
          r->searches ? " searched | in double |" : "", r->searches ? "---:|---:|" : "");
    /* clang-format on */
    return &r->report;
}
