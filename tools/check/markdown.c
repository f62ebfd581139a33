/* SPDX-License-Identifier: Apache-2.0
 * markdown.c - a check's report as a page of Markdown. */
#include "check/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct markdown_report {
    check_report report;
    bool all;
    char *seen;  /* " Relu Softmax ": the operators that were checked */
    char *known; /* the list of known defects, which is printed below the table */
} markdown_report;

/* "13, 18": the versions that have a body. */
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

/* One digit: the others depend on the machine. */
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

static void end(check_report *r, const check_plan *p, const check_tally *t, const oc_error *e)
{
    (void)e;
    const check_counts *n = &t->way[0];
    char abs[32], ulp[32], share[32];
    printf("| %s | ", p->family->op);
    print_versions(p->family->op);
    printf(" | %d | %d | %d | %d | %d | %d | %s | %s | %s |\n", t->n_cases, n->n[CHECK_AGREES],
           n->n[CHECK_DIFFERS], n->n[CHECK_FAILS], n->n[CHECK_KERNEL_FAILS], t->way[1].known,
           rough(n->max_abs, abs), rough((double)n->max_ulp, ulp), rough(n->share, share));
    markdown_report *m = (markdown_report *)r;
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

static void finish(check_report *r, const check_tally *all, oc_error *e)
{
    (void)e;
    markdown_report *m = (markdown_report *)r;
    printf("\n%d cases of %d operators, %d disagreements that are not known. %d of the cases are "
           "refused: the operator does not\nallow their inputs, and nothing is compared.\n",
           all->n_cases, all->n_operators, all->n_bad, all->way[0].refused);
    if (m->all)
        print_rest(m);
    if (*m->known)
        printf("\n## Known defects of the standard's text\n\n%s", m->known);
    free(m->known);
    free(m->seen);
    free(m);
}

check_report *check_markdown_new(const check_options *options)
{
    markdown_report *r = tool_alloc(1, sizeof *r);
    r->report = (check_report){.end = end, .finish = finish};
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
          "*worst/bound* is the greatest difference as a share of what its element's bound allows.\n"
          "\n"
          "| operator | bodies since | cases | agree | differ | body fails | kernel fails | known | max abs | max ulp | worst/bound |\n"
          "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
          stdout);
    /* clang-format on */
    return &r->report;
}
