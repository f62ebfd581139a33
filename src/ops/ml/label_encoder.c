/* SPDX-License-Identifier: Apache-2.0
 * label_encoder.c - LabelEncoder and CategoryMapper: each element is looked up among keys and
 * replaced by the value beside its key, or by a default.
 *
 * Numbers are compared by value, and every NaN is the same key; version 2 compares bits. Of equal
 * keys the last counts. A model may have any keys, so they are hashed under a key of ours. */
#include "ops/kit/op.h"
#include "ops/kit/strings.h"

/* A list of keys or values, or one default. */
typedef struct items {
    oc_type type; /* OC_UNDEFINED: not given */
    int64_t n;
    const void *data;
} items;

static items items_of(const oc_attr *a)
{
    switch (a->kind) {
    case OC_ATTR_STRING:
    case OC_ATTR_STRINGS:
        return (items){OC_STRING, a->n, a->u.s};
    case OC_ATTR_INT:
    case OC_ATTR_INTS:
        return (items){OC_I64, a->n, a->u.i};
    case OC_ATTR_FLOAT:
    case OC_ATTR_FLOATS:
        return (items){OC_F32, a->n, a->u.f};
    default:
        return (items){a->u.t->value.type, oc_value_n(&a->u.t->value), a->u.t->value.data};
    }
}

/* The one of four attributes that is given and not empty: prefix_strings and so on. */
static oc_status read_items(oc_call *c, const char *const names[4], const char *what, items *found)
{
    *found = (items){.type = OC_UNDEFINED};
    for (int i = 0; i < 4; i++) {
        const oc_attr *a = names[i] ? oc_attr_get(c, names[i]) : NULL;
        if (!a || (a->kind != OC_ATTR_TENSOR && a->n == 0))
            continue;
        if (found->type != OC_UNDEFINED)
            return oc_fail(c, OC_VALUE, "%s are given twice, expected one attribute for them",
                           what);
        *found = items_of(a);
    }
    if (found->type == OC_UNDEFINED)
        return oc_fail(c, OC_VALUE, "there are no %s, expected an attribute for them", what);
    return OC_OK;
}

typedef struct mapping {
    items keys, values, otherwise;
    bool by_index; /* the keys are 0, 1, ... */
    bool by_bits;  /* floats are equal if their bits are */
    oc_sip_key sip;
    oc_work work;
    int32_t *slot; /* a hash table of 1 + indices of keys */
    size_t n_slots;
} mapping;

/* ---- versions */

/* The default where values are a tensor and default_tensor is missing. */
static items otherwise_of(const oc_call *c, oc_type type)
{
    static const int16_t less_16 = -1;
    static const int32_t less_32 = -1;
    static const double zero = -0.0;
    switch (type) {
    case OC_STRING:
        return items_of(oc_attr_get(c, "default_string"));
    case OC_F32:
        return items_of(oc_attr_get(c, "default_float"));
    case OC_I64:
        return items_of(oc_attr_get(c, "default_int64"));
    case OC_I32:
        return (items){type, 1, &less_32};
    case OC_I16:
        return (items){type, 1, &less_16};
    default:
        return (items){type, 1, &zero};
    }
}

static oc_status read_lists(oc_call *c, mapping *m)
{
    static const char *const keys[] = {"keys_strings", "keys_int64s", "keys_floats", "keys_tensor"};
    static const char *const values[] = {"values_strings", "values_int64s", "values_floats",
                                         "values_tensor"};
    const bool tensors = oc_call_since(c) >= 4;
    const char *const k[] = {keys[0], keys[1], keys[2], tensors ? keys[3] : NULL};
    const char *const v[] = {values[0], values[1], values[2], tensors ? values[3] : NULL};
    OC_TRY(read_items(c, k, "keys", &m->keys));
    OC_TRY(read_items(c, v, "values", &m->values));
    const oc_attr *given = tensors ? oc_attr_get(c, "default_tensor") : NULL;
    m->otherwise = given ? items_of(given) : otherwise_of(c, m->values.type);
    m->by_bits = oc_call_since(c) == 2;
    return OC_OK;
}

