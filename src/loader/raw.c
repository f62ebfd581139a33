/* SPDX-License-Identifier: Apache-2.0
 * raw.c - turns raw bytes into elements, without a copy where possible. */
#include "loader/raw.h"

#include "base/int.h"
#include "graph/build.h"
#include "tensor/bits.h"

size_t oc_raw_size(oc_type type, int64_t count)
{
    const size_t n = (size_t)count, bits = (size_t)oc_type_bits(type), per_byte = 8 / bits;
    return bits < 8 ? n / per_byte + (n % per_byte != 0) : n * oc_type_size(type);
}

/* Are the elements many numbers that a run only computes with? Integers of an attribute may be
 * indices or sizes; 8-bit integers of an initializer are weights. */
static bool are_numbers(oc_type type, size_t size, bool is_initializer)
{
    const bool deciding = type == OC_I32 || type == OC_I64 || type == OC_BOOL;
    return size >= OC_LEAST_MAPPED && !deciding &&
           (is_initializer || oc_type_in(type, OC_SET_FLOAT | OC_SET_COMPLEX));
}

enum { PIECE = 1 << 20 }; /* elements between two looks at the limits */

oc_status oc_raw_unpack(oc_watch *watch, const oc_value *v, const uint8_t *bytes, oc_error *e)
{
    const int64_t n = oc_value_n(v), per_byte = 8 / oc_type_bits(v->type);
    for (int64_t i = 0; i < n; i += PIECE) {
        OC_TRY(oc_watch_check(watch, e));
        oc_unpack_bits((uint8_t *)v->data + i, v->type, bytes + i / per_byte,
                       n - i < PIECE ? n - i : PIECE);
    }
    return OC_OK;
}

static bool has_other_than_bool(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] > 1)
            return true;
    return false;
}

static oc_status check_bools(oc_watch *watch, const char *name, const uint8_t *bytes, size_t size,
                             oc_error *e)
{
    for (size_t i = 0; i < size; i += PIECE) {
        OC_TRY(oc_watch_check(watch, e));
        if (has_other_than_bool(bytes + i, oc_min(size - i, PIECE)))
            return oc_error_set(e, OC_VALUE, "tensor '%s': a bool is neither 0 nor 1", name);
    }
    return OC_OK;
}

oc_status oc_raw_elements(oc_model *m, oc_pool *pool, bool in_place, const char *name,
                          const void *bytes, size_t size, oc_value *v, oc_error *e)
{
    const size_t want = oc_raw_size(v->type, oc_value_n(v));
    const oc_dims dims = v->dims;
    oc_watch *watch = m ? m->memory.watch : NULL;
    if (size != want)
        return oc_error_set(e, OC_FORMAT,
                            "tensor '%s': %zu bytes of data, expected %zu for its type and dims",
                            name, size, want);
    const bool packed = oc_type_bits(v->type) < 8;
    const oc_value borrowed = oc_value_borrow(v->type, dims, bytes);
    if (!packed && !pool && are_numbers(v->type, size, in_place) &&
        (in_place || oc_value_is_aligned(&borrowed))) {
        *v = borrowed;
        return OC_OK;
    }
    if (pool)
        OC_TRY(oc_value_new_tensor(pool, v->type, &dims, v, e));
    else
        OC_TRY(oc_model_tensor(m, v->type, &dims, v, e));
    OC_TRY(packed ? oc_raw_unpack(watch, v, bytes, e)
                  : oc_watch_copy(watch, v->data, bytes, size, e));
    return v->type == OC_BOOL ? check_bools(watch, name, v->data, size, e) : OC_OK;
}
