/* SPDX-License-Identifier: Apache-2.0
 * print_type.c - writes declared types and values, and tensors with their elements, as text. */
#include "graph/print_out.h"
#include "tensor/literal.h"

static void put_dims(oc_print *p, const oc_type_info *type)
{
    if (type->rank == 0)
        return;
    oc_put(p, "[");
    for (int i = 0; i < type->rank; i++) {
        oc_put_separator(p, i, ",");
        oc_put_note(p, &(oc_print_note){.denotation = type->dims[i].denotation});
        if (type->dims[i].n >= 0)
            oc_put_int(p, type->dims[i].n);
        else if (*type->dims[i].symbol)
            oc_put_id(p, type->dims[i].symbol);
        else
            oc_put(p, "?");
    }
    oc_put(p, "]");
}

/* Writes the item type of another type with its denotation. */
static void put_item(oc_print *p, const oc_type_info *item)
{
    if (!item)
        return;
    oc_put_note(p, &(oc_print_note){.denotation = item->denotation});
    oc_put_type(p, item);
}

static void put_opaque(oc_print *p, const oc_type_info *type)
{
    if (*type->opaque_domain) {
        oc_put_dotted(p, type->opaque_domain);
        oc_put(p, ",");
        oc_put_id(p, type->opaque_name);
    } else if (*type->opaque_name)
        oc_put_dotted(p, type->opaque_name);
}

void oc_put_type(oc_print *p, const oc_type_info *type)
{
    switch (type->kind) {
    case OC_TYPE_NONE:
        return;
    case OC_TYPE_TENSOR:
        oc_put(p, oc_type_name(type->type));
        put_dims(p, type);
        return;
    case OC_TYPE_SPARSE:
        oc_put(p, "sparse_tensor(");
        oc_put(p, oc_type_name(type->type));
        put_dims(p, type);
        break;
    case OC_TYPE_SEQUENCE:
        oc_put(p, "seq(");
        put_item(p, type->item);
        break;
    case OC_TYPE_OPTIONAL:
        oc_put(p, "optional(");
        put_item(p, type->item);
        break;
    case OC_TYPE_MAP:
        oc_put(p, "map(");
        oc_put(p, oc_type_name(type->type));
        oc_put(p, ", ");
        put_item(p, type->item);
        break;
    case OC_TYPE_OPAQUE:
        oc_put(p, "opaque(");
        put_opaque(p, type);
        break;
    }
    oc_put(p, ")");
}

void oc_put_value_info(oc_print *p, const oc_value_info *v)
{
    oc_put_note(p, &(oc_print_note){
                       .doc = v->doc, .denotation = v->type.denotation, .metadata = &v->metadata});
    oc_put_type(p, &v->type);
    if (v->type.kind != OC_TYPE_NONE)
        oc_put(p, " ");
    oc_put_name(p, v->name);
}

/* Writes the type of a tensor, such as "float[2]". */
static void put_tensor_type(oc_print *p, oc_type type, const oc_dims *dims)
{
    oc_put(p, oc_type_name(type));
    if (dims->rank == 0)
        return;
    oc_put(p, "[");
    for (int i = 0; i < dims->rank; i++) {
        oc_put_separator(p, i, ",");
        oc_put_int(p, dims->n[i]);
    }
    oc_put(p, "]");
}

/* Writes elements, such as "{1, 2}". */
static void put_elements(oc_print *p, const oc_value *v)
{
    const int64_t n = oc_value_n(v);
    char text[OC_ELEMENT_TEXT];
    oc_put(p, "{");
    for (int64_t i = 0; i < n && !p->failed; i++) {
        oc_put_separator(p, i > 0, ", ");
        const oc_string *s = v->type == OC_STRING ? (const oc_string *)v->data + i : NULL;
        if (s)
            oc_put_quoted_bytes(p, s->data, s->size);
        else
            oc_put(p, oc_element_text(v->type, v->data, i, text));
    }
    oc_put(p, "}");
}

static void put_tensor(oc_print *p, const oc_value *v, const char *name, const char *equals)
{
    put_tensor_type(p, v->type, &v->dims);
    oc_put(p, " ");
    if (*name) {
        oc_put_name(p, name);
        oc_put(p, equals);
    }
    put_elements(p, v);
}

static void put_constant_note(oc_print *p, const oc_constant *c)
{
    oc_put_note(p, &(oc_print_note){.doc = c->doc, .metadata = &c->metadata});
}

void oc_put_constant(oc_print *p, const oc_constant *c, const char *equals)
{
    put_constant_note(p, c);
    put_tensor(p, &c->value, c->name, equals);
}

void oc_put_sparse(oc_print *p, const oc_sparse *s)
{
    put_constant_note(p, &s->values);
    oc_put(p, "sparse_tensor(");
    put_tensor_type(p, s->values.value.type, &s->dims);
    oc_put(p, ") ");
    if (*s->values.name) {
        oc_put_name(p, s->values.name);
        oc_put(p, " ");
    }
    oc_put(p, "= ");
    put_tensor(p, &s->values.value, "", "");
    oc_put(p, " at ");
    oc_put_constant(p, &s->indices, " ");
}