/* Maps strings to numbers, or numbers to strings, by the type of the input. */
static oc_status read_pair(oc_call *c, mapping *m, const char *strings, const char *numbers)
{
    const oc_attr *s = oc_attr_get(c, strings), *n = numbers ? oc_attr_get(c, numbers) : NULL;
    const items text = s ? items_of(s) : (items){.type = OC_STRING};
    const items number = n ? items_of(n) : (items){.type = OC_I64, .n = numbers ? 0 : text.n};
    const bool from_text = oc_in(c, 0)->type == OC_STRING;
    m->keys = from_text ? text : number;
    m->values = from_text ? number : text;
    m->by_index = !numbers;
    m->otherwise = items_of(oc_attr_get(c, from_text ? "default_int64" : "default_string"));
    return OC_OK;
}

static bool is_mapper(const oc_call *c)
{
    return oc_attr_get(c, "cats_strings") || oc_attr_get(c, "cats_int64s");
}

static oc_status read_mapping(oc_call *c, mapping *m)
{
    *m = (mapping){0};
    if (oc_call_since(c) >= 2)
        OC_TRY(read_lists(c, m));
    else if (is_mapper(c))
        OC_TRY(read_pair(c, m, "cats_strings", "cats_int64s"));
    else
        OC_TRY(read_pair(c, m, "classes_strings", NULL));
    if (m->keys.n != m->values.n)
        return oc_fail(c, OC_VALUE, "%lld keys and %lld values, expected as many",
                       (long long)m->keys.n, (long long)m->values.n);
    if (m->keys.n >= INT32_MAX)
        return oc_fail(c, OC_LIMIT, "too many keys");
    if (m->keys.type != oc_in(c, 0)->type)
        return oc_fail(c, OC_TYPE, "the keys are of %s, expected %s as input 0",
                       oc_type_name(m->keys.type), oc_type_name(oc_in(c, 0)->type));
    if (m->otherwise.type != m->values.type || m->otherwise.n != 1)
        return oc_fail(c, OC_TYPE, "the default is %lld elements of %s, expected one of %s",
                       (long long)m->otherwise.n, oc_type_name(m->otherwise.type),
                       oc_type_name(m->values.type));
    return OC_OK;
}

static oc_status encoder_shape(oc_call *c)
{
    mapping m;
    OC_TRY(read_mapping(c, &m));
    return oc_set_out(c, 0, m.values.type, &oc_in(c, 0)->dims);
}

/* ---- looking up */

