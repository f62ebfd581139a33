/* SPDX-License-Identifier: Apache-2.0
 * model_report.c - prints the results of a model's check row by row, as a table or as JSON. */
#include "model_check/model_report.h"

#include "common/number.h"
#include "model_check/model_html.h"

axis_report axis_report_begin(const char *path, bool json, const char *html, oc_error *e)
{
    axis_report r = {.json = json};
    r.silent = html && strcmp(html, "-") == 0;
    if (html)
        r.html = axis_html_new(html, path, e);
    if (json && e->code == OC_OK) {
        r.j = json_begin(stdout);
        json_object(&r.j, NULL);
        json_text(&r.j, "model", path);
        json_array(&r.j, "axes");
    }
    return r;
}

io_bytes *axis_report_picture(const axis_report *r)
{
    return r->html ? &r->html->picture : NULL;
}

static void end_axis(axis_report *r)
{
    if (!r->json || r->n_axes == 0)
        return;
    json_close(&r->j);
    json_close(&r->j);
}

void axis_report_axis(axis_report *r, const char *name, const char *about, const value_trace *t)
{
    end_axis(r);
    r->n_axes++;
    if (r->html)
        axis_html_axis(r->html, name, about, t);
    if (r->silent)
        return;
    if (r->json) {
        json_object(&r->j, NULL);
        json_text(&r->j, "axis", name);
        json_int(&r->j, "values", t->n_values);
        json_int(&r->j, "bytes_kept", (int64_t)t->bytes);
        json_array(&r->j, "runs");
    } else {
        fputs(r->n_axes > 1 ? "\n" : "", stdout);
        tool_line("%s: %s, %" PRId64 " values", name, about, t->n_values);
        printf("%-32s %6s %9s %9s %10s %10s\n", "", "nodes", "compared", "differ", "max abs",
               "max ulp");
    }
}

/* Is the first value that differs the output of another operator than the one whose body ran?
 * Then a difference within tolerance has grown. */
static bool has_grown(const axis_row *row)
{
    return row->only && row->comparison->n_differ &&
           strcmp(row->comparison->first.op, row->only) != 0;
}

/* ---- a row as JSON ---- */

static void json_values(json_writer *j, const char *key, const axis_value *v, int n)
{
    json_array(j, key);
    for (int i = 0; i < n; i++) {
        json_object(j, NULL);
        json_text(j, "name", v[i].name);
        json_bool(j, "agrees", v[i].agrees);
        json_text(j, "text", v[i].text);
        if (*v[i].greatest)
            json_text(j, "greatest", v[i].greatest);
        json_close(j);
    }
    json_close(j);
}

static void json_first(json_writer *j, const value_first *f, const axis_origin *origin, bool grown)
{
    json_object(j, "first");
    json_text(j, "node", f->node);
    json_text(j, "operator", f->op);
    json_text(j, "output", f->output);
    json_int(j, "time", f->time);
    json_text(j, "text", f->text);
    json_bool(j, "grown", grown);
    if (origin && origin->op) {
        json_text(j, "other_operator", origin->other_op);
        json_text(j, "greatest", origin->greatest);
        json_values(j, "inputs", origin->input, origin->n);
    }
    json_close(j);
}

static void json_row(json_writer *j, const axis_row *row)
{
    const value_comparison *m = row->comparison;
    json_object(j, NULL);
    json_text(j, "run", row->name);
    if (row->n_nodes)
        json_int(j, "nodes", row->n_nodes);
    if (row->note) {
        json_text(j, "note", row->note);
        json_close(j);
        return;
    }
    json_int(j, "compared", m->n_compared);
    json_int(j, "differ", m->n_differ);
    json_number(j, "max_abs", m->max_abs);
    json_unsigned(j, "max_ulp", m->max_ulp);
    json_object(j, "not_compared");
    json_int(j, "not_stored", m->n_unstored);
    json_int(j, "not_kept", m->n_unkept + m->trace->n_values - m->trace->n);
    json_int(j, "not_met", m->trace->n - m->n_met);
    json_close(j);
    if (m->n_differ)
        json_first(j, &m->first, row->origin, has_grown(row));
    if (row->output)
        json_values(j, "outputs", row->output, row->n_output);
    if (row->error->code != OC_OK)
        json_text(j, "error", row->error->text);
    if (row->known)
        json_text(j, "known", row->known);
    json_close(j);
}

/* ---- a row as text ---- */

static void print_missing(int64_t n, const char *why)
{
    if (n > 0)
        tool_line("    %" PRId64 " value%s not compared: %s", n, n > 1 ? "s" : "", why);
}

