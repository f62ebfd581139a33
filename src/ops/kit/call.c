/* SPDX-License-Identifier: Apache-2.0
 * call.c - one call of an operator: its checks against the signature, then shape and run. */
#include "ops/kit/call.h"
#include "ops/kit/layout.h"
#include "ops/kit/epilogue.h"

#include <stdio.h>
#include <string.h>

static bool set_has(const oc_sig_set *set, const oc_value *v)
{
    if (v->kind == OC_TENSOR)
        return oc_type_in(v->type, set->tensor);
    if (v->key)
        return oc_type_in(v->type, v->kind == OC_MAP ? set->map : set->map_sequence);
    if (v->type == OC_UNDEFINED) /* an empty list without a declared type fits every set */
        return v->kind == OC_SEQUENCE ? set->sequence || set->opt_sequence
                                      : set->optional || set->opt_sequence;
    if (v->kind == OC_SEQUENCE)
        return oc_type_in(v->type, set->sequence);
    return oc_type_in(v->type, set->optional | set->opt_sequence);
}

static oc_status wrong_type(oc_call *c, const char *side, int i, const oc_sig_port *port,
                            const oc_value *v)
{
    char expected[400], actual[OC_VALUE_TEXT];
    return oc_fail(c, OC_TYPE, "%s %d '%s' is %s, expected %s", side, i, port->name,
                   oc_value_text(v, actual),
                   oc_sig_set_text(&port->set, expected, sizeof expected));
}

/* The first value of a type variable binds it. */
static oc_status check_type(oc_call *c, const char *side, int i, const oc_sig_port *port,
                            const oc_value *v, const oc_value **bound)
{
    if (!set_has(&port->set, v))
        return wrong_type(c, side, i, port, v);
    if (port->var < 0 || port->mixed)
        return OC_OK;
    const oc_value **first = &bound[port->var];
    if (!*first)
        *first = v;
    if ((*first)->type != v->type && (*first)->type && v->type)
        return oc_fail(c, OC_TYPE, "%s %d '%s' is %s, expected %s as the other %s operands", side,
                       i, port->name, oc_type_name(v->type), oc_type_name((*first)->type),
                       c->sig->var[port->var]);
    return OC_OK;
}

/* Checks the types of n values; NULL ones pass, except inputs that a node must have. */
static oc_status check_types(oc_call *c, const char *side, const oc_value *const v[], int n,
                             const oc_sig_port *ports, int n_ports, const oc_value **bound)
{
    for (int i = 0; i < n; i++) {
        const oc_sig_port *port = oc_sig_port_at(ports, n_ports, i);
        if (!v[i] && !port->optional && ports == c->sig->in)
            return oc_fail(c, OC_MODEL, "input %d '%s' is missing", i, port->name);
        if (v[i])
            OC_TRY(check_type(c, side, i, port, v[i], bound));
    }
    return OC_OK;
}

static oc_status check_in(oc_call *c, const oc_value **bound)
{
    return check_types(c, "input", c->in, c->n_in, c->sig->in, c->sig->n_in, bound);
}

static oc_status check_out(oc_call *c, const oc_value **bound)
{
    for (int i = 0; i < c->n_out; i++)
        if (c->out[i] && c->out[i]->kind == OC_TENSOR && c->out[i]->type == OC_UNDEFINED)
            return oc_fail(c, OC_UNSUPPORTED, "output %d was not given a type", i);
    return check_types(c, "output", (const oc_value *const *)c->out, c->n_out, c->sig->out,
                       c->sig->n_out, bound);
}

/* Refuses inputs whose size overflows: a declared shape may have any dims, but shape rules rely on
 * products that do not overflow. */
static oc_status check_sizes(oc_call *c)
{
    for (int i = 0; i < c->n_in; i++) {
        const oc_value *v = c->in[i];
        int64_t count;
        size_t bytes;
        char text[OC_DIMS_TEXT];
        if (v && v->kind == OC_TENSOR &&
            !oc_dims_bytes(&v->dims, oc_type_size(v->type), &count, &bytes))
            return oc_fail(c, OC_SHAPE, "input %d is %s, which is too large", i,
                           oc_dims_text(&v->dims, text));
    }
    return OC_OK;
}

static oc_status plan_shapes(oc_call *c)
{
    const oc_value *bound[OC_SIG_VARS] = {NULL};
    OC_TRY(check_in(c, bound));
    OC_TRY(check_sizes(c));
    OC_TRY(oc_call_check_pattern(c));
    OC_TRY(c->op->shape(c));
    return check_out(c, bound);
}

