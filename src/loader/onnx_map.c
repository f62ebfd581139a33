/* SPDX-License-Identifier: Apache-2.0
 * onnx_map.c - reads maps that stand alone from binary ONNX: the keys, and a sequence of
 * one-element tensors, one for each key. */
#include "loader/onnx.h"
#include "tensor/keys.h"

static oc_status read_keys(oc_onnx *x, const Onnx__MapProto *p, oc_value *keys)
{
    const oc_type type = (oc_type)p->key_type;
    const oc_dims dims = oc_dims_1d((int64_t)(p->n_keys + p->n_string_keys));
    if (type != OC_I64 && type != OC_STRING)
        return oc_error_set(x->e, OC_UNSUPPORTED, "a map has keys of %s, expected int64 or string",
                            oc_type_name(type));
    if (type == OC_I64 ? p->n_string_keys : p->n_keys)
        return oc_error_set(x->e, OC_FORMAT, "a map of key type %s has keys of another type",
                            oc_type_name(type));
    OC_TRY(oc_value_new_tensor(x->pool, type, &dims, keys, x->e));
    size_t steps = 0;
    for (size_t i = 0; i < p->n_keys; i++)
        ((int64_t *)keys->data)[i] = p->keys[i];
    for (size_t i = 0; i < p->n_string_keys; i++) {
        OC_TRY(oc_watch_check_some(x->memory->watch, &steps, x->e));
        const ProtobufCBinaryData *key = &p->string_keys[i];
        ((oc_string *)keys->data)[i] =
            (oc_string){oc_arena_text(x->arena, (const char *)key->data, key->len), key->len};
    }
    return oc_arena_check(x->arena, x->e);
}

/* Puts the element of a one-element tensor at place i of values; the first tensor decides the
 * type of values. */
static oc_status read_element(oc_onnx *x, const Onnx__TensorProto *p, int64_t n, int64_t i,
                              oc_value *values)
{
    oc_value one = {0};
    char text[OC_VALUE_TEXT];
    const oc_dims dims = oc_dims_1d(n);
    oc_status status = oc_onnx_tensor(x, p, &one);
    if (status == OC_OK && oc_value_n(&one) != 1)
        status =
            oc_error_set(x->e, OC_UNSUPPORTED, "a map holds %s, expected tensors of one element",
                         oc_value_text(&one, text));
    if (status == OC_OK && i == 0)
        status = oc_value_new_tensor(x->pool, one.type, &dims, values, x->e);
    if (status == OC_OK && one.type != values->type)
        status = oc_error_set(x->e, OC_FORMAT, "a map holds %s and %s, expected one type",
                              oc_type_name(values->type), oc_type_name(one.type));
    const size_t size = oc_type_size(one.type);
    if (status == OC_OK)
        memcpy((char *)values->data + size * (size_t)i, one.data, size);
    oc_value_unref(&one);
    return status;
}

/* Fills *to, which is cleared, with the elements of `from` in the given order. */
static oc_status arrange(oc_onnx *x, oc_value *to, const oc_value *from, const int64_t *order)
{
    OC_TRY(oc_value_new_tensor(x->pool, from->type, &from->dims, to, x->e));
    oc_keys_arrange(to, from, order, oc_value_n(from));
    return OC_OK;
}

static oc_status sort(oc_onnx *x, oc_value *v, const oc_value *keys, const oc_value *values)
{
    const int64_t n = oc_value_n(keys);
    int64_t *order = oc_arena_array(x->arena, (size_t)n, 2 * sizeof *order);
    OC_TRY(oc_arena_check(x->arena, x->e));
    oc_keys_sort(keys, n, order, order + n);
    for (int64_t i = 1; i < n; i++)
        if (oc_keys_compare(keys, order[i - 1], order[i]) == 0)
            return oc_error_set(x->e, OC_FORMAT, "a map has one key twice");
    OC_TRY(oc_value_new_map(x->pool, keys->type, values->type, v, x->e));
    OC_TRY(arrange(x, &oc_value_items(v)[0], keys, order));
    return arrange(x, &oc_value_items(v)[1], values, order);
}

static oc_status read_map(oc_onnx *x, const Onnx__MapProto *p, oc_value *keys, oc_value *values,
                          oc_value *v)
{
    const Onnx__SequenceProto *list = p->values;
    const size_t n = list ? list->n_tensor_values : 0;
    OC_TRY(read_keys(x, p, keys));
    if (list && (list->n_sparse_tensor_values || list->n_sequence_values || list->n_map_values ||
                 list->n_optional_values))
        return oc_error_set(x->e, OC_UNSUPPORTED, "a map holds values that are no tensors");
    if ((int64_t)n != oc_value_n(keys))
        return oc_error_set(x->e, OC_FORMAT, "a map has %zu values, expected %lld, as keys", n,
                            (long long)oc_value_n(keys));
    values->dims = keys->dims; /* a map without entries has no value type */
    size_t steps = 0;
    for (size_t i = 0; i < n; i++) {
        OC_TRY(oc_watch_check_some(x->memory->watch, &steps, x->e));
        OC_TRY(read_element(x, list->tensor_values[i], (int64_t)n, (int64_t)i, values));
    }
    return sort(x, v, keys, values);
}

oc_status oc_onnx_map(oc_onnx *x, const Onnx__MapProto *p, oc_value *v)
{
    oc_value keys = {0}, values = {0};
    const oc_status status = read_map(x, p, &keys, &values, v);
    oc_value_unref(&keys);
    oc_value_unref(&values);
    return status;
}