/* A number as bits that are equal where the numbers are. */
static uint64_t number_at(const mapping *m, const void *data, int64_t i)
{
    const oc_type type = m->keys.type;
    const size_t size = oc_type_size(type);
    const char *at = (const char *)data + size * (size_t)i;
    uint64_t bits = 0;
    double x;
    memcpy(&bits, at, size);
    if (m->by_bits || (type != OC_F32 && type != OC_F64))
        return bits;
    double aligned[1];
    memcpy(aligned, at, size);
    oc_convert(&x, OC_F64, aligned, type, 1, false);
    if (x != x)
        return UINT64_MAX;
    x = x == 0 ? 0 : x;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static oc_string string_at(const void *data, int64_t i)
{
    return ((const oc_string *)data)[i];
}

static uint64_t hash(mapping *m, const void *data, int64_t i)
{
    if (m->keys.type == OC_STRING)
        return oc_hash_string(&m->work, &m->sip, string_at(data, i));
    const uint64_t bits = number_at(m, data, i);
    return oc_siphash(&m->sip, &bits, sizeof bits);
}

static bool same(mapping *m, const void *a, int64_t i, int64_t key)
{
    if (m->keys.type == OC_STRING)
        return oc_same_string(&m->work, string_at(a, i), string_at(m->keys.data, key));
    return number_at(m, a, i) == number_at(m, m->keys.data, key);
}

/* The slot of element i of data, which holds 0 if that is no key. */
static int32_t *find(mapping *m, const void *data, int64_t i)
{
    size_t at = (size_t)hash(m, data, i) & (m->n_slots - 1);
    while (m->slot[at] && !same(m, data, i, m->slot[at] - 1))
        at = (at + 1) & (m->n_slots - 1);
    return &m->slot[at];
}

static oc_status make_table(oc_call *c, mapping *m)
{
    m->n_slots = 16;
    while (m->n_slots < 2 * (size_t)m->keys.n)
        m->n_slots *= 2;
    OC_TRY(OC_SCRATCH(c, m->slot, m->n_slots));
    oc_call_zero(c, m->slot, m->n_slots * sizeof *m->slot);
    m->sip = oc_sip_key_new(m);
    OC_LOOP (&m->work, i, m->keys.n, 64)
        *find(m, m->keys.data, i) = (int32_t)i + 1;
    return OC_OK;
}

/* Returns the index of the value for element i; -1: there is none. */
static int64_t look_up(mapping *m, const void *data, int64_t i)
{
    if (m->by_index && m->keys.type == OC_I64) {
        const int64_t key = ((const int64_t *)data)[i];
        return key >= 0 && key < m->keys.n ? key : -1;
    }
    return (int64_t)*find(m, data, i) - 1;
}

static oc_status encoder_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    const size_t size = oc_type_size(y->type);
    mapping m;
    OC_TRY(read_mapping(c, &m));
    m.work = oc_call_work(c, 0);
    if (!m.by_index || m.keys.type != OC_I64)
        OC_TRY(make_table(c, &m));
    OC_CALL_LOOP (c, i, oc_value_n(x), 64) {
        const int64_t found = look_up(&m, x->data, i);
        const char *value = m.otherwise.data;
        int64_t index;
        if (found >= 0 && m.values.data)
            value = (const char *)m.values.data + size * (size_t)found;
        else if (found >= 0) { /* LabelEncoder-1: the value is the index */
            index = found;
            value = (const char *)&index;
        }
        memcpy((char *)y->data + size * (size_t)i, value, size);
    }
    return OC_OK;
}

/* clang-format off */
#define DEFAULTS "float default_float = -0.0, int default_int64 = -1, string default_string = \"_Unused\", "
#define LISTS(kind) "floats " kind "_floats?, ints " kind "_int64s?, strings " kind "_strings?"
const oc_op oc_ops_label_encoder[] = {
    {4, "ai.onnx.ml::LabelEncoder <" DEFAULTS "tensor default_tensor?, " LISTS("keys") ", tensor keys_tensor?, "
        LISTS("values") ", tensor values_tensor?> (T1 X) => (T2 Y) "
        "| T1: string int64 float int32 int16 double; T2: string int64 float int32 int16 double",
        encoder_shape, encoder_run},
    {2, "ai.onnx.ml::LabelEncoder <" DEFAULTS LISTS("keys") ", " LISTS("values") "> (T1 X) => (T2 Y) "
        "| T1: string int64 float; T2: string int64 float", encoder_shape, encoder_run},
    {1, "ai.onnx.ml::LabelEncoder <strings classes_strings?, int default_int64 = -1, "
        "string default_string = \"_Unused\"> (T1 X) => (T2 Y) | T1: string int64; T2: string int64",
        encoder_shape, encoder_run},
    {1, "ai.onnx.ml::CategoryMapper <ints cats_int64s?, strings cats_strings?, int default_int64 = -1, "
        "string default_string = \"_Unused\"> (T1 X) => (T2 Y) | T1: string int64; T2: string int64",
        encoder_shape, encoder_run},
    {0}
};
