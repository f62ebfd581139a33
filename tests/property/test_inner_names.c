/* SPDX-License-Identifier: Apache-2.0
 * test_inner_names.c - random models whose graphs, three deep, and functions use few names, so that
 * inner values are named like outer ones. They give what their nodes give one after the other, each
 * name read where it was set last: under each body policy, written and read again, expanded, and as
 * a part of themselves. */
#include "byte_buffer.h"
#include "suite.h"

#include <ocellus.h>
#include <ocellus_model.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NAMES = 5, MOST_NODES = 7, DEPTH = 3, GRAPHS = 400, FUNCTIONS = 2, MODELS = 400 };

typedef enum kind { ADD, NEG, IF, LOOP, SCAN, CALL, N_KINDS } kind;

typedef struct node {
    kind kind;
    int out, in[2];
    int value;             /* IF: is the condition true? CALL: which function? */
    struct graph *body[2]; /* of IF both, of LOOP and SCAN one */
} node;

typedef struct graph {
    struct graph *outer;
    int input[2], n_input; /* names of what the graph is given */
    bool has[NAMES];       /* defined before the current node */
    node node[MOST_NODES];
    int n_node, output;
} graph;

static graph pool[GRAPHS];
static int n_graph;
static graph *function[FUNCTIONS];
static suite_random state;

static int below(int n)
{
    return (int)suite_below(&state, (uint32_t)n);
}

/* ---- made at random ---- */

static bool is_visible(const graph *g, int name)
{
    for (; g; g = g->outer)
        if (g->has[name])
            return true;
    return false;
}

static int choose_visible(const graph *g)
{
    int name;
    do
        name = below(NAMES);
    while (!is_visible(g, name));
    return name;
}

/* A name that the graph has not defined yet. */
static int define(graph *g)
{
    int name;
    do
        name = below(NAMES);
    while (g->has[name]);
    g->has[name] = true;
    return name;
}

static graph *make_graph(graph *outer, int n_input, int depth);

static void make_node(graph *g, int depth)
{
    node *n = &g->node[g->n_node];
    n->kind = (kind)below(depth ? N_KINDS : IF);
    if (n->kind == CALL && !function[FUNCTIONS - 1])
        n->kind = ADD; /* this is a function */
    n->in[0] = choose_visible(g);
    n->in[1] = choose_visible(g);
    n->value = below(2);
    for (int i = 0; i < (n->kind == IF ? 2 : n->kind == LOOP || n->kind == SCAN); i++)
        n->body[i] = make_graph(g, n->kind == IF ? 0 : n->kind == SCAN ? 2 : 1, depth - 1);
    n->out = define(g);
    g->n_node++;
}

static graph *make_graph(graph *outer, int n_input, int depth)
{
    graph *g = &pool[n_graph++];
    *g = (graph){.outer = outer, .n_input = n_input};
    for (int i = 0; i < n_input; i++)
        g->input[i] = define(g);
    const int n = 1 + below(NAMES - n_input); /* each node needs a name of its own */
    for (int i = 0; i < n && n_graph < GRAPHS - 20; i++)
        make_node(g, depth);
    g->output = choose_visible(g);
    return g;
}

/* ---- computed ---- */

typedef struct frame {
    const struct frame *outer;
    bool has[NAMES];
    int64_t value[NAMES];
} frame;

static int64_t look_up(const frame *f, int name)
{
    while (!f->has[name])
        f = f->outer;
    return f->value[name];
}

static void set(frame *f, int name, int64_t value)
{
    f->has[name] = true;
    f->value[name] = value;
}

static int64_t compute(const graph *g, const frame *outer, const int64_t *in);

static int64_t compute_node(const node *n, const frame *f)
{
    int64_t in[2] = {look_up(f, n->in[0]), look_up(f, n->in[1])};
    switch (n->kind) {
    case ADD:
        return in[0] + in[1];
    case NEG:
        return -in[0];
    case IF:
        return compute(n->body[!n->value], f, NULL);
    case LOOP:
        in[0] = compute(n->body[0], f, in);
        return compute(n->body[0], f, in);
    case SCAN: /* over 1 and 2 */
        for (int64_t x = 1; x < 3; x++)
            in[0] = compute(n->body[0], f, (int64_t[]){in[0], x});
        return in[0];
    default:
        return compute(function[n->value], NULL, in);
    }
}

static int64_t compute(const graph *g, const frame *outer, const int64_t *in)
{
    frame f = {.outer = outer};
    for (int i = 0; i < g->n_input; i++)
        set(&f, g->input[i], in[i]);
    for (int i = 0; i < g->n_node; i++)
        set(&f, g->node[i].out, compute_node(&g->node[i], &f));
    return look_up(&f, g->output);
}

/* ---- written as text ---- */

static char text[1 << 18];

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *format, ...)
{
    const size_t at = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + at, sizeof text - at, format, args);
    va_end(args);
    suite_assert(strlen(text) < sizeof text - 1, "the text is too long");
}

static void put_graph(const graph *g);

