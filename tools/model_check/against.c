/* SPDX-License-Identifier: Apache-2.0
 * against.c - --against of a model: another model on the same inputs, and the first inner value in
 * which the two differ. */
#include "model_check/axis.h"

/* Runs a model on the inputs by name. Returns the session, which may be NULL. */
static oc_session *run_by_name(const axis_check *c, const oc_model *m,
                               void (*on_node)(void *ctx, const oc_node_event *event), void *ctx,
                               oc_error *e)
{
    oc_session_options o = axis_base(c);
    o.no_folding = true; /* so that every node of the main graph gives its outputs in the run */
    o.observer.on_node = on_node;
    o.observer.on_node_ctx = ctx;
    oc_session *s = oc_session_new(m, &o, e);
    for (int i = 0; i < c->in->n; i++)
        if (c->in->value[i])
            oc_bind_value(s, oc_model_input(c->model, i).name, c->in->value[i], e);
    oc_run(s, e);
    return s;
}

/* Compares the outputs of the model with those of equal names. */
static axis_value *compare_outputs(const axis_check *c, const oc_session *got,
                                   const oc_session *expected, bool *agree, oc_error *e)
{
    const int n = oc_model_n_outputs(c->model);
    axis_value *list = tool_alloc((size_t)n, sizeof *list);
    *agree = true;
    for (int i = 0; i < n && e->code == OC_OK; i++) {
        const char *name = oc_model_output(c->model, i).name;
        const oc_value *x = oc_fetch_value_at(got, i, e), *y = oc_fetch_value(expected, name, e);
        if (e->code != OC_OK)
            break;
        const compare_bound bound = value_bound_of(&c->bound, oc_value_type(y));
        const compare_result r = compare_values(x, y, &bound);
        if (r.cancelled)
            tool_fail(e, OC_CANCELLED, "check: interrupted");
        list[i].name = tool_format("%s", name);
        list[i].agrees = r.agrees;
        snprintf(list[i].text, sizeof list[i].text, "%s", r.text);
        *agree &= r.agrees;
    }
    return list;
}

/* Runs both models again, for the inputs of the node that gives the first value that differs. */
static axis_origin find_origin(const axis_check *c, const oc_model *other, const char *output,
                               oc_error *e)
{
    axis_capture got = {.output = output}, expected = {.output = output};
    oc_session_free(run_by_name(c, c->model, axis_capture_node, &got, e));
    oc_session_free(run_by_name(c, other, axis_capture_node, &expected, e));
    axis_origin o = {.n = 0};
    if (got.op && expected.op && e->code == OC_OK)
        o = axis_origin_new(c->model, &got, &expected, &c->bound, e);
    axis_capture_free(&got);
    axis_capture_free(&expected);
    return o;
}

static void report(axis_check *c, const oc_model *other, oc_session *expected)
{
    value_comparison m = value_comparison_new(&c->trace, &c->bound);
    m.apart = true;
    m.picture = axis_report_picture(&c->report);
    oc_error e = {0};
    bool agree = true;
    axis_origin origin = {.n = 0};
    axis_value *output = NULL;
    oc_session *s = run_by_name(c, c->model, value_compare_main, &m, &e);
    if (axis_is_fatal(&e))
        c->error = e;
    if (e.code == OC_OK)
        output = compare_outputs(c, s, expected, &agree, &c->error);
    if (c->error.code == OC_OK && e.code == OC_OK && m.n_differ)
        origin = find_origin(c, other, m.first.output, &c->error);
    if (origin.op) { /* the trace's names are those of the other model */
        m.first.node = origin.node;
        m.first.op = origin.op;
    }
    axis_row row = {.comparison = &m, .error = &e, .origin = &origin, .output = output};
    row.n_output = output ? oc_model_n_outputs(c->model) : 0;
    snprintf(row.name, sizeof row.name, "this model");
    if (m.n_differ && agree && e.code == OC_OK)
        row.known = "all outputs agree";
    if (c->error.code == OC_OK)
        axis_report_row(&c->report, &row);
    for (int i = 0; i < row.n_output; i++)
        free(output[i].name);
    free(output);
    axis_origin_free(&origin);
    oc_session_free(s);
}

void axis_against(axis_check *c)
{
    session_args args = c->options->session;
    args.functions = (args_list){NULL, 0}; /* these files are for the model that is checked */
    oc_model *other = session_open(c->options->against, &args, &c->error);
    value_trace_free(&c->trace);
    c->trace = value_trace_new(axis_room(c));
    oc_session *expected = run_by_name(c, other, value_trace_keep_main, &c->trace, &c->error);
    if (c->error.code == OC_OK) {
        axis_report_axis(&c->report, "against", c->options->against, &c->trace);
        report(c, other, expected);
    }
    oc_session_free(expected);
    oc_model_free(other);
}
