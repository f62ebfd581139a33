/* SPDX-License-Identifier: Apache-2.0
 * leave_out.c - text cases whose nodes leave out outputs and inputs.
 *
 * usage: leave_out_cases CASES FILE|FOLDER...
 *
 * Of each file the first CASES cases that give outputs; 0: all. A node of such a case loses any of
 * its outputs, then each of its inputs, and the model runs by kernels and by bodies. Outputs that
 * are left must be what the case expects; without an input there is a result or an error that names
 * the node. */
#include "case.h"

#include "graph/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 4, MOST_OUTPUTS = 4, MOST_INPUTS = 16, MOST_STEPS = 2000 };

/* What is left out. */
typedef struct cut {
    int node;
    unsigned outputs, inputs; /* bits */
} cut;

typedef struct test {
    int cases;
    char path[4096]; /* of the file at hand, and how many of its cases have run */
    int of_file;
    int ran; /* cases */
    long runs, results;
} test;

static void drop_output(oc_graph *g, oc_name name)
{
    int n = 0;
    for (int i = 0; i < g->n_output; i++)
        if (strcmp(g->output[i].name, name) != 0)
            g->output[n++] = g->output[i];
    g->n_output = n;
}

/* The list with no name at each place whose bit is set. */
static const oc_name *without(oc_model *m, const oc_name *list, int n, unsigned places)
{
    oc_name *names = oc_arena_array(&m->arena, (size_t)n, sizeof *names);
    for (int i = 0; i < n; i++)
        names[i] = i < 32 && places >> i & 1 ? oc_model_name(m, "") : list[i];
    return names;
}

/* Random numbers depend on the node's name, or on that of its first output. */
static void apply(oc_model *m, const cut *c)
{
    oc_node *n = &m->graph.node[c->node];
    for (int k = 0; k < n->n_out; k++)
        if (k < 32 && c->outputs >> k & 1)
            drop_output(&m->graph, n->out[k]);
    n->out = without(m, n->out, n->n_out, c->outputs);
    n->in = without(m, n->in, n->n_in, c->inputs);
}

/* Does something else of the model read an output that is cut? Then its name is not defined. */
static bool check_error(const test_case *t, const oc_error *e, const char *policy, const cut *c)
{
    const bool named = strstr(e->text, "node '") || strstr(e->text, "node of '") ||
                       strstr(e->text, "node without a name") || strstr(e->text, "body of ");
    const bool undefined = strstr(e->text, "is not defined");
    if (undefined || (c->inputs && (e->code == OC_LIMIT || e->code == OC_DEADLINE)) ||
        (named && (c->inputs || e->code == OC_UNSUPPORTED)))
        return !strstr(e->text, "the operator asked for") ||
               case_fail(t, NULL, "an operator's mistake: %s", e->text);
    return case_fail(t, NULL, "%s, node %d, outputs %#x, inputs %#x: %s: %s", policy, c->node,
                     c->outputs, c->inputs, oc_status_name(e->code), e->text);
}

static bool check_outputs(const test_case *t, const oc_model *m, const oc_session *s)
{
    for (int i = 0; i < m->graph.n_output; i++) {
        oc_error e = {OC_OK, ""};
        const oc_value *got = oc_fetch_value_at(s, i, &e);
        if (!got)
            return case_fail(t, NULL, "output %d: %s", i, e.text);
        for (int k = 0; k < t->n_value; k++)
            if (t->value[k].is_output && strcmp(t->value[k].name, m->graph.output[i].name) == 0 &&
                !case_compare(t, &t->value[k], got))
                return false;
    }
    return true;
}

static bool expects(const test_case *t, oc_body_policy policy)
{
    bool listed = false;
    for (int i = 0; i < t->n_policy; i++)
        listed |= t->policy[i] == policy;
    return listed;
}

/* Must outputs that are left be what they were? Random numbers may depend on the name of a node's
 * first output, and up to version 13 the names of the others say whether BatchNormalization trains.
 */
