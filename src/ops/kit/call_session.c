/* SPDX-License-Identifier: Apache-2.0
 * call_session.c - gives a call what its session has: memory, limits, the processor, a random key.
 */
#include "ops/kit/call.h"

#include "base/counter_random.h"

oc_pool *oc_call_pool(const oc_call *c)
{
    return c->services->pool;
}

oc_error *oc_call_error(const oc_call *c)
{
    return c->services->error;
}

oc_status oc_check_limits(oc_call *c)
{
    const oc_status status = c->services->error->code;
    return status != OC_OK ? status : oc_watch_check(c->services->watch, c->services->error);
}

const char *oc_keep_string(oc_call *c, const char *bytes, size_t size)
{
    enum { LONG = 1 << 20 }; /* copies of at least this many bytes ask the watch */
    oc_arena *strings = c->services->strings;
    char *kept =
        size < LONG ? oc_arena_text(strings, bytes, size) : oc_arena_room(strings, size + 1, 1);
    if (!kept) {
        oc_arena_check(strings, c->services->error);
    } else if (size >= LONG) {
        oc_call_copy(c, kept, bytes, size);
        kept[size] = 0;
    }
    return kept;
}

unsigned oc_call_cpu(const oc_call *c)
{
    return c->services->cpu;
}

const oc_session_options *oc_call_options(const oc_call *c)
{
    return c->services->options;
}

int oc_call_since(const oc_call *c)
{
    return c->op->version->since;
}

uint64_t oc_call_key(const oc_call *c)
{
    const oc_attr *a = oc_attr_get(c, "seed");
    if (a && a->n) {
        const double seed = a->kind == OC_ATTR_INT ? (double)a->u.i[0] : (double)a->u.f[0];
        uint64_t bits;
        memcpy(&bits, &seed, sizeof bits);
        return oc_random_mix(bits);
    }
    uint64_t key = oc_random_mix(c->services->options->seed);
    for (const char *p = c->op->seed_name; *p; p++)
        key = oc_random_mix(key ^ (unsigned char)*p);
    return key;
}
