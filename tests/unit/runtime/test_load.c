/* SPDX-License-Identifier: Apache-2.0
 * test_load.c - what a model was loaded from, as errors tell it; which initializers are weights. */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"

#include <ocellus.h>
#include <ocellus_model.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define HEADER "<ir_version: 8, opset_import: [\"\" : 13]>\n"

static const char broken[] = HEADER "g (float x) => (y {";
static const char binary[] = "\x08\x08\x12\x03"
                             "abc\x3a\x05\x0a\x09"; /* a graph longer than its message */

static char folder[256], path[300];

static void make_file(const void *bytes, size_t size)
{
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/ocellus-load-XXXXXX", tmp ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/m.onnx", folder);
    FILE *f = fopen(path, "wb");
    ck_assert_uint_eq(fwrite(bytes, 1, size, f), size);
    fclose(f);
}

static void expect_path_error(const void *bytes, size_t size, oc_status code, const char *rest)
{
    char expected[600];
    oc_error e = {OC_OK, ""};
    make_file(bytes, size);
    oc_model *m = oc_model_load(path, NULL, &e);
    unlink(path);
    rmdir(folder);
    ck_assert_ptr_null(m);
    ck_assert_int_eq(e.code, code);
    snprintf(expected, sizeof expected, "%s: %s", path, rest);
    ck_assert_str_eq(e.text, expected);
}

START_TEST(a_path_begins_every_error)
{
    expect_path_error(broken, strlen(broken), OC_FORMAT,
                      "line 2, column 19: found '{', expected ','");
    expect_path_error(
        binary, sizeof binary - 1, OC_FORMAT,
        "byte 9: ModelProto: a field is longer than what is left: the bytes are cut off");
    static const char wrong[] = HEADER "g (float x) => (y) { y = Neg (z) }";
    expect_path_error(wrong, strlen(wrong), OC_MODEL,
                      "graph: node of 'y' (Neg): input 'z' is not defined");
    static const char newer[] = "<ir_version: 8, opset_import: [\"\" : 99]>\n"
                                "g (float x) => (y) { y = Neg (x) }";
    expect_path_error(
        newer, strlen(newer), OC_UNSUPPORTED,
        "model: opset 99 is newer than 28, the newest known; the option 'newer' takes it for that");
    expect_path_error("", 0, OC_FORMAT, "the model is empty");
}
END_TEST

START_TEST(a_path_that_cannot_be_opened)
{
    oc_error e = {OC_OK, ""};
    ck_assert_ptr_null(oc_model_load("/nowhere/m.onnx", NULL, &e));
    ck_assert_int_eq(e.code, OC_IO);
    ck_assert_str_eq(e.text, "/nowhere/m.onnx: it cannot be opened: No such file or directory");
    ck_assert_ptr_null(oc_model_load("/nowhere/n.onnx", NULL, &e)); /* the first error stays */
    ck_assert_str_eq(e.text, "/nowhere/m.onnx: it cannot be opened: No such file or directory");
    e = (oc_error){OC_OK, ""};
    ck_assert_ptr_null(oc_model_load("/", NULL, &e));
    ck_assert_str_eq(e.text, "/: it is a folder, expected a model file");
}
END_TEST

static size_t read_broken(void *ctx, void *buffer, size_t size)
{
    size_t *at = ctx;
    size_t n = strlen(broken) - *at;
    n = n < size ? n : size;
    memcpy(buffer, broken + *at, n);
    *at += n;
    return n;
}

START_TEST(memory_and_streams_have_no_path)
{
    size_t at = 0;
    oc_error e = {OC_OK, ""};
    ck_assert_ptr_null(oc_model_load_memory(broken, strlen(broken), NULL, &e));
    ck_assert_str_eq(e.text, "text: line 2, column 19: found '{', expected ','");
    e = (oc_error){OC_OK, ""};
    ck_assert_ptr_null(oc_model_load_stream(&(oc_reader){read_broken, &at}, NULL, &e));
    ck_assert_str_eq(e.text, "text: line 2, column 19: found '{', expected ','");
    e = (oc_error){OC_OK, ""};
    ck_assert_ptr_null(oc_model_load_memory(binary, sizeof binary - 1, NULL, &e));
    ck_assert_str_eq(
        e.text, "byte 9: ModelProto: a field is longer than what is left: the bytes are cut off");
}
END_TEST

/* Before IR version 4 a weight had to be named as an input. */
START_TEST(weights_among_inputs)
{
    static const float other[2] = {5, 6};
    for (int version = 3; version <= 4; version++) {
        char text[300];
        oc_error e = {.code = OC_OK};
        snprintf(text, sizeof text,
                 "<ir_version: %d, opset_import: [\"\" : 9]>\n"
                 "g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 2}> "
                 "{ y = Add (x, w) }\n",
                 version);
        oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
        oc_session *s = oc_session_new(m, &(oc_session_options){.threads = 1}, &e);
        oc_bind(s, "x", OC_F32, 1, (int64_t[]){2}, other, &e);
        oc_run(s, &e);
        const float *y = oc_fetch(s, "y", NULL, &e);
        ck_assert_msg(e.code == OC_OK && y[0] == 6 && y[1] == 8, "%s", e.text);
        oc_bind(s, "w", OC_F32, 1, (int64_t[]){2}, other, &e);
        ck_assert_int_eq(e.code, version < 4 ? OC_ARGUMENT : OC_OK);
        ck_assert(version == 4 || strstr(e.text, "input 'w' is a weight"));
        oc_session_free(s);
        oc_model_free(m);
    }
}
END_TEST

SUITE("load", weights_among_inputs, a_path_begins_every_error, a_path_that_cannot_be_opened,
      memory_and_streams_have_no_path)
