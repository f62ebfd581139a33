/* SPDX-License-Identifier: Apache-2.0
 * test_onnx_tensor.c - every form of data of every element type, and what does not fit. */
#include "wire.h"

#include "graph/build.h"
#include "loader/loader.h"

enum { N = 5, MOST_BYTES = N * 16 };

enum {
    FLOAT_DATA = 4,
    INT32_DATA = 5,
    INT64_DATA = 7,
    RAW = 9,
    DOUBLE_DATA = 10,
    UINT64_DATA = 11
};

/* What ONNX's schema says of each type: bits of an element in files, its typed field. */
static const struct {
    oc_type type;
    int bits, field;
} types[] = {
    /* clang-format off */
    {OC_F32, 32, FLOAT_DATA}, {OC_U8, 8, INT32_DATA}, {OC_I8, 8, INT32_DATA},
    {OC_U16, 16, INT32_DATA}, {OC_I16, 16, INT32_DATA}, {OC_I32, 32, INT32_DATA},
    {OC_I64, 64, INT64_DATA}, {OC_BOOL, 8, INT32_DATA}, {OC_F16, 16, INT32_DATA},
    {OC_F64, 64, DOUBLE_DATA}, {OC_U32, 32, UINT64_DATA}, {OC_U64, 64, UINT64_DATA},
    {OC_C64, 64, FLOAT_DATA}, {OC_C128, 128, DOUBLE_DATA}, {OC_BF16, 16, INT32_DATA},
    {OC_F8E4M3FN, 8, INT32_DATA}, {OC_F8E4M3FNUZ, 8, INT32_DATA}, {OC_F8E5M2, 8, INT32_DATA},
    {OC_F8E5M2FNUZ, 8, INT32_DATA}, {OC_U4, 4, INT32_DATA}, {OC_I4, 4, INT32_DATA},
    {OC_F4E2M1, 4, INT32_DATA}, {OC_F8E8M0, 8, INT32_DATA}, {OC_U2, 2, INT32_DATA},
    {OC_I2, 2, INT32_DATA},
    /* clang-format on */
};
enum { N_TYPES = sizeof types / sizeof *types };
_Static_assert(N_TYPES == OC_N_TYPES - 2, "all types but the undefined and strings");

static bool is_signed(oc_type t)
{
    return t == OC_I8 || t == OC_I16 || t == OC_I32 || t == OC_I4 || t == OC_I2;
}

/* Random elements as files hold them. */
static size_t random_raw(suite_random *r, int i, uint8_t raw[MOST_BYTES])
{
    const size_t size = (size_t)(N * types[i].bits + 7) / 8;
    memset(raw, 0, MOST_BYTES);
    for (size_t k = 0; k < size; k++)
        raw[k] = (uint8_t)suite_below(r, types[i].type == OC_BOOL ? 2 : 256);
    if (types[i].bits < 8) /* bits past the last element are zero */
        raw[size - 1] &= (uint8_t)((1u << (N * types[i].bits - 8 * ((int)size - 1))) - 1);
    return size;
}

/* These elements as memory holds them. */
static size_t in_memory(int i, const uint8_t *raw, uint8_t out[MOST_BYTES])
{
    const int bits = types[i].bits;
    if (bits >= 8) {
        memcpy(out, raw, (size_t)(N * bits / 8));
        return (size_t)(N * bits / 8);
    }
    for (int k = 0; k < N; k++) {
        int code = 0;
        for (int b = 0; b < bits; b++)
            code |= (raw[(k * bits + b) / 8] >> ((k * bits + b) % 8) & 1) << b;
        if (is_signed(types[i].type) && code >> (bits - 1))
            code -= 1 << bits;
        out[k] = (uint8_t)code;
    }
    return N;
}

/* The numbers of the typed field, from k on, that hold the elements; returns how many there are. */
static int typed_number(int i, const uint8_t *raw, size_t raw_size, int k, uint64_t *number)
{
    const int width = types[i].field == FLOAT_DATA    ? 4
                      : types[i].field == DOUBLE_DATA ? 8
                      : types[i].bits < 8             ? 1
                                                      : types[i].bits / 8;
    const int n = (int)raw_size / width;
    *number = 0;
    if (k >= n)
        return n;
    memcpy(number, raw + k * width, (size_t)width);
    if (types[i].bits >= 8 && is_signed(types[i].type) && *number >> (8 * width - 1))
        *number -= UINT64_C(1) << (8 * width); /* an int32 is written sign-extended to 64 bits */
    return n;
}