static void put_node(const node *n)
{
    const char a = (char)('a' + n->in[0]), b = (char)('a' + n->in[1]);
    put("%c = ", 'a' + n->out);
    switch (n->kind) {
    case ADD:
        put("Add (%c, %c) ", a, b);
        break;
    case NEG:
        put("Neg (%c) ", a);
        break;
    case IF:
        put("If (%s) <then_branch = t () => (%c) ", n->value ? "yes" : "no",
            'a' + n->body[0]->output);
        put_graph(n->body[0]);
        put(", else_branch = e () => (%c) ", 'a' + n->body[1]->output);
        put_graph(n->body[1]);
        put("> ");
        break;
    case LOOP:
        put("Loop (two, yes, %c) <body = l (int64 i, bool go, int64 %c) => (go, %c) ", a,
            'a' + n->body[0]->input[0], 'a' + n->body[0]->output);
        put_graph(n->body[0]);
        put("> ");
        break;
    case SCAN:
        put("Scan (%c, xs) <num_scan_inputs = 1, body = s (int64 %c, int64 %c) => (%c) ", a,
            'a' + n->body[0]->input[0], 'a' + n->body[0]->input[1], 'a' + n->body[0]->output);
        put_graph(n->body[0]);
        put("> ");
        break;
    default:
        put("my.f%d (%c, %c) ", n->value, a, b);
    }
}

static void put_graph(const graph *g)
{
    put("{ ");
    for (int i = 0; i < g->n_node; i++)
        put_node(&g->node[i]);
    put("} ");
}

#define CONSTANTS "<bool yes = {1}, bool no = {0}, int64 two = {2}, int64[2] xs = {1, 2}> "

static void put_model(const graph *g)
{
    text[0] = 0;
    put("<ir_version: 8, opset_import: [\"\": 16, \"my\": 1]> g (int64 %c) => (int64 "
        "%c) " CONSTANTS,
        'a' + g->input[0], 'a' + g->output);
    put_graph(g);
    for (int i = 0; i < FUNCTIONS; i++) {
        put("<domain: \"my\", opset_import: [\"\": 16]> f%d (%c, %c) => (%c) " CONSTANTS, i,
            'a' + function[i]->input[0], 'a' + function[i]->input[1], 'a' + function[i]->output);
        put_graph(function[i]);
    }
}

/* ---- run ---- */

/* Frees the model. */
static void gives(oc_model *m, oc_body_policy policy, int64_t wanted, const char *what, oc_error *e)
{
    const int64_t three = 3;
    const oc_session_options options = {.threads = 1, .bodies.policy = policy};
    oc_session *s = oc_session_new(m, &options, e);
    if (oc_model_n_inputs(m))
        oc_bind(s, oc_model_input(m, 0).name, OC_I64, 0, NULL, &three, e);
    oc_run(s, e);
    const int64_t *y = oc_fetch(s, oc_model_output(m, 0).name, NULL, e);
    suite_assert(e->code == OC_OK, "%s: %s in\n%s", what, e->text, text);
    suite_assert(*y == wanted, "%s: %lld, expected %lld, of\n%s", what, (long long)*y,
                 (long long)wanted, text);
    oc_session_free(s);
    oc_model_free(m);
}

static void gives_as_written(const oc_model *m, oc_format format, int64_t wanted, oc_error *e)
{
    byte_buffer b = {0};
    oc_model_save(m, format, &(oc_writer){byte_buffer_append, &b}, e);
    oc_model *again = oc_model_load_memory(b.bytes, b.size, NULL, e);
    gives(again, OC_BODY_NATIVE, wanted, format == OC_FORMAT_TEXT ? "its text" : "its bytes", e);
    free(b.bytes);
}

static oc_model *load(oc_error *e)
{
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, e);
    suite_assert(m, "%s in\n%s", e->text, text);
    return m;
}

/* A part computes something: where the output is the input there is none. */
static bool has_part(const graph *g)
{
    return g->output != g->input[0];
}

static void check_model(const graph *g)
{
    oc_error e = {.code = OC_OK};
    const int64_t wanted = compute(g, NULL, (int64_t[]){3});
    put_model(g);
    for (int policy = OC_BODY_NATIVE; policy <= OC_BODY_STANDARD; policy++)
        gives(load(&e), (oc_body_policy)policy, wanted, "the model", &e);
    oc_model *m = load(&e);
    gives_as_written(m, OC_FORMAT_TEXT, wanted, &e);
    gives_as_written(m, OC_FORMAT_ONNX, wanted, &e);
    oc_model *expanded = oc_model_expand(m, OC_BODY_EXPAND, NULL, &e);
    gives_as_written(expanded, OC_FORMAT_TEXT, wanted, &e);
    gives_as_written(expanded, OC_FORMAT_ONNX, wanted, &e);
    if (has_part(g)) {
        const char *to = oc_model_output(m, 0).name;
        const oc_cut from = {oc_model_input(m, 0).name, NULL};
        oc_model *part = oc_model_extract(m, &from, oc_model_n_inputs(m), &to, 1, &e);
        suite_assert(part, "a part: %s in\n%s", e.text, text);
        gives(part, OC_BODY_NATIVE, wanted, "a part", &e);
    }
    oc_model_free(expanded);
    oc_model_free(m);
}

START_TEST(names_mean_what_was_set_last)
{
    state = suite_random_new(37);
    for (int i = 0; i < MODELS; i++) {
        const uint32_t seed = state.state;
        n_graph = 0;
        memset(function, 0, sizeof function);
        graph *made[FUNCTIONS];
        for (int k = 0; k < FUNCTIONS; k++)
            made[k] = make_graph(NULL, 2, 1);
        memcpy(function, made, sizeof function);
        const graph *g = make_graph(NULL, 1, DEPTH);
        check_model(g);
        suite_assert(n_graph < GRAPHS, "OC_SEED=%u: too many graphs", seed);
    }
}
END_TEST

SUITE("inner names", names_mean_what_was_set_last)
