/* SPDX-License-Identifier: Apache-2.0
 * test_values.c - a host's mistakes with codes, types and values outside a session. */
#include "failing.h"
#include "misuse.h"

#include <limits.h>

static bool refuse_bytes(void *ctx, const void *bytes, size_t size)
{
    (void)ctx, (void)bytes, (void)size;
    return false;
}

static bool take_bytes(void *ctx, const void *bytes, size_t size)
{
    (void)ctx, (void)bytes, (void)size;
    return true;
}

static bool free_value(void *ctx, const void *bytes, size_t size)
{
    (void)bytes, (void)size;
    oc_value **v = ctx;
    oc_value_free(*v);
    *v = NULL;
    return true;
}

static const oc_writer refusing = {refuse_bytes, NULL}, taking = {take_bytes, NULL},
                       nobody = {NULL, NULL};

static oc_value *floats(void)
{
    return oc_tensor_new(OC_F32, 1, dim, NULL, e);
}

static oc_value *strings(void)
{
    return oc_tensor_new(OC_STRING, 1, dim, NULL, e);
}

static const char a_sequence[] = "<ir_version: 8, opset_import: [\"\" : 17]>\n"
                                 "g (float[N] x) => (seq(float[N]) y)\n"
                                 "{ y = SequenceConstruct (x, x) }";

/* The output, a sequence of two tensors, of a run of another model. */
static const oc_value *sequence(void)
{
    oc_session_free(s);
    oc_model_free(m);
    m = load(a_sequence);
    s = start((oc_session_options){.threads = 1});
    bind_x(s);
    oc_run(s, e);
    return oc_fetch_value(s, "y", e);
}

static oc_value *unconst(const oc_value *v)
{
    return (oc_value *)(uintptr_t)v;
}

START_TEST(codes)
{
    GIVES(strlen(oc_status_name((oc_status)-1)) > 0);
    GIVES(strlen(oc_status_name(OC_N_STATUS)) > 0);
    GIVES(strlen(oc_status_text((oc_status)-1)) > 0);
    GIVES(strlen(oc_status_text((oc_status)INT_MAX)) > 0);
    GIVES(strcmp(oc_type_name((oc_type)-1), "undefined") == 0);
    GIVES(strcmp(oc_type_name((oc_type)27), "undefined") == 0);
    GIVES(oc_type_size((oc_type)-1) == 0 && oc_type_size((oc_type)INT_MAX) == 0);
    GIVES(oc_type_set(NULL) == 0);
    GIVES(oc_type_set("") == 0 && oc_type_set("nonsense") == 0);
    GIVES(!oc_builtin_op(-1) && !oc_builtin_op(INT_MIN) && !oc_builtin_op(INT_MAX));
    GIVES(!oc_builtin_body(-1, NULL) && !oc_builtin_body(INT_MAX, NULL));
    GIVES(oc_builtin_body(0, NULL) != NULL);
    misuse_report();
}
END_TEST

