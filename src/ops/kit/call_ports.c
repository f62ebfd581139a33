/* SPDX-License-Identifier: Apache-2.0
 * call_ports.c - the inputs and outputs of a call, as operators ask for them and fill them. */
#include "ops/kit/call.h"

/* Writes an error where an operator takes an operand for one that cannot be missing, although the
 * signature lets it be. */
static void check_asked(const oc_call *c, const char *side, int i, int n, const oc_sig_port *ports,
                        int n_ports, bool out)
{
#ifndef NDEBUG
    if (i >= n || oc_sig_may_miss(oc_sig_port_at(ports, n_ports, i), out))
        oc_error_set(c->services->error, OC_ARGUMENT,
                     "%s: the operator asked for %s %d, which may be missing, as if it were there",
                     c->op->node, side, i);
#else
    (void)c, (void)side, (void)i, (void)n, (void)ports, (void)n_ports, (void)out;
#endif
}

int oc_n_in(const oc_call *c)
{
    return c->op->n_in;
}

const oc_value *oc_in_or_null(const oc_call *c, int i)
{
    return i < c->op->n_in ? c->in[i] : NULL;
}

const oc_value *oc_in(const oc_call *c, int i)
{
    check_asked(c, "input", i, c->op->n_in, c->op->sig->in, c->op->sig->n_in, false);
    return oc_in_or_null(c, i);
}

int oc_n_out(const oc_call *c)
{
    return c->keep ? 0 : c->op->n_out; /* a call of prepare has no outputs */
}

oc_value *oc_out_or_null(const oc_call *c, int i)
{
    return i < oc_n_out(c) ? c->out[i] : NULL;
}

oc_value *oc_out(const oc_call *c, int i)
{
    check_asked(c, "output", i, c->op->n_out, c->op->sig->out, c->op->sig->n_out, true);
    return oc_out_or_null(c, i);
}

bool oc_wants(const oc_call *c, int i)
{
    return oc_out_or_null(c, i) != NULL;
}

bool oc_call_may_have(const oc_call *c, oc_type type, const oc_dims *dims)
{
    int64_t count;
    size_t bytes;
    const size_t size = oc_type_size(type);
    return c->services->quiet ? oc_dims_fit(dims, size) : oc_dims_bytes(dims, size, &count, &bytes);
}

oc_status oc_set_out(oc_call *c, int i, oc_type type, const oc_dims *dims)
{
    oc_value *out = oc_out_or_null(c, i);
    char text[OC_DIMS_TEXT];
    OC_TRY(oc_call_ended(c)); /* the dims may come from a count that the watch has cut short */
    if (!oc_call_may_have(c, type, dims))
        return oc_fail(c, OC_SHAPE, "output %d would be %s%s, which is negative or too large", i,
                       oc_type_name(type), oc_dims_text(dims, text));
    if (out)
        *out = (oc_value){.kind = OC_TENSOR, .type = type, .dims = *dims};
    return OC_OK;
}

oc_status oc_outline(oc_call *c, int i, oc_type type, const oc_dims *dims)
{
    oc_value *out = oc_out_or_null(c, i);
    if (out)
        *out = (oc_value){.kind = OC_TENSOR, .type = type, .dims = *dims};
    return OC_OK;
}

oc_status oc_outline_shared(oc_call *c, int n)
{
    const oc_value *x = oc_in_or_null(c, 0);
    oc_dims dims = x ? x->dims : (oc_dims){.rank = -1};
    for (int i = 1; i < n; i++) {
        const oc_dims *other = &oc_in(c, i)->dims;
        if (other->rank != dims.rank)
            return OC_OK;
        for (int a = 0; a < dims.rank; a++)
            dims.n[a] = dims.n[a] == other->n[a] ? dims.n[a] : -1;
    }
    return dims.rank < 0 ? OC_OK : oc_outline(c, 0, x->type, &dims);
}

oc_status oc_outline_first(oc_call *c)
{
    return oc_outline_shared(c, 1);
}

oc_status oc_alloc_out(oc_call *c, int i)
{
    oc_value *out = oc_out_or_null(c, i);
    if (!out || out->data)
        return OC_OK;
    if (oc_is_nchw16c(out))
        return oc_value_new_nchw16c(c->services->pool, out, c->services->error);
    if (c->services->room && c->services->room(c->services->runtime, out))
        return OC_OK;
    OC_TRY(oc_value_new_tensor(c->services->pool, out->type, &out->dims, out, c->services->error));
    if (c->op->hosts && out->type == OC_STRING) /* the decoder may leave some elements unset */
        oc_call_zero(c, out->data, oc_value_bytes(out));
    return OC_OK;
}

void oc_give_out(oc_call *c, int i, oc_value *v)
{
    oc_value *out = oc_out_or_null(c, i);
    if (!out) {
        oc_value_unref(v);
        return;
    }
    *out = *v;
    *v = (oc_value){0};
}

oc_status oc_alias(oc_call *c)
{
    oc_value *out = oc_out(c, 0);
    const oc_value *from = oc_in(c, 0);
    if (from->buffer)
        from->buffer->refs++;
    out->data = from->data;
    out->buffer = from->buffer;
    out->nchw16c = from->nchw16c;
    out->bound = from->bound;
    return OC_OK;
}

oc_status oc_same_shape(oc_call *c)
{
    return oc_set_out(c, 0, oc_in(c, 0)->type, &oc_in(c, 0)->dims);
}

oc_status oc_broadcast_shape(oc_call *c, oc_type type)
{
    oc_dims y = oc_in(c, 0)->dims;
    for (int i = 1; i < oc_n_in(c); i++) {
        const oc_value *x = oc_in_or_null(c, i);
        char have[OC_DIMS_TEXT], with[OC_DIMS_TEXT];
        if (x && !oc_dims_broadcast(&y, &x->dims))
            return oc_fail(c, OC_SHAPE, "input %d is %s, which does not broadcast with %s", i,
                           oc_dims_text(&x->dims, with), oc_dims_text(&y, have));
    }
    return oc_set_out(c, 0, type, &y);
}
