/* SPDX-License-Identifier: Apache-2.0
 * onnx_external.c - elements of a TensorProto that are in another file. */
#include "loader/loader.h"
#include "loader/onnx.h"
#include "loader/raw.h"

#include <string.h>

typedef struct place {
    const char *location;
    int64_t offset, length; /* length -1: the size of the tensor */
} place;

static oc_status parse_number(const char *key, const char *text, int64_t *value, oc_error *e)
{
    int64_t v = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && v < INT64_MAX / 10 - 1; at++)
        v = v * 10 + (*at - '0');
    if (at == text || *at)
        return oc_error_set(e, OC_FORMAT, "external %s is '%s', expected a number >= 0", key, text);
    *value = v;
    return OC_OK;
}

/* The keys that ONNX defines. Others, which engines add for themselves, are ignored. */
typedef enum known_key { LOCATION, OFFSET, LENGTH, CHECKSUM, N_KEYS } known_key;

static known_key find_key(const char *key)
{
    static const char *const name[N_KEYS] = {"location", "offset", "length", "checksum"};
    int k = 0;
    while (k < N_KEYS && strcmp(key, name[k]) != 0)
        k++;
    return (known_key)k;
}

static oc_status read_place(const Onnx__TensorProto *t, place *p, oc_error *e)
{
    bool given[N_KEYS] = {false};
    *p = (place){NULL, 0, -1};
    for (size_t i = 0; i < t->n_external_data; i++) {
        const char *key = t->external_data[i]->key, *value = t->external_data[i]->value;
        if (!key || !value)
            return oc_error_set(e, OC_FORMAT, "external_data has an entry without key or value");
        const known_key k = find_key(key);
        if (k == N_KEYS)
            continue;
        if (given[k])
            return oc_error_set(e, OC_FORMAT, "external %s is given twice", key);
        given[k] = true;
        if (k == LOCATION)
            p->location = value;
        else if (k == OFFSET)
            OC_TRY(parse_number(key, value, &p->offset, e));
        else if (k == LENGTH)
            OC_TRY(parse_number(key, value, &p->length, e));
    }
    return p->location ? OC_OK : oc_error_set(e, OC_FORMAT, "external_data has no location");
}

static oc_status find_bytes(oc_onnx *x, const Onnx__TensorProto *t, const oc_value *v,
                            const void **bytes, size_t *size, oc_error *e)
{
    place p;
    if (!x->m)
        return oc_error_set(e, OC_FORMAT, "external data is refused outside a model");
    OC_TRY(read_place(t, &p, e));
    if (p.length < 0)
        p.length = (int64_t)oc_raw_size(v->type, oc_value_n(v));
    return oc_external_data(x->m, p.location, p.offset, p.length, bytes, size, e);
}

oc_status oc_onnx_external(oc_onnx *x, const Onnx__TensorProto *t, oc_value *v)
{
    const char *name = t->name ? t->name : "";
    const void *bytes;
    size_t size;
    oc_error why = {.code = OC_OK};
    if (find_bytes(x, t, v, &bytes, &size, &why) != OC_OK)
        return oc_error_set(x->e, why.code, "tensor '%s': %s", name, why.text);
    return oc_raw_elements(x->m, x->pool, x->in_place, name, bytes, size, v, x->e);
}
