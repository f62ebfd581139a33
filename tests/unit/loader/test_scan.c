/* SPDX-License-Identifier: Apache-2.0
 * test_scan.c - what the scan keeps, cuts out and refuses. */
#define _DEFAULT_SOURCE
#include "wire.h"

#include "base/limits.h"
#include "loader/wire_scan.h"

#include <sys/mman.h>
#include <unistd.h>

extern const ProtobufCMessageDescriptor onnx__model_proto__descriptor,
    onnx__tensor_proto__descriptor, onnx__attribute_proto__descriptor, onnx__type_proto__descriptor,
    onnx__sequence_proto__descriptor;

#define MODEL     &onnx__model_proto__descriptor
#define TENSOR    &onnx__tensor_proto__descriptor
#define ATTRIBUTE &onnx__attribute_proto__descriptor
#define TYPE      &onnx__type_proto__descriptor
#define SEQUENCE  &onnx__sequence_proto__descriptor

static oc_memory memory;

/* The skeleton of good bytes; the caller frees it. */
static oc_skeleton scan(const ProtobufCMessageDescriptor *type, const void *bytes, size_t size)
{
    oc_error e = {0};
    oc_skeleton s;
    memory = oc_memory_new(NULL, 0);
    oc_scan(&memory, bytes, size, type, TENSOR, &s, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    return s;
}

static void end(oc_skeleton *s)
{
    oc_skeleton_free(s);
    ck_assert_uint_eq(memory.live, 0);
}

START_TEST(fields_that_are_not_declared_come_last_together)
{
    wire w = {0};
    oc_skeleton s;
    wire_int(&w, 100, 5);
    wire_int(&w, 1, 300); /* ir_version */
    wire_key(&w, 101, WIRE_32);
    wire_raw(&w, "abcd", 4);
    wire_key(&w, 536870911, WIRE_64);
    wire_raw(&w, "abcdefgh", 8);
    wire_bytes(&w, 20, "\0\1\2", 3); /* training_info: nobody reads it */
    const size_t declared = w.size;
    wire_text(&w, 2, "me");
    s = scan(MODEL, w.bytes, w.size);
    /* All bytes but those of ir_version, and then the key and length of OC_REST before them. */
    ck_assert_uint_eq(s.size, 7 + 3 + 1 + (declared - 3));
    ck_assert_mem_eq(s.bytes, "\x08\xac\x02\x12\x02me\x92\xf1\x04", 10);
    ck_assert_uint_eq(s.bytes[10], declared - 3);
    ck_assert_mem_eq(s.bytes + 11, w.bytes, 3); /* field 100 is before ir_version */
    ck_assert_mem_eq(s.bytes + 14, w.bytes + 6, declared - 6);
    ck_assert_uint_eq(s.n_lost, 0);
    ck_assert_uint_eq(s.plain, w.size);
    end(&s);
    wire_free(&w);
}
END_TEST

START_TEST(a_file_cannot_set_the_places_of_elements)
{
    wire w = {0};
    wire_int(&w, OC_FIRST_PAYLOAD, 12345);
    wire_int(&w, OC_PAYLOADS, 9);
    oc_skeleton s = scan(TENSOR, w.bytes, w.size);
    ck_assert_uint_eq(s.size, 3 + 1 + w.size); /* they are bytes of OC_REST */
    ck_assert_mem_eq(s.bytes + 4, w.bytes, w.size);
    end(&s);
    wire_free(&w);
}
END_TEST

START_TEST(fields_without_a_place_are_counted)
{
    wire w = {0};
    wire_int(&w, 77, 1);
    wire_int(&w, 78, 1);
    oc_skeleton s = scan(TYPE, w.bytes, w.size);
    ck_assert_uint_eq(s.size, 0);
    ck_assert_uint_eq(s.n_lost, 1);
    ck_assert_ptr_eq(s.lost, TYPE);
    ck_assert_uint_eq(s.lost_field >> 3, 77);
    end(&s);
    wire_free(&w);
}
END_TEST

START_TEST(runs_of_numbers_are_packed)
{
    wire w = {0};
    wire_int(&w, 8, 1); /* ints */
    wire_int(&w, 8, -1);
    wire_int(&w, 8, 2);
    oc_skeleton s = scan(ATTRIBUTE, w.bytes, w.size);
    ck_assert_uint_eq(s.size, 6 + 12);
    ck_assert_mem_eq(s.bytes, "\x42\x8c\x80\x80\x80\x00\x01", 7);
    end(&s);
    wire_free(&w);
}
END_TEST

/* A model in which the pages of a weight may not be read: the scan must not care. */
START_TEST(payloads_are_cut_out_untouched)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), large = 64 * page;
    wire head = {0}, sizes = {0}, whole = {0};
    wire_int(&head, 2, 2); /* data_type, raw_data */
    wire_key(&head, 9, WIRE_BYTES);
    wire_varint(&head, large);
    wire_key(&sizes, 5, WIRE_BYTES); /* initializer of a graph of a model */
    wire_varint(&sizes, head.size + large);
    wire_key(&whole, 7, WIRE_BYTES);
    wire_varint(&whole, sizes.size + head.size + large);
    wire_raw(&whole, sizes.bytes, sizes.size);
    wire_raw(&whole, head.bytes, head.size);
    uint8_t *map =
        mmap(NULL, page + large, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(map, MAP_FAILED);
    memcpy(map + page - whole.size, whole.bytes, whole.size);
    ck_assert_int_eq(mprotect(map + page, large, PROT_NONE), 0);
    oc_skeleton s = scan(MODEL, map + page - whole.size, whole.size + large);
    ck_assert_uint_eq(s.n_payload, 1);
    ck_assert_ptr_eq(s.payload[0].bytes, map + page);
    ck_assert_uint_eq(s.payload[0].size, large);
    ck_assert_int_eq(s.payload[0].field, OC_DATA_RAW);
    ck_assert_uint_eq(s.plain, whole.size);
    ck_assert_uint_lt(s.size, 40);
    end(&s);
    munmap(map, page + large);
    wire_free(&head);
    wire_free(&sizes);
    wire_free(&whole);
}
END_TEST

