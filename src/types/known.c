/* SPDX-License-Identifier: Apache-2.0
 * known.c - a table of types, each packed in one integer, and how the types of a node's outputs
 * follow from its inputs. */
#include "types/known.h"

#include "graph/build.h"
#include "graph/declared.h"

enum { KIND_SHIFT = 8, KIND_MASK = 0xff, MIXED = 1 << 16 };

static const oc_known_type unknown = {.type = OC_UNDEFINED};

oc_type_table oc_type_table_new(oc_arena *arena, const oc_type_table *outer)
{
    return (oc_type_table){.of = oc_name_map_new(arena), .outer = outer};
}

void oc_type_put(oc_type_table *t, oc_name value, oc_known_type type)
{
    if (!oc_type_is_known(type) || !*value)
        return;
    const int packed = (int)type.kind << KIND_SHIFT | (int)type.type;
    const int before = oc_name_map_get(&t->of, value);
    const bool mixed = before >= 0 && before != packed;
    if (before != (packed | MIXED))
        oc_name_map_put(&t->of, value, mixed ? packed | MIXED : packed);
}

static oc_known_type unpack(int packed)
{
    if (packed < 0)
        return unknown;
    return (oc_known_type){(oc_kind)(packed >> KIND_SHIFT & KIND_MASK),
                           (oc_type)(packed & ((1 << KIND_SHIFT) - 1))};
}

oc_known_type oc_type_get(const oc_type_table *t, oc_name value)
{
    int packed = -1;
    for (; t && *value && packed < 0; t = t->outer)
        packed = oc_name_map_get(&t->of, value);
    return unpack(packed);
}

oc_known_type oc_type_only(const oc_type_table *t, oc_name value)
{
    const int packed = *value ? oc_name_map_get(&t->of, value) : -1;
    return unpack(packed < 0 || packed & MIXED ? -1 : packed);
}

oc_known_type oc_type_declared(const oc_type_info *declared)
{
    return (oc_known_type){oc_declared_kind(declared), oc_declared_type(declared)};
}

/* Sets *type to the type of output `at` of the graph in attribute a. Returns false when the node
 * has no such output. */
static bool type_within(const oc_typed_node *n, int a, int at, oc_known_type *type)
{
    const oc_attr *given = oc_node_attr(n->node, n->sig->attr[a].name);
    const oc_graph *g = given && oc_attr_n_graphs(given) ? given->u.g[0] : NULL;
    if (!g || at >= g->n_output)
        return false;
    *type = oc_type_get(n->within ? n->within(n->ctx, a) : n->types, g->output[at].name);
    return true;
}

/* Returns the type of output i of the node: the type of those graph outputs that become it. */
static oc_known_type type_by_graphs(const oc_typed_node *n, const oc_sig_port *port, int i)
{
    oc_known_type found = unknown, type;
    for (int a = 0; a < n->sig->n_attr; a++) {
        const int gives = n->sig->attr[a].gives;
        if (gives < 0 || !type_within(n, a, i + gives, &type))
            continue;
        if (n->certain &&
            (!oc_type_is_known(type) || (oc_type_is_known(found) && found.type != type.type)))
            return unknown;
        if (n->certain || !oc_type_is_known(found))
            found = type;
    }
    /* a sequence was declared, and the type found is that of its items */
    if (oc_type_is_known(found) && !port->set.tensor)
        found.kind = port->set.sequence ? OC_SEQUENCE : OC_OPTIONAL;
    return found;
}

/* ---- by the element type of the first input, also in a sequence or an optional ---- */

static oc_known_type type_by_first(const oc_typed_node *n, const oc_sig_set *set)
{
    const oc_known_type first = n->node->n_in ? oc_type_get(n->types, n->node->in[0]) : unknown;
    if (set->tensor & oc_type_bit(first.type))
        return (oc_known_type){OC_TENSOR, first.type};
    if (set->sequence & oc_type_bit(first.type))
        return (oc_known_type){OC_SEQUENCE, first.type};
    if (set->optional & oc_type_bit(first.type))
        return (oc_known_type){OC_OPTIONAL, first.type};
    return unknown;
}

bool oc_typed_inputs(oc_typed_node *n)
{
    bool agree = true;
    for (int i = 0; i < OC_SIG_VARS; i++)
        n->bound[i] = unknown;
    for (int i = 0; i < n->node->n_in; i++)
        agree &= oc_sig_bind_type(n->sig, i, oc_type_get(n->types, n->node->in[i]), n->bound);
    return agree;
}

oc_known_type oc_typed_output(const oc_typed_node *n, int i)
{
    const oc_sig_port *port = oc_sig_port_at(n->sig->out, n->sig->n_out, i);
    oc_known_type type = oc_sig_output_type(n->sig, port, n->node->attr, n->node->n_attr, n->bound);
    if (!oc_type_is_known(type))
        type = type_by_graphs(n, port, i);
    return oc_type_is_known(type) || n->certain ? type : type_by_first(n, &port->set);
}