static bool stays(const test_case *t, const oc_model *m, const cut *c)
{
    const oc_node *n = &m->graph.node[c->node];
    const bool by_names =
        strcmp(n->op_type, "BatchNormalization") == 0 && !oc_node_attr(n, "training_mode");
    return !c->inputs && !(c->outputs && (t->options.seed || by_names));
}

/* Loads, cuts and runs the model of a case. */
static bool run_cut(test *x, test_case *t, const oc_model_options *load, oc_body_policy policy,
                    const cut *c)
{
    static const char *const names[] = {"kernels", "bodies", "bodies of the standard"};
    oc_error e = {OC_OK, ""};
    bool good = true;
    oc_session_options o = t->options;
    o.bodies.policy = policy;
    o.threads = 1;
    if (c->inputs || !expects(t, policy)) { /* a Loop may have lost what ends it */
        o.limits.max_steps = MOST_STEPS;
        o.limits.deadline = 1;
    }
    oc_model *m = oc_model_load_memory(t->model, t->model_size, load, &e);
    if (m) {
        case_tell_outputs(t, m);
        apply(m, c);
    }
    oc_session *s = oc_session_new(m, &o, &e);
    for (int i = 0; i < t->n_value && s; i++)
        if (!t->value[i].is_output)
            oc_bind_value(s, t->value[i].name, &t->value[i].value, &e);
    oc_run(s, &e);
    x->runs++;
    x->results += e.code == OC_OK;
    if (e.code != OC_OK)
        good = !expects(t, policy) || check_error(t, &e, names[policy], c);
    else if (expects(t, policy) && stays(t, m, c))
        good = check_outputs(t, m, s) ||
               case_fail(t, NULL, "%s, node %d, outputs %#x", names[policy], c->node, c->outputs);
    oc_session_free(s);
    oc_model_free(m);
    return good;
}

static bool run_node(test *x, test_case *t, const oc_model_options *load, const oc_node *n, int at)
{
    const int outputs = n->n_out < MOST_OUTPUTS ? n->n_out : MOST_OUTPUTS;
    bool good = true;
    for (int policy = OC_BODY_NATIVE; policy <= OC_BODY_STANDARD && good; policy++) {
        for (unsigned k = 0; k < 1u << outputs && good; k++)
            good = run_cut(x, t, load, (oc_body_policy)policy, &(cut){at, k, 0});
        for (int i = 0; i < n->n_in && i < MOST_INPUTS && good; i++)
            good = run_cut(x, t, load, (oc_body_policy)policy, &(cut){at, 0, 1u << i});
    }
    return good;
}

static bool run_case(void *ctx, test_case *t)
{
    test *x = ctx;
    const char *slash = strrchr(t->path, '/');
    char folder[4096];
    if (strcmp(x->path, t->path) != 0) {
        snprintf(x->path, sizeof x->path, "%s", t->path);
        x->of_file = 0;
    }
    if (t->fails || (x->cases && x->of_file == x->cases))
        return true;
    x->of_file++;
    x->ran++;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - t->path) : 1,
             slash ? t->path : ".");
    const oc_model_options load = {.external_dir = folder};
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(t->model, t->model_size, &load, &e);
    bool good = m || case_fail(t, NULL, "%s", e.text);
    for (int i = 0; good && i < m->graph.n_node && i < MOST_NODES; i++)
        good = run_node(x, t, &load, &m->graph.node[i], i);
    oc_model_free(m);
    return good;
}

int main(int n_args, char **arg)
{
    test x = {.cases = n_args > 1 ? atoi(arg[1]) : 0};
    int n_passed = 0, n_failed = 0;
    for (int i = 2; i < n_args; i++)
        case_run_path(arg[i], run_case, &x, &n_passed, &n_failed);
    printf("%ld runs, %ld results\n", x.runs, x.results);
    printf("%d passed, %d failed\n", x.ran - n_failed, n_failed);
    return n_failed != 0 || x.ran == n_failed;
}