oc_status oc_call_plan(oc_call *c)
{
    c->planning = true;
    c->was_set = 0;
    const oc_status status = oc_call_agreed(c, plan_shapes(c));
    oc_call_release(c);
    return status;
}

static bool wants_any(const oc_call *c)
{
    for (int i = 0; i < c->n_out; i++)
        if (c->out[i])
            return true;
    return false;
}

static oc_status shape_and_run(oc_call *c)
{
    const oc_value *bound[OC_SIG_VARS] = {NULL};
    OC_TRY(oc_call_snapshot(c));
    OC_TRY(check_in(c, bound));
    OC_TRY(oc_call_check_pattern(c));
    if (c->op->shape) {
        OC_TRY(c->op->shape(c));
        OC_TRY(check_out(c, bound));
        oc_nchw16c_pass_on(c);
        if (c->fused_away || !wants_any(c))
            return OC_OK;
        for (int i = 0; i < c->n_out && c->op->run != oc_alias; i++)
            OC_TRY(oc_alloc_out(c, i));
    }
    c->running = true;
    OC_TRY(c->epilogue_calls ? oc_epilogue_run(c->epilogue_calls, c->n_epilogue_calls)
           : c->fusion       ? c->fusion->run(c, c->producer)
                             : c->op->run(c));
    OC_TRY(c->op->shape ? OC_OK : check_out(c, bound));
    return c->hosts ? oc_call_check_strings(c) : OC_OK;
}

oc_status oc_call_run(oc_call *c)
{
    c->planning = false;
    c->was_set = 0;
    oc_status status = oc_call_agreed(c, shape_and_run(c));
    if (status == OC_OK) /* or the watch ended its work */
        status = oc_check_limits(c);
    oc_call_release(c);
    return status;
}

oc_status oc_call_prepare(oc_call *c)
{
    const oc_value *bound[OC_SIG_VARS] = {NULL};
    for (int i = 0; i < c->n_in; i++) {
        const oc_sig_port *port = oc_sig_port_at(c->sig->in, c->sig->n_in, i);
        if (!c->in[i] && !port->optional)
            return oc_fail(c, OC_MODEL, "input %d '%s' is missing", i, port->name);
        if (c->in[i] && c->in[i]->data)
            OC_TRY(check_type(c, "input", i, port, c->in[i], bound));
    }
    oc_status status = oc_call_agreed(c, c->op->prepare(c));
    if (status == OC_OK)
        status = oc_check_limits(c);
    oc_call_release(c);
    return status;
}

/* ---- messages ---- */

oc_status oc_fail(oc_call *c, oc_status code, const char *format, ...)
{
    char text[sizeof((oc_error *)0)->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return oc_error_set(c->services->error, code, "%s: %s", c->node, text);
}

void oc_remark(const oc_call *c, const char *format, ...)
{
    char text[sizeof((oc_error *)0)->text], line[2 * sizeof text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    snprintf(line, sizeof line, "%s: %s", c->node, text);
    c->services->remark(c->services->runtime, c->step, line);
}

/* ---- scratch ---- */

/* The header of a scratch buffer. It is at the start of the buffer that it describes. */
typedef struct oc_scratch_block {
    struct oc_scratch_block *next;
    oc_value buffer;
} oc_scratch_block;

enum { SCRATCH_HEADER = (sizeof(oc_scratch_block) + OC_ALIGN - 1) / OC_ALIGN * OC_ALIGN };

void *oc_scratch_memory(oc_call *c, size_t count, size_t size)
{
    oc_value v;
    size_t bytes;
    if (!oc_size_mul(count, size, &bytes) || bytes > SIZE_MAX / 4) {
        oc_fail(c, OC_LIMIT, "scratch memory for %zu times %zu bytes is too large", count, size);
        return NULL;
    }
    const oc_dims dims = oc_dims_1d(SCRATCH_HEADER + (int64_t)bytes);
    if (oc_value_new_tensor(c->services->pool, OC_U8, &dims, &v, c->services->error))
        return NULL;
    oc_scratch_block *b = v.data;
    *b = (oc_scratch_block){c->scratch, v};
    c->scratch = b;
    return (char *)b + SCRATCH_HEADER;
}

void oc_call_release(oc_call *c)
{
    for (oc_scratch_block *b = c->scratch, *next; b; b = next) {
        next = b->next;
        oc_value buffer = b->buffer; /* a copy, because the block is inside the buffer */
        oc_value_unref(&buffer);
    }
    c->scratch = NULL;
}