START_TEST(pieces_stand_in_wire_order)
{
    wire w = {0};
    wire_bytes(&w, 4, "aaaabbbb", 8);
    wire_text(&w, 8, "name");
    wire_key(&w, 4, WIRE_32);
    wire_raw(&w, "cccc", 4);
    wire_int(&w, 7, 300);
    oc_skeleton s = scan(TENSOR, w.bytes, w.size);
    ck_assert_uint_eq(s.n_payload, 3);
    ck_assert_mem_eq(s.payload[0].bytes, "aaaabbbb", 8);
    ck_assert_mem_eq(s.payload[1].bytes, "cccc", 4);
    ck_assert_mem_eq(s.payload[2].bytes, "\xac\x02", 2);
    ck_assert_int_eq(s.payload[2].field, OC_DATA_INT64);
    /* name, then first payload 0 and their number 3 */
    ck_assert_uint_eq(s.size, 6 + 8);
    ck_assert_mem_eq(s.bytes, "\x42\x04name\x80\xf1\x04\x00\x88\xf1\x04\x03", 14);
    end(&s);
    wire_free(&w);
}
END_TEST

/* ---- what is refused ---- */

static const struct {
    const ProtobufCMessageDescriptor *type;
    const char *bytes;
    size_t size;
    const char *part;
} wrong[] = {
/* clang-format off */
#define W(type, bytes, part) {type, bytes, sizeof bytes - 1, part}
    W(MODEL, "\x08", "varint is malformed"),
    W(MODEL, "\x08\x80", "varint is malformed"),
    W(MODEL, "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", "varint is malformed"),
    W(MODEL, "\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", "varint is malformed"),
    W(MODEL, "\x80", "field key"),
    W(MODEL, "\x00\x01", "field key"),
    W(MODEL, "\x80\x80\x80\x80\x10\x01", "field key"),
    W(MODEL, "\x0b\x0c", "wrong wire type"),
    W(MODEL, "\xf3\x06\xf4\x06", "groups"), /* unknown field 110 */
    W(MODEL, "\xf6\x06", "groups"),
    W(MODEL, "\xf7\x06", "groups"),
    W(MODEL, "\xf5\x06xxx", "number is cut off"),
    W(MODEL, "\xf1\x06xxxxxxx", "number is cut off"),
    W(MODEL, "\xf2\x06\x05xxxx", "longer than what is left"),
    W(MODEL, "\x12\x03me", "longer than what is left"),
    W(MODEL, "\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01me", "longer than what is left"),
    W(MODEL, "\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "length is cut off"),
    W(MODEL, "\x12\x80", "length is cut off"),
    W(MODEL, "\x12\x03" "a\0b", "NUL"),
    W(MODEL, "\x0a\x01x", "ModelProto: a field has the wrong wire type"),
    W(MODEL, "\x0d""abcd", "wrong wire type"),
    W(MODEL, "\x38\x05", "wrong wire type"),
    W(MODEL, "\x3a\x02\x12\x01", "GraphProto: a field is longer"),
    W(MODEL, "\x3a\x03\x12\x05xxxxx", "GraphProto: a field is longer"),
    W(MODEL, "\x3a\x00\x3a\x00", "given twice"),
    W(TYPE, "\x0a\x00\x22\x00", "given twice"),
    W(TYPE, "\x0a\x00\x0a\x00", "given twice"),
    W(TENSOR, "\x22\x03xxx", "packed numbers are cut off"),
    W(TENSOR, "\x52\x04xxxx", "packed numbers are cut off"),
    W(TENSOR, "\x20\x01", "elements have the wrong wire type"),
    W(TENSOR, "\x48\x01", "elements have the wrong wire type"),
    W(TENSOR, "\x2d""abcd", "elements have the wrong wire type"),
    W(TENSOR, "\x0a\x02\x01\x80", "packed varint is malformed"),
    W(TENSOR, "\x08\x01\x08", "varint is malformed"),
    W(TENSOR, "\x4a\x05xxxx", "longer than what is left"),
    W(ATTRIBUTE, "\x3a\x05xxxxx", "packed numbers are cut off"),
#undef W
    /* clang-format on */
};

START_TEST(malformed_bytes_are_refused)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        oc_error e = {0};
        oc_skeleton s;
        oc_memory m = oc_memory_new(NULL, 0);
        uint8_t *exact = malloc(wrong[i].size); /* a sanitizer sees reads past the end */
        memcpy(exact, wrong[i].bytes, wrong[i].size);
        oc_scan(&m, exact, wrong[i].size, wrong[i].type, TENSOR, &s, &e);
        ck_assert_msg(e.code == OC_FORMAT && strstr(e.text, wrong[i].part),
                      "case %zu: '%s', expected '%s'", i, e.text, wrong[i].part);
        ck_assert_uint_eq(m.live, 0);
        free(exact);
    }
}
END_TEST

