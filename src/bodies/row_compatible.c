/* SPDX-License-Identifier: Apache-2.0
 * row_compatible.c - do two versions of an operator mean the same for a node? */
#include "bodies/unify_opsets.h"

#include "graph/build.h"

static bool same_default(const oc_attr *a, const oc_attr *b)
{
    if (a->n != b->n)
        return false;
    const size_t n = (size_t)a->n;
    switch (a->kind) {
    case OC_ATTR_INT:
    case OC_ATTR_INTS:
        return memcmp(a->u.i, b->u.i, n * sizeof *a->u.i) == 0;
    case OC_ATTR_FLOAT:
    case OC_ATTR_FLOATS:
        return memcmp(a->u.f, b->u.f, n * sizeof *a->u.f) == 0;
    case OC_ATTR_STRING:
        return a->u.s->size == b->u.s->size &&
               memcmp(a->u.s->data, b->u.s->data, a->u.s->size) == 0;
    default:
        return false;
    }
}

static bool same_attr(const oc_sig_attr *a, const oc_sig_attr *b)
{
    if (strcmp(a->name, b->name) != 0 || a->value.kind != b->value.kind ||
        a->has_default != b->has_default || (b->required && !a->required))
        return false;
    return !a->has_default || same_default(&a->value, &b->value);
}

static const oc_sig_attr *find_attr(const oc_sig *s, const char *name)
{
    for (int i = 0; i < s->n_attr; i++)
        if (strcmp(s->attr[i].name, name) == 0)
            return &s->attr[i];
    return NULL;
}

/* Does b take the attributes that n may have under a? Both must have the same attributes, except
 * neutral ones that the node does not give. */
static bool takes_attrs(const oc_sig *a, const oc_sig *b, const oc_node *n)
{
    for (int i = 0; i < a->n_attr; i++) {
        const oc_sig_attr *x = &a->attr[i], *y = find_attr(b, x->name);
        if (y ? !same_attr(x, y) : !x->neutral || oc_node_attr(n, x->name))
            return false;
    }
    for (int i = 0; i < b->n_attr; i++)
        if (!find_attr(a, b->attr[i].name) && !b->attr[i].neutral)
            return false;
    return true;
}

/* An input or output of the node. */
typedef struct port {
    const oc_sig_port *a, *b; /* the port in the signatures of versions a and b */
    oc_known_type type;
} port;

static const oc_sig_port *port_of(const oc_sig_port *list, int n, int i)
{
    if (i < n)
        return &list[i];
    return n > 0 && list[n - 1].variadic ? &list[n - 1] : NULL;
}

static bool takes_set(const oc_sig_set *a, const oc_sig_set *b)
{
    return !(a->tensor & ~b->tensor) && !(a->sequence & ~b->sequence) &&
           !(a->optional & ~b->optional) && !(a->opt_sequence & ~b->opt_sequence);
}

/* Does b accept the port's type, or, if that is unknown, every type that a accepts? */
static bool takes_type(const port *p)
{
    const oc_type_mask bit = oc_type_bit(p->type.type);
    if (p->type.type == OC_UNDEFINED || p->type.kind == OC_OPTIONAL)
        return takes_set(&p->a->set, &p->b->set);
    return (p->type.kind == OC_TENSOR ? p->b->set.tensor : p->b->set.sequence) & bit;
}

/* Is it certain that the values of both ports have the same type? */
static bool same_type(const port *p, const port *q)
{
    if (p == q)
        return true;
    if (p->a->var >= 0 && p->a->var == q->a->var && !p->a->mixed)
        return true;
    if (p->type.type != OC_UNDEFINED && q->type.type != OC_UNDEFINED)
        return p->type.type == q->type.type && p->type.kind == q->type.kind;
    const oc_type only = oc_sig_only_type(&p->a->set);
    return only != OC_UNDEFINED && only == oc_sig_only_type(&q->a->set);
}

/* Lists the ports that the node uses, and returns their number; -1 if b lacks one of them, or
 * requires one that the node lacks. */
static int list_ports(const oc_sig *a, const oc_sig *b, const oc_node *n, const oc_types *types,
                      port *list)
{
    int used = 0;
    for (int i = 0; i < n->n_in + n->n_out; i++) {
        const bool in = i < n->n_in;
        const int at = in ? i : i - n->n_in;
        const oc_name name = in ? n->in[at] : n->out[at];
        port *p = &list[used];
        p->a = in ? port_of(a->in, a->n_in, at) : port_of(a->out, a->n_out, at);
        p->b = in ? port_of(b->in, b->n_in, at) : port_of(b->out, b->n_out, at);
        p->type = oc_type_only(&types->of, name);
        if (*name ? !p->a || !p->b : p->b && in && !p->b->optional)
            return -1;
        used += *name != 0;
    }
    for (int i = n->n_in; i < b->n_in; i++) /* a port that a requires too is given */
        if (!b->in[i].optional && !b->in[i].variadic && (i >= a->n_in || a->in[i].optional))
            return -1;
    return used;
}

static bool takes_ports(const oc_sig *a, const oc_sig *b, const oc_node *n, const oc_types *types,
                        oc_arena *arena)
{
    port *list = oc_arena_array(arena, (size_t)n->n_in + (size_t)n->n_out + 1, sizeof *list);
    const int used = list ? list_ports(a, b, n, types, list) : -1;
    const port *first[OC_SIG_VARS] = {NULL}; /* the first port that has each type variable of b */
    for (int i = 0; i < used; i++) {
        const port *p = &list[i];
        if (!takes_type(p))
            return false;
        if (p->b->var < 0 || p->b->mixed)
            continue;
        if (!first[p->b->var])
            first[p->b->var] = p;
        if (!same_type(p, first[p->b->var]))
            return false;
    }
    return used >= 0;
}

bool oc_row_compatible(const oc_op *a, const oc_op *b, const oc_node *n, oc_types *types)
{
    oc_error e = {.code = OC_OK};
    const oc_sig *x, *y;
    if (a == b && a)
        return true;
    return a && b && a->run == b->run && a->shape == b->shape &&
           oc_sig_cached(&types->sigs, a->signature, &x, &e) == OC_OK &&
           oc_sig_cached(&types->sigs, b->signature, &y, &e) == OC_OK && takes_attrs(x, y, n) &&
           takes_ports(x, y, n, types, types->sigs.arena);
}