static void print_first(const value_first *f)
{
    tool_print("    first at '%s' of ", f->output);
    if (*f->node)
        tool_print("node '%s' (%s)", f->node, f->op);
    else
        tool_print("a node %s", f->op);
    if (f->time > 1)
        printf(", made for the %" PRId64 "th time", f->time);
    tool_line(": %s", f->text);
}

/* Prints the equal inputs in one line, and each other input in a line of its own. */
static void print_origin(const axis_origin *o)
{
    const char *lead = "    its inputs agree: ";
    int n = 0;
    if (o->op && strcmp(o->op, o->other_op) != 0)
        tool_line("    the other model has %s there", o->other_op);
    if (*o->greatest)
        tool_line("    the greatest difference is %s", o->greatest);
    for (int i = 0; i < o->n; i++) {
        const axis_value *v = &o->input[i];
        if (v->agrees && !*v->greatest)
            continue;
        if (v->agrees)
            tool_line("    its input '%s' agrees within tolerance", v->name);
        else
            tool_line("    its input '%s' differs: %s", v->name, v->text);
        if (*v->greatest)
            tool_line("      the greatest difference is %s", v->greatest);
        lead = "    its other inputs agree: ";
    }
    for (int i = 0; i < o->n; i++)
        if (o->input[i].agrees && !*o->input[i].greatest && *o->input[i].name)
            tool_print("%s'%s'", n++ ? ", " : lead, o->input[i].name);
    if (n)
        putchar('\n');
}

static void print_outputs(const axis_row *row)
{
    for (int i = 0; i < row->n_output; i++)
        if (!row->output[i].agrees)
            tool_line("    output '%s' differs: %s", row->output[i].name, row->output[i].text);
}

static void print_row(const axis_row *row)
{
    const value_comparison *m = row->comparison;
    char nodes[16] = "", ulp[NUMBER_TEXT];
    if (row->n_nodes)
        snprintf(nodes, sizeof nodes, "%d", row->n_nodes);
    if (row->note) {
        tool_line("%-32s %6s  %s", row->name, nodes, row->note);
        return;
    }
    tool_line("%-32s %6s %9" PRId64 " %9" PRId64 " %10.3g %10s", row->name, nodes, m->n_compared,
              m->n_differ, m->max_abs, number_ulp_text(m->max_ulp, ulp));
    if (m->n_differ)
        print_first(&m->first);
    if (row->origin)
        print_origin(row->origin);
    print_outputs(row);
    if (has_grown(row))
        tool_line("    up to there every %s agrees: a difference within tolerance has grown",
                  row->only);
    if (row->error->code != OC_OK)
        tool_line("    it fails: %s", row->error->text);
    if (row->known)
        tool_line("    no disagreement: %s", row->known);
    print_missing(m->n_unstored, "nodes that run as one do not store it");
    print_missing(m->n_unkept, "past what --keep allows");
    print_missing(m->trace->n_values - m->trace->n, "past the most that are followed");
    if (row->error->code == OC_OK)
        print_missing(m->trace->n - m->n_met, "this run does not give it");
}

void axis_report_row(axis_report *r, const axis_row *row)
{
    bool differs = !row->note && (row->comparison->n_differ || row->error->code != OC_OK);
    for (int i = 0; i < row->n_output; i++)
        differs |= !row->output[i].agrees;
    r->n_runs += !row->note;
    if (r->html)
        axis_html_row(r->html, row, differs);
    if (differs) {
        r->n_bad += row->known == NULL;
        r->n_known += row->known != NULL;
    }
    if (r->silent)
        return;
    if (r->json)
        json_row(&r->j, row);
    else
        print_row(row);
}

int axis_report_end(axis_report *r, const oc_error *e)
{
    oc_error written = {0};
    end_axis(r);
    if (r->html)
        axis_html_end(r->html, &(axis_totals){r->n_axes, r->n_runs, r->n_bad, r->n_known}, e,
                      &written);
    if (r->json) {
        json_close(&r->j);
        json_int(&r->j, "disagreements", r->n_bad);
        json_int(&r->j, "known", r->n_known);
        if (e->code != OC_OK)
            json_text(&r->j, "error", e->text);
        json_close(&r->j);
        json_end(&r->j);
    } else if (e->code == OC_OK && !r->silent) {
        printf("%s%d disagreement%s", r->n_axes ? "\n" : "", r->n_bad, r->n_bad == 1 ? "" : "s");
        if (r->n_known)
            printf(", %d known", r->n_known);
        putchar('\n');
    }
    if (e->code != OC_OK || written.code != OC_OK)
        return tool_report(e->code != OC_OK ? e : &written, false);
    return r->n_bad ? TOOL_DIFFERS : TOOL_OK;
}
