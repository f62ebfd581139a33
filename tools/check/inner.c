/* SPDX-License-Identifier: Apache-2.0
 * inner.c - in which inner value do two bodies of an operator begin to differ? */
#include "check/inner.h"

#include "values/trace.h"

#include <stdio.h>
#include <string.h>

enum { KEPT = 1 << 28 }; /* bytes of the inner values of one run */

/* One run of the two: the first keeps values, the second compares its own with those. */
typedef struct inner_run {
    value_trace *kept;
    value_comparison *comparison; /* NULL: of the first run */
    char op[64];                  /* of the node of the second that gives the first difference */
} inner_run;

/* Names within the graphs of If, Loop and Scan may be those of other values in the other body. */
static void visit_main(void *ctx, const oc_node_event *event)
{
    inner_run *r = ctx;
    if (event->depth != 0)
        return;
    if (!r->comparison) {
        value_trace_keep(r->kept, event);
        return;
    }
    const int64_t before = r->comparison->n_differ;
    value_compare_node(r->comparison, event);
    if (before == 0 && r->comparison->n_differ > 0)
        snprintf(r->op, sizeof r->op, "%s", event->op_type);
}

/* Runs the case by these bodies, so that every node of theirs gives its outputs in the run. */
static void run_body(const check_run *run, const oc_function_text *functions, inner_run *r,
                     oc_error *e)
{
    oc_session_options o = session_args_options(&run->plan->options->session);
    o.bodies.only = run->plan->family->op;
    o.bodies.own = functions;
    o.no_folding = o.no_fusion = o.no_lanes = true;
    o.observer.on_node = visit_main;
    o.observer.on_node_ctx = r;
    oc_session *s = oc_session_new(run->model, &o, e);
    for (int i = 0; i < run->c->n_in; i++)
        oc_bind_value_at(s, i, run->c->in[i], e);
    oc_run(s, e);
    oc_session_free(s);
}

/* The name that the value has in the text of the body: what follows the operator's own. */
static const char *name_in_body(const check_run *run, const char *output)
{
    const size_t size = strlen(run->plan->family->op);
    const bool inner = strncmp(output, run->plan->family->op, size) == 0 && output[size] == '/';
    return inner ? output + size + 1 : output;
}

static bool is_output(const check_run *run, const char *name)
{
    for (int i = 0; i < oc_model_n_outputs(run->model); i++)
        if (strcmp(oc_model_output(run->model, i).name, name) == 0)
            return true;
    return false;
}

check_inner check_find_inner(const check_run *run, int way)
{
    check_inner inner = {.asked = true};
    oc_error e = {0};
    value_trace kept = value_trace_new(KEPT);
    inner_run first = {.kept = &kept};
    run_body(run, run->plan->reference.functions, &first, &e);
    value_comparison m = value_comparison_new(&kept, &run->c->bound);
    m.apart = true;
    inner_run second = {.comparison = &m};
    run_body(run, run->plan->way[way].functions, &second, &e);
    if (e.code == OC_OK && m.n_differ && !is_output(run, m.first.output)) {
        inner.known = true;
        const bool same = strcmp(second.op, m.first.op) == 0;
        snprintf(inner.text, sizeof inner.text, "'%.100s' (%s%s%.60s): %.160s",
                 name_in_body(run, m.first.output), second.op, same ? "" : ", there ",
                 same ? "" : m.first.op, m.first.text);
    } else {
        const int64_t n = m.n_met - run->c->n_out; /* outputs have the same names in both */
        snprintf(inner.text, sizeof inner.text, "%.*s", COMPARE_TEXT - 1,
                 e.code != OC_OK ? e.text
                 : n > 0         ? "all inner values of the same name agree"
                                 : "the two have no inner values of the same name");
    }
    value_trace_free(&kept);
    return inner;
}