static void put_number(wire *w, int field, uint64_t number)
{
    if (field == FLOAT_DATA)
        wire_raw(w, &number, 4);
    else if (field == DOUBLE_DATA)
        wire_raw(w, &number, 8);
    else
        wire_varint(w, number);
}

typedef enum form { AS_RAW, AS_TYPED, AS_SINGLES, AS_PIECES, N_FORMS } form;

static void put_singles(wire *w, int i, const uint8_t *raw, size_t size, int from, int to)
{
    uint64_t number;
    const int field = types[i].field;
    for (int k = from; k < to && k < typed_number(i, raw, size, k, &number); k++) {
        wire_key(w, (unsigned)field,
                 field == FLOAT_DATA    ? WIRE_32
                 : field == DOUBLE_DATA ? WIRE_64
                                        : WIRE_VARINT);
        put_number(w, field, number);
    }
}

static void put_packed(wire *w, int i, const uint8_t *raw, size_t size, int from, int to)
{
    uint64_t number;
    wire packed = {0};
    for (int k = from; k < to && k < typed_number(i, raw, size, k, &number); k++)
        put_number(&packed, types[i].field, number);
    wire_message(w, (unsigned)types[i].field, &packed);
}

static wire make_tensor(int i, form f, const uint8_t *raw, size_t size)
{
    wire w = {0};
    wire_int(&w, 1, N);
    wire_int(&w, 2, types[i].type);
    if (f == AS_RAW)
        wire_bytes(&w, RAW, raw, size);
    else if (f == AS_TYPED)
        put_packed(&w, i, raw, size, 0, 1000);
    else if (f == AS_SINGLES)
        put_singles(&w, i, raw, size, 0, 1000);
    else {
        put_packed(&w, i, raw, size, 0, 1);
        put_singles(&w, i, raw, size, 1, 2);
        put_packed(&w, i, raw, size, 2, 1000);
    }
    wire_text(&w, 8, "t");
    return w;
}

/* ---- reading ---- */

typedef struct reader {
    heap heap;
    oc_memory memory;
    oc_arena arena;
    oc_pool pool;
    oc_value v;
    oc_error e;
} reader;

static reader *read_value(const wire *w, oc_kind kind)
{
    static reader r;
    const char *name;
    memset(&r, 0, sizeof r);
    r.memory = oc_memory_new(&(oc_allocator){heap_resize, &r.heap}, 0);
    r.arena = oc_arena_new(&r.memory);
    r.pool = oc_pool_new(&r.memory);
    oc_load_value(&r.pool, &r.arena, w->bytes, w->size, kind, &r.v, &name, &r.e);
    return &r;
}

static void end_value(reader *r)
{
    if (r->e.code != OC_OK)
        ck_assert_ptr_null(r->v.buffer);
    oc_value_unref(&r->v);
    oc_pool_trim(&r->pool);
    oc_arena_free(&r->arena);
    ck_assert_uint_eq(r->heap.live, 0);
}

/* Reading the tensor, which is freed, fails with this code and a message that holds part. */
static void refused(wire *w, oc_status code, const char *part)
{
    reader *r = read_value(w, OC_TENSOR);
    ck_assert_msg(r->e.code == code && strstr(r->e.text, part), "%s: '%s', expected '%s'",
                  oc_status_name(r->e.code), r->e.text, part);
    end_value(r);
    wire_free(w);
}

START_TEST(every_form_of_every_type)
{
    suite_random random = suite_random_new(1);
    for (int i = 0; i < N_TYPES; i++)
        for (form f = AS_RAW; f < N_FORMS; f++) {
            uint8_t raw[MOST_BYTES], want[MOST_BYTES];
            const size_t raw_size = random_raw(&random, i, raw);
            const size_t size = in_memory(i, raw, want);
            wire w = make_tensor(i, f, raw, raw_size);
            reader *r = read_value(&w, OC_TENSOR);
            ck_assert_msg(r->e.code == OC_OK, "%s, form %d: %s", oc_type_name(types[i].type), f,
                          r->e.text);
            ck_assert_int_eq(r->v.type, types[i].type);
            ck_assert_int_eq(oc_value_n(&r->v), N);
            ck_assert_uint_eq(oc_value_bytes(&r->v), size);
            ck_assert_msg(memcmp(r->v.data, want, size) == 0, "%s, form %d",
                          oc_type_name(types[i].type), f);
            end_value(r);
            wire_free(&w);
        }
}
END_TEST

