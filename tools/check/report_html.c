/* SPDX-License-Identifier: Apache-2.0
 * report_html.c - a check's report as one HTML page with tables and pictures. */
#include "check/figure.h"
#include "check/report.h"

/* Most pictures: of disagreements, and for each operator of inexact cases that agree. */
enum { MOST_BAD = 100, MOST_NEAR = 8 };

typedef struct picture {
    io_bytes html;
    double share; /* the greatest difference as a share of what the bound allows */
} picture;

typedef struct html_report {
    check_report report;
    const check_options *options;
    io_file file;
    io_bytes table, sections; /* rows of the table of operators, and the sections below it */
    int n_bad;                /* number of pictures of disagreements, of all operators */
    /* The members below are about the current operator. */
    io_bytes groups, bad, known;
    picture near[MOST_NEAR]; /* pictures of the cases closest to their bounds */
    int n_near, n_inexact;
    int n_seen[CHECK_DEFECTS]; /* number of cases that show each defect; the first one is drawn */
} html_report;

static html_report *of(check_report *r)
{
    return (html_report *)r;
}

/* ---- cases ---- */

/* Keeps a picture of the case if its outputs are among those closest to their bounds. */
static void keep_near(html_report *h, const check_run *run, int way)
{
    double share;
    const int output = check_choose_output(run, way, &share);
    int at = 0;
    h->n_inexact++;
    if (h->n_near < MOST_NEAR)
        at = h->n_near++;
    else
        for (int i = 1; i < MOST_NEAR; i++)
            at = h->near[i].share < h->near[at].share ? i : at;
    if (h->near[at].html.data && share <= h->near[at].share)
        return;
    h->near[at].html.size = 0;
    h->near[at].share = share;
    check_put_figure(&h->near[at].html, run, way, output, "near");
}

static void put_run(check_report *report, const check_run *run, OC_UNUSED const check_tally *so_far)
{
    html_report *h = of(report);
    for (int way = 0; way < run->plan->n; way++) {
        const check_result *r = &run->result[way];
        if (check_is_bad(r) && h->n_bad++ < MOST_BAD)
            check_put_figure(&h->bad, run, way, r->output, "bad");
        else if (r->defect && h->n_seen[run->c->defect]++ == 0)
            check_put_figure(&h->known, run, way, r->output, "known");
        else if (way == 0 && r->outcome == CHECK_AGREES && r->ran && !r->exact)
            keep_near(h, run, way);
    }
}

/* ---- tables ---- */

static void put_number(io_bytes *to, int n, bool bad)
{
    html_put(to, "<td class=\"n%s\">%d</td>", n && bad ? " bad" : "", n);
}

/* wide: the table has columns for the standard's text, even if that is not compared. */
static void put_counts(io_bytes *to, const check_plan *p, const check_tally *t, bool wide)
{
    const check_counts *n = &t->way[0], *second = &t->way[1];
    html_put(to, "<td>%d</td><td>%d</td><td>%d</td>", t->n_cases, n->exact,
             n->n[CHECK_AGREES] - n->exact);
    put_number(to, n->n[CHECK_DIFFERS], true);
    put_number(to, n->n[CHECK_FAILS], true);
    put_number(to, n->n[CHECK_KERNEL_FAILS], true);
    html_put(to, "<td>%.2g</td><td>", n->max_abs);
    check_put_ulp(to, n->max_ulp);
    html_put(to, "</td><td>%.2g</td>", n->share);
    if (p->n > 1) {
        put_number(to, second->n[CHECK_AGREES], false);
        put_number(to, second->known, false);
        put_number(
            to, second->n[CHECK_DIFFERS] + second->n[CHECK_FAILS] + second->n[CHECK_KERNEL_FAILS],
            true);
    } else if (wide) {
        html_put(to, "<td></td><td></td><td></td>");
    }
}

