/* SPDX-License-Identifier: Apache-2.0
 * origin.c - examines the node of two models that gives the first value in which they differ. */
#include "model_check/origin.h"

#include "common/number.h"
#include "common/signals.h"
#include "values/stats.h"
#include "values/trace_compare.h"

#include <math.h>

/* ---- what a run gives ---- */

void axis_capture_node(void *capture, const oc_node_event *event)
{
    axis_capture *c = capture;
    int at = 0;
    while (at < event->n_out && strcmp(event->out_name[at], c->output) != 0)
        at++;
    if (event->depth > 0 || at == event->n_out)
        return;
    if (!event->begin) {
        c->out = event->out[at] ? value_copy(event->out[at]) : NULL;
        return;
    }
    c->node = tool_format("%s", event->name);
    c->op = tool_format("%s", event->op_type);
    c->n_in = event->n_in;
    c->in = tool_alloc((size_t)c->n_in, sizeof(oc_value *));
    for (int i = 0; i < c->n_in; i++)
        c->in[i] = event->in[i] ? value_copy(event->in[i]) : NULL;
}

void axis_capture_free(axis_capture *c)
{
    for (int i = 0; i < c->n_in; i++)
        oc_value_free(c->in[i]);
    free(c->in);
    free(c->node);
    free(c->op);
    oc_value_free(c->out);
}

/* ---- the names of its inputs ---- */

typedef struct naming {
    const char *output;
    axis_origin *origin;
} naming;

static void name_inputs(void *ctx, const oc_node_info *node)
{
    const naming *n = ctx;
    bool gives = false;
    for (int i = 0; i < node->n_out && node->depth == 0; i++)
        gives |= strcmp(node->out[i].name, n->output) == 0;
    for (int i = 0; i < node->n_in && i < n->origin->n && gives; i++) {
        free(n->origin->input[i].name);
        n->origin->input[i].name = tool_format("%s", node->in[i].name);
    }
}

/* ---- the comparison ---- */

void axis_find_greatest(char text[COMPARE_TEXT], const oc_value *got, const oc_value *expected,
                        oc_error *e)
{
    if (!got || !expected || oc_value_kind(got) != OC_TENSOR || !compare_same_form(got, expected) ||
        !number_is_float_or_integer(oc_value_type(got)))
        return;
    const oc_type type = oc_value_type(got);
    const void *x = oc_value_data(got), *y = oc_value_data(expected);
    int64_t at = -1;
    double most = 0;
    for (int64_t i = 0; i < oc_value_count(got); i++) {
        if (signals_end_at(i)) {
            tool_fail(e, OC_CANCELLED, "check: interrupted");
            return;
        }
        const double gap = compare_gap(type, x, y, i);
        if (gap > most) {
            most = gap;
            at = i;
        }
    }
    char index[STATS_SHAPE], a[NUMBER_TEXT], b[NUMBER_TEXT];
    if (at >= 0)
        snprintf(text, COMPARE_TEXT, "%.3g at %s: %s, expected %s", most,
                 stats_index(got, at, index), number_text(type, x, at, number_digits(type), a),
                 number_text(type, y, at, number_digits(type), b));
}

static void compare_input(axis_value *v, const oc_value *got, const oc_value *expected,
                          const compare_bound *bound, oc_error *e)
{
    v->agrees = !got && !expected;
    if (!got != !expected)
        snprintf(v->text, sizeof v->text, "only one of the models gives it");
    if (!got || !expected)
        return;
    const compare_bound b = value_bound_of(bound, oc_value_type(expected));
    const compare_result r = compare_values(got, expected, &b);
    v->agrees = r.agrees;
    snprintf(v->text, sizeof v->text, "%s", r.text);
    if (r.cancelled)
        tool_fail(e, OC_CANCELLED, "check: interrupted");
    axis_find_greatest(v->greatest, got, expected, e);
}

axis_origin axis_origin_new(const oc_model *model, const axis_capture *got,
                            const axis_capture *expected, const compare_bound *bound, oc_error *e)
{
    axis_origin o = {.n = got->n_in > expected->n_in ? got->n_in : expected->n_in};
    o.node = tool_format("%s", got->node);
    o.op = tool_format("%s", got->op);
    o.other_op = tool_format("%s", expected->op);
    o.input = tool_alloc((size_t)o.n, sizeof *o.input);
    for (int i = 0; i < o.n; i++) {
        o.input[i].name = tool_format("input %d", i);
        compare_input(&o.input[i], i < got->n_in ? got->in[i] : NULL,
                      i < expected->n_in ? expected->in[i] : NULL, bound, e);
    }
    oc_model_visit(model, NULL, name_inputs, &(naming){got->output, &o}, e);
    axis_find_greatest(o.greatest, got->out, expected->out, e);
    return o;
}

void axis_origin_free(axis_origin *o)
{
    for (int i = 0; i < o->n; i++)
        free(o->input[i].name);
    free(o->input);
    free(o->node);
    free(o->op);
    free(o->other_op);
}