START_TEST(counts_must_be_exact)
{
    suite_random random = suite_random_new(2);
    for (int i = 0; i < N_TYPES; i++)
        for (form f = AS_RAW; f < N_FORMS; f++)
            for (int more = 0; more < 2; more++) {
                uint8_t raw[MOST_BYTES + 16] = {0};
                const size_t size = random_raw(&random, i, raw);
                const size_t unit = types[i].bits > 8 ? (size_t)types[i].bits / 8 : 1;
                wire w = make_tensor(i, f, raw, more ? size + unit : size - unit);
                refused(&w, OC_FORMAT,
                        f == AS_RAW ? "bytes of data, expected"
                        : more      ? "more elements"
                                    : "fewer elements");
            }
}
END_TEST

START_TEST(a_field_for_another_type_is_refused)
{
    static const int fields[] = {FLOAT_DATA, INT32_DATA, INT64_DATA, DOUBLE_DATA, UINT64_DATA};
    for (int i = 0; i < N_TYPES; i++)
        for (int k = 0; k < 5; k++) {
            wire w = {0};
            uint8_t zeros[16 * N] = {0};
            if (fields[k] == types[i].field)
                continue;
            wire_int(&w, 1, N);
            wire_int(&w, 2, types[i].type);
            wire_bytes(&w, (unsigned)fields[k], zeros,
                       (size_t)N * (k == 0                     ? 4
                                    : fields[k] == DOUBLE_DATA ? 8
                                                               : 1));
            refused(&w, OC_FORMAT, "field for another type");
        }
}
END_TEST

/* One element of the type as a number of int32_data or uint64_data. */
static wire one(oc_type type, unsigned field, int64_t number)
{
    wire w = {0};
    wire_int(&w, 1, 1);
    wire_int(&w, 2, type);
    wire_int(&w, field, number);
    return w;
}

START_TEST(numbers_must_fit_their_type)
{
    static const struct {
        oc_type type;
        int64_t low, high;
    } range[] = {{OC_U8, 0, 255},         {OC_I8, -128, 127},  {OC_U16, 0, 65535},
                 {OC_I16, -32768, 32767}, {OC_BOOL, 0, 1},     {OC_F16, 0, 65535},
                 {OC_BF16, 0, 65535},     {OC_F8E5M2, 0, 255}, {OC_F8E8M0, 0, 255},
                 {OC_I4, -128, 255},      {OC_U4, -128, 255},  {OC_F4E2M1, -128, 255},
                 {OC_I2, -128, 255},      {OC_U2, -128, 255}};
    for (size_t i = 0; i < sizeof range / sizeof *range; i++) {
        wire below = one(range[i].type, INT32_DATA, range[i].low - 1);
        wire above = one(range[i].type, INT32_DATA, range[i].high + 1);
        wire low = one(range[i].type, INT32_DATA, range[i].low);
        wire high = one(range[i].type, INT32_DATA, range[i].high);
        refused(&below, OC_VALUE, "0 does not fit");
        refused(&above, OC_VALUE, "0 does not fit");
        reader *r = read_value(&low, OC_TENSOR);
        ck_assert_int_eq(r->e.code, OC_OK);
        end_value(r);
        r = read_value(&high, OC_TENSOR);
        ck_assert_int_eq(r->e.code, OC_OK);
        end_value(r);
        wire_free(&low);
        wire_free(&high);
    }
    wire large = one(OC_U32, UINT64_DATA, INT64_C(1) << 32);
    refused(&large, OC_VALUE, "does not fit uint32");
    /* some writers do not extend the sign of an int32 */
    wire short_minus = one(OC_I32, INT32_DATA, UINT32_MAX);
    reader *r = read_value(&short_minus, OC_TENSOR);
    ck_assert_int_eq(*(const int32_t *)r->v.data, -1);
    end_value(r);
    wire_free(&short_minus);
}
END_TEST