START_TEST(making)
{
    REFUSED(ARGUMENT, oc_tensor_new(OC_F32, -1, dim, NULL, e));
    REFUSED(ARGUMENT, oc_tensor_new(OC_F32, 17, dim, NULL, e));
    REFUSED(ARGUMENT, oc_tensor_new(OC_F32, INT_MIN, dim, NULL, e));
    REFUSED(ARGUMENT, oc_tensor_new(OC_UNDEFINED, 1, dim, NULL, e));
    REFUSED(ARGUMENT, oc_tensor_new((oc_type)-1, 1, dim, NULL, e));
    REFUSED(ARGUMENT, oc_tensor_new((oc_type)99, 1, dim, NULL, e));
    REFUSED(ARGUMENT, oc_tensor_new(OC_F32, 1, NULL, NULL, e));
    REFUSED(SHAPE, oc_tensor_new(OC_F32, 1, (const int64_t[]){-4}, NULL, e));
    REFUSED(SHAPE, oc_tensor_new(OC_F32, 2, (const int64_t[]){INT64_MAX, 2}, NULL, e));
    REFUSED(SHAPE, oc_tensor_new(OC_F64, 3, (const int64_t[]){0, INT64_MAX, 9}, NULL, e));
    REFUSED_SIZE(SHAPE, NOMEM,
                 oc_tensor_new(OC_U8, 1, (const int64_t[]){INT64_C(1) << 60}, NULL, e));
    GIVES(oc_tensor_new(OC_F32, 1, dim, NULL, NULL) == NULL);
    REFUSED(VALUE, e->code = OC_VALUE, strcpy(e->text, "before"),
            misuse_check(!oc_tensor_new(OC_F32, 1, dim, NULL, e) && !strcmp(e->text, "before")));
    HARMLESS(oc_value_free(oc_tensor_new(OC_F32, 0, NULL, NULL, e)));
    HARMLESS(oc_value_free(oc_tensor_new(OC_F32, 1, dim, &(oc_allocator){NULL, NULL}, e)));
    HARMLESS(oc_value_free(NULL));
    HARMLESS(oc_run(s, e), oc_value_free(unconst(oc_fetch_value(s, "y", e))), oc_run(s, e));
    HARMLESS(oc_value_free(unconst(sequence())), oc_run(s, e));
    HARMLESS(oc_value_free(unconst(oc_value_item(sequence(), 1))), oc_run(s, e));
    misuse_report();
}
END_TEST

/* Sets an element and frees the tensor. */
static void set(oc_value *v, int64_t i, const char *bytes, size_t size)
{
    oc_tensor_set_string(v, i, bytes, size, e);
    oc_value_free(v);
}

/* A tensor that could not take a string takes the next one. */
static bool recovers(void)
{
    oc_error first = {OC_OK, ""};
    oc_value *v = strings();
    oc_tensor_set_string(v, 0, "a", SIZE_MAX - 9, &first);
    oc_tensor_set_string(v, 0, "a", 1, e);
    const bool good = ((const oc_string *)oc_value_data(v))[0].size == 1;
    oc_value_free(v);
    return good && first.code != OC_OK;
}

/* An element that is set again uses its memory again, and may be set to a part of itself. */
static bool uses_memory_again(void)
{
    static char text[1000];
    failing f = {.left = -1};
    const oc_allocator alloc = {failing_resize, &f};
    oc_value *v = oc_tensor_new(OC_STRING, 1, (const int64_t[]){2}, &alloc, e);
    const oc_string *element = oc_value_data(v);
    memset(text, 'a', sizeof text);
    for (size_t i = 0; i < 100000; i++)
        oc_tensor_set_string(v, 1, text, i % sizeof text, e);
    const bool bounded = f.bytes < 100000;
    oc_tensor_set_string(v, 1, "0123456789", 10, e);
    oc_tensor_set_string(v, 1, element[1].data + 2, 5, e);
    const bool same = element[1].size == 5 && memcmp(element[1].data, "23456", 6) == 0;
    oc_value_free(v);
    return bounded && same && f.bytes == 0;
}

START_TEST(strings_in_tensors)
{
    GIVES(uses_memory_again());
    REFUSED(ARGUMENT, set(NULL, 0, "a", 1));
    REFUSED(ARGUMENT, set(floats(), 0, "a", 1));
    REFUSED(ARGUMENT, set(strings(), -1, "a", 1));
    REFUSED(ARGUMENT, set(strings(), 4, "a", 1));
    REFUSED(ARGUMENT, set(strings(), 0, NULL, 1));
    HARMLESS(set(strings(), 0, NULL, 0));
    REFUSED(NOMEM, set(strings(), 0, "a", SIZE_MAX));
    GIVES(recovers());
    HARMLESS(oc_tensor_set_string(NULL, 0, "a", 1, NULL));
    misuse_report();
}
END_TEST

/* The name that a failed call gave. */
static const char *name_after_failure(void)
{
    const char *name = (const char *)1;
    oc_value_read("\x42\x03yes\x08\x63", 7, OC_TENSOR, &name, NULL, e);
    return name;
}

