/* SPDX-License-Identifier: Apache-2.0
 * fill.c - fills inputs with numbers from a counter-based random generator. */
#include "values/fill.h"

#include "common/number.h"
#include "common/signals.h"

const char *const fill_names[] = {"none", "random", "zeros", NULL};

/* The finalizer of SplitMix64: a bijection whose output bits all depend on all input bits. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

uint64_t fill_bits(uint64_t key, uint64_t counter)
{
    return mix(mix(key + 0x9e3779b97f4a7c15u * (counter + 1)) ^ key);
}

uint64_t fill_key(uint64_t seed, const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return mix(seed + 0x9e3779b97f4a7c15u) ^ hash;
}

double fill_unit(uint64_t key, uint64_t counter)
{
    return (double)(fill_bits(key, counter) >> 40) / 16777216.0;
}

static void fill_element(oc_value *v, int64_t i, uint64_t key, oc_error *e)
{
    const oc_type type = oc_value_type(v);
    const uint64_t bits = fill_bits(key, (uint64_t)i);
    void *data = oc_value_mutable_data(v);
    if (type == OC_STRING) {
        char text[4];
        for (int k = 0; k < 4; k++)
            text[k] = (char)('a' + (bits >> 8 * k & 0xff) % 26);
        oc_tensor_set_string(v, i, text, sizeof text, e);
    } else if (type == OC_C64 || type == OC_C128) {
        const oc_type part = type == OC_C64 ? OC_F32 : OC_F64;
        number_set(part, data, 2 * i, fill_unit(key, 2 * (uint64_t)i));
        number_set(part, data, 2 * i + 1, fill_unit(key, 2 * (uint64_t)i + 1));
    } else if (number_is_float(type)) {
        number_set(type, data, i, fill_unit(key, (uint64_t)i));
    } else if (type == OC_BOOL) {
        number_set(type, data, i, (double)(bits >> 63));
    } else if (type == OC_U8 || type == OC_I8) {
        number_set(type, data, i, (double)(bits >> 56) - (type == OC_I8 ? 128 : 0));
    } else {
        number_set(type, data, i, (double)((bits >> 32) % 10)); /* is clamped to the type's range */
    }
}

void fill_tensor(oc_value *v, uint64_t seed, const char *name, oc_error *e)
{
    const uint64_t key = fill_key(seed, name);
    for (int64_t i = 0; e->code == OC_OK && i < oc_value_count(v); i++) {
        if (signals_end_at(i))
            tool_fail(e, OC_CANCELLED, "input '%s': cancelled", name);
        else
            fill_element(v, i, key, e);
    }
}