/* onnx 1.16 wrote bytes of packed elements as int8 */
START_TEST(bytes_of_packed_elements_may_have_a_sign)
{
    static const oc_type types_of_4[] = {OC_I4, OC_U4, OC_F4E2M1};
    for (size_t i = 0; i < 3; i++) {
        wire w = one(types_of_4[i], INT32_DATA, -52);
        wire_int(&w, 1, 3);
        wire_int(&w, INT32_DATA, 127);
        reader *r = read_value(&w, OC_TENSOR);
        ck_assert_msg(r->e.code == OC_OK, "%s", r->e.text);
        ck_assert_mem_eq(r->v.data, i ? "\x0c\x0c\x0f" : "\xfc\xfc\xff", 3);
        end_value(r);
        wire_free(&w);
    }
}
END_TEST

START_TEST(raw_bools_are_0_or_1)
{
    wire w = {0};
    wire_int(&w, 1, 2);
    wire_int(&w, 2, OC_BOOL);
    wire_bytes(&w, RAW, "\1\2", 2);
    refused(&w, OC_VALUE, "bool");
}
END_TEST

START_TEST(strings_stand_in_string_data)
{
    wire w = {0};
    wire_int(&w, 1, 2);
    wire_int(&w, 2, OC_STRING);
    wire_bytes(&w, 6, "a\0b", 3);
    wire few = {0};
    wire_raw(&few, w.bytes, w.size);
    wire_bytes(&w, 6, "", 0);
    reader *r = read_value(&w, OC_TENSOR);
    ck_assert_int_eq(r->e.code, OC_OK);
    const oc_string *s = r->v.data;
    ck_assert_uint_eq(s[0].size, 3);
    ck_assert_mem_eq(s[0].data, "a\0b", 3);
    ck_assert_uint_eq(s[1].size, 0);
    end_value(r);
    wire_bytes(&w, 6, "", 0);
    refused(&w, OC_FORMAT, "more elements");
    refused(&few, OC_FORMAT, "fewer elements");
    wire raw = {0}, number = {0};
    wire_int(&raw, 2, OC_STRING);
    wire_text(&raw, RAW, "x");
    refused(&raw, OC_FORMAT, "strings may only be in string_data");
    wire_int(&number, 2, OC_I32);
    wire_text(&number, 6, "x");
    refused(&number, OC_FORMAT, "string_data is only for strings");
}
END_TEST

/* A float scalar with more fields, that are given as text of a C string. */
static wire scalar_with(const char *more, size_t size)
{
    wire w = {0};
    wire_int(&w, 2, OC_F32);
    wire_bytes(&w, RAW, "\0\0\0\0", 4);
    wire_raw(&w, more, size);
    return w;
}

START_TEST(one_form_and_no_more)
{
    static const struct {
        const char *bytes;
        size_t size;
        oc_status code;
        const char *part;
    } more[] = {
        {"\x4a\x04\0\0\0\0", 6, OC_FORMAT, "more than one form"}, /* raw_data again */
        {"\x4a\x00", 2, OC_FORMAT, "more than one form"},
        {"\x22\x04\0\0\0\0", 6, OC_FORMAT, "more than one form"}, /* float_data */
        {"\x32\x00", 2, OC_FORMAT, "more than one form"},         /* string_data */
        {"\x70\x01", 2, OC_FORMAT, "more than one form"},         /* external */
        {"\x70\x02", 2, OC_UNSUPPORTED, "location is unknown"},
        {"\x1a\x02\x08\x00", 4, OC_UNSUPPORTED, "segment"},
    };
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        wire w = scalar_with(more[i].bytes, more[i].size);
        refused(&w, more[i].code, more[i].part);
    }
    wire none = {0};
    wire_int(&none, 2, OC_F32);
    wire_text(&none, 8, "nothing");
    refused(&none, OC_FORMAT, "tensor 'nothing': it has no data");
}
END_TEST

static wire with_dims(int64_t a, int64_t b, int64_t c)
{
    wire w = {0};
    wire_int(&w, 1, a);
    wire_int(&w, 1, b);
    wire_int(&w, 1, c);
    wire_int(&w, 2, OC_I32);
    return w;
}

