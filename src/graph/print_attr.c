/* SPDX-License-Identifier: Apache-2.0
 * print_attr.c - writes attributes as text, each with its kind. */
#include "graph/print_out.h"
#include "tensor/literal.h"

/* A type attribute. An undeclared type has no text of its own: it is printed as its annotation
 * alone, which is "{}" when it is empty. */
static void put_type(oc_print *p, const oc_type_info *type)
{
    oc_put_note(p, &(oc_print_note){.denotation = type->denotation});
    if (type->kind == OC_TYPE_NONE && !*type->denotation)
        oc_put(p, "{}");
    oc_put_type(p, type);
}

static void put_item(oc_print *p, const oc_attr *a, int i)
{
    char text[OC_ELEMENT_TEXT];
    switch (oc_attr_item(a->kind)) {
    case OC_ATTR_FLOAT:
        oc_put(p, oc_element_text(OC_F32, a->u.f, i, text));
        /* a point marks the number as a float */
        oc_put(p, text[strspn(text, "-0123456789")] ? "" : ".0");
        break;
    case OC_ATTR_INT:
        oc_put_int(p, a->u.i[i]);
        break;
    case OC_ATTR_STRING:
        oc_put_quoted_bytes(p, a->u.s[i].data, a->u.s[i].size);
        break;
    case OC_ATTR_TENSOR:
        oc_put_constant(p, &a->u.t[i], " ");
        break;
    case OC_ATTR_GRAPH:
        oc_put_graph(p, a->u.g[i]);
        break;
    case OC_ATTR_SPARSE_TENSOR:
        oc_put_sparse(p, &a->u.sparse[i]);
        break;
    case OC_ATTR_TYPE_PROTO:
        put_type(p, &a->u.type[i]);
        break;
    default:
        break;
    }
}

void oc_put_attr(oc_print *p, const oc_attr *a)
{
    oc_put_note(p, &(oc_print_note){.doc = a->doc});
    oc_put_id(p, a->name);
    if (a->kind != OC_ATTR_UNDEFINED) {
        oc_put(p, ": ");
        oc_put(p, oc_attr_kind_name(a->kind));
    }
    oc_put(p, " = ");
    if (a->ref) {
        oc_put(p, "@");
        oc_put_id(p, a->ref);
        return;
    }
    const bool list = oc_attr_item(a->kind) != a->kind;
    oc_put(p, list ? "[" : "");
    for (int i = 0; i < a->n && !p->failed; i++) {
        oc_put_separator(p, i, ", ");
        put_item(p, a, i);
    }
    oc_put(p, list ? "]" : "");
}

void oc_put_attrs(oc_print *p, const oc_attr *attr, int n)
{
    oc_put(p, " <");
    for (int i = 0; i < n; i++) {
        oc_put_separator(p, i, ", ");
        oc_put_attr(p, &attr[i]);
    }
    oc_put(p, ">");
}
