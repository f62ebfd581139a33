/* SPDX-License-Identifier: Apache-2.0
 * value.c - values made, copied and freed. */
#include "values/value.h"

#include "common/interface.h"

/* ---- made ---- */

/* Makes a value of that kind without content. */
static OrtStatus *new_value(oc_kind kind, oc_type type, oc_type key, OrtValue **out)
{
    ORT_TRY(ort_new(sizeof **out, out));
    (*out)->kind = kind;
    (*out)->type = type;
    (*out)->key = key;
    return NULL;
}

/* Frees a value that a call could not finish. */
static OrtStatus *free_if_failed(OrtStatus *status, OrtValue **value)
{
    if (status) {
        ort_ReleaseValue(*value);
        *value = NULL;
    }
    return status;
}

/* Makes a tensor that has no elements yet. */
static OrtStatus *new_tensor(oc_type type, int rank, const int64_t *dim, OrtValue **out)
{
    *out = NULL;
    ORT_EXPECT(rank >= 0 && rank <= OC_MAX_RANK && (dim || !rank),
               "a tensor of rank %d, expected 0 to %d, and its dims", rank, (int)OC_MAX_RANK);
    ORT_EXPECT(oc_type_size(type), "a tensor of element type %d, which is unknown", (int)type);
    /* the product with each dim counted as 1 at least, so that no stride exceeds int64 */
    int64_t count = 1, most = 1;
    for (int i = 0; i < rank; i++) {
        ORT_EXPECT(dim[i] >= 0, "dim %d of a tensor is %lld, expected 0 or more", i,
                   (long long)dim[i]);
        ORT_EXPECT(!dim[i] || most <= INT64_MAX / 16 / dim[i],
                   "a tensor has more elements than memory can hold");
        most *= dim[i] ? dim[i] : 1;
        count *= dim[i];
    }
    ORT_TRY(new_value(OC_TENSOR, type, OC_UNDEFINED, out));
    (*out)->rank = rank;
    (*out)->count = count;
    if (rank)
        memcpy((*out)->dim, dim, (size_t)rank * sizeof *dim);
    return NULL;
}

static OrtStatus *give_elements(OrtAllocator *allocator, OrtValue *v)
{
    if (v->type == OC_STRING) {
        oc_error e = {0};
        v->strings = oc_tensor_new(OC_STRING, v->rank, v->dim, NULL, &e);
        return ort_from_error(&e);
    }
    v->allocator = allocator ? allocator : ort_default_allocator();
    OrtStatus *status = ort_allocate(v->allocator, ort_type_bytes(v->type, v->count), &v->data);
    if (status)
        v->allocator = NULL;
    return status;
}

OrtStatus *ort_value_new(OrtAllocator *allocator, oc_type type, int rank, const int64_t *dim,
                         OrtValue **out)
{
    ORT_TRY(new_tensor(type, rank, dim, out));
    return free_if_failed(give_elements(allocator, *out), out);
}

OrtStatus *ort_value_over(void *data, oc_type type, int rank, const int64_t *dim, OrtValue **out)
{
    ORT_TRY(new_tensor(type, rank, dim, out));
    (*out)->data = data;
    return NULL;
}

OrtValue *ort_value_hold(const OrtValue *value)
{
    OrtValue *held = (OrtValue *)(uintptr_t)value;
    atomic_fetch_add(&held->others, 1);
    return held;
}

OrtStatus *ort_value_share(const OrtValue *value, OrtValue **out)
{
    ORT_TRY(ort_new(sizeof **out, out));
    memcpy(*out, value, offsetof(OrtValue, others));
    (*out)->base = ort_value_hold(value);
    return NULL;
}

void ort_ReleaseValue(OrtValue *value)
{
    if (!value || atomic_fetch_sub(&value->others, 1) > 0)
        return;
    if (value->base) {
        ort_ReleaseValue(value->base);
        free(value);
        return;
    }
    if (value->allocator)
        ort_free(value->allocator, value->data);
    if (!value->borrowed)
        oc_value_free(value->strings);
    for (int64_t i = 0; value->item && i < value->count; i++)
        ort_ReleaseValue(value->item[i]);
    free(value->item);
    free(value);
}

/* ---- elements, packed and one to a byte ---- */