START_TEST(reading)
{
    REFUSED(ARGUMENT, oc_value_read(NULL, 0, OC_TENSOR, NULL, NULL, e));
    REFUSED(ARGUMENT, oc_value_read(NULL, 100, OC_TENSOR, NULL, NULL, e));
    REFUSED(ARGUMENT, oc_value_read("\x08\x01", 2, (oc_kind)4, NULL, NULL, e));
    REFUSED(ARGUMENT, oc_value_read("\x08\x01", 2, (oc_kind)-1, NULL, NULL, e));
    REFUSED(FORMAT, oc_value_read("garbage", 7, OC_TENSOR, NULL, NULL, e));
    GIVES(oc_value_read("\x08\x01", 2, OC_TENSOR, NULL, NULL, NULL) == NULL);
    REFUSED(UNSUPPORTED, misuse_check(strlen(name_after_failure()) == 0));
    misuse_report();
}
END_TEST

/* Writes a tensor that the writer frees after the first bytes. */
static void write_freed(void)
{
    oc_value *v = floats();
    oc_value_write(v, "freed", &(oc_writer){free_value, &v}, e);
}

static void write_float(const oc_writer *out)
{
    oc_value *v = floats();
    oc_value_write(v, NULL, out, e);
    oc_value_free(v);
}

static void write_no_characters(void)
{
    oc_value *v = oc_tensor_new(OC_STRING, 1, dim, NULL, e);
    ((oc_string *)oc_value_mutable_data(v))[3] = (oc_string){NULL, 5};
    oc_value_write(v, "v", &taking, e);
    oc_value_free(v);
}

START_TEST(writing)
{
    REFUSED(ARGUMENT, write_no_characters());
    REFUSED(ARGUMENT, oc_value_write(NULL, "a", &taking, e));
    REFUSED(ARGUMENT, write_float(NULL));
    REFUSED(ARGUMENT, write_float(&nobody));
    REFUSED(IO, write_float(&refusing));
    HARMLESS(write_float(&taking));
    HARMLESS(oc_value_write(NULL, "a", &taking, NULL));
    HARMLESS(write_freed());
    misuse_report();
}
END_TEST

START_TEST(looking)
{
    GIVES(oc_value_kind(NULL) == OC_TENSOR);
    GIVES(oc_value_type(NULL) == OC_UNDEFINED);
    GIVES(oc_value_key_type(NULL) == OC_UNDEFINED && oc_value_key_type(sequence()) == OC_UNDEFINED);
    GIVES(oc_value_rank(NULL) == 0);
    GIVES(oc_value_dims(NULL) == NULL);
    GIVES(oc_value_count(NULL) == 0);
    GIVES(oc_value_data(NULL) == NULL);
    GIVES(oc_value_mutable_data(NULL) == NULL);
    GIVES(oc_value_item(NULL, 0) == NULL);
    GIVES(oc_value_item(sequence(), -1) == NULL && !oc_value_item(sequence(), 2));
    GIVES(oc_value_item(sequence(), INT64_MAX) == NULL);
    GIVES(oc_value_data(sequence()) == NULL);
    GIVES(oc_value_mutable_data(unconst(sequence())) == NULL);
    GIVES(oc_value_item(oc_value_item(sequence(), 0), 0) == NULL);
    GIVES(oc_value_data(oc_value_item(sequence(), 0)) != x);
    misuse_report();
}
END_TEST

/* A list of items that are freed before it is looked at. */
static oc_value *list_of(const oc_value *a, const oc_value *b, oc_type type)
{
    return oc_sequence_new(type, 2, (const oc_value *const[]){a, b}, NULL, e);
}

