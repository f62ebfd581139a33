/* SPDX-License-Identifier: Apache-2.0
 * bodies.c - the axis body: compares a model's run by kernels with runs by function bodies. */
#include "base/int.h"
#include "model_check/axis.h"

#include "common/signals.h"
#include "session/op_table.h"

/* One run by bodies. */
typedef struct way {
    const oc_model *model;
    oc_body_policy body;
    const char *only; /* the only operator that runs by its body; NULL: all that have one do */
} way;

/* Without products on codes: with a body of Relu between them, nodes are no longer such a
 * product. */
static oc_session_options base(const axis_check *c)
{
    oc_session_options o = axis_base(c);
    o.exact_quant = true;
    return o;
}

static value_comparison hold_bodies(axis_check *c, const way *w, oc_error *e)
{
    value_comparison m = value_comparison_new(&c->trace, &c->bound);
    m.picture = axis_report_picture(&c->report);
    oc_session_options o = base(c);
    o.bodies.kernels_first = true;
    o.bodies.policy = w->body;
    o.bodies.only = w->only;
    o.observer.on_node = value_compare_node;
    o.observer.on_node_ctx = &m;
    axis_run(c, oc_session_new(w->model, &o, e), e);
    return m;
}

/* Does this run agree when it uses the repaired bodies? Then the difference is a known defect of
 * the standard's text. */
static bool is_repaired(axis_check *c, const way *w)
{
    oc_error e = {0};
    way repaired = *w;
    repaired.body = OC_BODY_EXPAND;
    oc_model *m = NULL;
    if (w->model != c->model) /* w->model is c->model with its calls replaced by bodies */
        repaired.model = m = oc_model_expand(c->model, OC_BODY_EXPAND, NULL, &e);
    const value_comparison comparison = hold_bodies(c, &repaired, &e);
    oc_model_free(m);
    return e.code == OC_OK && comparison.n_differ == 0;
}

/* Is the first value that differs random, from an operator without the attribute seed? Such an
 * operator draws numbers by its node's name, which the nodes of its body do not have. The test:
 * with another seed of the session, the first value that changes is this one. */
static bool is_random(axis_check *c, const value_first *first)
{
    oc_error e = {0};
    value_comparison m = value_comparison_new(&c->trace, &(compare_bound){.bits = true});
    oc_session_options o = base(c);
    o.bodies.kernels_first = true;
    o.seed++;
    o.observer.on_node = value_compare_node;
    o.observer.on_node_ctx = &m;
    axis_run(c, oc_session_new(c->model, &o, &e), &e);
    return m.n_differ && strcmp(m.first.output, first->output) == 0;
}

static void add_bodies(axis_check *c, axis_row *row, const way *w)
{
    oc_error e = {0};
    const value_comparison m = hold_bodies(c, w, &e);
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

/* The operators that have a kernel, and from which version on. */
typedef struct kernel_list {
    int *since;
    int n;
    text_index names; /* "Relu", "com.me::Twist" */
} kernel_list;

static kernel_list list_kernels(void)
{
    kernel_list k = {0};
    const oc_op_info *info;
    for (int i = 0; (info = op_table_at(i)) != NULL; i++) {
        int at = text_index_find(&k.names, info->label);
        if (at < 0) {
            at = k.n;
            text_index_add(&k.names, info->label, k.n);
            k.since = tool_push(k.since, (size_t)k.n, sizeof *k.since);
            k.since[k.n++] = info->version->since;
        }
        k.since[at] = oc_min(info->version->since, k.since[at]);
    }
    return k;
}

static void free_kernels(kernel_list *k)
{
    free(k->since);
    text_index_free(&k->names);
}

static bool has_kernel(const kernel_list *k, const oc_model_operator *op)
{
    char *name = tool_format("%s%s%s", op->domain, *op->domain ? "::" : "", op->name);
    const int at = text_index_find(&k->names, name);
    free(name);
    return at >= 0 && k->since[at] <= op->opset;
}

/* The name alone identifies the body, because no two domains of ONNX have bodies of one name. */
static bool has_body(const oc_model_operator *op)
{
    const char *name;
    for (int i = 0, since; (name = oc_builtin_body(i, &since)) != NULL; i++)
        if (strcmp(name, op->name) == 0 && since <= op->opset)
            return true;
    return false;
}

/* An operator in all its versions, which share one row because bodies are chosen by name alone. */
typedef struct operator_use {
    oc_model_operator first; /* its first entry in the model's list */
    int n_nodes;             /* nodes of all versions */
} operator_use;

typedef struct operator_uses {
    operator_use *item;
    int n;
    text_index names; /* maps domain and operator to indices */
} operator_uses;

static operator_uses list_operators(const oc_model *m)
{
    operator_uses u = {0};
    oc_model_operator op;
    for (int i = 0; oc_model_operator_at(m, i, &op); i++) {
        char *name = tool_format("%s::%s", op.domain, op.name);
        int at = text_index_find(&u.names, name);
        if (at < 0) {
            at = u.n;
            text_index_add(&u.names, name, u.n);
            u.item = tool_push(u.item, (size_t)u.n, sizeof *u.item);
            u.item[u.n++] = (operator_use){op, 0};
        }
        u.item[at].n_nodes += op.count;
        free(name);
    }
    return u;
}

static void free_operators(operator_uses *u)
{
    free(u->item);
    text_index_free(&u->names);
}

/* Reports the row of one operator or function. Returns the number of its nodes if both its
 * kernel and its body were run, else 0. */
static int add_operator(axis_check *c, const operator_use *use, const kernel_list *kernels,
                        oc_body_policy policy)
{
    const oc_model_operator *op = &use->first;
    const bool local = op->support == OC_SUPPORT_FUNCTION;
    axis_row row = {.n_nodes = use->n_nodes};
    if (!local && !has_body(op))
        return 0;
    snprintf(row.name, sizeof row.name, "%.30s%s%.40s", op->domain, *op->domain ? "::" : "",
             op->name);
    if (!local)
        snprintf(row.name + strlen(row.name), 20, "-%d", op->since);
    if (local ? !has_kernel(kernels, op) : op->support == OC_SUPPORT_BODY) {
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
    oc_session_options o = base(c);
    operator_uses uses = list_operators(c->model);
    kernel_list kernels = list_kernels();
    int n_nodes = 0;
    o.bodies.kernels_first = true;
    axis_refer(c, "body",
               c->options->standard ? "the standard's bodies against kernels"
                                    : "bodies against kernels",
               o);
    for (int i = 0; i < uses.n && c->error.code == OC_OK; i++) {
        n_nodes += add_operator(c, &uses.item[i], &kernels, policy);
        if (signals_cancelled(NULL))
            tool_fail(&c->error, OC_CANCELLED, "check: interrupted");
    }
    free_operators(&uses);
    free_kernels(&kernels);
    axis_row all = {.name = "all bodies", .n_nodes = n_nodes};
    if (n_nodes && c->error.code == OC_OK)
        add_bodies(c, &all, &(way){c->model, policy, NULL});
    axis_row expanded = {.name = "as expand writes it", .n_nodes = n_nodes};
    oc_model *m = oc_model_expand(c->model, policy, NULL, &c->error);
    if (m)
        add_bodies(c, &expanded, &(way){m, OC_BODY_NATIVE, NULL});
    oc_model_free(m);
}
