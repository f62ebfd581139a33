/* SPDX-License-Identifier: Apache-2.0
 * text_tensor.c - reads typed literals, external data and sparse tensors from the text form. */
#include "graph/build.h"
#include "loader/loader.h"
#include "loader/raw.h"
#include "loader/text.h"
#include "tensor/literal.h"

/* Reads the dims of a declared type. "float[]" is a scalar here, because elements have a known
 * shape. */
static oc_status read_dims(oc_text *t, const oc_type_info *type, oc_type_kind kind, oc_dims *dims)
{
    if (!type->type || type->kind != kind)
        return oc_lex_fail(&t->lex, t->e, "expected the elements to follow a tensor's type");
    if (type->rank > OC_MAX_RANK)
        return oc_lex_fail(&t->lex, t->e, "expected at most %d dimensions, not %d", OC_MAX_RANK,
                           type->rank);
    *dims = (oc_dims){.rank = type->rank < 0 ? 0 : type->rank};
    for (int i = 0; i < dims->rank; i++) {
        if (type->dims[i].n < 0)
            return oc_lex_fail(&t->lex, t->e, "expected the elements of a shape of numbers");
        dims->n[i] = type->dims[i].n;
    }
    return OC_OK;
}

/* Refuses a shape that the unread text cannot fill: an element and its comma take two bytes. */
static oc_status check_room(const oc_text *t, oc_type type, const oc_dims *dims)
{
    int64_t count;
    size_t bytes;
    const size_t left = (size_t)(t->lex.end - t->lex.at);
    if (!oc_dims_bytes(dims, oc_type_size(type), &count, &bytes) || (uint64_t)count > left / 2)
        return oc_lex_fail(&t->lex, t->e, "expected elements as many as the shape has");
    return OC_OK;
}

/* ---- external data ---- */

/* Reads the value of a key: quoted, as ONNX writes it, or a number without quotes. */
static oc_status read_entry_value(oc_text *t, const char *key, const char **value)
{
    const bool number = strcmp(key, "offset") == 0 || strcmp(key, "length") == 0;
    int64_t n;
    if (!number || t->lex.token == OC_TOK_STRING)
        return oc_text_string(t, "a quoted value", value);
    OC_TRY(oc_lex_int(&t->lex, "a number", &n, t->e));
    *value = oc_arena_printf(t->arena, "%" PRId64, n);
    return oc_arena_check(t->arena, t->e);
}

/* Reads ["location": "file", "offset": 0, "length": 16]. */
static oc_status read_place(oc_text *t, oc_external_place *p)
{
    const oc_lex before = t->lex;
    *p = OC_EXTERNAL_PLACE;
    OC_TRY(oc_lex_want(&t->lex, "[", t->e));
    while (!oc_lex_take(&t->lex, "]")) {
        const oc_lex entry = t->lex;
        const char *key, *value;
        oc_error why = {.code = OC_OK};
        OC_TRY(oc_text_string(t, "a quoted key", &key));
        OC_TRY(oc_lex_want(&t->lex, ":", t->e));
        OC_TRY(read_entry_value(t, key, &value));
        if (oc_external_entry(p, key, value, &why) != OC_OK)
            return oc_lex_fail(&entry, t->e, "%s", why.text);
        if (!oc_lex_is(&t->lex, "]"))
            OC_TRY(oc_lex_want(&t->lex, ",", t->e));
    }
    return p->location ? OC_OK : oc_lex_fail(&before, t->e, "expected a location among the keys");
}

static oc_status read_external(oc_text *t, oc_type type, const oc_dims *dims, oc_value *v)
{
    const oc_lex before = t->lex;
    oc_external_place p;
    int64_t count;
    size_t bytes, size;
    const void *data;
    OC_TRY(read_place(t, &p));
    if (type == OC_STRING)
        return oc_lex_fail(&before, t->e, "expected quoted strings, not external data");
    if (!oc_dims_bytes(dims, oc_type_size(type), &count, &bytes))
        return oc_lex_fail(&before, t->e, "expected a shape that fits memory");
    if (p.length < 0)
        p.length = (int64_t)oc_raw_size(type, count);
    oc_error why = {.code = OC_OK};
    *v = oc_value_borrow(type, *dims, NULL);
    if (oc_external_data(t->m, p.location, p.offset, p.length, &data, &size, &why) == OC_IO &&
        t->may_lack)
        return oc_external_lost(t->m, "", &why, t->e);
    if (why.code != OC_OK)
        return oc_error_set(t->e, why.code, "%s", why.text);
    return oc_raw_elements(t->m, NULL, false, p.location, data, size, v, t->e);
}

/* ---- elements ---- */

oc_status oc_text_elements(oc_text *t, const oc_type_info *type, oc_value *v)
{
    oc_dims dims;
    OC_TRY(read_dims(t, type, OC_TYPE_TENSOR, &dims));
    if (oc_lex_is(&t->lex, "["))
        return read_external(t, type->type, &dims, v);
    OC_TRY(check_room(t, type->type, &dims));
    OC_TRY(oc_model_tensor(t->m, type->type, &dims, v, t->e));
    return oc_literal_read(&t->lex, v, t->arena, t->e);
}

/* Reads a tensor literal with its type, such as "float[2] {1, 2}". An annotation may stand
 * before the type and a name after it. */
static oc_status read_typed(oc_text *t, oc_constant *c)
{
    oc_text_note note;
    oc_type_info type;
    OC_TRY(oc_text_note_read(t, OC_TEXT_OF_MESSAGE, &note));
    *c = (oc_constant){.name = t->none, .doc = note.doc, .metadata = note.metadata};
    OC_TRY(oc_text_type(t, &type));
    if (t->lex.token == OC_TOK_NAME || t->lex.token == OC_TOK_STRING)
        OC_TRY(oc_text_name(t, "a tensor's name", &c->name));
    return oc_text_elements(t, &type, &c->value);
}

oc_status oc_text_sparse(oc_text *t, const oc_type_info *type, oc_sparse *s)
{
    OC_TRY(read_dims(t, type, OC_TYPE_SPARSE, &s->dims));
    const oc_lex before = t->lex;
    oc_constant values;
    OC_TRY(read_typed(t, &values));
    s->values.value = values.value;
    if (values.value.type != type->type)
        return oc_lex_fail(&before, t->e, "expected values of type %s", oc_type_name(type->type));
    OC_TRY(oc_lex_want(&t->lex, "at", t->e));
    const oc_lex indices = t->lex;
    OC_TRY(read_typed(t, &s->indices));
    if (s->indices.value.type != OC_I64)
        return oc_lex_fail(&indices, t->e, "expected indices of type int64");
    return OC_OK;
}

oc_status oc_load_text_tensor(oc_pool *pool, oc_arena *arena, const char *text, size_t size,
                              oc_value *v, const char **end, oc_error *e)
{
    oc_names names = oc_names_new(arena);
    oc_text t;
    oc_type_info type;
    oc_dims dims;
    OC_TRY(oc_text_new(&t, text, size, arena, &names, NULL, e));
    OC_TRY(oc_text_type(&t, &type));
    OC_TRY(read_dims(&t, &type, OC_TYPE_TENSOR, &dims));
    OC_TRY(check_room(&t, type.type, &dims));
    OC_TRY(oc_value_new_tensor(pool, type.type, &dims, v, e));
    const oc_status status = oc_literal_read(&t.lex, v, arena, e);
    if (status != OC_OK)
        oc_value_unref(v);
    *end = t.lex.at;
    return status;
}
