/* SPDX-License-Identifier: Apache-2.0
 * sig_types.c - type variables by inputs, then by attributes, else the signature's fallback. */
#include "ops/signature/sig_types.h"

bool oc_sig_bind_type(const oc_sig *sig, int i, oc_known_type given,
                      oc_known_type bound[OC_SIG_VARS])
{
    if (!sig->n_in || !oc_type_is_known(given))
        return true;
    const oc_sig_port *port = oc_sig_port_at(sig->in, sig->n_in, i);
    if (port->var < 0 || port->mixed)
        return true;
    const oc_type before = bound[port->var].type;
    bound[port->var] = given;
    return before == OC_UNDEFINED || before == given.type;
}

/* Returns the type of the elements of an attribute's value. */
static oc_type type_of_elements(const oc_attr *a)
{
    switch (a->kind) {
    case OC_ATTR_TENSOR:
        return a->u.t->value.type;
    case OC_ATTR_SPARSE_TENSOR:
        return a->u.sparse->values.value.type;
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

static const oc_attr *find_attr(const oc_attr *attr, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(attr[i].name, name) == 0)
            return &attr[i];
    return NULL;
}

/* The type that the value of attribute a, as given or by default, means for a's type variable. */
static oc_type type_by_attr(const oc_sig_attr *a, const oc_attr *attr, int n)
{
    const oc_attr *given = find_attr(attr, n, a->name);
    given = given ? given : a->has_default ? &a->value : NULL;
    if (!given)
        return OC_UNDEFINED;
    if (!a->names_type)
        return type_of_elements(given);
    const bool valid = given->kind == OC_ATTR_INT && *given->u.i > 0 && *given->u.i < OC_N_TYPES;
    return valid ? (oc_type)*given->u.i : OC_UNDEFINED;
}

/* Does the node leave it to others to determine the type? 0 is the number of no type. */
static bool is_left_out(const oc_sig_attr *a, const oc_attr *attr, int n)
{
    const oc_attr *given = find_attr(attr, n, a->name);
    return !given || (given->kind == OC_ATTR_INT && *given->u.i == 0);
}

/* The kind of the values that the set allows, if it allows one kind only. */
static oc_kind kind_of(const oc_sig_set *set)
{
    return set->tensor ? OC_TENSOR : set->sequence ? OC_SEQUENCE : OC_OPTIONAL;
}

static oc_known_type type_of_var(const oc_sig *sig, const oc_sig_port *port, const oc_attr *attr,
                                 int n_attr, const oc_known_type bound[OC_SIG_VARS])
{
    oc_type type = OC_UNDEFINED;
    bool is_left = true;
    if (port->var < 0 || port->mixed)
        return (oc_known_type){.type = OC_UNDEFINED};
    if (oc_type_is_known(bound[port->var]))
        return bound[port->var];
    for (int i = 0; i < sig->n_attr && type == OC_UNDEFINED; i++)
        if (sig->attr[i].var == port->var) {
            type = type_by_attr(&sig->attr[i], attr, n_attr);
            is_left = is_left_out(&sig->attr[i], attr, n_attr);
        }
    if (type == OC_UNDEFINED)
        type = sig->fallback[port->var];
    if (type == OC_UNDEFINED && is_left)
        type = bound[sig->like[port->var]].type;
    return (oc_known_type){kind_of(&port->set), type};
}

oc_known_type oc_sig_output_type(const oc_sig *sig, const oc_sig_port *port, const oc_attr *attr,
                                 int n_attr, const oc_known_type bound[OC_SIG_VARS])
{
    const oc_known_type type = type_of_var(sig, port, attr, n_attr, bound);
    if (oc_type_is_known(type))
        return type;
    return (oc_known_type){kind_of(&port->set), oc_sig_only_type(&port->set)};
}