static wire nested(int depth)
{
    wire w = {0};
    for (int i = 0; i < depth; i++) {
        wire outer = {0};
        wire_message(&outer, 5, &w); /* a sequence of sequences */
        w = outer;
    }
    return w;
}

START_TEST(depth_is_bounded)
{
    oc_error e = {0};
    wire good = nested(OC_MAX_MESSAGES), deep = nested(OC_MAX_MESSAGES + 1), abyss = nested(20000);
    oc_skeleton s = scan(SEQUENCE, good.bytes, good.size);
    end(&s);
    oc_scan(&memory, deep.bytes, deep.size, SEQUENCE, TENSOR, &s, &e);
    ck_assert_int_eq(e.code, OC_LIMIT);
    ck_assert(strstr(e.text, "messages are nested deeper than 100"));
    e.code = OC_OK;
    oc_scan(&memory, abyss.bytes, abyss.size, SEQUENCE, TENSOR, &s, &e);
    ck_assert_int_eq(e.code, OC_LIMIT);
    wire_free(&good);
    wire_free(&deep);
    wire_free(&abyss);
}
END_TEST

START_TEST(the_skeleton_keeps_to_the_cap)
{
    oc_error e = {0};
    oc_skeleton s;
    wire w = {0};
    char doc[5000] = "";
    memset(doc, 'd', sizeof doc);
    wire_bytes(&w, 6, doc, sizeof doc);
    oc_memory m = oc_memory_new(NULL, 4096);
    oc_scan(&m, w.bytes, w.size, MODEL, TENSOR, &s, &e);
    ck_assert_int_eq(e.code, OC_LIMIT);
    ck_assert_uint_eq(m.live, 0);
    wire_free(&w);
}
END_TEST

SUITE("scan", fields_that_are_not_declared_come_last_together, fields_without_a_place_are_counted,
      a_file_cannot_set_the_places_of_elements, runs_of_numbers_are_packed,
      payloads_are_cut_out_untouched, pieces_stand_in_wire_order, malformed_bytes_are_refused,
      depth_is_bounded, the_skeleton_keeps_to_the_cap)
