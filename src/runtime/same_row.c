/* SPDX-License-Identifier: Apache-2.0
 * same_row.c - do two versions of an operator mean the same? */
#include "runtime/same_row.h"

#include "ops/sig.h"

#include <string.h>

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

/* Attributes that later versions added, and whose default is what the operator did before. */
static const struct {
    const char *op, *attr;
} harmless[] = {
    {"Attention", "left_window_size"},
    {"Attention", "right_window_size"},
    {"Cast", "saturate"},
    {"Cast", "round_mode"},
    {"CastLike", "saturate"},
    {"CastLike", "round_mode"},
    {"Constant", "sparse_value"},
    {"Constant", "value_int"},
    {"Constant", "value_ints"},
    {"Constant", "value_float"},
    {"Constant", "value_floats"},
    {"Constant", "value_string"},
    {"Constant", "value_strings"},
    {"DequantizeLinear", "axis"}, /* one scale for all, before */
    {"DequantizeLinear", "block_size"},
    {"DequantizeLinear", "output_dtype"},
    {"QuantizeLinear", "axis"},
    {"QuantizeLinear", "block_size"},
    {"QuantizeLinear", "output_dtype"},
    {"QuantizeLinear", "precision"},
    {"QuantizeLinear", "saturate"},
    {"Range", "stash_type"}, /* of types that came with it */
    {"Reshape", "allowzero"},
    {"Shape", "start"},
    {"Shape", "end"},
};

static bool is_harmless(const char *op, const char *attr)
{
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (strcmp(harmless[i].op, op) == 0 && strcmp(harmless[i].attr, attr) == 0)
            return true;
    return false;
}

/* Every attribute of a is in b, and what b has besides changes nothing. */
static bool takes_attrs(const oc_sig *a, const oc_sig *b)
{
    int n_same = 0;
    for (int i = 0; i < b->n_attr; i++) {
        bool found = false;
        for (int k = 0; k < a->n_attr && !found; k++)
            found = same_attr(&a->attr[k], &b->attr[i]);
        n_same += found;
        if (!found && !is_harmless(b->name, b->attr[i].name))
            return false;
    }
    return n_same == a->n_attr;
}

static bool takes_set(const oc_sig_set *a, const oc_sig_set *b)
{
    return !(a->tensor & ~b->tensor) && !(a->sequence & ~b->sequence) &&
           !(a->optional & ~b->optional) && !(a->opt_sequence & ~b->opt_sequence);
}

static bool takes_ports(const oc_sig_port *a, int n_a, const oc_sig_port *b, int n_b)
{
    for (int i = 0; i < n_b; i++) {
        if (i >= n_a && !b[i].optional)
            return false;
        if (i < n_a && (a[i].variadic != b[i].variadic || (a[i].mixed && !b[i].mixed) ||
                        (a[i].optional && !b[i].optional) || !takes_set(&a[i].set, &b[i].set)))
            return false;
    }
    return n_a <= n_b;
}

/* The port of s that stands where port i of a does, inputs first. */
static const oc_sig_port *port_at(const oc_sig *s, const oc_sig *a, int i)
{
    return i < a->n_in ? &s->in[i] : &s->out[i - a->n_in];
}

static bool is_one_type(const oc_sig_set *s)
{
    return s->tensor && !(s->tensor & (s->tensor - 1)) && !s->sequence && !s->optional &&
           !s->opt_sequence;
}

/* Values that b wants to be of one type are so for a. */
static bool ties_no_more(const oc_sig *a, const oc_sig *b)
{
    for (int i = 0; i < a->n_in + a->n_out; i++)
        for (int k = 0; k < i; k++) {
            const oc_sig_port *x = port_at(a, a, i), *y = port_at(a, a, k);
            const int var = port_at(b, a, i)->var;
            if (var < 0 || var != port_at(b, a, k)->var || (x->var >= 0 && x->var == y->var))
                continue;
            if (!is_one_type(&x->set) || x->set.tensor != y->set.tensor)
                return false;
        }
    return true;
}

bool oc_row_replaces(const oc_op *a, const oc_op *b, const oc_allocator *hook)
{
    if (a == b && a)
        return true;
    if (!a || !b || a->run != b->run || a->shape != b->shape)
        return false;
    oc_error e = {.code = OC_OK};
    oc_memory memory = oc_memory_new(hook, 0);
    oc_arena arena = oc_arena_new(&memory);
    const oc_sig *x, *y;
    const bool same = oc_sig_parse(a->signature, &arena, &x, &e) == OC_OK &&
                      oc_sig_parse(b->signature, &arena, &y, &e) == OC_OK && takes_attrs(x, y) &&
                      takes_ports(x->in, x->n_in, y->in, y->n_in) &&
                      takes_ports(x->out, x->n_out, y->out, y->n_out) && ties_no_more(x, y);
    oc_arena_free(&arena);
    return same;
}
