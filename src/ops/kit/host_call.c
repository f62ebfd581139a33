/* SPDX-License-Identifier: Apache-2.0
 * host_call.c - the services of a call as ocellus_op.h declares them, for operators of the host.
 *
 * Whatever such an operator asks for in vain is an error of its node, so that the run ends with it
 * even if the operator returns OC_OK. */
#include "ops/kit/host_call.h"

/* The services write errors, which a call only points to. */
static oc_call *as_mutable(const oc_call *call)
{
    return (oc_call *)(uintptr_t)call;
}

oc_status oc_call_agreed(oc_call *c, oc_status status)
{
    const oc_status written = c->services->error->code;
    if (status == written || written != OC_OK)
        return written;
    if ((unsigned)status < OC_N_STATUS)
        return oc_fail(c, status, "the operator failed without a message: %s",
                       oc_status_text(status));
    return oc_fail(c, OC_VALUE, "the operator returned %d, expected an oc_status", (int)status);
}

oc_status oc_call_check_strings(oc_call *c)
{
    for (int i = 0; i < c->op->n_out; i++)
        if (c->out[i] && c->out[i]->data && !oc_value_has_characters(c->out[i]))
            return oc_fail(c, OC_VALUE, "output %d has a string with a size and without data", i);
    return OC_OK;
}

void *oc_call_context(const oc_call *call)
{
    return call ? call->op->version->context : NULL;
}

/* ---- inputs and outputs ---- */

int oc_call_n_in(const oc_call *call)
{
    return call ? call->op->n_in : 0;
}

int oc_call_n_out(const oc_call *call)
{
    return call ? oc_n_out(call) : 0;
}

/* Tells whether there is an operand i in a node with n operands and a signature with n_ports;
 * writes the error if not. */
static bool has_operand(const oc_call *call, const char *side, int i, int n, int n_ports)
{
    const int most = oc_max(n, n_ports);
    if (!call || (i >= 0 && i < most))
        return call != NULL;
    oc_fail(as_mutable(call), OC_ARGUMENT, "the operator asked for %s %d of %d", side, i, most);
    return false;
}

const oc_value *oc_call_in(const oc_call *call, int i)
{
    return has_operand(call, "input", i, oc_call_n_in(call), call ? call->op->sig->n_in : 0)
               ? oc_in_or_null(call, i)
               : NULL;
}

static bool has_out(const oc_call *call, int i)
{
    return has_operand(call, "output", i, oc_call_n_out(call), call ? call->op->sig->n_out : 0);
}

void *oc_call_out(oc_call *call, int i)
{
    const oc_value *out = has_out(call, i) ? oc_out_or_null(call, i) : NULL;
    if (!call || (out && out->data))
        return out ? out->data : NULL;
    if (!call->running)
        oc_fail(call, OC_ARGUMENT, "the operator asked for the data of output %d before run", i);
    else if (out)
        oc_fail(call, OC_ARGUMENT,
                "the operator asked for the data of output %d, whose type and "
                "dims it has not set",
                i);
    return NULL;
}

const oc_value *oc_call_out_value(const oc_call *call, int i)
{
    const oc_value *out = has_out(call, i) ? oc_out_or_null(call, i) : NULL;
    return out && out->type != OC_UNDEFINED ? out : NULL;
}

static bool was_set(const oc_call *call, int i)
{
    if (i < 32)
        return call->was_set >> i & 1;
    const oc_value *out = oc_out_or_null(call, i);
    return out && out->type != OC_UNDEFINED;
}

/* May output i get its type and dims now? */
static oc_status can_set(oc_call *call, int i, oc_type type, int rank, const int64_t *dim)
{
    if (rank < 0 || rank > OC_MAX_RANK || (rank && !dim) || !oc_type_is_listed(type))
        return oc_fail(call, OC_ARGUMENT, "output %d cannot have type %d and rank %d%s", i,
                       (int)type, rank, dim ? "" : " without dims");
    if (call->keep || (call->running && call->op->version->shape))
        return oc_fail(call, OC_ARGUMENT, "the operator set output %d outside its function shape",
                       i);
    if (was_set(call, i))
        return oc_fail(call, OC_ARGUMENT, "the operator set output %d twice", i);
    return OC_OK;
}

oc_status oc_call_set_out(oc_call *call, int i, oc_type type, int rank, const int64_t *dim)
{
    if (!call)
        return OC_ARGUMENT;
    if (!has_out(call, i))
        return call->services->error->code;
    OC_TRY(can_set(call, i, type, rank, dim));
    oc_dims dims = {.rank = rank};
    for (int a = 0; a < rank; a++)
        dims.n[a] = dim[a];
    OC_TRY(oc_set_out(call, i, type, &dims));
    call->was_set |= i < 32 ? UINT32_C(1) << i : 0;
    return call->running ? oc_alloc_out(call, i) : OC_OK;
}

