/* SPDX-License-Identifier: Apache-2.0
 * test_onnx_values.c - binary values outside a model: there and back, and what cannot be. */
#include "wire.h"

#include "loader/loader.h"
#include "suite.h"

static const oc_writer *to_wire(wire *w)
{
    static oc_writer out;
    out = (oc_writer){wire_write, w};
    return &out;
}

typedef struct reader {
    oc_memory memory;
    oc_arena arena;
    oc_pool pool;
    oc_value v;
    const char *name;
    oc_error e;
} reader;

static void read_value(reader *r, const void *bytes, size_t size, oc_kind kind)
{
    *r = (reader){.name = ""};
    r->memory = oc_memory_new(NULL, 0);
    r->arena = oc_arena_new(&r->memory);
    r->pool = oc_pool_new(&r->memory);
    oc_load_value(&r->pool, &r->arena, bytes, size, kind, &r->v, &r->name, &r->e);
}

static void end_value(reader *r)
{
    oc_value_unref(&r->v);
    oc_pool_trim(&r->pool);
    oc_arena_free(&r->arena);
    ck_assert_uint_eq(r->memory.live, 0);
}

/* Good bytes of a value called name, written again and read again. */
static void survives(const wire *w, oc_kind kind, const char *name, const char *text)
{
    reader a, b;
    oc_error e = {0};
    wire again = {0};
    char is[OC_VALUE_TEXT];
    read_value(&a, w->bytes, w->size, kind);
    ck_assert_msg(a.e.code == OC_OK, "%s", a.e.text);
    ck_assert_str_eq(oc_value_text(&a.v, is), text);
    ck_assert_str_eq(a.name, name);
    ck_assert_int_eq(oc_save_value(&a.v, a.name, to_wire(&again), &e), OC_OK);
    read_value(&b, again.bytes, again.size, kind);
    ck_assert_msg(b.e.code == OC_OK, "%s", b.e.text);
    ck_assert(oc_value_equal(&a.v, &b.v));
    ck_assert_str_eq(b.name, name);
    end_value(&a);
    end_value(&b);
    wire_free(&again);
}

static wire sequence(int n_tensors)
{
    wire s = {0};
    for (int i = 0; i < n_tensors; i++) {
        wire t = wire_tensor(OC_I16, i);
        wire_message(&s, 3, &t);
    }
    return s;
}

START_TEST(values_of_every_kind_survive)
{
    wire t = wire_tensor(OC_F32, 3), s = sequence(3), empty = {0}, o = {0}, os = {0}, ss = {0},
         so = {0};
    wire_text(&t, 8, "x");
    survives(&t, OC_TENSOR, "x", "float[3]");
    wire_text(&s, 1, "s");
    survives(&s, OC_SEQUENCE, "s", "seq(int16)[3]");
    survives(&empty, OC_SEQUENCE, "", "seq(undefined)[0]");
    survives(&empty, OC_OPTIONAL, "", "optional(undefined)[0]");
    wire_message(&ss, 5, &s);
    survives(&ss, OC_SEQUENCE, "", "seq(int16)[1]");
    wire_message(&o, 3, &t);
    survives(&o, OC_OPTIONAL, "", "optional(float)[1]");
    wire_message(&os, 5, &ss);
    survives(&os, OC_OPTIONAL, "", "optional(int16)[1]");
    wire_message(&so, 7, &o);
    survives(&so, OC_SEQUENCE, "", "seq(float)[1]");
    wire_free(&os);
    wire_free(&so);
}
END_TEST

/* Adds key i and its value, a scalar, or with n elements another tensor. */
static void map_entry(wire *map, wire *values, int64_t i, oc_type type, int64_t n)
{
    wire t = {0};
    const uint8_t raw[16] = {(uint8_t)i};
    if (n != 1)
        wire_int(&t, 1, n);
    wire_int(&t, 2, type);
    wire_bytes(&t, 9, raw, oc_type_size(type) * (size_t)n);
    wire_message(values, 3, &t);
    wire_int(map, 3, i);
}

START_TEST(maps_survive_and_their_keys_ascend)
{
    wire map = {0}, values = {0}, none = {0};
    wire_text(&map, 1, "m");
    wire_int(&map, 2, OC_I64);
    wire_int(&none, 2, OC_STRING);
    map_entry(&map, &values, 5, OC_I16, 1);
    map_entry(&map, &values, -3, OC_I16, 1);
    map_entry(&map, &values, 4, OC_I16, 1);
    wire_message(&map, 5, &values);
    reader r;
    read_value(&r, map.bytes, map.size, OC_MAP);
    ck_assert_msg(r.e.code == OC_OK, "%s", r.e.text);
    const int64_t *key = oc_value_items(&r.v)[0].data;
    const int16_t *value = oc_value_items(&r.v)[1].data;
    ck_assert(key[0] == -3 && key[1] == 4 && key[2] == 5);
    ck_assert(value[0] == 0xfd && value[1] == 4 && value[2] == 5);
    end_value(&r);
    survives(&map, OC_MAP, "m", "map(int64, int16)[3]");
    survives(&none, OC_MAP, "", "map(string, undefined)[0]");
    wire_free(&none);
    wire list = {0};
    wire_message(&list, 6, &map);
    survives(&list, OC_SEQUENCE, "", "seq(map(int64, int16))[1]");
    wire_free(&list);
}
END_TEST

