/* SPDX-License-Identifier: Apache-2.0
 * raw.c - raw bytes to elements, without a copy where possible. */
#include "loader/raw.h"

#include "graph/build.h"
#include "tensor/convert.h"

#include <string.h>

size_t oc_raw_size(oc_type type, int64_t count)
{
    const size_t n = (size_t)count;
    switch (oc_type_bits(type)) {
    case 2:
        return n / 4 + (n % 4 != 0);
    case 4:
        return n / 2 + n % 2;
    default:
        return n * oc_type_size(type);
    }
}

static bool has_other_than_bool(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] > 1)
            return true;
    return false;
}

oc_status oc_raw_elements(oc_model *m, oc_pool *pool, bool in_place, const char *name,
                          const void *bytes, size_t size, oc_value *v, oc_error *e)
{
    const size_t want = oc_raw_size(v->type, oc_value_n(v));
    const oc_dims dims = v->dims;
    if (size != want)
        return oc_error_set(e, OC_FORMAT,
                            "tensor '%s': %zu bytes of data, expected %zu for its type and dims",
                            name, size, want);
    if (v->type == OC_BOOL && has_other_than_bool(bytes, size))
        return oc_error_set(e, OC_VALUE, "tensor '%s': a bool is neither 0 nor 1", name);
    const bool packed = oc_type_bits(v->type) < 8;
    const oc_value borrowed = oc_value_borrow(v->type, dims, bytes);
    if (!packed && !pool && (in_place || oc_value_is_aligned(&borrowed))) {
        *v = borrowed;
        return OC_OK;
    }
    if (pool)
        OC_TRY(oc_value_new_tensor(pool, v->type, &dims, v, e));
    else
        OC_TRY(oc_model_tensor(m, v->type, &dims, v, e));
    if (packed)
        oc_unpack_bits(v->data, v->type, bytes, oc_value_n(v));
    else if (size)
        memcpy(v->data, bytes, size);
    return OC_OK;
}
