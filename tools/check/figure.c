/* SPDX-License-Identifier: Apache-2.0
 * figure.c - shows one case on the HTML page: its outcome, a picture, the command. */
#include "check/figure.h"

#include "check/replay.h"
#include "values/heat.h"

void check_put_ulp(io_bytes *to, uint64_t ulp)
{
    if (ulp == UINT64_MAX)
        html_put(to, "NaN");
    else
        html_put(to, ulp < 1000000 ? "%.0f" : "%.1e", (double)ulp);
}

int check_choose_output(const check_run *run, int way, double *share)
{
    const check_result *r = &run->result[way];
    int best = r->output;
    *share = 0;
    for (int i = 0; i < run->c->n_out && r->outcome == CHECK_AGREES; i++) {
        const oc_value *got = check_output(run, way, i);
        const oc_value *want = check_expected(run, i);
        const double s = heat_fits(got, want) ? compare_values(got, want, &run->c->bound).share : 0;
        best = s > *share ? i : best;
        *share = s > *share ? s : *share;
    }
    return best;
}

/* Appends the text in a line of its own, if there is a text, and frees it. */
static void put_note(io_bytes *to, char *text)
{
    if (text) {
        html_put(to, "<br />");
        html_text(to, text);
    }
    free(text);
}

void check_put_figure(io_bytes *to, const check_run *run, int way, int output, const char *class)
{
    const check_result *r = &run->result[way];
    html_put(to, "<figure class=\"case %s\"><figcaption><b class=\"tag\">%s</b>%s <code>", class,
             check_outcome_name(run->plan, r->outcome), r->defect ? ", as is known:" : "");
    html_text(to, run->c->name);
    html_put(to, "</code><br /><small>");
    html_text(to, run->plan->way[way].label);
    if (r->ran) {
        html_put(to, ", max abs %.3g, max ulp ", r->max_abs);
        check_put_ulp(to, r->max_ulp);
        html_put(to, ", %.2g of the bound", r->share);
    }
    html_put(to, "</small>");
    if (*r->text)
        put_note(to, tool_format("%s", r->text));
    put_note(to, check_inner_text(r));
    put_note(to, check_nearer_text(run, way));
    html_put(to, "</figcaption>\n");
    const oc_value *got = r->ran ? check_output(run, way, output) : NULL;
    const oc_value *want = r->ran ? check_expected(run, output) : NULL;
    if (heat_fits(got, want))
        heat_put(to, got, want, r->first);
    if (run->c->n_out > 1 && r->ran)
        html_put(to, "<small>output %d of %d</small>", output, run->c->n_out);
    if (r->outcome != CHECK_AGREES) {
        char *line = check_replay(run->plan, run->c);
        html_put(to, "<pre>");
        html_text(to, line);
        html_put(to, "</pre>");
        free(line);
    }
    html_put(to, "</figure>\n");
}
