/* SPDX-License-Identifier: Apache-2.0
 * api_value.c - values outside of sessions; each owns its memory. */
#include "base/int.h"
#include "loader/loader.h"

/* oc_tensor_new and oc_value_read return this struct: the value, followed by the memory that it
 * uses. */
typedef struct owned_value {
    oc_value value; /* first, because the public pointer is the address of this struct */
    oc_memory memory;
    oc_arena arena; /* owns the characters of strings, and the name */
    oc_pool pool;
    size_t
        /* Bytes of room that oc_tensor_set_string has for each element; NULL until it is called. */
        *room;
    /* the host until it calls oc_value_free, and calls that call the host back */
    atomic_int holders;
} owned_value;

static owned_value *new_owned(const oc_allocator *alloc, oc_error *e)
{
    oc_memory memory = oc_memory_new(alloc, 0);
    owned_value *o = oc_memory_alloc(&memory, sizeof *o);
    if (!o) {
        oc_memory_error(&memory, sizeof *o, e);
        return NULL;
    }
    *o = (owned_value){.memory = memory, .holders = 1};
    o->arena = oc_arena_new(&o->memory);
    o->pool = oc_pool_new(&o->memory);
    return o;
}

static void drop(owned_value *o)
{
    if (atomic_fetch_sub(&o->holders, 1) > 1)
        return;
    oc_value_unref(&o->value);
    oc_pool_trim(&o->pool);
    oc_arena_free(&o->arena);
    oc_memory memory = o->memory;
    oc_memory_free(&memory, o, sizeof *o);
}

/* Returns the struct around a value; NULL for a borrowed value. */
static owned_value *owner_of(const oc_value *value)
{
    return value && value->owned ? (owned_value *)(uintptr_t)value : NULL;
}

void oc_value_free(oc_value *value)
{
    owned_value *o = owner_of(value);
    if (!o)
        return;
    o->value.owned = false;
    drop(o);
}

static oc_value *value_or_null(owned_value *o, oc_status status)
{
    o->value.owned = status == OC_OK;
    if (status == OC_OK)
        return &o->value;
    drop(o);
    return NULL;
}