static void put_columns(io_bytes *to, bool wide)
{
    html_put(to,
             "<th>cases</th><th>to the bit</th><th>within bound</th><th>differ</th>"
             "<th>body fails</th><th>kernel fails</th><th>max abs</th><th>max ulp</th>"
             "<th>worst/bound</th>%s</tr>"
             "</thead>\n<tbody>\n",
             wide ? "<th>standard's text agrees</th><th>as is known</th><th>else</th>" : "");
}

static void put_group(check_report *r, const check_plan *p, const char *name, const check_tally *t)
{
    io_bytes *to = &of(r)->groups;
    html_put(to, "<tr><td>");
    html_text(to, name);
    html_put(to, "</td>");
    put_counts(to, p, t, false);
    html_put(to, "</tr>\n");
}

/* Appends a bar with the shares of all results: equal bits, within the bound, known defect,
 * unexplained. */
static void put_bar(io_bytes *to, const check_tally *t)
{
    int exact = 0, agree = 0, known = 0;
    for (int i = 0; i < CHECK_WAYS; i++) {
        exact += t->way[i].exact;
        agree += t->way[i].n[CHECK_AGREES];
        known += t->way[i].known;
    }
    const double all = 1e-2 * (agree + known + t->n_bad);
    html_put(to,
             "<td><span class=\"bar\"><i class=\"exact\" style=\"width:%.1f%%\"></i>"
             "<i class=\"near\" style=\"width:%.1f%%\"></i><i class=\"known\" "
             "style=\"width:%.1f%%\"></i><i class=\"bad\" style=\"width:%.1f%%\"></i></span></td>",
             all > 0 ? exact / all : 0, all > 0 ? (agree - exact) / all : 0,
             all > 0 ? known / all : 0, all > 0 ? t->n_bad / all : 0);
}

static void put_row(io_bytes *to, const check_plan *p, const check_tally *t)
{
    html_put(to, "<tr><td><a href=\"#");
    html_text(to, p->family->op);
    html_put(to, "\">");
    html_text(to, p->family->op);
    html_put(to, "</a></td>");
    put_bar(to, t);
    put_counts(to, p, t, !p->options->body);
    html_put(to, "</tr>\n");
}

/* ---- one operator ---- */

static void put_cases(io_bytes *to, const char *title, io_bytes *cases)
{
    if (cases->size) {
        html_put(to, "<h3>%s</h3>\n<div class=\"cases\">\n", title);
        html_join(to, cases);
        html_put(to, "</div>\n");
    }
    io_bytes_free(cases);
}

static void put_defects(io_bytes *to, const check_plan *p, const check_tally *t)
{
    const check_defect *d = p->family->defects;
    if (!p->way[1].standard || p->n < 2)
        return;
    html_put(to, "<h3>Known defects of the standard's text</h3>\n<ul>\n");
    for (int i = 0; d[i].text; i++) {
        html_put(to, "<li>");
        html_text(to, d[i].text);
        html_put(to, " <small>(seen in %d of %d cases)</small></li>\n", t->defect[i].seen,
                 t->defect[i].touched);
    }
    html_put(to, "</ul>\n");
}

static int by_share(const void *a, const void *b)
{
    const double x = ((const picture *)a)->share, y = ((const picture *)b)->share;
    return (x < y) - (x > y);
}

static void put_near(html_report *h)
{
    io_bytes all = {0};
    char *title =
        tool_format("Agree, but not to the bit: %d of %d cases, those closest to their bound",
                    h->n_near, h->n_inexact);
    qsort(h->near, (size_t)h->n_near, sizeof *h->near, by_share);
    for (int i = 0; i < h->n_near; i++) {
        html_join(&all, &h->near[i].html);
        io_bytes_free(&h->near[i].html);
        h->near[i] = (picture){{0}, 0};
    }
    put_cases(&h->sections, title, &all);
    h->n_near = h->n_inexact = 0;
    free(title);
}

