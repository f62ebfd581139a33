/* SPDX-License-Identifier: Apache-2.0
 * test_external.c - elements beside the model, and every way out of its folder. */
#define _POSIX_C_SOURCE 200809L
#include "external_folder.h"

#include <fcntl.h>

static void expect(const char *location, const char *offset, const char *length, float first)
{
    oc_error e = {0};
    wire w = make_model(location, offset, length);
    oc_model *m = load_saved(&w, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert(((const float *)m->graph.initializer[0].value.data)[0] == first);
    oc_model_free(m);
}

static void refused(const char *location, const char *offset, const char *length, const char *part)
{
    oc_error e = {0};
    wire w = make_model(location, offset, length);
    oc_model *m = load_saved(&w, &e);
    ck_assert_msg((e.code == OC_IO || e.code == OC_FORMAT) && strstr(e.text, part) &&
                      strstr(e.text, "tensor 'w': "),
                  "'%s', expected '%s'", e.text, part);
    ck_assert(e.code == OC_FORMAT || strstr(e.text, location));
    oc_model_free(m);
}

START_TEST(files_below_the_folder_are_mapped)
{
    make_folder();
    expect("w.bin", "0", "8", 1);
    expect("w.bin", "8", "8", 3);
    expect("w.bin", "4", NULL, 2);
    expect("w.bin", NULL, NULL, 1);
    expect("sub/w.bin", NULL, "8", 1);
    expect("./sub//./w.bin", NULL, "8", 1);
    remove_folder();
}
END_TEST

static void expect_far(const char *offset, float first)
{
    oc_error e = {0};
    wire w = make_model("w.bin", offset, "8");
    oc_model *m = load_saved(&w, &e);
    ck_assert_msg(e.code == (SUITE_NARROW ? OC_LIMIT : OC_OK), "%s", e.text);
    ck_assert(SUITE_NARROW
                  ? strstr(e.text, "'w.bin': it has 4294967312 bytes, this processor addresses") !=
                        NULL
                  : ((const float *)m->graph.initializer[0].value.data)[0] == first);
    oc_model_free(m);
}

/* Where addresses have 32 bits, no part of such a file is taken for the whole. */
START_TEST(files_may_have_more_than_4_gib)
{
    make_folder();
    ck_assert_int_eq(truncate(at(folder, "w.bin"), (off_t)((INT64_C(1) << 32) + 16)), 0);
    expect_far("0", 1);
    expect_far("4294967304", 0);
    remove_folder();
}
END_TEST

START_TEST(every_way_out_is_refused)
{
    make_folder();
    refused("../outside.bin", "0", "8", "'..' is refused");
    refused("sub/../../outside.bin", "0", "8", "'..' is refused");
    refused("sub/..", "0", "8", "'..' is refused");
    refused("..", "0", "8", "'..' is refused");
    char outside[400];
    snprintf(outside, sizeof outside, "%s", at(top, "outside.bin"));
    refused(outside, "0", "8", "absolute");
    refused("/etc/hostname", "0", "8", "absolute");
    refused("soft.bin", "0", "8", "a link leads out of the folder of the model file");
    refused("up/outside.bin", "0", "8", "a link leads out of the folder of the model file");
    refused("up", "0", "8", "a link leads out of the folder of the model file");
    refused("round", "0", "8", "external data 'round'");
    refused("lost.bin", "0", "8", "No such file");
    refused("hard.bin", "0", "8", "hard links");
    refused("pipe", "0", "8", "not a regular file");
    refused("sub", "0", "8", "not a regular file");
    refused("sub/", "0", "8", "not a regular file");
    refused(".", "0", "8", "not a regular file");
    refused("", "0", "8", "empty");
    remove_folder();
}
END_TEST

START_TEST(links_may_lead_to_files_beside_the_model)
{
    make_folder();
    expect("inner.bin", "8", "8", 3);
    expect("alias/w.bin", "4", "8", 2);
    remove_folder();
}
END_TEST

/* As in a cache in which every name is a link to a file of another folder: the data may lie beside
 * the file that the model's name leads to, and nowhere else. */
START_TEST(links_may_lead_to_files_beside_the_file_that_the_model_links_to)
{
    static const struct {
        const char *model, *data, *why; /* the links lead there; why NULL: it is read */
    } rows[] = {{"model/m.onnx", "model/w.bin", NULL},
                {"model/m.onnx", "model/sub/w.bin", NULL},
                {"model/m.onnx", "outside.bin", "a link leads out of the folder of the model file"},
                {"model/m.onnx", "names/own.bin", "a link leads out of the folder"},
                {"model/m.onnx", "model/hard.bin", "hard links"}};
    make_folder();
    wire w = make_model("data.bin", "0", "8");
    put_file(at(folder, "m.onnx"), w.bytes, w.size);
    wire_free(&w);
    char names[300];
    snprintf(names, sizeof names, "%s/names", top);
    ck_assert_int_eq(mkdir(names, 0700), 0);
    put_file(at(names, "own.bin"), "12345678", 8);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        oc_error e = {0};
        oc_model *m = new_model(NULL);
        char model[320], data[320];
        snprintf(model, sizeof model, "../%s", rows[i].model);
        snprintf(data, sizeof data, "../%s", rows[i].data);
        ck_assert_int_eq(symlink(model, at(names, "link.onnx")), 0);
        ck_assert_int_eq(symlink(data, at(names, "data.bin")), 0);
        oc_load_file(m, at(names, "link.onnx"), &e);
        ck_assert_msg(e.code == (rows[i].why ? OC_IO : OC_OK), "%zu: %s", i, e.text);
        ck_assert_msg(!rows[i].why || strstr(e.text, rows[i].why), "%zu: %s", i, e.text);
        oc_model_free(m);
        unlink(at(names, "link.onnx"));
        unlink(at(names, "data.bin"));
    }
    unlink(at(names, "own.bin"));
    ck_assert_int_eq(rmdir(names), 0);
    remove_folder();
}
END_TEST

