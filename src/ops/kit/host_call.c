/* SPDX-License-Identifier: Apache-2.0
 * host_call.c - the services of a call as ocellus.h declares them, for operators of the host. */
#include "ops/kit/call.h"

#include <string.h>

int oc_call_n_in(const oc_call *call)
{
    return oc_n_in(call);
}

int oc_call_n_out(const oc_call *call)
{
    return oc_n_out(call);
}

const oc_value *oc_call_in(const oc_call *call, int i)
{
    return i < 0 ? NULL : oc_in(call, i);
}

void *oc_keep_room(oc_call *call, size_t size)
{
    if (!call->keep) {
        oc_fail(call, OC_ARGUMENT, "oc_call_keep is for prepare alone");
        return NULL;
    }
    void *kept = oc_arena_room(call->keep, size, OC_ALIGN);
    if (oc_arena_check(call->keep, call->services->error) != OC_OK)
        return NULL;
    call->prepared = kept;
    return kept;
}

void *oc_call_keep(oc_call *call, size_t size)
{
    void *kept = oc_keep_room(call, size);
    return kept ? memset(kept, 0, size) : NULL;
}

const void *oc_call_prepared(const oc_call *call)
{
    return call->prepared;
}

void *oc_call_out(oc_call *call, int i)
{
    const oc_value *out = i < 0 ? NULL : oc_out(call, i);
    return out ? out->data : NULL;
}

oc_status oc_call_set_out(oc_call *call, int i, oc_type type, int rank, const int64_t *dim)
{
    if (i < 0 || rank < 0 || rank > OC_MAX_RANK || !oc_type_is_listed(type))
        return oc_fail(call, OC_ARGUMENT, "output %d cannot have type %d and rank %d", i, type,
                       rank);
    oc_dims dims = {.rank = rank};
    for (int a = 0; a < rank; a++)
        dims.n[a] = dim[a];
    return oc_set_out(call, i, type, dims);
}

int64_t oc_call_int(const oc_call *call, const char *attribute)
{
    return oc_attr_int(call, attribute);
}

double oc_call_float(const oc_call *call, const char *attribute)
{
    return oc_attr_float(call, attribute);
}

oc_string oc_call_string(const oc_call *call, const char *attribute)
{
    return oc_attr_string(call, attribute);
}

oc_status oc_call_fail(oc_call *call, oc_status code, const char *text)
{
    return oc_fail(call, code == OC_OK ? OC_VALUE : code, "%s", text);
}