oc_value *oc_tensor_new(oc_type type, int rank, const int64_t *dim, const oc_allocator *alloc,
                        oc_error *e)
{
    if (!oc_error_is_clear(e))
        return NULL;
    if (rank < 0 || rank > OC_MAX_RANK || (rank && !dim) || !oc_type_is_listed(type)) {
        oc_error_set(e, OC_ARGUMENT,
                     "oc_tensor_new: type %d, rank %d%s, expected type 1 to %d, rank 0 to %d and "
                     "dims",
                     (int)type, rank, dim ? "" : " without dims", OC_N_TYPES - 1, OC_MAX_RANK);
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
    return value_or_null(o, status);
}

/* Returns room for a string as element i: the room of the element's last string, or else at
 * least twice as much, so that an element which is set again and again takes a bounded number of
 * blocks. */
static char *string_room(owned_value *o, int64_t i, size_t size)
{
    if (!o->room)
        o->room = oc_arena_array(&o->arena, (size_t)oc_value_n(&o->value), sizeof *o->room);
    if (!o->room)
        return NULL;
    if (size < o->room[i])
        return (char *)(uintptr_t)((oc_string *)o->value.data)[i].data;
    const size_t more = o->room[i] <= SIZE_MAX / 2 ? 2 * o->room[i] : SIZE_MAX;
    char *text = size < SIZE_MAX ? oc_arena_alloc(&o->arena, oc_max(size + 1, more)) : NULL;
    if (text)
        o->room[i] = oc_max(size + 1, more);
    return text;
}

void oc_tensor_set_string(oc_value *tensor, int64_t i, const char *bytes, size_t size, oc_error *e)
{
    owned_value *o = owner_of(tensor);
    if (!oc_error_is_clear(e))
        return;
    if (!o || tensor->kind != OC_TENSOR || tensor->type != OC_STRING || i < 0 ||
        i >= oc_value_n(tensor) || (!bytes && size)) {
        oc_error_set(e, OC_ARGUMENT,
                     "oc_tensor_set_string: %s element %lld, expected bytes for an element of a "
                     "string tensor from oc_tensor_new",
                     bytes ? "bytes for" : "no bytes for", (long long)i);
        return;
    }
    char *copy = string_room(o, i, size);
    if (!copy) {
        oc_memory_error(&o->memory, size, e);
        return;
    }
    if (size) /* bytes may be the element's own */
        memmove(copy, bytes, size);
    copy[size] = 0;
    ((oc_string *)tensor->data)[i] = (oc_string){copy, size};
}

/* ---- sequences and optionals ---- */

/* *own becomes a copy of *v that has its own elements and characters. */
static oc_status copy_value(owned_value *o, const oc_value *v, oc_value *own, oc_error *e)
{
    const int64_t n = oc_value_n(v);
    if (v->kind != OC_TENSOR) {
        OC_TRY(oc_value_new_list(&o->pool, v->kind, v->type, n, own, e));
        own->key = v->key;
        for (int64_t i = 0; i < n; i++)
            OC_TRY(copy_value(o, &oc_value_items(v)[i], &oc_value_items(own)[i], e));
        return OC_OK;
    }
    OC_TRY(oc_value_new_tensor(&o->pool, v->type, &v->dims, own, e));
    if (v->type != OC_STRING) {
        if (n)
            memcpy(own->data, v->data, oc_value_bytes(v));
        return OC_OK;
    }
    for (int64_t i = 0; i < n; i++) {
        const oc_string from = ((const oc_string *)v->data)[i];
        ((oc_string *)own->data)[i] =
            (oc_string){oc_arena_text(&o->arena, from.data, from.size), from.size};
        OC_TRY(oc_arena_check(&o->arena, e));
    }
    return OC_OK;
}

/* May v be an item of a list whose elements have that type? Only optionals hold sequences. */
static oc_status check_item(const char *call, const oc_value *v, oc_type type, bool sequences,
                            oc_error *e)
{
    char text[OC_VALUE_TEXT];
    if (!v)
        return oc_error_set(e, OC_ARGUMENT, "%s: an item is NULL, expected a value", call);
    if (v->type != type || v->key ||
        (v->kind != OC_TENSOR && (v->kind != OC_SEQUENCE || !sequences)))
        return oc_error_set(e, OC_TYPE, "%s: an item is %s, expected %s%s", call,
                            oc_value_text(v, text), oc_type_name(type),
                            sequences ? ", in a tensor or a sequence" : " in a tensor");
    if (!oc_value_has_data(v) || !oc_value_has_characters(v))
        return oc_error_set(e, OC_ARGUMENT,
                            "%s: elements of an item, or characters of a string, are missing",
                            call);
    return OC_OK;
}

static oc_value *new_list(oc_kind kind, oc_type type, int64_t n, const oc_value *const *item,
                          const oc_allocator *alloc, oc_error *e)
{
    const char *call = kind == OC_SEQUENCE ? "oc_sequence_new" : "oc_optional_new";
    for (int64_t i = 0; i < n; i++)
        if (check_item(call, item[i], type, kind == OC_OPTIONAL, e) != OC_OK)
            return NULL;
    owned_value *o = new_owned(alloc, e);
    if (!o)
        return NULL;
    oc_status status = oc_value_new_list(&o->pool, kind, type, n, &o->value, e);
    for (int64_t i = 0; i < n && status == OC_OK; i++)
        status = copy_value(o, item[i], &oc_value_items(&o->value)[i], e);
    return value_or_null(o, status);
}

oc_value *oc_sequence_new(oc_type type, int64_t n, const oc_value *const *item,
                          const oc_allocator *alloc, oc_error *e)
{
    if (!oc_error_is_clear(e))
        return NULL;
    if (n >= 0 && (item || !n) && oc_type_is_listed(type))
        return new_list(OC_SEQUENCE, type, n, item, alloc, e);
    oc_error_set(e, OC_ARGUMENT,
                 "oc_sequence_new: type %d, %lld items%s, expected type 1 to %d and items",
                 (int)type, (long long)n, item ? "" : " at NULL", OC_N_TYPES - 1);
    return NULL;
}

oc_value *oc_optional_new(oc_type type, const oc_value *item, const oc_allocator *alloc,
                          oc_error *e)
{
    if (!oc_error_is_clear(e))
        return NULL;
    if (oc_type_is_listed(type))
        return new_list(OC_OPTIONAL, type, item != NULL, &item, alloc, e);
    oc_error_set(e, OC_ARGUMENT, "oc_optional_new: type %d, expected 1 to %d", (int)type,
                 OC_N_TYPES - 1);
    return NULL;
}

/* ---- read and written ---- */

static bool is_kind(oc_kind kind)
{
    return (unsigned)kind <= OC_MAP;
}

oc_value *oc_value_read(const void *bytes, size_t size, oc_kind kind, const char **name,
                        const oc_allocator *alloc, oc_error *e)
{
    if (name)
        *name = "";
    if (!oc_error_is_clear(e))
        return NULL;
    if (!bytes || !is_kind(kind)) {
        oc_error_set(e, OC_ARGUMENT, "oc_value_read: %s, kind %d, expected bytes and kind 0 to %d",
                     bytes ? "bytes" : "no bytes", (int)kind, OC_MAP);
        return NULL;
    }
    owned_value *o = new_owned(alloc, e);
    if (!o)
        return NULL;
    const char *own_name = NULL;
    const oc_status status =
        oc_load_value(&o->pool, &o->arena, bytes, size, kind, &o->value, &own_name, e);
    if (name && status == OC_OK && own_name)
        *name = own_name;
    return value_or_null(o, status);
}

/* Holds the value meanwhile, because the writer is the host's and may free it. */
void oc_value_write(const oc_value *value, const char *name, const oc_writer *out, oc_error *e)
{
    if (!oc_error_is_clear(e))
        return;
    if (!value || !out || !out->write) {
        oc_error_set(e, OC_ARGUMENT, "oc_value_write: there is no value or no writer");
        return;
    }
    if (!oc_value_has_data(value) || !oc_value_has_characters(value)) {
        oc_error_set(e, OC_ARGUMENT,
                     "oc_value_write: elements of the value, or characters of a string, are "
                     "missing");
        return;
    }
    owned_value *o = owner_of(value);
    if (o)
        atomic_fetch_add(&o->holders, 1);
    oc_save_value(value, name ? name : "", out, e);
    if (o)
        drop(o);
}

oc_kind oc_value_kind(const oc_value *value)
{
    return value ? value->kind : OC_TENSOR;
}

oc_type oc_value_type(const oc_value *value)
{
    return value ? value->type : OC_UNDEFINED;
}

oc_type oc_value_key_type(const oc_value *value)
{
    return value ? value->key : OC_UNDEFINED;
}

int oc_value_rank(const oc_value *value)
{
    return value ? value->dims.rank : 0;
}

const int64_t *oc_value_dims(const oc_value *value)
{
    return value ? value->dims.n : NULL;
}

int64_t oc_value_count(const oc_value *value)
{
    return value ? oc_value_n(value) : 0;
}

const void *oc_value_data(const oc_value *value)
{
    return value && value->kind == OC_TENSOR ? value->data : NULL;
}

void *oc_value_mutable_data(oc_value *value)
{
    const bool own = value && value->kind == OC_TENSOR && value->buffer && !value->bound;
    return own ? value->data : NULL;
}

const oc_value *oc_value_item(const oc_value *value, int64_t i)
{
    if (!value || value->kind == OC_TENSOR || i < 0 || i >= oc_value_n(value))
        return NULL;
    return &oc_value_items(value)[i];
}
