/* SPDX-License-Identifier: Apache-2.0
 * trace_entry.c - makes copies and fingerprints of values. */
#include "values/trace_entry.h"

#include "base/int.h"
#include "common/data.h"
#include "common/number.h"
#include "common/signals.h"
#include "files/tensor_file.h"

#include <math.h>

/* A sequence or optional is copied by writing and reading a proto. */
oc_value *value_copy(const oc_value *v)
{
    oc_error e = {0};
    if (oc_value_kind(v) == OC_TENSOR)
        return tensor_copy(v, &e);
    io_bytes b = {0};
    const oc_writer out = io_bytes_writer(&b);
    oc_value_write(v, NULL, &out, &e);
    oc_value *list = oc_value_read(b.data, b.size, oc_value_kind(v), NULL, data_allocator(), &e);
    io_bytes_free(&b);
    return list;
}

static uint64_t mix(uint64_t h, const void *data, size_t size)
{
    const unsigned char *p = data;
    for (uint64_t word; size; p += sizeof word) {
        const size_t n = oc_min(size, sizeof word);
        word = 0;
        memcpy(&word, p, n);
        h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
        size -= n;
    }
    return h;
}

static uint64_t mix_elements(uint64_t h, const oc_value *v)
{
    const oc_type type = oc_value_type(v);
    const oc_type part = type == OC_C64 ? OC_F32 : type == OC_C128 ? OC_F64 : type;
    const size_t size = oc_type_size(part);
    const int64_t n = oc_value_count(v) * (part == type ? 1 : 2);
    const char *data = oc_value_data(v);
    if (!number_is_float(part) && type != OC_STRING)
        return mix(h, data, size * (size_t)n);
    const bool long_ones = type == OC_STRING; /* one string may take as long as many numbers */
    for (int64_t i = 0; i < n && !(long_ones ? signals_cancelled(NULL) : signals_end_at(i)); i++) {
        const oc_string *s = (const oc_string *)data + i;
        if (type == OC_STRING)
            h = mix(mix(h, &s->size, sizeof s->size), s->data, s->size);
        else if (isnan(number_get(part, data, i)))
            h = mix(h, "NaN", 3);
        else
            h = mix(h, data + size * (size_t)i, size);
    }
    return h;
}

uint64_t value_print(const oc_value *v)
{
    const int64_t form[] = {oc_value_kind(v), oc_value_type(v), oc_value_rank(v),
                            oc_value_count(v)};
    uint64_t h = mix(1, form, sizeof form);
    if (form[0] == OC_TENSOR)
        return mix_elements(mix(h, oc_value_dims(v), sizeof(int64_t) * (size_t)form[2]), v);
    for (int64_t i = 0; i < form[3]; i++) {
        const uint64_t item = value_print(oc_value_item(v, i));
        h = mix(h, &item, sizeof item);
    }
    return h;
}
