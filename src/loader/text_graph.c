/* SPDX-License-Identifier: Apache-2.0
 * text_graph.c - reads declared values, initializers, nodes and graphs from the text form. */
#include "loader/text.h"

enum { OF_VALUE = OC_TEXT_OF_MESSAGE | OC_TEXT_DENOTATION };

/* ---- declared values and initializers ---- */

/* Reads "type name", or a name alone. note is the annotation before it. */
static oc_status read_declared(oc_text *t, const oc_text_note *note, oc_value_info *v)
{
    *v = (oc_value_info){.type = oc_text_no_type(t), .doc = note->doc, .metadata = note->metadata};
    if (oc_text_at_typed_name(t))
        OC_TRY(oc_text_type(t, &v->type));
    v->type.denotation = note->denotation;
    return oc_text_name(t, "a value's name", &v->name);
}

/* Reads what follows "=" in "type name = elements". */
static oc_status read_initializer(oc_text *t, const oc_value_info *v, oc_graph *g)
{
    if (v->type.kind == OC_TYPE_SPARSE) {
        oc_sparse *s = OC_PUSH(t->arena, g->sparse, g->n_sparse);
        OC_TRY(oc_arena_check(t->arena, t->e));
        s->values = (oc_constant){.name = v->name, .doc = v->doc, .metadata = v->metadata};
        return oc_text_sparse(t, &v->type, s);
    }
    oc_constant *c = OC_PUSH(t->arena, g->initializer, g->n_initializer);
    OC_TRY(oc_arena_check(t->arena, t->e));
    *c = (oc_constant){.name = v->name,
                       .doc = v->doc,
                       .metadata = v->metadata,
                       .external = oc_lex_is(&t->lex, "[")};
    t->may_lack = t->m && t->m->options.without_weights && g == &t->m->graph;
    const oc_status status = oc_text_elements(t, &v->type, &c->value);
    t->may_lack = false;
    return status;
}

/* Reads declared values "a, b, c" up to close. If initial is not NULL, "= elements" may follow a
 * value, which then becomes an initializer of initial. With also, it becomes a declared value
 * too. */
static oc_status read_values(oc_text *t, const char *close, oc_graph *initial, bool also,
                             oc_value_info **values, int *n)
{
    while (!oc_lex_take(&t->lex, close)) {
        oc_text_note note;
        oc_value_info v;
        OC_TRY(oc_text_note_read(t, OF_VALUE, &note));
        OC_TRY(read_declared(t, &note, &v));
        const bool given = initial && oc_lex_take(&t->lex, "=");
        if (!given || also) {
            oc_value_info *kept = OC_PUSH(t->arena, *values, *n);
            OC_TRY(oc_arena_check(t->arena, t->e));
            *kept = v;
        }
        if (given)
            OC_TRY(read_initializer(t, &v, initial));
        if (!oc_lex_is(&t->lex, close))
            OC_TRY(oc_lex_want(&t->lex, ",", t->e));
    }
    return OC_OK;
}

/* ---- nodes ---- */

/* Reads names up to the token end. A name is "" when it is written as "" or when only a comma
 * stands in its place. */
static oc_status read_names(oc_text *t, const char *end, const oc_name **names, int *n)
{
    oc_name *items = NULL;
    while (!oc_lex_is(&t->lex, end)) {
        oc_name *name = OC_PUSH(t->arena, items, *n);
        OC_TRY(oc_arena_check(t->arena, t->e));
        *name = t->none;
        if (!oc_lex_is(&t->lex, ","))
            OC_TRY(oc_text_name(t, "a value's name", name));
        if (!oc_lex_is(&t->lex, end))
            OC_TRY(oc_lex_want(&t->lex, ",", t->e));
    }
    oc_lex_next(&t->lex);
    *names = items;
    return OC_OK;
}

/* Reads "domain.Name:overload <attributes> (inputs)"; the attributes may also come last. */
static oc_status read_call(oc_text *t, oc_node *n)
{
    OC_TRY(oc_text_qualified(t, "an operator's name", &n->domain, &n->op_type));
    if (strcmp(n->domain, "ai.onnx") == 0)
        n->domain = t->none;
    if (oc_lex_take(&t->lex, ":"))
        OC_TRY(oc_text_name(t, "an overload", &n->overload));
    const bool first = oc_lex_is(&t->lex, "<");
    if (first)
        OC_TRY(oc_text_attrs(t, &n->attr, &n->n_attr));
    OC_TRY(oc_lex_want(&t->lex, "(", t->e));
    OC_TRY(read_names(t, ")", &n->in, &n->n_in));
    if (!first && oc_lex_is(&t->lex, "<"))
        OC_TRY(oc_text_attrs(t, &n->attr, &n->n_attr));
    return OC_OK;
}

static oc_status read_node(oc_text *t, oc_node *n)
{
    n->name = n->overload = t->none;
    if (oc_lex_take(&t->lex, "[")) {
        OC_TRY(oc_text_name(t, "a node's name", &n->name));
        OC_TRY(oc_lex_want(&t->lex, "]", t->e));
    }
    oc_text_note note;
    OC_TRY(oc_text_note_read(t, OC_TEXT_OF_MESSAGE | OC_TEXT_OPSET, &note));
    n->doc = note.doc;
    n->metadata = note.metadata;
    n->opset = note.opset;
    OC_TRY(read_names(t, "=", &n->out, &n->n_out));
    return read_call(t, n);
}

/* ---- graphs ---- */

oc_status oc_text_body(oc_text *t, oc_graph *g)
{
    if (oc_lex_take(&t->lex, "<"))
        OC_TRY(read_values(t, ">", g, false, &g->value, &g->n_value));
    OC_TRY(oc_lex_want(&t->lex, "{", t->e));
    while (!oc_lex_take(&t->lex, "}")) {
        oc_node *n = OC_PUSH(t->arena, g->node, g->n_node);
        OC_TRY(oc_arena_check(t->arena, t->e));
        OC_TRY(read_node(t, n));
    }
    return OC_OK;
}

oc_status oc_text_graph(oc_text *t, const oc_text_note *note, oc_graph *g)
{
    *g = (oc_graph){.doc = note->doc,
                    .metadata = note->metadata,
                    .quantization = note->quantization,
                    .n_quantization = note->n_quantization};
    OC_TRY(oc_text_name(t, "a graph's name", &g->name));
    OC_TRY(oc_lex_want(&t->lex, "(", t->e));
    OC_TRY(read_values(t, ")", g, true, &g->input, &g->n_input));
    OC_TRY(oc_lex_want(&t->lex, "=>", t->e));
    OC_TRY(oc_lex_want(&t->lex, "(", t->e));
    OC_TRY(read_values(t, ")", NULL, false, &g->output, &g->n_output));
    return oc_text_body(t, g);
}
