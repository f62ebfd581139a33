/* SPDX-License-Identifier: Apache-2.0
 * test_align.c - weights that lie unaligned in a file: who reads them gets aligned copies, and what
 * operators pack with the plan is never copied. */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"

#include <ocellus.h>
#include <ocellus_model.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHANNELS = 48, WEIGHTS = CHANNELS * CHANNELS * 3 * 3, PIXELS = CHANNELS * 8 * 8 };

static bool write_file(void *ctx, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, ctx) == size;
}

/* Saves the model of the text at path. */
static void write_model(const char *text, const oc_model_options *options, const char *path)
{
    oc_error e = {.code = OC_OK};
    oc_model *m = oc_model_load_memory(text, strlen(text), options, &e);
    FILE *f = fopen(path, "wb");
    const oc_writer writer = {write_file, f};
    oc_model_save(m, OC_FORMAT_ONNX, &writer, &e);
    fclose(f);
    oc_model_free(m);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
}

/* Saves the model of these nodes, whose weights doc moves, at path. */
static void save(const char *nodes, int shift, const char *path)
{
    static char text[WEIGHTS * 4 + 2000];
    int at = snprintf(text, sizeof text,
                      "<ir_version: 10, opset_import: [\"\" : 17], doc_string: \"%.*s\">\n"
                      "g (float[1,48,8,8] x) => (float[] y) <float[48,48,3,3] w = {",
                      shift, "....");
    for (int i = 0; i < WEIGHTS; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%s%d", i ? "," : "", i % 7);
    snprintf(text + at, sizeof text - (size_t)at, "}> {\n%s}\n", nodes);
    write_model(text, NULL, path);
}

/* Notes how many weights were copied. */
static void note(void *ctx, const char *line)
{
    const char *found = strstr(line, " weights copied");
    while (found && found > line && found[-1] != ' ')
        found--;
    if (found)
        *(int *)ctx = atoi(found);
}

/* Runs the model and returns how many weights were copied. */
static int run(const char *path, bool observed, float *y, int n)
{
    static float x[PIXELS];
    int copied = -1;
    oc_error e = {.code = OC_OK};
    const oc_session_options options = {
        .threads = 1, .no_fusion = observed, .observer = {.log = note, .log_ctx = &copied}};
    for (int i = 0; i < PIXELS; i++)
        x[i] = (float)(i % 5) - 2;
    oc_model *m = oc_model_load(path, NULL, &e);
    oc_session *s = oc_session_new(m, &options, &e);
    oc_bind(s, "x", OC_F32, 4, (int64_t[]){1, CHANNELS, 8, 8}, x, &e);
    oc_run(s, &e);
    size_t count = 0;
    const void *got = oc_fetch(s, "y", &count, &e);
    ck_assert_msg(e.code == OC_OK && count == (size_t)n, "%s", e.text);
    memcpy(y, got, count * sizeof *y);
    oc_session_free(s);
    oc_model_free(m);
    return copied;
}

/* At each alignment that a file can give them the values are the same; without fusion, where any
 * value may be looked at, weights that are not aligned are always copied. */
static void check(const char *nodes, bool packed)
{
    char path[] = "/tmp/ocellus-align-XXXXXX";
    static float first[PIXELS], y[PIXELS];
    int unaligned = 0;
    const int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
    for (int shift = 0; shift < 4; shift++) {
        save(nodes, shift, path);
        const int all = run(path, true, shift ? y : first, PIXELS);
        ck_assert_int_eq(memcmp(shift ? y : first, first, sizeof y), 0);
        ck_assert_int_eq(run(path, false, y, PIXELS), packed ? 0 : all);
        ck_assert_int_eq(memcmp(y, first, sizeof y), 0);
        unaligned += all;
    }
    unlink(path);
    ck_assert_int_ge(unaligned, 2);
}

START_TEST(packed_weights_are_not_copied)
{
    check("y = Conv <pads = [1, 1, 1, 1]> (x, w)\n", true);
}
END_TEST

/* ---- a weight of megabytes */

enum { LARGE = 1 << 22 }; /* elements */

static bool give(void *ctx, const char *location, const void **bytes, size_t *size)
{
    (void)location;
    *bytes = ctx;
    *size = LARGE * sizeof(float);
    return true;
}

static bool count(void *ctx)
{
    ++*(int *)ctx;
    return false;
}

/* How often a session in the making asks whether to go on. */
static int count_questions(void *weight, int shift, const char *path)
{
    char text[300];
    oc_error e = {.code = OC_OK};
    int asked = 0;
    const oc_model_options from = {.external = give, .external_ctx = weight};
    const oc_session_options asking = {.threads = 1,
                                       .limits = {.cancel = count, .cancel_ctx = &asked}};
    snprintf(text, sizeof text,
             "<ir_version: 10, opset_import: [\"\" : 17], doc_string: \"%.*s\">\n"
             "g (int64 i) => (float[] y) <float[%d] w = [\"location\": \"w\"]> "
             "{ y = Gather (w, i) }",
             shift, "....", LARGE);
    write_model(text, &from, path);
    oc_model *m = oc_model_load(path, NULL, &e);
    oc_session_free(oc_session_new(m, &asking, &e));
    oc_model_free(m);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    return asked;
}

/* This weight takes at least 16 questions more where it is copied, one for each megabyte. */
START_TEST(a_copy_of_megabytes_asks)
{
    char path[] = "/tmp/ocellus-align-XXXXXX";
    void *weight = calloc(LARGE, sizeof(float));
    const int file = mkstemp(path);
    ck_assert(weight && file >= 0);
    close(file);
    int least = INT_MAX, most = 0;
    for (int shift = 0; shift < 4; shift++) {
        const int asked = count_questions(weight, shift, path);
        least = asked < least ? asked : least;
        most = asked > most ? asked : most;
    }
    unlink(path);
    free(weight);
    ck_assert_int_ge(most - least, 16);
}
END_TEST

START_TEST(other_readers_get_a_copy)
{
    check("c = Conv <pads = [1, 1, 1, 1]> (x, w) s = ReduceSum <keepdims = 0> (w) "
          "y = Add (c, s)\n",
          false);
    check("r = ReduceSum <keepdims = 0> (x) n = Neg (r) c = Greater (r, n) "
          "z = If <then_branch = t () => (float[] u) { u = ReduceSum <keepdims = 0> (w) }, "
          "else_branch = e () => (float[] v) { v = ReduceMax <keepdims = 0> (w) }> (c) "
          "y = Mul (x, z)\n",
          false);
    check("f = Flatten (w) s = ReduceMax <keepdims = 0> (f) y = Mul (x, s)\n", false);
}
END_TEST

SUITE("align", a_copy_of_megabytes_asks, packed_weights_are_not_copied, other_readers_get_a_copy)