/* Packs elements. Those with lower indices go to the lower bits of a byte. */
static void pack(oc_type type, const uint8_t *from, int64_t n, uint8_t *to)
{
    const int bits = ort_type_bits(type), per_byte = 8 / bits, mask = (1 << bits) - 1;
    memset(to, 0, ort_type_bytes(type, n));
    for (int64_t i = 0; i < n; i++) {
        const int part = (from[i] & mask) << (i % per_byte * bits);
        to[i / per_byte] = (uint8_t)(to[i / per_byte] | part);
    }
}

static void unpack(oc_type type, const uint8_t *from, int64_t n, uint8_t *to)
{
    const int bits = ort_type_bits(type), per_byte = 8 / bits, mask = (1 << bits) - 1;
    const int sign = type == OC_I4 || type == OC_I2 ? 1 << (bits - 1) : 0;
    for (int64_t i = 0; i < n; i++) {
        const int code = from[i / per_byte] >> (i % per_byte * bits) & mask;
        to[i] = (uint8_t)((code ^ sign) - sign); /* two's complement where there is a sign */
    }
}

/* Copies the strings of a tensor to another of equal size. */
static void copy_strings(const oc_value *from, oc_value *to, oc_error *e)
{
    const oc_string *s = oc_value_data(from);
    for (int64_t i = 0; i < oc_value_count(from); i++)
        oc_tensor_set_string(to, i, s[i].data ? s[i].data : "", s[i].size, e);
}

/* Copies the elements of a tensor of Ocellus to a tensor here of equal size. */
static OrtStatus *copy_elements(const oc_value *from, OrtValue *to)
{
    const void *data = oc_value_data(from);
    oc_error e = {0};
    if (to->type == OC_STRING)
        copy_strings(from, to->strings, &e);
    else if (ort_type_bits(to->type) < 8)
        pack(to->type, data, to->count, to->data);
    else if (to->count)
        memcpy(to->data, data, ort_type_bytes(to->type, to->count));
    return ort_from_error(&e);
}

/* ---- values of Ocellus here ---- */

static OrtStatus *copy_list(OrtAllocator *allocator, const oc_value *from, OrtValue *to)
{
    to->count = oc_value_count(from);
    ORT_TRY(ort_new((size_t)to->count * sizeof *to->item, &to->item));
    for (int64_t i = 0; i < to->count; i++)
        ORT_TRY(ort_value_copy(allocator, oc_value_item(from, i), &to->item[i]));
    return NULL;
}

OrtStatus *ort_value_copy(OrtAllocator *allocator, const oc_value *from, OrtValue **out)
{
    *out = NULL;
    const oc_kind kind = oc_value_kind(from);
    /* an optional that holds a value has nothing else to declare */
    if (kind == OC_OPTIONAL && oc_value_count(from))
        return ort_value_copy(allocator, oc_value_item(from, 0), out);
    if (kind == OC_TENSOR) {
        ORT_TRY(ort_value_new(allocator, oc_value_type(from), oc_value_rank(from),
                              oc_value_dims(from), out));
        return free_if_failed(copy_elements(from, *out), out);
    }
    ORT_TRY(new_value(kind, oc_value_type(from), oc_value_key_type(from), out));
    return free_if_failed(copy_list(allocator, from, *out), out);
}

OrtStatus *ort_value_view(const oc_value *from, OrtValue **out)
{
    const oc_type type = oc_value_type(from);
    if (oc_value_kind(from) != OC_TENSOR || ort_type_bits(type) < 8)
        return ort_value_copy(NULL, from, out);
    ORT_TRY(ort_value_over((void *)(uintptr_t)oc_value_data(from), type, oc_value_rank(from),
                           oc_value_dims(from), out));
    if (type != OC_STRING)
        return NULL;
    (*out)->strings = (oc_value *)(uintptr_t)from;
    (*out)->borrowed = true;
    (*out)->data = NULL;
    return NULL;
}

bool ort_value_has_dims(const OrtValue *value, size_t rank, const int64_t *dim)
{
    return (size_t)value->rank == rank &&
           (!rank || memcmp(value->dim, dim, rank * sizeof *dim) == 0);
}

