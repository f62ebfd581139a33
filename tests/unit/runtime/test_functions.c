/* SPDX-License-Identifier: Apache-2.0
 * test_functions.c - the functions that a model gets from other files. */
#define _XOPEN_SOURCE 700
#include "failing.h"
#include "suite.h"
#include "wire.h"

#include <ocellus.h>
#include <ocellus_model.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define IMPORT "<domain: \"here\", opset_import: [\"\": 18, \"here\": 1]> "

static const char model[] = "<ir_version: 10, opset_import: [\"\": 18, \"here\": 1]> "
                            "g (float[2] x) => (float[2] y) { y = here.Twist (x) } " IMPORT
                            "Twist (p) => (q) { q = Identity (p) }";

static char folder[256], first[300], second[300];

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    ck_assert(f && fwrite(bytes, 1, size, f) == size && fclose(f) == 0);
}

static void write_text(const char *path, const char *text)
{
    write_file(path, text, strlen(text));
}

static void begin(void)
{
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/ocellus-functions-XXXXXX", tmp ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(first, sizeof first, "%s/first", folder);
    snprintf(second, sizeof second, "%s/second", folder);
}

static void end(void)
{
    remove(first);
    remove(second);
    rmdir(folder);
}

/* y of the model for x = {-1, 2}. */
static void run(const oc_model *m, float y[2], oc_error *e)
{
    const int64_t two = 2;
    const float x[] = {-1, 2};
    oc_session *s = oc_session_new(m, &(oc_session_options){.threads = 1}, e);
    oc_bind(s, "x", OC_F32, 1, &two, x, e);
    oc_run(s, e);
    const float *got = oc_fetch(s, "y", NULL, e);
    memcpy(y, got ? got : x, sizeof x);
    oc_session_free(s);
}

static oc_model *load(const char *const *files, const oc_allocator *alloc, oc_error *e)
{
    oc_model_options o = {.functions = files};
    if (alloc)
        o.alloc = *alloc;
    return oc_model_load_memory(model, sizeof model - 1, &o, e);
}

/* Two functions: one that the model has, and that calls the other one, of the second file. */
static const char *const *two_files(void)
{
    static const char *files[3];
    begin();
    write_text(first, IMPORT "Twist (a) => (b) { c = Neg (a) b = here.Twice (c) }");
    write_text(second, IMPORT "Twice (a) => (b) { b = Add (a, a) } " IMPORT
                              "Alone (a) => (b) { b = Abs (a) }");
    files[0] = first;
    files[1] = second;
    return files;
}

