/* SPDX-License-Identifier: Apache-2.0
 * bodies.c - the axis body: compares a model's run by kernels with runs by function bodies. */
#include "ways/axis.h"

#include <stdlib.h>
#include <string.h>

/* One run by bodies. */
typedef struct way {
    const oc_model *model;
    oc_body_policy body;
    const char *only; /* the one operator that runs by its body; NULL: all that have one */
} way;

static axis_comparison hold_bodies(axis_check *c, const way *w, oc_error *e)
{
    axis_comparison m = axis_comparison_new(&c->trace, &c->bound);
    oc_session_options o = axis_base(c);
    o.bodies.kernels_first = true;
    o.bodies.policy = w->body;
    o.bodies.only = w->only;
    o.observer.on_node = axis_compare_node;
    o.observer.on_node_ctx = &m;
    axis_run(c, oc_session_new(w->model, &o, e), e);
    return m;
}

/* Does the same run by the repaired bodies agree? Then the difference is a known defect of the
 * standard's text. */
static bool is_repaired(axis_check *c, const way *w)
{
    oc_error e = {0};
    way repaired = *w;
    repaired.body = OC_BODY_EXPAND;
    oc_model *m = NULL;
    if (w->model != c->model) /* w->model is c->model with its calls replaced by bodies */
        repaired.model = m = oc_model_expand(c->model, OC_BODY_EXPAND, NULL, &e);
    const axis_comparison comparison = hold_bodies(c, &repaired, &e);
    oc_model_free(m);
    return e.code == OC_OK && comparison.n_differ == 0;
}

/* Is the first value that differs random, from an operator without the attribute seed? Such an
 * operator draws numbers by its node's name, which the nodes of its body do not have. The test:
 * with another seed of the session, the first value that changes is this one. */
static bool is_random(axis_check *c, const axis_first *first)
{
    oc_error e = {0};
    axis_comparison m = axis_comparison_new(&c->trace, &(compare_bound){.bits = true});
    oc_session_options o = axis_base(c);
    o.bodies.kernels_first = true;
    o.seed++;
    o.observer.on_node = axis_compare_node;
    o.observer.on_node_ctx = &m;
    axis_run(c, oc_session_new(c->model, &o, &e), &e);
    return m.n_differ && strcmp(m.first.output, first->output) == 0;
}

static void add_bodies(axis_check *c, axis_row *row, const way *w)
{
    oc_error e = {0};
    const axis_comparison m = hold_bodies(c, w, &e);
    if (axis_is_fatal(&e)) {
        c->error = e;
        return;
    }
    row->comparison = &m;
    row->only = w->only;
    row->error = &e;
    const bool differs = m.n_differ || e.code != OC_OK;
    if (differs && c->options->standard && is_repaired(c, w))
        row->known = "a known defect of the standard's text (functions/KNOWN.md), the repaired "
                     "body agrees";
    else if (m.n_differ && is_random(c, &m.first))
        row->known = "random numbers, which another --seed changes too";
    axis_report_row(&c->report, row);
}

static bool has_kernel(const oc_model_operator *op)
{
    char *name = tool_format("%s%s%s", op->domain, *op->domain ? "::" : "", op->name);
    const oc_op *row;
    bool found = false;
    for (int i = 0; !found && (row = oc_builtin_op(i)) != NULL; i++)
        found = row->since <= op->opset && session_is_row_of(row, name);
    free(name);
    return found;
}

/* The name alone identifies the body: no two domains of ONNX have bodies of one name. */
static bool has_body(const oc_model_operator *op)
{
    const char *name;
    for (int i = 0, since; (name = oc_builtin_body(i, &since)) != NULL; i++)
        if (strcmp(name, op->name) == 0 && since <= op->opset)
            return true;
    return false;
}

/* Is the operator in the list before index i, under another version? One row serves all versions,
 * because bodies are chosen by name alone. */
static bool is_repeated(const oc_model *m, int i, const oc_model_operator *op)
{
    oc_model_operator other;
    for (int k = 0; k < i && oc_model_operator_at(m, k, &other); k++)
        if (strcmp(other.name, op->name) == 0 && strcmp(other.domain, op->domain) == 0)
            return true;
    return false;
}

static int count_nodes(const oc_model *m, const oc_model_operator *op)
{
    oc_model_operator other;
    int n = 0;
    for (int i = 0; oc_model_operator_at(m, i, &other); i++)
        if (strcmp(other.name, op->name) == 0 && strcmp(other.domain, op->domain) == 0)
            n += other.count;
    return n;
}

/* Reports the row of one operator or function; returns the number of its nodes if both its kernel
 * and its body were run, else 0. */
static int add_operator(axis_check *c, const oc_model_operator *op, oc_body_policy policy)
{
    const bool local = op->support == OC_SUPPORT_FUNCTION;
    axis_row row = {.n_nodes = count_nodes(c->model, op)};
    if (!local && !has_body(op))
        return 0;
    snprintf(row.name, sizeof row.name, "%.30s%s%.40s", op->domain, *op->domain ? "::" : "",
             op->name);
    if (!local)
        snprintf(row.name + strlen(row.name), 20, "-%d", op->since);
    if (local ? !has_kernel(op) : op->support == OC_SUPPORT_BODY) {
        row.note = local ? "a function of the model: no kernel to be compared with"
                         : "no kernel to be compared with: it runs by its body";
        axis_report_row(&c->report, &row);
        return 0;
    }
    add_bodies(c, &row, &(way){c->model, policy, op->name});
    return row.n_nodes;
}

void axis_bodies(axis_check *c)
{
    const oc_body_policy policy = c->options->standard ? OC_BODY_STANDARD : OC_BODY_EXPAND;
    oc_model_operator op;
    oc_session_options o = axis_base(c);
    int n_nodes = 0;
    o.bodies.kernels_first = true;
    axis_refer(c, "body",
               c->options->standard ? "the standard's bodies against kernels"
                                    : "bodies against kernels",
               o);
    for (int i = 0; c->error.code == OC_OK && oc_model_operator_at(c->model, i, &op); i++)
        if (!is_repeated(c->model, i, &op))
            n_nodes += add_operator(c, &op, policy);
    axis_row all = {.name = "all bodies", .n_nodes = n_nodes};
    if (n_nodes && c->error.code == OC_OK)
        add_bodies(c, &all, &(way){c->model, policy, NULL});
    axis_row expanded = {.name = "as expand writes it", .n_nodes = n_nodes};
    oc_model *m = oc_model_expand(c->model, policy, NULL, &c->error);
    if (m)
        add_bodies(c, &expanded, &(way){m, OC_BODY_NATIVE, NULL});
    oc_model_free(m);
}
