/* SPDX-License-Identifier: Apache-2.0
 * text_model.c - reads headers, functions and whole models from the text form. */
#include "graph/build.h"
#include "loader/loader.h"
#include "loader/text.h"

/* ---- headers: < key: value, ... > ---- */

/* Where to store the value of each key of a header; NULL: the key is not allowed in this header. */
typedef struct header {
    int64_t *ir_version, *model_version;
    const char **producer_name, **producer_version, **doc;
    oc_name *domain, *overload;
    oc_opsets *opsets;
    oc_pairs *metadata;
} header;

/* Reads ["domain": version, ...]. */
static oc_status read_opsets(oc_text *t, oc_opsets *opsets)
{
    OC_TRY(oc_lex_want(&t->lex, "[", t->e));
    while (!oc_lex_take(&t->lex, "]")) {
        oc_opset *o = OC_PUSH(t->arena, opsets->item, opsets->n);
        OC_TRY(oc_arena_check(t->arena, t->e));
        OC_TRY(oc_text_name(t, "a quoted domain", &o->domain));
        if (strcmp(o->domain, "ai.onnx") == 0)
            o->domain = t->none;
        OC_TRY(oc_lex_want(&t->lex, ":", t->e));
        OC_TRY(oc_lex_int(&t->lex, "a version", &o->version, t->e));
        if (!oc_lex_is(&t->lex, "]"))
            OC_TRY(oc_lex_want(&t->lex, ",", t->e));
    }
    return OC_OK;
}

static oc_status read_version(oc_text *t, void *value)
{
    return oc_lex_int(&t->lex, "a version", value, t->e);
}

static oc_status read_text(oc_text *t, void *value)
{
    return oc_text_string(t, "a quoted text", value);
}

static oc_status read_quoted_name(oc_text *t, void *value)
{
    return oc_text_name(t, "a quoted name", value);
}

static oc_status read_opset_import(oc_text *t, void *value)
{
    return read_opsets(t, value);
}

static oc_status read_metadata(oc_text *t, void *value)
{
    return oc_text_pairs(t, value);
}

static oc_status read_rest(oc_text *t, void *value)
{
    return oc_text_rest(t, value);
}

static oc_status read_key(oc_text *t, const header *h)
{
    const struct {
        const char *key;
        oc_status (*read)(oc_text *t, void *value);
        void *value;
    } keys[] = {
        {"ir_version", read_version, h->ir_version},
        {"opset_import", read_opset_import, h->opsets},
        {"producer_name", read_text, (void *)h->producer_name},
        {"producer_version", read_text, (void *)h->producer_version},
        {"domain", read_quoted_name, (void *)h->domain},
        {"overload", read_quoted_name, (void *)h->overload},
        {"model_version", read_version, h->model_version},
        {"doc_string", read_text, (void *)h->doc},
        {"metadata_props", read_metadata, h->metadata},
        {"fields", read_rest, h->metadata},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].value && oc_lex_take(&t->lex, keys[i].key)) {
            OC_TRY(oc_lex_want(&t->lex, ":", t->e));
            return keys[i].read(t, keys[i].value);
        }
    return oc_lex_fail(&t->lex, t->e, "expected a key of this header");
}

static oc_status read_header(oc_text *t, const header *h)
{
    if (!oc_lex_take(&t->lex, "<"))
        return OC_OK;
    while (!oc_lex_take(&t->lex, ">")) {
        OC_TRY(read_key(t, h));
        if (!oc_lex_is(&t->lex, ">"))
            OC_TRY(oc_lex_want(&t->lex, ",", t->e));
    }
    return OC_OK;
}

/* ---- functions ---- */

/* Reads < name, name: int = 3 >: attributes without a default, and with one. */
static oc_status read_parameters(oc_text *t, oc_function *f)
{
    while (!oc_lex_take(&t->lex, ">")) {
        oc_text_note note;
        oc_name name;
        OC_TRY(oc_text_note_read(t, OC_TEXT_DOC, &note));
        OC_TRY(oc_text_name(t, "an attribute name", &name));
        if (oc_lex_is(&t->lex, ":") || oc_lex_is(&t->lex, "=")) {
            oc_attr *a = OC_PUSH(t->arena, f->attr_default, f->n_attr_default);
            OC_TRY(oc_arena_check(t->arena, t->e));
            a->name = name;
            a->doc = note.doc;
            OC_TRY(oc_text_attr_rest(t, a));
        } else {
            oc_name *kept = OC_PUSH(t->arena, f->attr_name, f->n_attr_name);
            OC_TRY(oc_arena_check(t->arena, t->e));
            *kept = name;
        }
        if (!oc_lex_is(&t->lex, ">"))
            OC_TRY(oc_lex_want(&t->lex, ",", t->e));
    }
    return OC_OK;
}

/* Reads the inputs or outputs of a function: ( name, type name ). Those with a type become
 * declared values too. */