START_TEST(functions_of_files_replace_the_models_own)
{
    float y[2];
    oc_error e = {.code = OC_OK};
    oc_model *m = load(two_files(), NULL, &e);
    remove(first);
    run(m, y, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert(y[0] == 2 && y[1] == -4);
    oc_model_free(m);
    end();
}
END_TEST

START_TEST(functions_are_listed_with_their_files_and_calls)
{
    oc_error e = {.code = OC_OK};
    oc_model_function f;
    oc_model *m = load(two_files(), NULL, &e);
    ck_assert(oc_model_function_at(m, 0, &f) && strcmp(f.name, "Twist") == 0);
    ck_assert(strcmp(f.domain, "here") == 0 && strcmp(f.file, first) == 0 && f.n_calls == 1);
    ck_assert(oc_model_function_at(m, 1, &f) && strcmp(f.name, "Twice") == 0);
    ck_assert(strcmp(f.file, second) == 0 && f.n_calls == 1 && !*f.overload);
    ck_assert(oc_model_function_at(m, 2, &f) && strcmp(f.name, "Alone") == 0 && f.n_calls == 0);
    ck_assert(!oc_model_function_at(m, 3, &f) && !oc_model_function_at(m, -1, &f));
    oc_model_free(m);
    m = load(NULL, NULL, &e);
    ck_assert(oc_model_function_at(m, 0, &f) && !f.file && f.n_calls == 1);
    oc_model_free(m);
    end();
}
END_TEST

/* A ModelProto with opset imports and one function, Twist of Abs, and without a graph. */
START_TEST(a_binary_library_needs_no_graph)
{
    wire onnx = {0}, function = {0}, node = {0}, opset = {0}, same = {0};
    float y[2];
    oc_error e = {.code = OC_OK};
    begin();
    wire_text(&node, 1, "a");
    wire_text(&node, 2, "b");
    wire_text(&node, 4, "Abs");
    wire_text(&opset, 1, "");
    wire_int(&opset, 2, 18);
    wire_text(&same, 1, "");
    wire_int(&same, 2, 18);
    wire_text(&function, 1, "Twist");
    wire_text(&function, 4, "a");
    wire_text(&function, 5, "b");
    wire_message(&function, 7, &node);
    wire_message(&function, 9, &opset);
    wire_text(&function, 10, "here");
    wire_int(&onnx, 1, 10);
    wire_message(&onnx, 8, &same);
    wire_message(&onnx, 25, &function);
    write_file(first, onnx.bytes, onnx.size);
    wire_free(&onnx);
    const char *const files[] = {first, NULL};
    oc_model *m = load(files, NULL, &e);
    run(m, y, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert(y[0] == 1 && y[1] == 2);
    oc_model_free(m);
    ck_assert_ptr_null(oc_model_load(first, NULL, &e));
    ck_assert_msg(e.code == OC_FORMAT && strstr(e.text, "has no graph"), "%s", e.text);
    end();
}
END_TEST

/* A function of a file comes behind however many a binary model has. */
START_TEST(binary_models_get_functions_too)
{
    for (int n = 1; n < 12; n++) {
        const char *const *files = two_files();
        char text[2000] = "<ir_version: 10, opset_import: [\"\": 18, \"here\": 1]> "
                          "g (float[2] x) => (float[2] y) { t0 = Identity (x) ";
        oc_error e = {.code = OC_OK};
        for (int i = 0; i < n; i++)
            sprintf(text + strlen(text), "t%d = here.F%d (t%d) ", i + 1, i, i);
        sprintf(text + strlen(text), "y = here.Twist (t%d) } ", n);
        for (int i = 0; i < n; i++)
            sprintf(text + strlen(text), IMPORT "F%d (p) => (q) { q = Neg (p) } ", i);
        wire onnx = {0};
        float y[2];
        oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
        oc_model_save(m, OC_FORMAT_ONNX, &(oc_writer){wire_write, &onnx}, &e);
        oc_model_free(m);
        m = oc_model_load_memory(onnx.bytes, onnx.size, &(oc_model_options){.functions = files},
                                 &e);
        run(m, y, &e);
        ck_assert_msg(e.code == OC_OK, "%d functions: %s", n, e.text);
        ck_assert(y[0] == (n % 2 ? -2 : 2) && y[1] == (n % 2 ? 4 : -4));
        oc_model_free(m);
        wire_free(&onnx);
        end();
    }
}
END_TEST

START_TEST(memory_that_runs_out_is_an_error_and_leaks_nothing)
{
    const char *const *files = two_files();
    bool failed = true;
    int k = 0;
    for (; failed; k++) {
        failing f = {.left = k};
        const oc_allocator alloc = {failing_resize, &f};
        float y[2];
        oc_error e = {.code = OC_OK};
        oc_model *m = load(files, &alloc, &e);
        run(m, y, &e);
        failed = f.failed;
        if (e.code == OC_OK)
            ck_assert(y[0] == 2 && y[1] == -4);
        else
            ck_assert_msg(failed && e.code == OC_NOMEM, "k %d: %s", k, e.text);
        oc_model_free(m);
        ck_assert_msg(f.blocks == 0, "k %d: %ld blocks leak", k, f.blocks);
    }
    ck_assert_int_gt(k, 20);
    end();
}
END_TEST

SUITE("functions", functions_of_files_replace_the_models_own,
      functions_are_listed_with_their_files_and_calls, a_binary_library_needs_no_graph,
      binary_models_get_functions_too, memory_that_runs_out_is_an_error_and_leaks_nothing)