START_TEST(what_is_not_there_is_an_error)
{
    char longest[400];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    make_folder();
    refused("absent.bin", "0", "8", "No such file");
    refused("absent/w.bin", "0", "8", "No such file");
    refused("w.bin/w.bin", "0", "8", "Not a directory");
    refused(longest, "0", "8", "too long");
    refused("w.bin", "9", "8", "past the end");
    refused("w.bin", "16", "8", "past the end");
    refused("w.bin", "17", "0", "past the end");
    refused("w.bin", "9223372036854775807", "8", "offset");
    refused("w.bin", "900000000000000000", "8", "past the end");
    refused("w.bin", "0", "900000000000000000", "past the end");
    refused("empty.bin", "0", "8", "past the end");
    refused("w.bin", "0", "4", "4 bytes of data, expected 8");
    refused("w.bin", "-1", "8", "offset is '-1'");
    refused("w.bin", "0x4", "8", "offset is '0x4'");
    refused("w.bin", "0", "", "length is ''");
    refused("w.bin", "18446744073709551616", "8", "offset");
    refused(NULL, "0", "8", "no location");
    remove_folder();
}
END_TEST

/* Loading a model with the weight t, which is freed, fails with a message that holds part. */
static void refused_weight(wire *t, const char *part)
{
    oc_error e = {0};
    wire g = {0};
    wire_message(&g, 5, t);
    wire w = wire_model(&g);
    oc_model *m = load_saved(&w, &e);
    ck_assert_msg(e.code == OC_FORMAT && strstr(e.text, part), "'%s', expected '%s'", e.text, part);
    oc_model_free(m);
}