static oc_status read_ports(oc_text *t, oc_graph *body, oc_value_info **ports, int *n)
{
    OC_TRY(oc_lex_want(&t->lex, "(", t->e));
    while (!oc_lex_take(&t->lex, ")")) {
        oc_value_info v = {.type = oc_text_no_type(t), .doc = ""};
        const bool typed = oc_text_at_typed_name(t);
        if (typed)
            OC_TRY(oc_text_type(t, &v.type));
        OC_TRY(oc_text_name(t, "a value's name", &v.name));
        if (typed) {
            oc_value_info *declared = OC_PUSH(t->arena, body->value, body->n_value);
            OC_TRY(oc_arena_check(t->arena, t->e));
            *declared = v;
        }
        oc_value_info *port = OC_PUSH(t->arena, *ports, *n);
        OC_TRY(oc_arena_check(t->arena, t->e));
        *port = (oc_value_info){.name = v.name, .type = oc_text_no_type(t), .doc = ""};
        if (!oc_lex_is(&t->lex, ")"))
            OC_TRY(oc_lex_want(&t->lex, ",", t->e));
    }
    return OC_OK;
}

/* Reads what follows the header of a function. */
static oc_status read_definition(oc_text *t, oc_function *f)
{
    oc_graph *body = &f->body;
    if (strcmp(f->domain, "ai.onnx") == 0)
        f->domain = t->none;
    OC_TRY(oc_text_name(t, "a function's name", &f->name));
    body->name = f->name;
    if (oc_lex_take(&t->lex, "<"))
        OC_TRY(read_parameters(t, f));
    OC_TRY(read_ports(t, body, &body->input, &body->n_input));
    OC_TRY(oc_lex_want(&t->lex, "=>", t->e));
    OC_TRY(read_ports(t, body, &body->output, &body->n_output));
    return oc_text_body(t, body);
}

static oc_status read_function(oc_text *t, oc_function *f)
{
    oc_graph *body = &f->body;
    f->domain = f->overload = t->none;
    body->doc = "";
    OC_TRY(read_header(t, &(header){.domain = &f->domain,
                                    .overload = &f->overload,
                                    .doc = &body->doc,
                                    .opsets = &f->opsets,
                                    .metadata = &body->metadata}));
    return read_definition(t, f);
}

static oc_status append_function(oc_text *t)
{
    oc_function *f = OC_PUSH(t->arena, t->m->function, t->m->n_function);
    OC_TRY(oc_arena_check(t->arena, t->e));
    return read_function(t, f);
}

/* ---- libraries of functions ---- */

/* A library need not be a model. If its header names no IR version, the header belongs to its
 * first function, and what was read as the model's is given to this function. */
static oc_status append_first(oc_text *t, oc_name overload)
{
    oc_model *m = t->m;
    oc_function *f = OC_PUSH(t->arena, m->function, m->n_function);
    OC_TRY(oc_arena_check(t->arena, t->e));
    *f = (oc_function){.domain = *m->domain ? m->domain : t->none,
                       .overload = overload,
                       .opsets = m->opsets,
                       .body = {.doc = m->doc, .metadata = m->metadata}};
    m->ir_version = OC_MAX_IR_VERSION;
    m->domain = m->doc = "";
    m->opsets = (oc_opsets){0};
    m->metadata = (oc_pairs){0};
    return read_definition(t, f);
}

/* Refuses a line "#if ...". This parser would take it for a comment, but in the text of a body
 * it is a condition, without which the body means something else. */
static oc_status refuse_conditions(const char *text, size_t size, oc_error *e)
{
    int line = 1;
    for (const char *at = text, *end = text + size; at < end; line++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        if (end - at > 4 && memcmp(at, "#if ", 4) == 0)
            return oc_error_set(e, OC_UNSUPPORTED,
                                "line %d: a line '#if' chooses for one call, which a library of "
                                "functions cannot",
                                line);
        at = next ? next + 1 : end;
    }
    return OC_OK;
}

/* ---- entries ---- */

oc_status oc_load_text_function(oc_model *m, const char *text, size_t size, oc_error *e)
{
    oc_text t;
    OC_TRY(oc_text_new(&t, text, size, &m->arena, &m->names, m, e));
    OC_TRY(append_function(&t));
    if (t.lex.token != OC_TOK_END)
        return oc_lex_fail(&t.lex, e, "expected the end of the function's text");
    return OC_OK;
}

/* Reads the main graph of a model, or the first function of a library without one. */
static oc_status read_main(oc_text *t, oc_name overload)
{
    oc_text_note note;
    if (t->m->library && t->m->ir_version == 0)
        return append_first(t, overload);
    OC_TRY(oc_text_note_read(t, OC_TEXT_OF_MESSAGE | OC_TEXT_QUANTIZATION, &note));
    return oc_text_graph(t, &note, &t->m->graph);
}

oc_status oc_load_text(oc_model *m, const char *text, size_t size, oc_error *e)
{
    oc_text t;
    if (m->library)
        OC_TRY(refuse_conditions(text, size, e));
    OC_TRY(oc_text_new(&t, text, size, &m->arena, &m->names, m, e));
    oc_name overload = t.none;
    OC_TRY(read_header(&t, &(header){.ir_version = &m->ir_version,
                                     .model_version = &m->model_version,
                                     .producer_name = &m->producer_name,
                                     .producer_version = &m->producer_version,
                                     .doc = &m->doc,
                                     .domain = &m->domain,
                                     .overload = m->library ? &overload : NULL,
                                     .opsets = &m->opsets,
                                     .metadata = &m->metadata}));
    OC_TRY(read_main(&t, overload));
    OC_TRY(oc_model_weights_as_inputs(m, e));
    while (t.lex.token != OC_TOK_END)
        OC_TRY(append_function(&t));
    return OC_OK;
}
