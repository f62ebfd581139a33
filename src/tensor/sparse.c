/* SPDX-License-Identifier: Apache-2.0
 * sparse.c - checks sparse tensors and makes them dense. */
#include "tensor/sparse.h"

/* Returns the index in the dense tensor of entry k of the sparse tensor; -1 when it is out of
 * range. */
static int64_t sparse_position(const oc_sparse *s, int64_t k, int64_t count)
{
    const int64_t *index = s->indices.value.data;
    if (s->indices.value.dims.rank == 1)
        return index[k] >= 0 && index[k] < count ? index[k] : -1;
    int64_t at = 0;
    for (int a = 0; a < s->dims.rank; a++) {
        const int64_t i = index[k * s->dims.rank + a];
        if (i < 0 || i >= s->dims.n[a])
            return -1;
        at = at * s->dims.n[a] + i;
    }
    return at;
}

static bool sparse_form_is_good(const oc_sparse *s)
{
    const oc_dims *i = &s->indices.value.dims;
    if (s->indices.value.type != OC_I64 || s->values.value.dims.rank != 1 || i->rank < 1 ||
        i->rank > 2)
        return false;
    return i->n[0] == s->values.value.dims.n[0] && (i->rank == 1 || i->n[1] == s->dims.rank);
}

oc_status oc_sparse_check(const oc_sparse *s, oc_error *e)
{
    int64_t count, before = -1;
    size_t bytes;
    if (!sparse_form_is_good(s) ||
        !oc_dims_bytes(&s->dims, oc_type_size(s->values.value.type), &count, &bytes))
        return oc_error_set(e, OC_MODEL,
                            "sparse tensor '%s': expected values [NNZ], int64 indices [NNZ] or "
                            "[NNZ,rank], and a shape that fits memory",
                            s->values.name);
    for (int64_t k = 0; k < s->values.value.dims.n[0]; k++) {
        const int64_t at = sparse_position(s, k, count);
        if (at <= before)
            return oc_error_set(e, OC_VALUE, "sparse tensor '%s': index %" PRId64 " is %s",
                                s->values.name, k,
                                at < 0 ? "out of range" : "not above the one before it");
        before = at;
    }
    return OC_OK;
}

void oc_sparse_put(const oc_sparse *s, int64_t k, void *dense, int64_t count)
{
    const size_t elem = oc_type_size(s->values.value.type);
    memcpy((char *)dense + (size_t)sparse_position(s, k, count) * elem,
           (const char *)s->values.value.data + (size_t)k * elem, elem);
}

oc_status oc_sparse_densify(oc_arena *arena, const oc_sparse *s, oc_value *v, oc_error *e)
{
    const size_t elem = oc_type_size(s->values.value.type);
    OC_TRY(oc_sparse_check(s, e));
    const int64_t count = oc_dims_count(&s->dims);
    char *data = oc_arena_alloc(arena, (size_t)count * elem);
    OC_TRY(oc_arena_check(arena, e));
    for (int64_t k = 0; k < s->values.value.dims.n[0]; k++)
        oc_sparse_put(s, k, data, count);
    *v = oc_value_borrow(s->values.value.type, s->dims, data);
    return OC_OK;
}