START_TEST(a_key_given_twice_is_refused)
{
    static const char *const twice[] = {"location", "offset", "length", "checksum"};
    oc_error e = {0};
    make_folder();
    for (int i = 0; i < 4; i++) {
        char part[64];
        wire t = make_weight("w.bin", "0", "8");
        put_entry(&t, twice[i], i == 0 ? "w.bin" : "0");
        snprintf(part, sizeof part, "tensor 'w': external %s is given twice", twice[i]);
        refused_weight(&t, part);
    }
    /* keys of others are theirs */
    wire g = {0}, t = make_weight("w.bin", "0", "8");
    put_entry(&t, "prepacked", "1");
    put_entry(&t, "prepacked", "2");
    wire_message(&g, 5, &t);
    wire w = wire_model(&g);
    oc_model *m = load_saved(&w, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    oc_model_free(m);
    remove_folder();
}
END_TEST

START_TEST(data_in_two_places_are_refused)
{
    make_folder();
    wire both = make_weight("w.bin", "0", "8");
    wire_bytes(&both, 9, "\0\0\0\0\0\0\0\0", 8);
    refused_weight(&both, "tensor 'w': its data are given in more than one form");
    wire none = make_weight("w.bin", "0", "8");
    wire_int(&none, 14, 0);
    refused_weight(&none,
                   "tensor 'w': it has external_data, but its data location is not external");
    remove_folder();
}
END_TEST

START_TEST(data_location_chooses_what_is_in_the_model)
{
    const float here[2] = {7, 8};
    oc_error e = {0};
    make_folder();
    wire t = make_weight("absent.bin", "0", "8"), g = {0};
    wire_int(&t, 14, 0);
    wire_bytes(&t, 9, here, sizeof here);
    wire_message(&g, 5, &t);
    wire w = wire_model(&g);
    oc_model *m = load_saved(&w, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_mem_eq(m->graph.initializer[0].value.data, here, sizeof here);
    ck_assert(!m->graph.initializer[0].external);
    oc_model_free(m);
    remove_folder();
}
END_TEST

START_TEST(a_file_is_mapped_once)
{
    oc_error e = {0};
    wire g = {0};
    make_folder();
    wire t = make_weight("w.bin", "0", "8");
    wire_message(&g, 5, &t);
    wire w = wire_model(&g);
    oc_model *m = load_saved(&w, &e);
    const void *a = NULL, *b = NULL;
    size_t size = 0;
    oc_external_data(m, "w.bin", 0, 8, &a, &size, &e);
    oc_external_data(m, "w.bin", 8, -1, &b, &size, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_ptr_eq(b, (const char *)a + 8);
    ck_assert_uint_eq(size, 8);
    oc_model_free(m);
    remove_folder();
}
END_TEST

/* "w.bin" behind parts that mean nothing, one way for each bit of i. */
static void spell(int i, char text[64])
{
    enum { BITS = 13 };
    char *to = text;
    for (int k = 0; k < BITS; k++)
        to += sprintf(to, "%s", i >> k & 1 ? "./" : ".//");
    strcpy(to, "w.bin");
}

START_TEST(a_file_of_many_spellings_is_mapped_once)
{
    enum { N = 8000 };
    oc_error e = {0};
    wire g = {0};
    make_folder();
    for (int i = 0; i < N; i++) {
        char location[64];
        spell(i, location);
        wire t = make_weight(location, "0", "8");
        wire_message(&g, 5, &t);
    }
    wire w = wire_model(&g);
    oc_model *m = load_saved(&w, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    const void *first = NULL;
    for (int i = 0; i < N; i++) {
        char location[64];
        const void *bytes = NULL;
        size_t size;
        spell(i, location);
        oc_external_data(m, location, 0, -1, &bytes, &size, &e);
        first = i ? first : bytes;
        ck_assert(e.code == OC_OK && bytes == first);
    }
    oc_model_free(m);
    remove_folder();
}
END_TEST

START_TEST(values_alone_have_no_external_data)
{
    oc_error e = {0};
    oc_memory memory = oc_memory_new(NULL, 0);
    oc_arena arena = oc_arena_new(&memory);
    oc_pool pool = oc_pool_new(&memory);
    oc_value v;
    const char *name;
    wire w = make_weight("w.bin", NULL, NULL);
    oc_load_value(&pool, &arena, w.bytes, w.size, OC_TENSOR, &v, &name, &e);
    ck_assert_int_eq(e.code, OC_FORMAT);
    ck_assert(strstr(e.text, "refused outside a model"));
    oc_arena_free(&arena);
    ck_assert_uint_eq(memory.live, 0);
    wire_free(&w);
}
END_TEST

SUITE("external", files_below_the_folder_are_mapped, files_may_have_more_than_4_gib,
      every_way_out_is_refused, links_may_lead_to_files_beside_the_model,
      links_may_lead_to_files_beside_the_file_that_the_model_links_to,
      what_is_not_there_is_an_error, a_key_given_twice_is_refused, data_in_two_places_are_refused,
      data_location_chooses_what_is_in_the_model, a_file_is_mapped_once,
      a_file_of_many_spellings_is_mapped_once, values_alone_have_no_external_data)
