/* SPDX-License-Identifier: Apache-2.0
 * text_type.c - reads names, pairs, annotations and types from the text form. */
#include "loader/text.h"
#include "loader/wire_scan.h"

#include <limits.h>

oc_status oc_text_new(oc_text *t, const char *text, size_t size, oc_arena *arena, oc_names *names,
                      oc_model *m, oc_error *e)
{
    if (size > INT_MAX)
        return oc_error_set(e, OC_LIMIT, "%zu bytes of text, expected at most %d", size, INT_MAX);
    *t = (oc_text){.arena = arena, .names = names, .m = m, .e = e};
    t->none = oc_names_intern(names, "", 0);
    t->lex = oc_lex_new(text, size, arena);
    return oc_arena_check(arena, e);
}

oc_status oc_text_enter(oc_text *t)
{
    if (++t->depth > OC_MAX_NESTING)
        return oc_lex_fail(&t->lex, t->e, "expected at most %d levels of nesting", OC_MAX_NESTING);
    return OC_OK;
}

/* ---- names and strings ---- */

/* Refuses a token with a NUL byte, which a C string cannot hold. */
static oc_status check_bytes(oc_text *t, const char *what)
{
    if (memchr(t->lex.text, '\0', t->lex.size))
        return oc_lex_fail(&t->lex, t->e, "expected %s without a NUL byte", what);
    return OC_OK;
}

oc_status oc_text_name(oc_text *t, const char *what, oc_name *name)
{
    if (t->lex.token != OC_TOK_NAME && t->lex.token != OC_TOK_STRING)
        return oc_lex_fail(&t->lex, t->e, "expected %s", what);
    OC_TRY(check_bytes(t, what));
    *name = oc_names_intern(t->names, t->lex.text, t->lex.size);
    oc_lex_next(&t->lex);
    return oc_arena_check(t->arena, t->e);
}

oc_status oc_text_string(oc_text *t, const char *what, const char **text)
{
    const char *bytes;
    size_t size;
    if (t->lex.token == OC_TOK_STRING)
        OC_TRY(check_bytes(t, what));
    OC_TRY(oc_lex_string(&t->lex, what, &bytes, &size, t->e));
    *text = oc_arena_text(t->arena, bytes, size);
    return oc_arena_check(t->arena, t->e);
}

/* Reads names joined by dots. *last is the position in *path where the last name begins. */
static oc_status read_path(oc_text *t, const char *what, char **path, int *last)
{
    int size = 0;
    *path = NULL;
    do {
        oc_name part;
        OC_TRY(oc_text_name(t, what, &part));
        if (*path)
            oc_arena_append(t->arena, path, &size, ".", 1);
        *last = size;
        oc_arena_append(t->arena, path, &size, part, strlen(part));
    } while (oc_lex_take(&t->lex, "."));
    return oc_arena_check(t->arena, t->e);
}

oc_status oc_text_qualified(oc_text *t, const char *what, oc_name *domain, oc_name *name)
{
    char *path;
    int last;
    OC_TRY(read_path(t, what, &path, &last));
    *domain = last ? oc_names_intern(t->names, path, (size_t)last - 1) : t->none;
    *name = oc_names_intern(t->names, path + last, strlen(path + last));
    return oc_arena_check(t->arena, t->e);
}

oc_status oc_text_pairs(oc_text *t, oc_pairs *pairs)
{
    OC_TRY(oc_lex_want(&t->lex, "[", t->e));
    while (!oc_lex_take(&t->lex, "]")) {
        oc_pair *pair = OC_PUSH(t->arena, pairs->item, pairs->n);
        OC_TRY(oc_arena_check(t->arena, t->e));
        OC_TRY(oc_text_name(t, "a quoted key", &pair->key));
        OC_TRY(oc_lex_want(&t->lex, ":", t->e));
        OC_TRY(oc_text_string(t, "a quoted value", &pair->value));
        if (!oc_lex_is(&t->lex, "]"))
            OC_TRY(oc_lex_want(&t->lex, ",", t->e));
    }
    return OC_OK;
}

oc_status oc_text_rest(oc_text *t, oc_pairs *pairs)
{
    oc_string *rest = oc_arena_alloc(t->arena, sizeof *rest);
    const oc_lex before = t->lex;
    const char *bytes;
    OC_TRY(oc_arena_check(t->arena, t->e));
    OC_TRY(oc_lex_string(&t->lex, "quoted bytes", &bytes, &rest->size, t->e));
    if (!oc_are_fields((const uint8_t *)bytes, rest->size))
        return oc_lex_fail(&before, t->e, "expected fields as binary ONNX has them");
    rest->data = oc_arena_text(t->arena, bytes, rest->size);
    pairs->rest = rest;
    return oc_arena_check(t->arena, t->e);
}