OrtStatus *ort_value_fill(OrtValue *to, const oc_value *from, const char *output)
{
    char given[ORT_VALUE_TEXT], made[ORT_VALUE_TEXT];
    OrtValue is = {.kind = oc_value_kind(from), .type = oc_value_type(from)};
    if (is.kind == OC_TENSOR)
        is.rank = oc_value_rank(from);
    else
        is.count = oc_value_count(from);
    if (is.rank)
        memcpy(is.dim, oc_value_dims(from), (size_t)is.rank * sizeof *is.dim);
    ORT_EXPECT(is.kind == OC_TENSOR && to->kind == OC_TENSOR && is.type == to->type &&
                   ort_value_has_dims(to, (size_t)is.rank, is.dim),
               "output '%s' is %s, and the value given for it %s", output,
               ort_value_text(&is, made), ort_value_text(to, given));
    return copy_elements(from, to);
}

/* ---- values here as Ocellus' ---- */

static OrtStatus *to_tensor(const OrtValue *from, oc_value **out)
{
    oc_error e = {0};
    *out = oc_tensor_new(from->type, from->rank, from->dim, NULL, &e);
    void *data = oc_value_mutable_data(*out);
    if (e.code == OC_OK && from->type == OC_STRING)
        copy_strings(from->strings, *out, &e);
    else if (e.code == OC_OK && ort_type_bits(from->type) < 8)
        unpack(from->type, from->data, from->count, data);
    else if (e.code == OC_OK && from->count)
        memcpy(data, from->data, ort_type_bytes(from->type, from->count));
    if (e.code != OC_OK) {
        oc_value_free(*out);
        *out = NULL;
    }
    return ort_from_error(&e);
}

static OrtStatus *to_items(const OrtValue *from, oc_value **item)
{
    for (int64_t i = 0; i < from->count; i++)
        ORT_TRY(ort_value_to_ocellus(from->item[i], OC_TENSOR, from->type, &item[i]));
    return NULL;
}

static OrtStatus *to_sequence(const OrtValue *from, oc_value **out)
{
    oc_error e = {0};
    oc_value **item;
    ORT_TRY(ort_new((size_t)from->count * sizeof *item, &item));
    OrtStatus *status = to_items(from, item);
    if (!status) {
        *out = oc_sequence_new(from->type, from->count, (const oc_value *const *)item, NULL, &e);
        status = ort_from_error(&e);
    }
    for (int64_t i = 0; i < from->count; i++)
        oc_value_free(item[i]);
    free(item);
    return status;
}

static OrtStatus *to_optional(const OrtValue *from, oc_type type, oc_value **out)
{
    oc_error e = {0};
    oc_value *item = NULL;
    if (from->kind != OC_OPTIONAL)
        ORT_TRY(ort_value_to_ocellus(from, from->kind, type, &item));
    *out = oc_optional_new(type, item, NULL, &e);
    oc_value_free(item);
    return ort_from_error(&e);
}

OrtStatus *ort_value_to_ocellus(const OrtValue *from, oc_kind kind, oc_type type, oc_value **out)
{
    char text[ORT_VALUE_TEXT];
    *out = NULL;
    if (kind == OC_OPTIONAL)
        return to_optional(from, type, out);
    ORT_EXPECT(from->kind == kind && kind != OC_MAP && !from->key, "a value is %s, expected %s",
               ort_value_text(from, text),
               kind == OC_TENSOR     ? "a tensor"
               : kind == OC_SEQUENCE ? "a sequence of tensors"
                                     : "no map: maps are outputs alone");
    return kind == OC_SEQUENCE ? to_sequence(from, out) : to_tensor(from, out);
}

const char *ort_value_text(const OrtValue *value, char *text)
{
    static const char *const kind[] = {"tensor", "seq", "optional", "map"};
    int n = snprintf(text, ORT_VALUE_TEXT, "%s(%s)[", kind[value->kind], oc_type_name(value->type));
    for (int i = 0; i < value->rank; i++)
        n += snprintf(text + n, ORT_VALUE_TEXT - (size_t)n, "%s%lld", i ? "," : "",
                      (long long)value->dim[i]);
    if (value->kind != OC_TENSOR)
        n += snprintf(text + n, ORT_VALUE_TEXT - (size_t)n, "%lld", (long long)value->count);
    snprintf(text + n, ORT_VALUE_TEXT - (size_t)n, "]");
    return text;
}