START_TEST(maps_of_other_values_are_refused)
{
    static const struct {
        int64_t key[2], n;
        oc_type type;
        oc_status code;
        const char *part;
    } wrong[] = {{{1, 1}, 1, OC_I16, OC_FORMAT, "one key twice"},
                 {{1, 2}, 2, OC_I16, OC_UNSUPPORTED, "holds int16[2], expected tensors of one"},
                 {{1, 2}, 1, OC_I8, OC_FORMAT, "holds int16 and int8, expected one type"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        wire map = {0}, values = {0};
        reader r;
        wire_int(&map, 2, OC_I64);
        map_entry(&map, &values, wrong[i].key[0], OC_I16, 1);
        map_entry(&map, &values, wrong[i].key[1], wrong[i].type, wrong[i].n);
        wire_message(&map, 5, &values);
        read_value(&r, map.bytes, map.size, OC_MAP);
        ck_assert_msg(r.e.code == wrong[i].code && strstr(r.e.text, wrong[i].part), "%s", r.e.text);
        ck_assert_ptr_null(r.v.buffer);
        end_value(&r);
        wire_free(&map);
    }
}
END_TEST

START_TEST(values_that_cannot_be_are_refused)
{
    static const struct {
        oc_kind kind;
        const char *bytes;
        size_t size;
        oc_status code;
        const char *part;
    } wrong[] = {
        {OC_SEQUENCE, "\x22\x00", 2, OC_UNSUPPORTED, "sparse tensors, expected"},
        {OC_SEQUENCE, "\x32\x00", 2, OC_UNSUPPORTED, "keys of undefined"},
        {OC_SEQUENCE, "\x32\x02\x10\x07\x3a\x00", 6, OC_FORMAT, "mixes kinds"},
        {OC_SEQUENCE, "\x32\x02\x10\x07\x32\x02\x10\x08", 8, OC_FORMAT,
         "holds map(int64, undefined)[0] and map(string, undefined)[0]"},
        {OC_MAP, "\x10\x06\x18\x01", 4, OC_UNSUPPORTED, "keys of int32, expected int64"},
        {OC_MAP, "\x10\x07\x22\x01y", 5, OC_FORMAT, "key type int64 has keys of another"},
        {OC_MAP, "\x10\x08\x18\x01", 4, OC_FORMAT, "key type string has keys of another"},
        {OC_MAP, "\x10\x07\x18\x01", 4, OC_FORMAT, "0 values, expected 1, as keys"},
        {OC_MAP, "\x10\x07\x2a\x02\x2a\x00", 6, OC_UNSUPPORTED, "values that are no tensors"},
        {OC_SEQUENCE, "\x2a\x00\x3a\x00", 4, OC_FORMAT, "mixes kinds"},
        {OC_SEQUENCE, "\x1a\x00", 2, OC_UNSUPPORTED, "data type 0"},
        {OC_OPTIONAL, "\x22\x00", 2, OC_UNSUPPORTED, "sparse tensor, map or optional"},
        {OC_OPTIONAL, "\x32\x00", 2, OC_UNSUPPORTED, "sparse tensor, map or optional"},
        {OC_OPTIONAL, "\x3a\x00", 2, OC_UNSUPPORTED, "sparse tensor, map or optional"},
        {OC_OPTIONAL, "\x1a\x02\x10\x01\x2a\x00", 6, OC_FORMAT, "both a tensor and a sequence"},
        {(oc_kind)4, "", 0, OC_ARGUMENT, "kind 4"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        reader r;
        read_value(&r, wrong[i].bytes, wrong[i].size, wrong[i].kind);
        ck_assert_msg(r.e.code == wrong[i].code && strstr(r.e.text, wrong[i].part),
                      "case %zu: %s, expected '%s'", i, r.e.text, wrong[i].part);
        ck_assert_ptr_null(r.v.buffer);
        end_value(&r);
    }
}
END_TEST

SUITE("onnx_values", values_of_every_kind_survive, maps_survive_and_their_keys_ascend,
      maps_of_other_values_are_refused, values_that_cannot_be_are_refused)
