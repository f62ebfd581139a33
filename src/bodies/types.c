/* SPDX-License-Identifier: Apache-2.0
 * types.c - the known types of values, and those of outputs: what the signature says, where it says
 * it, else a few operators' own rules. */
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

static bool is_one_of(const char *name, const char *const list[])
{
    for (int i = 0; list[i]; i++)
        if (strcmp(name, list[i]) == 0)
            return true;
    return false;
}

/* ---- by the signature ---- */

static void bind_vars(const oc_sig *sig, const oc_types *types, const oc_node *n,
                      oc_known_type bound[OC_SIG_VARS])
{
    for (int i = 0; i < n->n_in && sig->n_in; i++) {
        const oc_sig_port *port = &sig->in[i < sig->n_in ? i : sig->n_in - 1];
        const oc_known_type given = oc_types_get(types, n->in[i]);
        if (port->var >= 0 && !port->mixed && given.type != OC_UNDEFINED)
            bound[port->var] = given;
    }
}

/* ---- by attributes ---- */

static oc_type of_constant(const oc_attr *a)
{
    switch (a->kind) {
    case OC_ATTR_TENSOR:
        return a->u.t->value.type;
    case OC_ATTR_SPARSE_TENSOR:
        return a->u.sparse->values.type;
    case OC_ATTR_FLOAT:
    case OC_ATTR_FLOATS:
        return OC_F32;
    case OC_ATTR_INT:
    case OC_ATTR_INTS:
        return OC_I64;
    case OC_ATTR_STRING:
    case OC_ATTR_STRINGS:
        return OC_STRING;
    default:
        return OC_UNDEFINED;
    }
}

/* Attributes that name the type of the output. */
static oc_type of_type_attr(const oc_sig *sig, const oc_node *n)
{
    static const char *const names[] = {"to", "dtype", "output_dtype", "output_datatype", NULL};
    const oc_attr *found = NULL;
    for (int i = 0; i < sig->n_attr; i++)
        if (is_one_of(sig->attr[i].name, names)) {
            const oc_attr *given = oc_node_attr(n, sig->attr[i].name);
            found = given ? given : sig->attr[i].has_default ? &sig->attr[i].value : NULL;
        }
    const bool valid =
        found && found->kind == OC_ATTR_INT && *found->u.i > 0 && *found->u.i < OC_N_TYPES;
    return valid ? (oc_type)*found->u.i : OC_UNDEFINED;
}

static oc_type of_attrs(const oc_sig *sig, const oc_node *n)
{
    if (strcmp(sig->name, "Constant") == 0)
        return n->n_attr ? of_constant(&n->attr[0]) : OC_UNDEFINED;
    if (strcmp(sig->name, "ConstantOfShape") == 0) {
        const oc_attr *value = oc_node_attr(n, "value");
        return value ? of_constant(value) : OC_F32;
    }
    const oc_type type = of_type_attr(sig, n);
    if (type == OC_UNDEFINED && strcmp(sig->name, "SequenceEmpty") == 0)
        return OC_F32;
    if (type == OC_UNDEFINED && strcmp(sig->name, "QuantizeLinear") == 0)
        return OC_U8;
    return type;
}

/* ---- by graphs within ---- */

/* Output i of a node that runs a graph: which output of the graph it is. */
static oc_known_type of_graph(const oc_types *types, const oc_node *n, int i)
{
    for (int a = 0; a < n->n_attr; a++)
        if (oc_attr_n_graphs(&n->attr[a])) {
            const oc_graph *g = n->attr[a].u.g[0];
            const int at = i + (strcmp(n->op_type, "Loop") == 0); /* its first is the condition */
            return at < g->n_output ? oc_types_get(types, g->output[at].name) : unknown;
        }
    return unknown;
}

/* ---- by the first input: items of a sequence, sequences of an item, numbers like others ---- */

static oc_known_type of_first(const oc_types *types, const oc_node *n, const oc_sig_set *set)
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
    const oc_sig_port *port = &sig->out[i < sig->n_out ? i : sig->n_out - 1];
    if (port->var >= 0 && !port->mixed && bound[port->var].type != OC_UNDEFINED)
        return bound[port->var];
    oc_known_type type = {OC_TENSOR, oc_sig_only_type(&port->set)};
    if (type.type == OC_UNDEFINED)
        type = of_graph(types, n, i);
    if (type.type == OC_UNDEFINED)
        type = (oc_known_type){OC_TENSOR, of_attrs(sig, n)};
    if (!port->set.tensor) /* what was found is an item's */
        type.kind = port->set.sequence ? OC_SEQUENCE : OC_OPTIONAL;
    return type.type != OC_UNDEFINED ? type : of_first(types, n, &port->set);
}

oc_status oc_types_follow(oc_types *types, const oc_node *node, int64_t opset, oc_error *e)
{
    int oldest;
    oc_error wrong = {.code = OC_OK}; /* the plan reports a signature that is wrong */
    const oc_op *row = oc_op_find(types->host_ops, node->domain, node->op_type, opset, &oldest);
    const oc_sig *sig;
    oc_known_type bound[OC_SIG_VARS] = {{.type = OC_UNDEFINED}};
    if (!row)
        return OC_OK;
    if (oc_sig_cached(&types->sigs, row->signature, &sig, &wrong) != OC_OK || !sig->n_out)
        return oc_arena_check(types->sigs.arena, e);
    bind_vars(sig, types, node, bound);
    for (int i = 0; i < node->n_out; i++)
        oc_types_put(types, node->out[i], find_type(sig, types, node, i, bound));
    return oc_arena_check(types->of.arena, e);
}
