/* SPDX-License-Identifier: Apache-2.0
 * call_keep.c - the memory that prepare fills once with the plan, and that shape and run read. */
#include "ops/kit/call.h"

void *oc_keep_room(oc_call *call, uint64_t bytes)
{
    const size_t size = bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX; /* which the arena refuses */
    if (!call->keep) {
        oc_fail(call, OC_ARGUMENT, "oc_call_keep is for prepare alone");
        return NULL;
    }
    void *kept = oc_arena_room(call->keep->arena, size, OC_ALIGN);
    if (oc_arena_check(call->keep->arena, call->services->error) != OC_OK)
        return NULL;
    if (!oc_watch_touch(call->services->watch, kept, size)) {
        oc_watch_error(call->services->watch, call->services->error);
        return NULL;
    }
    call->keep->prepared = kept;
    return kept;
}

void oc_call_consume(oc_call *c)
{
    c->keep->consumed = true;
}

void *oc_keep_over(oc_call *call, int i, uint64_t size)
{
    const oc_value *v = call->in[i];
    if (!oc_value_can_move(v) || oc_value_bytes(v) != size || i >= 32 ||
        !(call->keep->last >> i & 1))
        return NULL;
    call->keep->prepared = v->data;
    oc_call_consume(call);
    return v->data;
}

void *oc_call_keep(oc_call *call, size_t size)
{
    void *kept = call ? oc_keep_room(call, size) : NULL;
    if (kept && !oc_watch_zero(call->services->watch, kept, size)) {
        oc_watch_error(call->services->watch, call->services->error);
        return NULL;
    }
    return kept;
}

const void *oc_call_prepared(const oc_call *call)
{
    return call ? call->op->prepared : NULL;
}
