/* SPDX-License-Identifier: Apache-2.0
 * snapshot.c - which elements must stay as they are while a call checks, allocates and runs?
 *
 * Inputs of the host are borrowed, and another thread of the host may change them meanwhile; so may
 * another process change a mapped file. Of an input whose elements tell sizes or places, shape and
 * run see one copy, which is the call's own: what was checked is what is used. */
#include "ops/kit/call.h"

static bool decides(const oc_call *c, int i)
{
    const oc_sig_port *port = oc_sig_port_at(c->op->sig->in, c->op->sig->n_in, i);
    return c->in[i] && c->in[i]->data && c->in[i]->kind == OC_TENSOR &&
           (port->value || port->copied);
}

enum { LARGE = 1 << 20 }; /* bytes from which on a copy asks the watch */

static oc_status take_snapshot(oc_call *c, oc_value *v)
{
    const size_t size = oc_value_bytes(v);
    const void *from = v->data;
    OC_TRY(OC_SCRATCH_OF(c, v->data, size, 1));
    v->buffer = NULL;
    if (size >= LARGE) {
        oc_call_copy(c, v->data, from, size);
        return oc_check_limits(c); /* all elements are there */
    }
    if (size)
        memcpy(v->data, from, size);
    return OC_OK;
}

oc_status oc_call_snapshot(oc_call *c)
{
    const oc_value **in;
    oc_value *own;
    if (!c->op->wants_snapshot)
        return OC_OK;
    OC_TRY(OC_SCRATCH(c, in, c->op->n_in));
    OC_TRY(OC_SCRATCH(c, own, c->op->n_in));
    for (int i = 0; i < c->op->n_in; i++) {
        in[i] = c->in[i];
        if (!decides(c, i))
            continue;
        own[i] = *c->in[i];
        OC_TRY(take_snapshot(c, &own[i]));
        in[i] = &own[i];
    }
    c->in = in;
    return OC_OK;
}
