/* SPDX-License-Identifier: Apache-2.0
 * api_value.c - values outside a session: each owns its memory. */
#include "base/arena.h"
#include "loader/loader.h"
#include "tensor/value.h"

#include <string.h>

/* What oc_tensor_new and oc_value_read return: the value, followed by the memory that it uses. */
typedef struct owned_value {
    oc_value value; /* first, because the public pointer is the address of this struct */
    oc_memory memory;
    oc_arena arena; /* owns the characters of strings, and the name */
    oc_pool pool;
} owned_value;

static owned_value *new_owned(const oc_allocator *alloc, oc_error *e)
{
    oc_memory memory = oc_memory_new(alloc, 0);
    owned_value *o = oc_memory_alloc(&memory, sizeof *o);
    if (!o) {
        oc_memory_error(&memory, sizeof *o, e);
        return NULL;
    }
    *o = (owned_value){.memory = memory};
    o->arena = oc_arena_new(&o->memory);
    o->pool = oc_pool_new(&o->memory);
    return o;
}

void oc_value_free(oc_value *value)
{
    if (!value)
        return;
    owned_value *o = (owned_value *)value;
    oc_value_unref(&o->value);
    oc_pool_trim(&o->pool);
    oc_arena_free(&o->arena);
    oc_memory memory = o->memory;
    oc_memory_free(&memory, o, sizeof *o);
}

static oc_value *finish(owned_value *o, oc_status status)
{
    if (status == OC_OK)
        return &o->value;
    oc_value_free(&o->value);
    return NULL;
}

oc_value *oc_tensor_new(oc_type type, int rank, const int64_t *dim, const oc_allocator *alloc,
                        oc_error *e)
{
    if (e->code != OC_OK)
        return NULL;
    if (rank < 0 || rank > OC_MAX_RANK || !oc_type_is_listed(type)) {
        oc_error_set(e, OC_ARGUMENT,
                     "oc_tensor_new: type %d and rank %d, expected 1 to %d and 0 to %d", type, rank,
                     OC_N_TYPES - 1, OC_MAX_RANK);
        return NULL;
    }
    owned_value *o = new_owned(alloc, e);
    if (!o)
        return NULL;
    oc_dims dims = {.rank = rank};
    for (int i = 0; i < rank; i++)
        dims.n[i] = dim[i];
    const oc_status status = oc_value_new_tensor(&o->pool, type, &dims, &o->value, e);
    if (status == OC_OK)
        memset(o->value.data, 0, oc_value_bytes(&o->value));
    return finish(o, status);
}

void oc_tensor_set_string(oc_value *tensor, int64_t i, const char *bytes, size_t size, oc_error *e)
{
    if (e->code != OC_OK)
        return;
    if (!tensor || tensor->type != OC_STRING || i < 0 || i >= oc_value_n(tensor)) {
        oc_error_set(e, OC_ARGUMENT, "oc_tensor_set_string: element %lld of no such string tensor",
                     (long long)i);
        return;
    }
    owned_value *o = (owned_value *)tensor;
    const char *copy = oc_arena_text(&o->arena, bytes, size);
    if (oc_arena_check(&o->arena, e) == OC_OK)
        ((oc_string *)tensor->data)[i] = (oc_string){copy, size};
}

oc_value *oc_value_read(const void *bytes, size_t size, oc_kind kind, const char **name,
                        const oc_allocator *alloc, oc_error *e)
{
    if (e->code != OC_OK)
        return NULL;
    owned_value *o = new_owned(alloc, e);
    if (!o)
        return NULL;
    const char *own_name = NULL;
    const oc_status status =
        oc_load_value(&o->pool, &o->arena, bytes, size, kind, &o->value, &own_name, e);
    if (name)
        *name = own_name ? own_name : "";
    return finish(o, status);
}

void oc_value_write(const oc_value *value, const char *name, const oc_writer *out, oc_error *e)
{
    if (e->code == OC_OK)
        oc_save_value(value, name ? name : "", out, e);
}

oc_kind oc_value_kind(const oc_value *value)
{
    return value->kind;
}

oc_type oc_value_type(const oc_value *value)
{
    return value->type;
}

int oc_value_rank(const oc_value *value)
{
    return value->dims.rank;
}

const int64_t *oc_value_dims(const oc_value *value)
{
    return value->dims.n;
}

int64_t oc_value_count(const oc_value *value)
{
    return oc_value_n(value);
}

const void *oc_value_data(const oc_value *value)
{
    return value->kind == OC_TENSOR ? value->data : NULL;
}

void *oc_value_mutable_data(oc_value *value)
{
    return value->kind == OC_TENSOR ? value->data : NULL;
}

const oc_value *oc_value_item(const oc_value *value, int64_t i)
{
    if (value->kind == OC_TENSOR || i < 0 || i >= oc_value_n(value))
        return NULL;
    return &oc_value_items(value)[i];
}
