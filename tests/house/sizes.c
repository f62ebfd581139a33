/* SPDX-License-Identifier: Apache-2.0
 * sizes.c - a program that uses each struct that grows. It is compiled with an older header, whose
 * structs end earlier, with today's, and with a newer one (LATER), in which each has a field
 * `later` at its end; it runs with today's library. Prints what it finds wrong. */
#include <ocellus.h>
#include <ocellus_model.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "<ir_version: 8, opset_import: [\"\" : 17]>\n"
                           "g (float[N] x) => (float[N] y) { a = Neg (x)  y = Abs (a) }";
static int events, visited;

static void expect(bool right, const char *what)
{
    if (!right)
        printf("%s\n", what);
}

static void on_node(void *ctx, const oc_node_event *event)
{
    (void)ctx;
    events += event->n_in == 1 && strcmp(event->op_type, events < 2 ? "Neg" : "Abs") == 0;
#ifdef LATER
    expect(!event->later, "what the library does not know of an event is not 0");
#endif
}

/* Ports lie one behind the other, as large as the program knows them. */
static void on_visit(void *ctx, const oc_node_info *node)
{
    const bool first = visited++ == 0;
    (void)ctx;
    expect(strcmp(node->op_type, first ? "Neg" : "Abs") == 0 && node->n_in == 1 && node->n_out == 1,
           "a node is another");
    expect(strcmp(node->in[0].name, first ? "x" : "a") == 0 && node->in[0].dim[0] == 5,
           "a node has another input");
    expect(strcmp(node->out[0].name, first ? "a" : "y") == 0 && node->out[0].type == OC_F32,
           "a node has another output");
#ifdef LATER
    expect(!node->later && !node->in[0].later && !node->out[0].later,
           "what the library does not know of a node is not 0");
#endif
}

/* A result, and behind it bytes that the library must leave alone. */
#define GUARDED(type)                                                                              \
    struct {                                                                                       \
        type result;                                                                               \
        unsigned char after[64];                                                                   \
    }
#define FILL(guarded, name, ...)                                                                   \
    do {                                                                                           \
        memset(&(guarded), 0xa5, sizeof(guarded));                                                 \
        name(__VA_ARGS__, &(guarded).result, sizeof(guarded).result);                              \
        for (size_t i = 0; i < sizeof(guarded).after; i++)                                         \
            if ((guarded).after[i] != 0xa5) {                                                      \
                printf("%s wrote past the struct of the program\n", #name);                        \
                break;                                                                             \
            }                                                                                      \
    } while (0)

static void look(const oc_model *model, const oc_session *session)
{
    GUARDED(oc_port) in, out;
    GUARDED(oc_model_info) info;
    GUARDED(oc_model_operator) op;
    GUARDED(oc_session_stats) stats;
    FILL(in, oc_model_input_sized, model, 0);
    FILL(out, oc_model_output_sized, model, 0);
    FILL(info, oc_model_describe_sized, model);
    FILL(op, oc_model_operator_at_sized, model, 1);
    FILL(stats, oc_session_describe_sized, session);
    expect(in.result.rank == 1 && strcmp(in.result.dim_name[0], "N") == 0, "input 0 is another");
    expect(strcmp(out.result.name, "y") == 0, "output 0 is another");
    expect(info.result.n_nodes == 2 && info.result.ir_version == 8, "the model is another");
    expect(strcmp(op.result.name, "Abs") == 0 && op.result.opset == 17, "operator 1 is another");
    expect(stats.result.peak_bytes > 0, "the session took no memory");
#ifdef LATER
    expect(!in.result.later && !out.result.later && !info.result.later && !op.result.later &&
               !stats.result.later,
           "what the library does not know is not 0");
#endif
    oc_model_operator inline_op;
    expect(strcmp(oc_model_input(model, 0).name, "x") == 0, "oc_model_input");
    expect(oc_model_output(model, 0).rank == 1, "oc_model_output");
    expect(oc_model_describe(model).n_opsets == 1, "oc_model_describe");
    expect(oc_model_operator_at(model, 0, &inline_op), "oc_model_operator_at");
    expect(oc_session_describe(session).plan_bytes > 0, "oc_session_describe");
}

static void visit(const oc_model *model)
{
    oc_error e = {0};
    oc_port port = oc_model_input(model, 0);
    port.dim[0] = 5;
    oc_model_visit(model, &port, on_visit, NULL, &e);
    expect(e.code == OC_OK && visited == 2, e.code == OC_OK ? "nodes are not told" : e.text);
#ifdef LATER
    port.later = 1;
    oc_model_visit(model, &port, on_visit, NULL, &e);
    expect(e.code == OC_ARGUMENT && visited == 2, "an unknown field of a port is ignored");
#endif
}

/* Fields that are set but not known to the library: the call says so. */
static void set_later(const oc_model *model)
{
#ifdef LATER
    oc_error e = {0};
    expect(!oc_session_new(model, &(oc_session_options){.later = 1}, &e) && e.code == OC_ARGUMENT,
           "an unknown option of a session is ignored");
    e = (oc_error){0};
    expect(!oc_model_load_memory(text, strlen(text), &(oc_model_options){.later = 1}, &e) &&
               e.code == OC_ARGUMENT && strstr(e.text, "version"),
           "an unknown option of a model is ignored");
#else
    (void)model;
#endif
}

int main(void)
{
    oc_error e = {0};
    /* What follows the options in memory is no part of them. */
    struct {
        oc_model_options of_model;
        char model_guard[64];
        oc_session_options of_session;
        char session_guard[64];
    } o = {.of_model = {.limits = {.deadline = 60}},
           .of_session = {.observer = {.on_node = on_node}, .threads = 1, .seed = 7}};
    memset(o.model_guard, 0xa5, sizeof o.model_guard);
    memset(o.session_guard, 0xa5, sizeof o.session_guard);
    oc_model *model = oc_model_load_memory(text, strlen(text), &o.of_model, &e);
    oc_session *session = oc_session_new(model, &o.of_session, &e);
    const float x[2] = {-1, 2};
    oc_bind(session, "x", OC_F32, 1, (const int64_t[]){2}, x, &e);
    oc_run(session, &e);
    const float *y = oc_fetch(session, "y", NULL, &e);
    expect(y && y[0] == 1 && y[1] == 2, "the result is another");
    expect(events == 4, "the events are others");
    expect(e.code == OC_OK, e.text);
    if (e.code == OC_OK) {
        look(model, session);
        visit(model);
        set_later(model);
    }
    oc_session_free(session);
    oc_model_free(model);
}