static bool sequence_is_its_own(void)
{
    oc_value *a = floats(), *b = strings();
    ((float *)oc_value_mutable_data(a))[3] = 7;
    oc_tensor_set_string(b, 2, "abc", 3, e);
    oc_value *n = list_of(a, a, OC_F32), *t = list_of(b, b, OC_STRING);
    oc_value *o = oc_optional_new(OC_F32, n, NULL, e);
    oc_value_free(a);
    oc_value_free(b);
    const oc_string *text = oc_value_data(oc_value_item(t, 1));
    bool right = oc_value_count(n) == 2 && oc_value_kind(n) == OC_SEQUENCE && text[2].size == 3;
    right = right && memcmp(text[2].data, "abc", 3) == 0 && text[0].size == 0;
    oc_value_free(n);
    const float *kept = oc_value_data(oc_value_item(oc_value_item(o, 0), 1));
    right = right && kept[3] == 7 && oc_value_kind(o) == OC_OPTIONAL && oc_value_count(o) == 1;
    oc_value_free(t);
    oc_value_free(o);
    return right;
}

/* Input of a model, and its output. */
static bool list_runs(void)
{
    oc_value *a = floats(), *n = list_of(a, a, OC_F32),
             *none = oc_optional_new(OC_F32, NULL, NULL, e);
    oc_session_free(s);
    oc_model_free(m);
    m = load("<ir_version: 8, opset_import: [\"\" : 18]>\n"
             "g (seq(float) l, optional(float[4]) o) => (int64 n, bool h)\n"
             "{ n = SequenceLength (l) h = OptionalHasElement (o) }");
    s = start((oc_session_options){.threads = 1});
    oc_bind_value(s, "l", n, e);
    oc_bind_value(s, "o", none, e);
    oc_run(s, e);
    const int64_t *count = oc_fetch(s, "n", NULL, e);
    const bool *has = oc_fetch(s, "h", NULL, e);
    const bool right = count && has && *count == 2 && !*has;
    oc_value_free(a);
    oc_value_free(n);
    oc_value_free(none);
    return right;
}

static void item_of(const oc_value *item, oc_type type)
{
    oc_value_free(oc_sequence_new(type, 1, &item, NULL, e));
}

static void map_in_list(oc_kind kind)
{
    oc_value *map = oc_value_read("\x10\x07", 2, OC_MAP, NULL, NULL, e);
    const oc_type type = oc_value_type(map); /* none, without entries */
    const oc_value *item = map;
    oc_value_free(kind == OC_SEQUENCE ? oc_sequence_new(OC_F32, 1, &item, NULL, e)
                                      : oc_optional_new(OC_F32, map, NULL, e));
    misuse_check(type == OC_UNDEFINED && oc_value_key_type(map) == OC_I64);
    oc_value_free(map);
}

static void optional_in_optional(void)
{
    oc_value *inner = oc_optional_new(OC_F32, NULL, NULL, e);
    oc_value_free(oc_optional_new(OC_F32, inner, NULL, e));
    oc_value_free(inner);
}

START_TEST(making_lists)
{
    GIVES(sequence_is_its_own());
    GIVES(list_runs());
    HARMLESS(oc_value_free(oc_sequence_new(OC_F32, 0, NULL, NULL, e)));
    HARMLESS(item_of(oc_value_item(sequence(), 0), OC_F32));
    GIVES(!oc_sequence_new(OC_F32, 0, NULL, NULL, NULL) &&
          !oc_optional_new(OC_F32, NULL, NULL, NULL));
    REFUSED(ARGUMENT, oc_sequence_new(OC_F32, -1, NULL, NULL, e));
    REFUSED(ARGUMENT, oc_sequence_new(OC_F32, 2, NULL, NULL, e));
    REFUSED(ARGUMENT, oc_sequence_new(OC_UNDEFINED, 0, NULL, NULL, e));
    REFUSED(ARGUMENT, oc_optional_new((oc_type)99, NULL, NULL, e));
    REFUSED(ARGUMENT, item_of(NULL, OC_F32));
    REFUSED(TYPE, item_of(floats(), OC_F64));
    REFUSED(TYPE, item_of(sequence(), OC_F32));
    REFUSED(TYPE, oc_optional_new(OC_F64, sequence(), NULL, e));
    REFUSED(TYPE, optional_in_optional());
    REFUSED(TYPE, map_in_list(OC_SEQUENCE));
    REFUSED(TYPE, map_in_list(OC_OPTIONAL));
    misuse_report();
}
END_TEST

SUITE("values", codes, making, making_lists, strings_in_tensors, reading, writing, looking)
