/* SPDX-License-Identifier: Apache-2.0
 * engine_report.c - tells in which values a model and another engine differ, and in which first. */
#include "model_check/engine_check.h"

enum { MOST_ORIGINS = 10 }; /* most of each kind that are told without --verbose */

/* ---- counts ---- */

typedef struct engine_counts {
    int n_compared, n_differ, n_origins, n_grown;
    int n_alone, n_alone_differ; /* outputs that the engine also computed alone */
    int n_apart_alone;           /* number for which engine_differs_alone is true */
    int first;                   /* the first value that differs; -1: there is none */
} engine_counts;

/* Has a difference within the tolerance grown in the value's node? */
static bool has_grown(const engine_value *v)
{
    return v->is_node_judged && !v->differs_on_them;
}

static engine_counts count(const engine_check *c)
{
    engine_counts n = {.first = -1};
    for (int i = 0; i < c->graph.n; i++) {
        const engine_value *v = &c->value[i];
        const bool differs = v->is_compared && !v->result.agrees;
        n.n_compared += v->is_compared;
        n.n_differ += differs;
        n.n_origins += v->is_origin;
        n.n_grown += v->is_origin && has_grown(v);
        n.n_alone += v->is_alone_compared;
        n.n_alone_differ += v->is_alone_compared && !v->of_alone.agrees;
        n.n_apart_alone += engine_differs_alone(v);
        n.first = differs && n.first < 0 ? i : n.first;
    }
    return n;
}

/* ---- one value ---- */

static void print_place(const engine_check *c, int i)
{
    const graph_node *node = &c->graph.node[c->graph.item[i].node];
    if (*node->name)
        tool_print("'%s' of node '%s' (%s)", c->graph.item[i].name, node->name, node->op);
    else
        tool_print("'%s' of a node %s", c->graph.item[i].name, node->op);
}

static const char *input_state(const engine_value *v)
{
    return !v->is_compared         ? "is not compared"
           : !v->result.agrees     ? "differs"
           : v->result.max_abs > 0 ? "agrees within tolerance"
                                   : "agrees";
}

/* Prints how the inputs compare that nodes compute. */
static void print_inputs(const engine_check *c, const graph_node *node)
{
    int n = 0;
    for (int i = 0; i < node->n_in; i++)
        if (node->in[i].value >= 0)
            tool_print("%s'%s' %s", n++ ? ", " : "    its inputs: ", node->in[i].name,
                       input_state(&c->value[node->in[i].value]));
    fputs(n ? "\n" : "    its inputs are inputs and weights of the model\n", stdout);
}

static void print_origin(const engine_check *c, int i)
{
    const engine_value *v = &c->value[i];
    char figures[COMPARE_FIGURES];
    fputs("\norigin ", stdout);
    print_place(c, i);
    tool_line(": %s", v->result.text);
    if (v->result.n)
        tool_line("    %s", compare_figures(&v->result, figures));
    if (*v->greatest)
        tool_line("    the greatest difference is %s", v->greatest);
    print_inputs(c, &c->graph.node[c->graph.item[i].node]);
    if (has_grown(v))
        tool_line("    on the engine's inputs it agrees: a difference within tolerance has grown");
    else if (v->is_node_judged)
        tool_line("    on the engine's inputs it differs too");
}

/* Prints the origins of one kind. */
static void print_origins(const engine_check *c, bool grown)
{
    const int most = c->options->verbose ? c->graph.n : MOST_ORIGINS;
    int n = 0;
    for (int i = 0; i < c->graph.n; i++)
        if (c->value[i].is_origin && has_grown(&c->value[i]) == grown && n++ < most)
            print_origin(c, i);
    if (n > most)
        printf("\n%d origins more%s; --verbose lists them\n", n - most,
               grown ? " of differences that have grown" : "");
}

static void print_every(const engine_check *c)
{
    char figures[COMPARE_FIGURES];
    putchar('\n');
    for (int i = 0; i < c->graph.n; i++) {
        const engine_value *v = &c->value[i];
        tool_print("%-12s ", !v->is_compared    ? "not compared"
                             : v->is_origin     ? "origin"
                             : v->result.agrees ? "agrees"
                                                : "differs");
        print_place(c, i);
        if (v->is_compared)
            tool_print(": %s", v->result.n ? compare_figures(&v->result, figures) : v->result.text);
        putchar('\n');
    }
}