/* ---- annotations ---- */

/* Reads ["tensor": ["key": "value", ...], ...]. */
static oc_status read_quantization(oc_text *t, oc_text_note *note)
{
    OC_TRY(oc_lex_want(&t->lex, "[", t->e));
    while (!oc_lex_take(&t->lex, "]")) {
        oc_quantization *q = OC_PUSH(t->arena, note->quantization, note->n_quantization);
        OC_TRY(oc_arena_check(t->arena, t->e));
        OC_TRY(oc_text_name(t, "a quoted tensor name", &q->tensor));
        OC_TRY(oc_lex_want(&t->lex, ":", t->e));
        OC_TRY(oc_text_pairs(t, &q->parameters));
        if (!oc_lex_is(&t->lex, "]"))
            OC_TRY(oc_lex_want(&t->lex, ",", t->e));
    }
    return OC_OK;
}

/* Returns the key at the current token; 0 when it is not a key or not allowed. */
static oc_text_key find_key(const oc_text *t, unsigned allowed)
{
    static const struct {
        const char *text;
        oc_text_key key;
    } keys[] = {
        {"doc_string", OC_TEXT_DOC},        {"metadata_props", OC_TEXT_METADATA},
        {"denotation", OC_TEXT_DENOTATION}, {"quantization", OC_TEXT_QUANTIZATION},
        {"opset", OC_TEXT_OPSET},           {"fields", OC_TEXT_FIELDS},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (allowed & keys[i].key && oc_lex_is(&t->lex, keys[i].text))
            return keys[i].key;
    return 0;
}

static oc_status read_entry(oc_text *t, unsigned allowed, oc_text_note *note)
{
    const oc_text_key key = find_key(t, allowed);
    if (!key)
        return oc_lex_fail(&t->lex, t->e, "expected the key of an annotation that is allowed here");
    oc_lex_next(&t->lex);
    OC_TRY(oc_lex_want(&t->lex, ":", t->e));
    switch (key) {
    case OC_TEXT_DOC:
        return oc_text_string(t, "a quoted text", &note->doc);
    case OC_TEXT_METADATA:
        return oc_text_pairs(t, &note->metadata);
    case OC_TEXT_FIELDS:
        return oc_text_rest(t, &note->metadata);
    case OC_TEXT_DENOTATION:
        return oc_text_name(t, "a denotation", &note->denotation);
    case OC_TEXT_QUANTIZATION:
        return read_quantization(t, note);
    default:
        return oc_lex_int(&t->lex, "a version", &note->opset, t->e);
    }
}

oc_status oc_text_note_read(oc_text *t, unsigned allowed, oc_text_note *note)
{
    *note = (oc_text_note){.doc = "", .denotation = t->none};
    if (!oc_lex_take(&t->lex, "{"))
        return OC_OK;
    while (!oc_lex_take(&t->lex, "}")) {
        OC_TRY(read_entry(t, allowed, note));
        if (!oc_lex_is(&t->lex, "}"))
            OC_TRY(oc_lex_want(&t->lex, ",", t->e));
    }
    return OC_OK;
}

/* ---- types ---- */

oc_type_info oc_text_no_type(const oc_text *t)
{
    return (oc_type_info){
        .rank = -1, .denotation = t->none, .opaque_domain = t->none, .opaque_name = t->none};
}

static oc_type_kind type_kind(const oc_lex *l)
{
    static const struct {
        const char *text;
        oc_type_kind kind;
    } words[] = {
        {"seq", OC_TYPE_SEQUENCE},  {"optional", OC_TYPE_OPTIONAL},
        {"map", OC_TYPE_MAP},       {"sparse_tensor", OC_TYPE_SPARSE},
        {"opaque", OC_TYPE_OPAQUE}, {"undefined", OC_TYPE_TENSOR},
    };
    if (l->token != OC_TOK_NAME)
        return OC_TYPE_NONE;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (oc_lex_is(l, words[i].text))
            return words[i].kind;
    return oc_type_find(l->text, l->size) ? OC_TYPE_TENSOR : OC_TYPE_NONE;
}

bool oc_text_at_type(const oc_text *t)
{
    return type_kind(&t->lex) != OC_TYPE_NONE;
}

bool oc_text_at_typed_name(const oc_text *t)
{
    const oc_type_kind kind = type_kind(&t->lex);
    oc_lex after = t->lex;
    if (kind == OC_TYPE_NONE)
        return false;
    oc_lex_next(&after);
    if (kind != OC_TYPE_TENSOR)
        return oc_lex_is(&after, "(");
    return oc_lex_is(&after, "[") || after.token == OC_TOK_NAME || after.token == OC_TOK_STRING;
}

static oc_status read_dim(oc_text *t, oc_dim *dim)
{
    oc_text_note note;
    OC_TRY(oc_text_note_read(t, OC_TEXT_DENOTATION, &note));
    *dim = (oc_dim){-1, t->none, note.denotation};
    if (oc_lex_take(&t->lex, "?"))
        return OC_OK;
    if (t->lex.token != OC_TOK_INT)
        return oc_text_name(t, "a dimension", &dim->symbol);
    const oc_lex before = t->lex;
    OC_TRY(oc_lex_int(&t->lex, "a dimension", &dim->n, t->e));
    return dim->n < 0 ? oc_lex_fail(&before, t->e, "expected a dimension >= 0") : OC_OK;
}

/* Reads an element type and a shape: "float" is a scalar, "float[]" has no known shape. */
static oc_status read_tensor_type(oc_text *t, oc_type_info *type)
{
    if (type_kind(&t->lex) != OC_TYPE_TENSOR)
        return oc_lex_fail(&t->lex, t->e, "expected an element type");
    type->type = oc_type_find(t->lex.text, t->lex.size);
    oc_lex_next(&t->lex);
    if (!oc_lex_take(&t->lex, "["))
        return OC_OK;
    if (oc_lex_take(&t->lex, "]")) {
        type->rank = -1;
        return OC_OK;
    }
    oc_dim *dims = NULL;
    do {
        oc_dim *dim = OC_PUSH(t->arena, dims, type->rank);
        OC_TRY(oc_arena_check(t->arena, t->e));
        OC_TRY(read_dim(t, dim));
    } while (oc_lex_take(&t->lex, ","));
    type->dims = dims;
    return oc_lex_want(&t->lex, "]", t->e);
}

/* Reads the item type of another type; if ")" follows at once, the item type is undeclared. */
static oc_status read_item(oc_text *t, oc_type_info *type)
{
    oc_type_info *item = oc_arena_alloc(t->arena, sizeof *item);
    OC_TRY(oc_arena_check(t->arena, t->e));
    type->item = item;
    oc_text_note note;
    OC_TRY(oc_text_note_read(t, OC_TEXT_DENOTATION, &note));
    *item = oc_text_no_type(t);
    if (!oc_lex_is(&t->lex, ")"))
        OC_TRY(oc_text_type(t, item));
    item->denotation = note.denotation;
    return OC_OK;
}

static oc_status read_opaque(oc_text *t, oc_type_info *type)
{
    char *path;
    int last;
    if (oc_lex_is(&t->lex, ")"))
        return OC_OK;
    OC_TRY(read_path(t, "a type name", &path, &last));
    const oc_name first = oc_names_intern(t->names, path, strlen(path));
    OC_TRY(oc_arena_check(t->arena, t->e));
    type->opaque_name = first;
    if (!oc_lex_take(&t->lex, ","))
        return OC_OK;
    type->opaque_domain = first;
    return oc_text_name(t, "a type name", &type->opaque_name);
}

static oc_status read_map(oc_text *t, oc_type_info *type)
{
    type->type = oc_type_find(t->lex.text, t->lex.token == OC_TOK_NAME ? t->lex.size : 0);
    if (!type->type && !oc_lex_is(&t->lex, "undefined"))
        return oc_lex_fail(&t->lex, t->e, "expected an element type");
    oc_lex_next(&t->lex);
    OC_TRY(oc_lex_want(&t->lex, ",", t->e));
    return read_item(t, type);
}

static oc_status read_inner(oc_text *t, oc_type_info *type)
{
    switch (type->kind) {
    case OC_TYPE_SPARSE:
        type->rank = 0;
        return read_tensor_type(t, type);
    case OC_TYPE_MAP:
        return read_map(t, type);
    case OC_TYPE_OPAQUE:
        return read_opaque(t, type);
    default:
        return read_item(t, type);
    }
}

oc_status oc_text_type(oc_text *t, oc_type_info *type)
{
    *type = oc_text_no_type(t);
    type->kind = type_kind(&t->lex);
    if (type->kind == OC_TYPE_NONE)
        return oc_lex_fail(&t->lex, t->e, "expected a type");
    if (type->kind == OC_TYPE_TENSOR) {
        type->rank = 0;
        return read_tensor_type(t, type);
    }
    oc_lex_next(&t->lex);
    OC_TRY(oc_text_enter(t));
    OC_TRY(oc_lex_want(&t->lex, "(", t->e));
    OC_TRY(read_inner(t, type));
    t->depth--;
    return oc_lex_want(&t->lex, ")", t->e);
}