static void put_operator(check_report *r, const check_plan *p, const check_tally *t,
                         const oc_error *e)
{
    html_report *h = of(r);
    io_bytes *to = &h->sections;
    put_row(&h->table, p, t);
    html_put(to, "<section id=\"");
    html_text(to, p->family->op);
    html_put(to, "\"><h2>");
    html_text(to, p->family->op);
    html_put(to, " <small>");
    html_text(to, p->reference.label);
    for (int i = 0; i < p->n; i++) {
        html_put(to, i ? " and " : " against ");
        html_text(to, p->way[i].label);
    }
    html_put(to, ": %d cases, %d disagreements</small></h2>\n", t->n_cases, t->n_bad);
    if (e->code != OC_OK) {
        html_put(to, "<p class=\"n bad\">");
        html_text(to, e->text);
        html_put(to, "</p>\n");
    }
    put_cases(to, "Disagreements", &h->bad);
    put_defects(to, p, t);
    put_cases(to, "The first case of each", &h->known);
    put_near(h);
    html_put(to, "<details><summary>By group</summary><div class=\"wide\"><table>\n"
                 "<thead><tr><th>group</th>");
    put_columns(to, p->n > 1);
    html_join(to, &h->groups);
    html_put(to, "</tbody></table></div></details>\n</section>\n");
    io_bytes_free(&h->groups);
    for (int i = 0; i < CHECK_DEFECTS; i++)
        h->n_seen[i] = 0;
}

/* ---- the page ---- */

static void put_card(io_bytes *to, int n, const char *text, bool bad)
{
    html_put(to, "<div class=\"card%s\"><b>%d</b>%s</div>\n", bad && n ? " no" : "", n, text);
}

static void put_page(io_bytes *to, html_report *h, const check_tally *all)
{
    const check_counts *n = &all->way[0];
    check_page_head(to, "ocellus check");
    html_put(to,
             "<h1>Kernels against function bodies</h1>\n"
             "<p class=\"soft\">ocellus %s, check: the same inputs, both ways, every "
             "difference.</p>\n<div class=\"cards\">\n",
             oc_version());
    put_card(to, all->n_operators, all->n_operators == 1 ? "operator" : "operators", false);
    put_card(to, all->n_cases, "cases", false);
    put_card(to, n->exact, "agree to the bit", false);
    put_card(to, n->n[CHECK_AGREES] - n->exact, "agree within their bound", false);
    put_card(to, all->way[1].known, "known defects of the standard's text shown", false);
    put_card(to, all->n_bad, "disagreements that nothing explains", true);
    html_put(to, "</div>\n");
    if (h->n_bad > MOST_BAD)
        html_put(to, "<p class=\"n bad\">The first %d disagreements are shown of %d.</p>\n",
                 MOST_BAD, h->n_bad);
    html_put(to, "<p class=\"soft\"><i class=\"k exact\"></i>to the bit<i class=\"k near\"></i>"
                 "within bound<i class=\"k known\"></i>known defect<i class=\"k bad\"></i>"
                 "not explained</p>\n<div class=\"wide\"><table>\n<thead><tr><th>operator</th>"
                 "<th></th>");
    put_columns(to, !h->options->body);
    html_join(to, &h->table);
    html_put(to, "</tbody></table></div>\n");
    check_page_legend(to);
    html_join(to, &h->sections);
    html_put(to, "</body>\n</html>\n");
}

static void finish(check_report *r, const check_tally *all, oc_error *e)
{
    html_report *h = of(r);
    io_bytes page = {0};
    put_page(&page, h, all);
    io_put(&h->file, page.data, page.size);
    io_commit(&h->file, e);
    io_bytes_free(&page);
    io_bytes_free(&h->table);
    io_bytes_free(&h->sections);
    free(h);
}

check_report *check_html_new(const char *path, const check_options *options, oc_error *e)
{
    html_report *h = tool_alloc(1, sizeof *h);
    h->options = options;
    h->report = (check_report){
        .run = put_run,
        .group = put_group,
        .end = put_operator,
        .finish = finish,
    };
    io_create(&h->file, path, e);
    if (e->code == OC_OK)
        return &h->report;
    io_commit(&h->file, e);
    free(h);
    return NULL;
}