START_TEST(hostile_headers_are_refused)
{
    wire negative = with_dims(-1, 1, 1), wraps = with_dims(INT64_C(1) << 40, 1 << 20, 1 << 10);
    wire hidden = with_dims(INT64_C(1) << 40, 0, INT64_C(1) << 40);
    refused(&negative, OC_SHAPE, "negative or too large");
    refused(&wraps, OC_SHAPE, "negative or too large");
    refused(&hidden, OC_SHAPE, "negative or too large");
    wire empty = with_dims(3, 0, 2);
    reader *r = read_value(&empty, OC_TENSOR);
    ck_assert_int_eq(r->e.code, OC_OK);
    ck_assert_int_eq(oc_value_n(&r->v), 0);
    end_value(r);
    wire_free(&empty);
    wire deep = {0};
    for (int i = 0; i < OC_MAX_RANK + 1; i++)
        wire_int(&deep, 1, 1);
    wire_int(&deep, 2, OC_F32);
    refused(&deep, OC_LIMIT, "rank 17");
    for (int type = -1; type < OC_N_TYPES + 2; type++) {
        wire w = {0};
        wire_int(&w, 1, 0);
        wire_int(&w, 2, type);
        if (type <= 0 || type >= OC_N_TYPES)
            refused(&w, OC_UNSUPPORTED, "data type");
        wire_free(&w);
    }
}
END_TEST

START_TEST(no_memory_is_taken_for_elements_that_are_not_there)
{
    static const oc_type some[] = {OC_F32, OC_I32, OC_I64, OC_F64, OC_U4, OC_STRING};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        wire w = {0};
        const bool words = some[i] == OC_F32 || some[i] == OC_F64;
        wire_int(&w, 1, 1 << 26);
        wire_int(&w, 2, some[i]);
        wire_bytes(&w,
                   some[i] == OC_F32      ? FLOAT_DATA
                   : some[i] == OC_F64    ? DOUBLE_DATA
                   : some[i] == OC_I64    ? INT64_DATA
                   : some[i] == OC_STRING ? 6
                                          : INT32_DATA,
                   "\0\0\0\0\0\0\0\0", words ? 8 : 1);
        reader *r = read_value(&w, OC_TENSOR);
        ck_assert_int_eq(r->e.code, OC_FORMAT);
        ck_assert_uint_lt(r->heap.peak, 100000);
        end_value(r);
        wire_free(&w);
    }
}
END_TEST

/* ---- in a model ---- */

START_TEST(initializers_stay_where_they_are)
{
    heap h = {0};
    oc_error e = {0};
    oc_model *m = NULL;
    const size_t n = 1 << 20;
    float *weights = calloc(n, sizeof *weights);
    wire t = {0}, odd = {0}, g = {0};
    weights[n - 1] = 3;
    wire_int(&t, 1, (int64_t)n);
    wire_int(&t, 2, OC_F32);
    wire_text(&t, 8, "w");
    wire_bytes(&t, FLOAT_DATA, weights, n * sizeof *weights);
    wire_int(&odd, 2, OC_U4);
    wire_text(&odd, 8, "packed");
    wire_bytes(&odd, RAW, "\x0f", 1);
    wire_message(&g, 5, &t);
    wire_message(&g, 5, &odd);
    wire model = wire_model(&g);
    const oc_model_options options = {.alloc = {heap_resize, &h}};
    ck_assert_int_eq(oc_model_new(&options, &m, &e), OC_OK);
    oc_load_bytes(m, model.bytes, model.size, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    const oc_value *w = &m->graph.initializer[0].value, *p = &m->graph.initializer[1].value;
    const uint8_t *data = w->data;
    ck_assert(data >= model.bytes && data + n * sizeof *weights <= model.bytes + model.size);
    ck_assert_mem_eq(data, weights, n * sizeof *weights);
    ck_assert_int_eq(*(const uint8_t *)p->data, 15);
    ck_assert_uint_eq((uintptr_t)p->data % 16, 0); /* few elements, within a cache line */
    ck_assert_uint_lt(h.peak, 100000);
    oc_model_free(m);
    ck_assert_uint_eq(h.live, 0);
    wire_free(&model);
    free(weights);
}
END_TEST

SUITE("onnx_tensor", every_form_of_every_type, counts_must_be_exact,
      a_field_for_another_type_is_refused, numbers_must_fit_their_type,
      bytes_of_packed_elements_may_have_a_sign, raw_bools_are_0_or_1, strings_stand_in_string_data,
      one_form_and_no_more, hostile_headers_are_refused,
      no_memory_is_taken_for_elements_that_are_not_there, initializers_stay_where_they_are)
