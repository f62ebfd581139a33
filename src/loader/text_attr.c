/* SPDX-License-Identifier: Apache-2.0
 * text_attr.c - reads attributes of every kind from the text form. */
#include "base/number.h"
#include "loader/text.h"
#include "tensor/literal.h"

/* Returns the kind of lists of such items. */
static oc_attr_kind list_of(oc_attr_kind item)
{
    oc_attr_kind kind = OC_ATTR_FLOAT;
    while (kind == item || oc_attr_item(kind) != item)
        kind++;
    return kind;
}

/* Returns the kind whose name is the current token; OC_ATTR_UNDEFINED when it is none. */
static oc_attr_kind find_kind(const oc_lex *l)
{
    for (oc_attr_kind kind = OC_ATTR_FLOAT; kind < OC_N_ATTR_KINDS; kind++)
        if (oc_lex_is(l, oc_attr_kind_name(kind)))
            return kind;
    return OC_ATTR_UNDEFINED;
}

/* ---- which kind of value begins here? ---- */

static bool at_float_word(const oc_lex *l)
{
    float f;
    return l->token == OC_TOK_NAME && oc_f32_parse(l->text, l->size, &f);
}

static bool at_graph(const oc_text *t)
{
    oc_lex after = t->lex;
    oc_lex_next(&after);
    return oc_lex_is(&after, "(");
}

/* Returns the kind of the value that begins at the current token. wanted is the kind written
 * before "=", or OC_ATTR_UNDEFINED. A type and a tensor begin alike; only what follows the type
 * tells them apart. An undeclared type has no tokens. */
static oc_attr_kind kind_here(const oc_text *t, oc_attr_kind wanted)
{
    switch (t->lex.token) {
    case OC_TOK_INT:
        return wanted == OC_ATTR_FLOAT ? OC_ATTR_FLOAT : OC_ATTR_INT;
    case OC_TOK_FLOAT:
        return OC_ATTR_FLOAT;
    case OC_TOK_STRING:
        return wanted != OC_ATTR_STRING && at_graph(t) ? OC_ATTR_GRAPH : OC_ATTR_STRING;
    case OC_TOK_NAME:
        return wanted == OC_ATTR_GRAPH  ? OC_ATTR_GRAPH
               : at_float_word(&t->lex) ? OC_ATTR_FLOAT
               : oc_text_at_type(t)     ? OC_ATTR_TYPE_PROTO
                                        : OC_ATTR_GRAPH;
    default:
        return wanted == OC_ATTR_TYPE_PROTO ? OC_ATTR_TYPE_PROTO : OC_ATTR_UNDEFINED;
    }
}

/* ---- values ---- */

typedef union item {
    float f;
    int64_t i;
    oc_string s;
    oc_constant t;
    oc_sparse sparse;
    oc_graph *g;
    oc_type_info type;
} item;

static oc_status read_string(oc_text *t, oc_string *s)
{
    const char *text;
    OC_TRY(oc_lex_string(&t->lex, "a quoted string", &text, &s->size, t->e));
    s->data = oc_arena_text(t->arena, text, s->size);
    return oc_arena_check(t->arena, t->e);
}

static oc_status read_graph(oc_text *t, const oc_text_note *note, oc_graph **g)
{
    *g = oc_arena_alloc(t->arena, sizeof **g);
    OC_TRY(oc_arena_check(t->arena, t->e));
    OC_TRY(oc_text_enter(t));
    OC_TRY(oc_text_graph(t, note, *g));
    t->depth--;
    return OC_OK;
}

/* Reads a type, or a tensor of it: "float[2]", "float[2] {1, 2}", "float[2] name = {1, 2}". */
static oc_status read_typed(oc_text *t, const oc_text_note *note, oc_attr_kind *kind, item *x)
{
    oc_type_info type = oc_text_no_type(t);
    oc_constant tensor = {.name = t->none, .doc = note->doc, .metadata = note->metadata};
    if (oc_text_at_type(t))
        OC_TRY(oc_text_type(t, &type));
    type.denotation = note->denotation;
    const bool named = type.kind && (t->lex.token == OC_TOK_NAME || t->lex.token == OC_TOK_STRING);
    if (!named && !oc_lex_is(&t->lex, "{") && !oc_lex_is(&t->lex, "=")) {
        *kind = OC_ATTR_TYPE_PROTO;
        x->type = type;
        return OC_OK;
    }
    if (named)
        OC_TRY(oc_text_name(t, "a tensor's name", &tensor.name));
    (void)oc_lex_take(&t->lex, "=");
    if (type.kind == OC_TYPE_SPARSE) {
        *kind = OC_ATTR_SPARSE_TENSOR;
        x->sparse.values = tensor;
        return oc_text_sparse(t, &type, &x->sparse);
    }
    *kind = OC_ATTR_TENSOR;
    x->t = tensor;
    return oc_text_elements(t, &type, &x->t.value);
}

static oc_status read_item(oc_text *t, oc_attr_kind wanted, oc_attr_kind *kind, item *x)
{
    const oc_lex before = t->lex;
    oc_text_note note;
    OC_TRY(oc_text_note_read(t, OC_TEXT_OF_MESSAGE | OC_TEXT_DENOTATION | OC_TEXT_QUANTIZATION,
                             &note));
    *kind = kind_here(t, wanted);
    switch (*kind) {
    case OC_ATTR_FLOAT:
        OC_TRY(oc_literal_element(&t->lex, OC_F32, &x->f, t->e));
        break;
    case OC_ATTR_INT:
        OC_TRY(oc_lex_int(&t->lex, "an integer", &x->i, t->e));
        break;
    case OC_ATTR_STRING:
        OC_TRY(read_string(t, &x->s));
        break;
    case OC_ATTR_GRAPH:
        OC_TRY(read_graph(t, &note, &x->g));
        break;
    case OC_ATTR_TYPE_PROTO:
        OC_TRY(read_typed(t, &note, kind, x));
        break;
    default:
        return oc_lex_fail(&t->lex, t->e, "expected an attribute value");
    }
    if (wanted && *kind != wanted)
        return oc_lex_fail(&before, t->e, "expected a value of kind %s", oc_attr_kind_name(wanted));
    return OC_OK;
}

