/* SPDX-License-Identifier: Apache-2.0
 * sequence_map_body.c - prints SequenceMap's function body for one call: a Loop over the items that
 * takes one item from each sequence, calls the graph, and appends the graph's outputs to new
 * sequences. */
#include "bodies/call_text.h"
#include "bodies/library.h"
#include "graph/build.h"

typedef struct printer {
    const oc_body_call *call;
    const oc_graph *graph; /* the graph attribute */
    oc_arena *arena;
    oc_error *e;
    char *text;
    int size;
} printer;

static void put(printer *p, const char *text)
{
    if (text)
        oc_arena_append(p->arena, &p->text, &p->size, text, strlen(text));
}

/* Writes "name_0, name_1, " and so on for n names. */
static void put_list(printer *p, const char *name, int n)
{
    for (int i = 0; i < n; i++)
        put(p, oc_arena_printf(p->arena, "%s%s_%d", i ? ", " : "", name, i));
}

static oc_status fail(const printer *p, const char *what, int i, const char *expected)
{
    char text[OC_NODE_TEXT];
    return oc_error_set(p->e, OC_UNSUPPORTED, "%s: %s %d %s",
                        oc_call_text(p->call->node, p->call->opset, text), what, i, expected);
}

static oc_known_type input_type(const printer *p, int i)
{
    return p->call->types ? oc_type_get(&p->call->types->of, p->call->node->in[i])
                          : (oc_known_type){.type = OC_UNDEFINED};
}

/* Makes an empty sequence for output i of the graph. The output's type must be declared, because no
 * item exists yet. */
static oc_status put_empty(printer *p, int i)
{
    const oc_known_type type = oc_type_declared(&p->graph->output[i].type);
    if (type.type == OC_UNDEFINED || type.kind != OC_TENSOR)
        return fail(p, "output", i, "of the graph has no type, expected a declared tensor");
    put(p, oc_arena_printf(p->arena, "  empty_%d = SequenceEmpty <dtype = %d> ()\n", i,
                           (int)type.type));
    return OC_OK;
}

/* Takes item i of each sequence; an input that is a tensor goes to the graph unchanged. */
static oc_status put_items(printer *p)
{
    const int n_in = p->call->node->n_in;
    for (int i = 0; i < n_in; i++) {
        const oc_known_type type = input_type(p, i);
        if (i > 0 && type.type == OC_UNDEFINED)
            return fail(p, "the type of input", i,
                        "is not known, which its body depends on: expected a declared one");
        const bool sequence = i == 0 || type.kind == OC_SEQUENCE;
        put(p, oc_arena_printf(
                   p->arena, "    item_%d = %s\n", i,
                   oc_arena_printf(p->arena,
                                   sequence ? "SequenceAt (in_%d, i)" : "Identity (in_%d)", i)));
    }
    return OC_OK;
}

static void put_step_ports(printer *p)
{
    put(p, "int64 i, bool going");
    for (int i = 0; i < p->graph->n_output; i++)
        put(p, oc_arena_printf(p->arena, ", seq(%s) before_%d",
                               oc_type_name(oc_type_declared(&p->graph->output[i].type).type), i));
    put(p, ") => (bool goes_on");
    for (int i = 0; i < p->graph->n_output; i++)
        put(p, oc_arena_printf(p->arena, ", seq(%s) after_%d",
                               oc_type_name(oc_type_declared(&p->graph->output[i].type).type), i));
}

static oc_status put_body(printer *p)
{
    const int n_in = p->call->node->n_in, n_out = p->graph->n_output;
    put(p, "<domain: \"\", opset_import: [\"\" : 17, \"attribute\" : 1]>\nSequenceMap <body> (");
    put_list(p, "in", n_in);
    put(p, ") => (");
    put_list(p, "out", n_out);
    put(p, ")\n{\n  n = SequenceLength (in_0)\n  go = Constant <value: tensor = bool {1}> ()\n");
    for (int i = 0; i < n_out; i++)
        OC_TRY(put_empty(p, i));
    put(p, "  ");
    put_list(p, "out", n_out);
    put(p, " = Loop <body = step (");
    put_step_ports(p);
    put(p, ") {\n");
    OC_TRY(put_items(p));
    put(p, "    ");
    put_list(p, "result", n_out);
    put(p, " = attribute.body (");
    put_list(p, "item", n_in);
    put(p, ")\n");
    for (int i = 0; i < n_out; i++)
        put(p, oc_arena_printf(p->arena, "    after_%d = SequenceInsert (before_%d, result_%d)\n",
                               i, i, i));
    put(p, "    goes_on = Identity (going)\n  }> (n, go, ");
    put_list(p, "empty", n_out);
    put(p, ")\n}\n");
    return OC_OK;
}

oc_status oc_print_sequence_map(const oc_body_call *call, oc_arena *arena, const char **text,
                                oc_error *e)
{
    const oc_node *n = call->node;
    const oc_attr *body = oc_node_attr(n, "body");
    printer p = {.call = call, .arena = arena, .e = e};
    char label[OC_NODE_TEXT];
    if (!body || oc_attr_n_graphs(body) != 1)
        return oc_error_set(e, OC_MODEL, "%s: attribute 'body' is missing, expected a graph",
                            oc_call_text(n, call->opset, label));
    p.graph = body->u.g[0];
    if (p.graph->n_input != n->n_in || p.graph->n_output < n->n_out)
        return oc_error_set(e, OC_MODEL,
                            "%s: its graph has %d inputs and %d outputs, expected %d and %d as "
                            "the node has",
                            oc_call_text(n, call->opset, label), p.graph->n_input,
                            p.graph->n_output, n->n_in, n->n_out);
    OC_TRY(put_body(&p));
    OC_TRY(oc_arena_check(arena, e));
    *text = p.text;
    return OC_OK;
}
