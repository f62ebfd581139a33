/* SPDX-License-Identifier: Apache-2.0
 * types.c - which types of values are known, and which types the outputs of a node have. */
#include "bodies/types.h"

#include "graph/build.h"
#include "ops/kit/registry.h"

#include <string.h>

/* ---- the table: each type packed in one integer ---- */

enum { KIND_SHIFT = 8, KIND_MASK = 0xff, MIXED = 1 << 16 };

oc_types oc_types_new(oc_arena *arena, const oc_op *host_ops)
{
    return (oc_types){
        .of = oc_name_map_new(arena), .sigs = oc_sig_cache_new(arena), .host_ops = host_ops};
}

void oc_types_put(oc_types *t, oc_name value, oc_known_type type)
{
    if (type.type == OC_UNDEFINED || !*value)
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
        return (oc_known_type){.type = OC_UNDEFINED};
    return (oc_known_type){(oc_kind)(packed >> KIND_SHIFT & KIND_MASK),
                           (oc_type)(packed & ((1 << KIND_SHIFT) - 1))};
}

oc_known_type oc_types_get(const oc_types *t, oc_name value)
{
    return unpack(*value ? oc_name_map_get(&t->of, value) : -1);
}

oc_known_type oc_types_only(const oc_types *t, oc_name value)
{
    const int packed = *value ? oc_name_map_get(&t->of, value) : -1;
    return unpack(packed < 0 || packed & MIXED ? -1 : packed);
}

oc_known_type oc_known_from(const oc_type_info *declared)
{
    oc_known_type known = {.kind = OC_TENSOR};
    if (declared->kind == OC_TYPE_OPTIONAL || declared->kind == OC_TYPE_SEQUENCE) {
        known.kind = declared->kind == OC_TYPE_SEQUENCE ? OC_SEQUENCE : OC_OPTIONAL;
        declared = declared->item;
    }
    known.type = declared && declared->kind == OC_TYPE_TENSOR ? declared->type : OC_UNDEFINED;
    return known;
}

static const oc_known_type unknown = {.type = OC_UNDEFINED};

/* ---- graphs within ---- */

/* The type of output i of a node with graphs: that of the graph's output which becomes output i. */
static oc_known_type type_by_graph(const oc_sig *sig, const oc_types *types, const oc_node *n,
                                   int i)
{
    for (int a = 0; a < sig->n_attr; a++) {
        const oc_attr *given = sig->attr[a].gives >= 0 ? oc_node_attr(n, sig->attr[a].name) : NULL;
        if (!given || !oc_attr_n_graphs(given))
            continue;
        const oc_graph *g = given->u.g[0];
        const int at = i + sig->attr[a].gives;
        const oc_known_type type =
            at < g->n_output ? oc_types_get(types, g->output[at].name) : unknown;
        if (oc_type_is_known(type))
            return type;
    }
    return unknown;
}

/* ---- by the type of the first input, as a tensor, a sequence or an optional ---- */

static oc_known_type type_by_first(const oc_types *types, const oc_node *n, const oc_sig_set *set)
{
    const oc_known_type first = n->n_in ? oc_types_get(types, n->in[0]) : unknown;
    if (set->tensor & 1u << first.type)
        return (oc_known_type){OC_TENSOR, first.type};
    if (set->sequence & 1u << first.type)
        return (oc_known_type){OC_SEQUENCE, first.type};
    if (set->optional & 1u << first.type)
        return (oc_known_type){OC_OPTIONAL, first.type};
    return unknown;
}

static oc_known_type find_type(const oc_sig *sig, const oc_types *types, const oc_node *n, int i,
                               const oc_known_type bound[OC_SIG_VARS])
{
    const oc_sig_port *port = oc_sig_port_at(sig->out, sig->n_out, i);
    oc_known_type type = oc_sig_output_type(sig, port, n->attr, n->n_attr, bound);
    if (oc_type_is_known(type))
        return type;
    type = type_by_graph(sig, types, n, i);
    if (oc_type_is_known(type) && !port->set.tensor) /* the type found is that of an item */
        type.kind = port->set.sequence ? OC_SEQUENCE : OC_OPTIONAL;
    return oc_type_is_known(type) ? type : type_by_first(types, n, &port->set);
}

/* The signature of the row that serves a node; NULL if there is none or it is malformed. The plan
 * reports a malformed one. */
static const oc_sig *sig_of(oc_types *types, const oc_node *n, int64_t opset)
{
    int oldest;
    oc_error wrong = {.code = OC_OK};
    const oc_sig *sig;
    const oc_op *row = oc_op_find(types->host_ops, n->domain, n->op_type, opset, &oldest);
    return row && oc_sig_cached(&types->sigs, row->signature, &sig, &wrong) == OC_OK ? sig : NULL;
}

oc_status oc_types_follow(oc_types *types, const oc_node *node, int64_t opset, oc_error *e)
{
    oc_known_type bound[OC_SIG_VARS] = {{.type = OC_UNDEFINED}};
    const oc_sig *sig = sig_of(types, node, opset);
    if (!sig || !sig->n_out)
        return oc_arena_check(types->sigs.arena, e);
    for (int i = 0; i < node->n_in; i++)
        oc_sig_bind_type(sig, i, oc_types_get(types, node->in[i]), bound);
    for (int i = 0; i < node->n_out; i++)
        oc_types_put(types, node->out[i], find_type(sig, types, node, i, bound));
    return oc_arena_check(types->of.arena, e);
}

oc_status oc_types_enter(oc_types *types, const oc_node *node, int64_t opset, const char *attr,
                         const oc_graph *g, oc_error *e)
{
    const oc_sig *sig = sig_of(types, node, opset);
    for (int a = 0; sig && a < sig->n_attr; a++) {
        if (sig->attr[a].from < 0 || strcmp(sig->attr[a].name, attr) != 0)
            continue;
        for (int i = 0; i < g->n_input; i++) {
            const int from = sig->attr[a].from + i;
            if (g->input[i].type.kind == OC_TYPE_NONE && from < node->n_in)
                oc_types_put(types, g->input[i].name, oc_types_get(types, node->in[from]));
        }
    }
    return oc_arena_check(types->sigs.arena, e);
}