static size_t item_size(oc_attr_kind kind)
{
    /* clang-format off */
    static const size_t size[] = {
        [OC_ATTR_FLOAT] = sizeof(float),       [OC_ATTR_INT] = sizeof(int64_t),
        [OC_ATTR_STRING] = sizeof(oc_string),  [OC_ATTR_TENSOR] = sizeof(oc_constant),
        [OC_ATTR_GRAPH] = sizeof(oc_graph *),  [OC_ATTR_SPARSE_TENSOR] = sizeof(oc_sparse),
        [OC_ATTR_TYPE_PROTO] = sizeof(oc_type_info)};
    /* clang-format on */
    return size[kind];
}

static oc_status read_single(oc_text *t, oc_attr_kind wanted, oc_attr *a)
{
    item x;
    OC_TRY(read_item(t, wanted, &a->kind, &x));
    void *copy = oc_arena_alloc(t->arena, item_size(a->kind));
    OC_TRY(oc_arena_check(t->arena, t->e));
    memcpy(copy, &x, item_size(a->kind));
    a->u.items = copy;
    a->n = 1;
    return OC_OK;
}

enum { LOOK = 1 << 16 }; /* items between two looks at the limits */

/* Reads items up to "]". All items must be of the kind of the first one. */
static oc_status read_items(oc_text *t, oc_attr_kind wanted, oc_attr *a)
{
    void *items = NULL;
    while (!oc_lex_take(&t->lex, "]")) {
        oc_attr_kind kind;
        item x;
        OC_TRY(read_item(t, wanted, &kind, &x));
        wanted = kind;
        if (a->n % LOOK == 0)
            OC_TRY(oc_watch_check(t->arena->memory->watch, t->e));
        void *room = oc_push_(t->arena, &items, &a->n, item_size(kind));
        OC_TRY(oc_arena_check(t->arena, t->e));
        memcpy(room, &x, item_size(kind));
        if (!oc_lex_is(&t->lex, "]"))
            OC_TRY(oc_lex_want(&t->lex, ",", t->e));
    }
    a->kind = list_of(wanted);
    a->u.items = items;
    return OC_OK;
}

/* Does a list whose kind is not written have a float behind integers? Then it is a list of
 * floats. */
static bool has_floats(const oc_text *t)
{
    oc_lex l = t->lex;
    for (int64_t i = 1; l.token == OC_TOK_INT; i++) {
        if (i % LOOK == 0 && !oc_watch_ask(t->arena->memory->watch))
            return false;
        oc_lex_next(&l);
        if (!oc_lex_take(&l, ","))
            return false;
    }
    return l.token == OC_TOK_FLOAT || at_float_word(&l);
}

static oc_status read_list(oc_text *t, oc_attr_kind wanted, oc_attr *a)
{
    if (wanted && wanted == oc_attr_item(wanted))
        return oc_lex_fail(&t->lex, t->e, "expected one value of kind %s",
                           oc_attr_kind_name(wanted));
    oc_lex_next(&t->lex);
    if (!wanted && oc_lex_is(&t->lex, "]"))
        return oc_lex_fail(&t->lex, t->e, "expected an element, or a kind before '='");
    const bool floats = !wanted && has_floats(t);
    return read_items(t, floats ? OC_ATTR_FLOAT : oc_attr_item(wanted), a);
}

/* ---- attributes ---- */

oc_status oc_text_attr_rest(oc_text *t, oc_attr *a)
{
    oc_attr_kind wanted = OC_ATTR_UNDEFINED;
    if (oc_lex_take(&t->lex, ":")) {
        wanted = find_kind(&t->lex);
        if (!wanted)
            return oc_lex_fail(&t->lex, t->e, "expected an attribute kind");
        oc_lex_next(&t->lex);
    }
    OC_TRY(oc_lex_want(&t->lex, "=", t->e));
    if (oc_lex_take(&t->lex, "@")) {
        a->kind = wanted;
        return oc_text_name(t, "an attribute name", &a->ref);
    }
    if (oc_lex_is(&t->lex, "["))
        return read_list(t, wanted, a);
    if (wanted != oc_attr_item(wanted))
        return oc_lex_fail(&t->lex, t->e, "expected '['");
    return read_single(t, wanted, a);
}

static oc_status read_attr(oc_text *t, oc_attr *a)
{
    oc_text_note note;
    OC_TRY(oc_text_note_read(t, OC_TEXT_DOC, &note));
    a->doc = note.doc;
    OC_TRY(oc_text_name(t, "an attribute name", &a->name));
    return oc_text_attr_rest(t, a);
}

oc_status oc_text_attrs(oc_text *t, const oc_attr **attr, int *n)
{
    oc_attr *items = NULL;
    OC_TRY(oc_lex_want(&t->lex, "<", t->e));
    while (!oc_lex_take(&t->lex, ">")) {
        oc_attr *a = OC_PUSH(t->arena, items, *n);
        OC_TRY(oc_arena_check(t->arena, t->e));
        OC_TRY(read_attr(t, a));
        *attr = items;
        if (!oc_lex_is(&t->lex, ">"))
            OC_TRY(oc_lex_want(&t->lex, ",", t->e));
    }
    return OC_OK;
}
