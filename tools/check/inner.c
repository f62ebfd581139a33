/* SPDX-License-Identifier: Apache-2.0
 * inner.c - in which inner value do two bodies of an operator begin to differ? */
#include "check/where.h"

#include "values/trace_compare.h"

enum { KEPT = 1 << 28 }; /* most bytes of the inner values of one run */

/* Runs the case by these bodies, so that every node of them gives its outputs in the run. */
static void run_bodies(const check_run *run, const oc_function_text *functions,
                       void (*on_node)(void *ctx, const oc_node_event *event), void *ctx,
                       oc_error *e)
{
    oc_session_options o = check_session_options(run->plan, functions);
    o.no_folding = o.no_fusion = o.no_nchw16c = true;
    o.observer.on_node = on_node;
    o.observer.on_node_ctx = ctx;
    oc_session_free(check_run_case(run->c, run->model, &o, e));
}

/* Returns the name that an inner value has in the body's text: what follows the operator's own
 * name. NULL: the value is an output of the model, whose one node the body replaces. */
static const char *inner_name(const check_run *run, const char *output)
{
    const size_t size = strlen(run->plan->family->op);
    const bool inner = strncmp(output, run->plan->family->op, size) == 0 && output[size] == '/';
    return inner ? output + size + 1 : NULL;
}

check_inner check_find_inner(const check_run *run, int way)
{
    check_inner inner = {.asked = true};
    oc_error e = {0};
    value_trace kept = value_trace_new(KEPT);
    run_bodies(run, run->plan->reference.functions, value_trace_keep_main, &kept, &e);
    value_comparison m = value_comparison_new(&kept, &run->c->bound);
    m.apart = true;
    run_bodies(run, run->plan->way[way].functions, value_compare_main, &m, &e);
    const char *name = e.code == OC_OK && m.n_differ ? inner_name(run, m.first.output) : NULL;
    if (name) {
        inner.known = true;
        const bool same = strcmp(m.first.own_op, m.first.op) == 0;
        snprintf(inner.text, sizeof inner.text, "'%.100s' (%s%s%.60s): %.160s", name,
                 m.first.own_op, same ? "" : ", there ", same ? "" : m.first.op, m.first.text);
    } else {
        /* the outputs have equal names in both, and are not inner values */
        const int64_t n = m.n_met - run->c->n_out;
        snprintf(inner.text, sizeof inner.text, "%.*s", COMPARE_TEXT - 1,
                 e.code != OC_OK ? e.text
                 : n > 0         ? "all inner values of the same name agree"
                                 : "the two have no inner values of the same name");
    }
    value_trace_free(&kept);
    return inner;
}
