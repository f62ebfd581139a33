/* SPDX-License-Identifier: Apache-2.0
 * test_gunzip.c - compressed models: members, damage, and bombs. */
#include "wire.h"

#include "graph/build.h"
#include "loader/loader.h"

#include <zlib.h>

/* Appends a gzip member of the bytes. */
static void put_member(wire *out, const void *bytes, size_t size)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (unsigned)size};
    ck_assert_int_eq(deflateInit2(&z, 9, Z_DEFLATED, MAX_WBITS + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
    for (int result = Z_OK; result != Z_STREAM_END;) {
        uint8_t room[4096];
        z.next_out = room;
        z.avail_out = sizeof room;
        result = deflate(&z, Z_FINISH);
        wire_raw(out, room, sizeof room - z.avail_out);
    }
    deflateEnd(&z);
}

typedef struct result {
    heap heap;
    oc_error e;
    uint8_t *bytes;
    size_t size;
} result;

static result unpack(const void *bytes, size_t size, size_t cap)
{
    result r = {.bytes = NULL};
    oc_model *m = NULL;
    void *out;
    const oc_model_options options = {.alloc = {heap_resize, &r.heap}, .limits.memory_cap = cap};
    ck_assert_int_eq(oc_model_new(&options, &m, &r.e), OC_OK);
    if (oc_gunzip(m, bytes, size, &out, &r.size, &r.e) == OC_OK && r.size) {
        r.bytes = malloc(r.size);
        memcpy(r.bytes, out, r.size);
    }
    oc_model_free(m);
    ck_assert_uint_eq(r.heap.live, 0);
    return r;
}

static void fill(uint8_t *bytes, size_t size)
{
    suite_random random = suite_random_new(3);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(suite_below(&random, 16) * suite_below(&random, 3));
}

START_TEST(sizes_around_the_first_buffer)
{
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 131072, 300000};
    static uint8_t plain[300000];
    fill(plain, sizeof plain);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        wire w = {0};
        put_member(&w, plain, sizes[i]);
        result r = unpack(w.bytes, w.size, 0);
        ck_assert_msg(r.e.code == OC_OK, "%s", r.e.text);
        ck_assert_uint_eq(r.size, sizes[i]);
        ck_assert(sizes[i] == 0 || memcmp(r.bytes, plain, r.size) == 0);
        free(r.bytes);
        wire_free(&w);
    }
}
END_TEST

START_TEST(members_follow_one_another)
{
    wire w = {0};
    put_member(&w, "abc", 3);
    put_member(&w, "", 0);
    put_member(&w, "defg", 4);
    result r = unpack(w.bytes, w.size, 0);
    ck_assert_int_eq(r.e.code, OC_OK);
    ck_assert_uint_eq(r.size, 7);
    ck_assert_mem_eq(r.bytes, "abcdefg", 7);
    free(r.bytes);
    wire_free(&w);
}
END_TEST

START_TEST(every_truncation_is_an_error)
{
    wire w = {0};
    uint8_t plain[500];
    fill(plain, sizeof plain);
    put_member(&w, plain, sizeof plain);
    for (size_t n = 1; n < w.size; n++) {
        result r = unpack(w.bytes, n, 0);
        ck_assert_msg(r.e.code == OC_FORMAT && strstr(r.e.text, "cut off"), "%zu bytes: %s", n,
                      r.e.text);
    }
    wire_free(&w);
}
END_TEST

START_TEST(damage_is_an_error)
{
    wire w = {0};
    put_member(&w, "some text, some text", 20);
    wire garbage = {0};
    wire_raw(&garbage, w.bytes, w.size);
    wire_raw(&garbage, "garbage", 7);
    result r = unpack(garbage.bytes, garbage.size, 0);
    ck_assert_int_eq(r.e.code, OC_FORMAT);
    w.bytes[w.size - 8] ^= 1; /* the checksum */
    r = unpack(w.bytes, w.size, 0);
    ck_assert_int_eq(r.e.code, OC_FORMAT);
    ck_assert(strstr(r.e.text, "damaged"));
    wire_free(&garbage);
    wire_free(&w);
}
END_TEST

START_TEST(a_bomb_ends_at_the_cap)
{
    const size_t size = 64 << 20, cap = 8 << 20;
    uint8_t *zeros = calloc(size, 1);
    wire w = {0};
    put_member(&w, zeros, size);
    ck_assert_uint_lt(w.size, 100000);
    result r = unpack(w.bytes, w.size, cap);
    ck_assert_int_eq(r.e.code, OC_LIMIT);
    ck_assert_msg(strstr(r.e.text, "unpacking the compressed model: memory cap: "), "%s", r.e.text);
    ck_assert_uint_le(r.heap.peak, cap);
    free(zeros);
    wire_free(&w);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    static uint8_t plain[200000];
    wire w = {0};
    oc_status status = OC_NOMEM;
    int k;
    fill(plain, sizeof plain);
    put_member(&w, plain, sizeof plain);
    for (k = 1; status != OC_OK; k++) {
        heap h = {.fail_at = k};
        oc_error e = {0};
        oc_model *m = NULL;
        void *out;
        size_t size;
        const oc_model_options options = {.alloc = {heap_resize, &h}};
        status = oc_model_new(&options, &m, &e);
        if (status == OC_OK)
            status = oc_gunzip(m, w.bytes, w.size, &out, &size, &e);
        ck_assert_msg(status == OC_OK || status == OC_NOMEM, "allocation %d: %s", k, e.text);
        oc_model_free(m);
        ck_assert_uint_eq(h.live, 0);
    }
    ck_assert_int_gt(k, 5);
    wire_free(&w);
}
END_TEST

static oc_status load(const void *bytes, size_t size, oc_error *e)
{
    oc_model *m = NULL;
    *e = (oc_error){0};
    ck_assert_int_eq(oc_model_new(NULL, &m, e), OC_OK);
    oc_load_bytes(m, bytes, size, e);
    oc_model_free(m);
    return e->code;
}

START_TEST(models_are_recognised_inside)
{
    static const char text[] = "<ir_version: 8, opset_import: [\"\" : 13]> g () => () {}";
    oc_error e;
    wire g = {0}, w = {0}, twice = {0};
    wire_text(&g, 2, "g");
    wire binary = wire_model(&g);
    put_member(&w, text, sizeof text - 1);
    ck_assert_msg(load(w.bytes, w.size, &e) == OC_OK, "%s", e.text);
    put_member(&twice, w.bytes, w.size);
    ck_assert_int_eq(load(twice.bytes, twice.size, &e), OC_FORMAT);
    ck_assert(strstr(e.text, "compressed twice"));
    w.size = 0;
    put_member(&w, binary.bytes, binary.size);
    ck_assert_msg(load(w.bytes, w.size, &e) == OC_OK, "%s", e.text);
    w.size = 0;
    put_member(&w, "", 0);
    ck_assert_int_eq(load(w.bytes, w.size, &e), OC_FORMAT);
    wire_free(&w);
    wire_free(&twice);
    wire_free(&binary);
}
END_TEST

SUITE("gunzip", sizes_around_the_first_buffer, members_follow_one_another,
      every_truncation_is_an_error, damage_is_an_error, a_bomb_ends_at_the_cap,
      every_allocation_may_fail, models_are_recognised_inside)