oc_status oc_call_set_string(oc_call *call, int i, int64_t element, const char *bytes, size_t size)
{
    if (!call)
        return OC_ARGUMENT;
    oc_string *text = oc_call_out(call, i);
    if (!text)
        return call->services->error->code ? call->services->error->code : OC_OK;
    const oc_value *out = oc_out_or_null(call, i);
    if (out->type != OC_STRING || element < 0 || element >= oc_value_n(out) || (!bytes && size))
        return oc_fail(call, OC_ARGUMENT, "the operator set string %lld of output %d%s",
                       (long long)element, i, bytes || !size ? "" : " without bytes");
    text[element] = (oc_string){oc_keep_string(call, bytes ? bytes : "", size), size};
    return text[element].data ? OC_OK : OC_NOMEM;
}

/* ---- memory and threads of the session ---- */

void *oc_call_scratch(oc_call *call, size_t size)
{
    return call ? oc_scratch_memory(call, size, 1) : NULL;
}

void oc_call_run_tasks(oc_call *call, int n, void (*task)(void *arg, int i), void *arg)
{
    if (!call)
        return;
    if (n < 0 || !task)
        oc_fail(call, OC_ARGUMENT, "the operator asked for %d tasks%s", n,
                task ? "" : " without a function");
    else if (atomic_exchange(&call->has_tasks,
                             true)) /* the session's threads have one job at a time */
        oc_parallel_run(NULL, n, task, arg);
    else {
        oc_parallel_run(&call->services->parallel, n, task, arg);
        atomic_store(&call->has_tasks, false);
    }
}

int oc_call_threads(const oc_call *call)
{
    return call ? call->services->threads : 1;
}

/* ---- attributes ---- */

/* Returns the attribute of that name and kind; NULL if it is missing. If the signature has none, it
 * writes the error. */
static const oc_attr *attr_of(const oc_call *call, const char *name, oc_attr_kind kind)
{
    if (!call)
        return NULL;
    for (int i = 0; name && i < call->op->sig->n_attr; i++)
        if (strcmp(call->op->sig->attr[i].name, name) == 0 &&
            call->op->sig->attr[i].value.kind == kind)
            return call->op->attr[i] && call->op->attr[i]->n ? call->op->attr[i] : NULL;
    oc_fail(as_mutable(call), OC_ARGUMENT,
            "the operator asked for %s attribute '%s', which its "
            "signature has not",
            oc_attr_kind_name(kind), name ? name : "");
    return NULL;
}

int64_t oc_call_int(const oc_call *call, const char *attribute)
{
    const oc_attr *a = attr_of(call, attribute, OC_ATTR_INT);
    return a ? a->u.i[0] : 0;
}

double oc_call_float(const oc_call *call, const char *attribute)
{
    const oc_attr *a = attr_of(call, attribute, OC_ATTR_FLOAT);
    return a ? (double)a->u.f[0] : 0;
}

oc_string oc_call_string(const oc_call *call, const char *attribute)
{
    const oc_attr *a = attr_of(call, attribute, OC_ATTR_STRING);
    return a ? a->u.s[0] : (oc_string){"", 0};
}

/* Returns the items of a list attribute of that kind, and their number; NULL if there are none. */
static const oc_attr *list_of(const oc_call *call, const char *name, oc_attr_kind kind,
                              size_t *count)
{
    const oc_attr *a = attr_of(call, name, kind);
    if (count)
        *count = a ? (size_t)a->n : 0;
    return a;
}

const int64_t *oc_call_ints(const oc_call *call, const char *attribute, size_t *count)
{
    const oc_attr *a = list_of(call, attribute, OC_ATTR_INTS, count);
    return a ? a->u.i : NULL;
}

const float *oc_call_floats(const oc_call *call, const char *attribute, size_t *count)
{
    const oc_attr *a = list_of(call, attribute, OC_ATTR_FLOATS, count);
    return a ? a->u.f : NULL;
}

/* Copies a tensor that is not aligned in the model's file to scratch memory. */
static const oc_value *aligned(oc_call *call, const oc_value *v)
{
    oc_value *copy;
    const size_t size = oc_value_bytes(v);
    if (OC_SCRATCH(call, copy, 1) != OC_OK)
        return NULL;
    *copy = *v;
    if (OC_SCRATCH_OF(call, copy->data, size, 1) != OC_OK)
        return NULL;
    oc_call_copy(call, copy->data, v->data, size);
    return oc_check_limits(call) == OC_OK ? copy : NULL;
}

const oc_value *oc_call_tensor(const oc_call *call, const char *attribute)
{
    const oc_attr *a = attr_of(call, attribute, OC_ATTR_TENSOR);
    if (!a || oc_value_is_aligned(&a->u.t->value))
        return a ? &a->u.t->value : NULL;
    return aligned(as_mutable(call), &a->u.t->value);
}

oc_status oc_call_fail(oc_call *call, oc_status code, const char *text)
{
    const bool known = (unsigned)code < OC_N_STATUS && code != OC_OK;
    if (!call)
        return known ? code : OC_VALUE;
    return oc_fail(call, known ? code : OC_VALUE, "%s",
                   text && *text ? text : "the operator failed without a message");
}
