/* SPDX-License-Identifier: Apache-2.0
 * model_html.c - writes the results of a model's check as one HTML page. */
#include "model_check/model_html.h"

#include "check/figure.h"

axis_html *axis_html_new(const char *path, const char *model, oc_error *e)
{
    axis_html *h = tool_alloc(1, sizeof *h);
    h->model = model;
    io_create(&h->file, path, e);
    if (e->code == OC_OK)
        return h;
    io_commit(&h->file, e);
    free(h);
    return NULL;
}

/* ---- one axis ---- */

static void end_axis(axis_html *h)
{
    if (!h->sections.size)
        return;
    html_put(&h->sections, "</tbody></table></div>\n");
    if (h->first.size) {
        html_put(&h->sections, "<h3>The first value that differs</h3>\n<div class=\"cases\">\n");
        html_join(&h->sections, &h->first);
        html_put(&h->sections, "</div>\n");
    }
    html_put(&h->sections, "</section>\n");
    h->first.size = 0;
}

void axis_html_axis(axis_html *h, const char *name, const char *about, const value_trace *reference)
{
    end_axis(h);
    html_put(&h->sections, "<section><h2>%s <small>", name);
    html_text(&h->sections, about);
    html_put(&h->sections,
             ": %" PRId64 " values</small></h2>\n<div class=\"wide\"><table>\n<thead><tr>"
             "<th>run</th><th>nodes</th><th>compared</th><th>differ</th><th>not compared</th>"
             "<th>max abs</th><th>max ulp</th><th>result</th></tr></thead>\n<tbody>\n",
             reference->n_values);
}

/* ---- one run ---- */

/* Returns how many values of the reference run were not compared. */
static int64_t not_compared(const value_comparison *m)
{
    return m->trace->n_values - m->n_compared;
}

static void put_result(io_bytes *to, const axis_row *row, bool differs)
{
    const char *class = !differs ? "good" : row->known ? "known" : "bad";
    html_put(to, "<td class=\"%s\"><b class=\"tag\">", class);
    html_put(to, "%s",
             !differs                    ? "agrees"
             : row->known                ? "known"
             : row->error->code != OC_OK ? "fails"
                                         : "differs");
    html_put(to, "</b></td></tr>\n");
}

static void put_row(io_bytes *to, const axis_row *row, bool differs)
{
    const value_comparison *m = row->comparison;
    html_put(to, "<tr><td>");
    html_text(to, row->name);
    html_put(to, row->n_nodes ? "</td><td>%d</td>" : "</td><td></td>", row->n_nodes);
    if (row->note) {
        html_put(to, "<td class=\"soft\" colspan=\"6\">");
        html_text(to, row->note);
        html_put(to, "</td></tr>\n");
        return;
    }
    html_put(to, "<td>%" PRId64 "</td><td>%" PRId64 "</td><td>%" PRId64 "</td><td>%.3g</td><td>",
             m->n_compared, m->n_differ, not_compared(m), m->max_abs);
    check_put_ulp(to, m->max_ulp);
    html_put(to, "</td>");
    put_result(to, row, differs);
}

static void put_line(io_bytes *to, const char *before, const char *name, const char *after,
                     const char *text)
{
    html_put(to, "<br />%s", before);
    html_text(to, name);
    html_put(to, "%s", after);
    html_text(to, text);
}

static void put_origin(io_bytes *to, const axis_origin *o)
{
    if (*o->greatest)
        put_line(to, "", "", "the greatest difference is ", o->greatest);
    for (int i = 0; i < o->n; i++) {
        const axis_value *v = &o->input[i];
        if (!*v->name)
            continue;
        put_line(to, "its input <code>", v->name,
                 v->agrees ? "</code> agrees" : "</code> differs: ", v->text);
        if (*v->greatest) {
            html_put(to, ", the greatest difference is ");
            html_text(to, v->greatest);
        }
    }
}

/* Writes what is known of the first value that differs, with a picture of where it differs. */
static void put_first(axis_html *h, const axis_row *row)
{
    const value_first *f = &row->comparison->first;
    io_bytes *to = &h->first;
    html_put(to, "<figure class=\"case %s\"><figcaption><b>", row->known ? "known" : "bad");
    html_text(to, row->name);
    html_put(to, "</b>");
    if (row->comparison->n_differ) {
        put_line(to, "<code class=\"value\">", f->output, "</code> of ", f->op);
        if (*f->node)
            put_line(to, "node <code>", f->node, "</code>", "");
        put_line(to, "", "", "", f->text);
    }
    if (row->origin && row->origin->op)
        put_origin(to, row->origin);
    for (int i = 0; i < row->n_output; i++)
        if (!row->output[i].agrees)
            put_line(to, "output <code>", row->output[i].name,
                     "</code> differs: ", row->output[i].text);
    if (row->error->code != OC_OK)
        put_line(to, "", "", "it fails: ", row->error->text);
    if (row->known)
        put_line(to, "", "", "no disagreement: ", row->known);
    html_put(to, "</figcaption>\n");
    html_join(to, &h->picture);
    html_put(to, "</figure>\n");
}

void axis_html_row(axis_html *h, const axis_row *row, bool differs)
{
    put_row(&h->sections, row, differs);
    if (differs)
        put_first(h, row);
    h->picture.size = 0;
}

/* ---- the page ---- */

static void put_card(io_bytes *to, int n, const char *text, bool bad)
{
    html_put(to, "<div class=\"card%s\"><b>%d</b>%s</div>\n", bad && n ? " no" : "", n, text);
}

void axis_html_end(axis_html *h, const axis_totals *totals, const oc_error *failed, oc_error *e)
{
    io_bytes page = {0};
    end_axis(h);
    check_page_head(&page, h->model);
    html_put(&page, "<h1>");
    html_text(&page, h->model);
    html_put(&page,
             "</h1>\n<p class=\"soft\">ocellus %s, check: one model, the same inputs, run in "
             "several ways.</p>\n<div class=\"cards\">\n",
             oc_version());
    put_card(&page, totals->n_axes, totals->n_axes == 1 ? "axis" : "axes", false);
    put_card(&page, totals->n_runs, totals->n_runs == 1 ? "run compared" : "runs compared", false);
    put_card(&page, totals->n_known, "differ for a known reason", false);
    put_card(&page, totals->n_bad, totals->n_bad == 1 ? "disagreement" : "disagreements", true);
    html_put(&page, "</div>\n");
    if (failed->code != OC_OK)
        put_line(&page, "<b class=\"n bad\">the check ended: ", failed->text, "</b>", "");
    html_join(&page, &h->sections);
    if (totals->n_bad + totals->n_known)
        check_page_legend(&page);
    html_put(&page, "</body>\n</html>\n");
    io_put(&h->file, page.data, page.size);
    io_commit(&h->file, e);
    io_bytes_free(&page);
    io_bytes_free(&h->sections);
    io_bytes_free(&h->first);
    io_bytes_free(&h->picture);
    free(h);
}