/* ---- what was not compared ---- */

/* Prints why the engine does not give value i, and the number of values with one reason, unless an
 * earlier value has the reason. */
static void print_reason(const engine_check *c, int i)
{
    const char *reason = c->value[i].reason;
    int n_more = 0;
    for (int k = 0; k < c->graph.n; k++)
        if (c->value[k].reason == reason && k < i)
            return;
        else
            n_more += c->value[k].reason == reason && k > i;
    tool_print("not compared: '%s'", c->graph.item[i].name);
    if (n_more)
        tool_print(" and %d more", n_more);
    tool_line(": %s", reason);
}

static void print_not_compared(const engine_check *c)
{
    int n_other = 0;
    for (int i = 0; i < c->graph.n; i++) {
        n_other += !c->graph.item[i].is_tensor;
        if (c->value[i].reason)
            print_reason(c, i);
        else if (!c->value[i].is_compared && c->graph.item[i].is_tensor)
            tool_line("not compared: '%s', which no node of this run gives", c->graph.item[i].name);
    }
    if (n_other)
        tool_line("not compared: %d value%s no tensor%s", n_other,
                  n_other > 1 ? "s that are" : " that is", n_other > 1 ? "s" : "");
    if (c->graph.n_inner)
        tool_line("not compared: %d value%s of graphs within nodes, which cannot be outputs",
                  c->graph.n_inner, c->graph.n_inner > 1 ? "s" : "");
    if (c->stop) {
        fputs("the first value that the engine does not compute is ", stdout);
        print_place(c, c->stop->value[c->stop->n - 1]);
        putchar('\n');
    }
    if (c->fewer)
        tool_line("the engine does not compute all values at once, so it was asked for fewer: %s",
                  c->fewer);
}

static void print_alone(const engine_check *c, const engine_counts *n)
{
    if (c->alone && !c->stop)
        tool_line("the engine does not run the model with its own outputs alone: %s", c->alone);
    else if (n->n_alone)
        tool_line("with its own outputs alone: %d of %d agree", n->n_alone - n->n_alone_differ,
                  n->n_alone);
    for (int i = 0; i < c->graph.n; i++)
        if (c->value[i].is_alone_compared && !c->value[i].of_alone.agrees)
            tool_line("    output '%s' differs: %s", c->graph.item[i].name,
                      c->value[i].of_alone.text);
}

/* ---- all ---- */

static void print_head(const engine_check *c, const engine_counts *n)
{
    tool_line("engine: %s", c->options->engine);
    tool_print("%d values of the main graph, %d compared, %d differ", c->graph.n, n->n_compared,
               n->n_differ);
    if (n->first >= 0)
        tool_print(", the first is '%s'", c->graph.item[n->first].name);
    putchar('\n');
}

static void print_end(const engine_counts *n, int n_disagree)
{
    printf("%d disagreement%s", n_disagree, n_disagree == 1 ? "" : "s");
    if (n->n_grown && n->n_grown == n_disagree)
        printf(": %s a difference within tolerance that has grown",
               n_disagree == 1 ? "it is" : "each is");
    putchar('\n');
}

static void print(const engine_check *c, const engine_counts *n, int n_disagree)
{
    const int n_follow = n->n_differ - n->n_origins;
    print_head(c, n);
    print_origins(c, false);
    print_origins(c, true);
    if (n_follow)
        printf("\n%d value%s differ%s too\n", n_follow,
               n_follow == 1 ? " that follows" : "s that follow", n_follow == 1 ? "s" : "");
    if (c->options->verbose)
        print_every(c);
    putchar('\n');
    print_not_compared(c);
    print_alone(c, n);
    print_end(n, n_disagree);
}

int engine_report(const engine_check *c, const char *path)
{
    const engine_counts n = count(c);
    const int n_disagree = n.n_origins + n.n_apart_alone;
    if (c->options->json)
        engine_report_json(c, path, n_disagree);
    else
        print(c, &n, n_disagree);
    return n_disagree;
}
