/* SPDX-License-Identifier: Apache-2.0
 * test_output_bindings.c - outputs in memory of the host: the same bits as in the session's own,
 * nothing behind them, and no copy where nothing else reads them. */
#include "suite.h"

#include <ocellus.h>
#include <ocellus_model.h>
#include <stdio.h>
#include <string.h>

#define HEADER       "<ir_version: 8, opset_import: [\"\" : 17]>\n"
#define ASSERT_OK(e) ck_assert_msg((e).code == OC_OK, "%s", (e).text)

enum { SIDE = 40, ROOM = 1 << 16 };
static _Alignas(64) float image[8 * SIDE * SIDE], memory[ROOM];

static oc_session *start(const char *graph, const oc_session_options *o, oc_model **m, oc_error *e)
{
    char text[1000];
    snprintf(text, sizeof text, HEADER "%s", graph);
    *m = oc_model_load_memory(text, strlen(text), NULL, e);
    oc_session *s = oc_session_new(*m, o, e);
    oc_bind(s, "x", OC_F32, 4, (const int64_t[]){1, 8, SIDE, SIDE}, image, e);
    ASSERT_OK(*e);
    return s;
}

/* By a node, fused ones, a constant, an input, views, lists, graphs, twice, and read by another. */
static const char *const graphs[] = {
    "g (float[1,8,40,40] x) => (float[1,8,40,40] y) { y = Neg (x) }",
    "g (float[1,8,40,40] x) => (float[N,8,H,W] y) { a = Neg (x) y = Exp (a) }",
    "g (float[1,8,40,40] x) => (y) <float[4] s = {1, 1, 2, 2}>"
    " { y = Resize <mode = \"linear\"> (x, , s) }",
    "g (float[1,8,40,40] x) => (y) <int64[4] n = {8, 8, 3, 3}, float half = {0.5}>"
    " { w = Expand (half, n) y = Conv (x, w) }",
    "g (float[1,8,40,40] x) => (y) { y = MaxPool <kernel_shape = [2, 2]> (x) }",
    "g (float[1,8,40,40] x) => (y) { y = Identity (x) }",
    "g (float[1,8,40,40] x) => (y) { y = Flatten (x) }",
    "g (float[1,8,40,40] x) => (y) { y = Constant <value_floats = [1.0, 2.0]> () }",
    "g (float[1,8,40,40] x) => (float[1,8,40,40] x, z) { z = Neg (x) }",
    "g (float[1,8,40,40] x) => (y, z) { y = Neg (x) z = Abs (y) }",
    "g (float[1,8,40,40] x) => (y, y) { y = Neg (x) }",
    "g (float[1,8,40,40] x) => (y, z) { y, z = Split <axis = 1> (x) }",
    "g (float[1,8,40,40] x) => (y) <bool b = {1}> { y = If (b)"
    " <then_branch = t () => (z) { z = Neg (x) }, else_branch = f () => (z) { z = Abs (x) }> }",
    "g (float[1,8,40,40] x) => (y) { n = NonZero (x) y = Cast <to = 1> (n) }",
};

/* Compares output 0 of a run into memory at `at` with the one in the session's own. */
static void compare(const char *graph, size_t at, const oc_session_options *o)
{
    oc_error e = {OC_OK, ""};
    oc_model *m;
    oc_session *s = start(graph, o, &m, &e);
    oc_run(s, &e);
    const char *name = oc_model_output(m, 0).name;
    const oc_value *own = oc_fetch_value(s, name, &e);
    ASSERT_OK(e);
    const size_t size = (size_t)oc_value_count(own) * sizeof(float);
    char *expected = malloc(size), *to = (char *)memory + at;
    memcpy(expected, oc_value_data(own), size);
    for (int run = 0; run < 2; run++) {
        memset(memory, 0xa5, sizeof memory);
        oc_bind_output(s, name, OC_F32, run ? -1 : oc_value_rank(own),
                       run ? NULL : oc_value_dims(own), to, sizeof memory - at, &e);
        oc_run(s, &e);
        own = oc_fetch_value(s, name, &e);
        ASSERT_OK(e);
        ck_assert_msg(oc_value_data(own) == to && memcmp(to, expected, size) == 0, "%s", graph);
        for (size_t i = 0; i < sizeof memory - at - size; i++)
            suite_assert(((unsigned char *)to)[size + i] == 0xa5, "%s: byte %zu behind", graph, i);
    }
    free(expected);
    oc_session_free(s);
    oc_model_free(m);
}

START_TEST(results_are_the_same)
{
    for (int i = 0; i < 8 * SIDE * SIDE; i++)
        image[i] = (float)(i % 37) / 8 - 2;
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++)
        for (size_t at = 0; at < 12; at += 4) {
            compare(graphs[i], at, &(oc_session_options){.threads = 1});
            compare(graphs[i], at, &(oc_session_options){.threads = 3, .no_fusion = true});
        }
}
END_TEST

/* Bytes that the session takes for tensors in a run with output y bound at `at`. */
static size_t peak(const char *graph, size_t at)
{
    oc_error e = {OC_OK, ""};
    oc_model *m;
    oc_session *s = start(graph, &(oc_session_options){.threads = 1}, &m, &e);
    oc_bind_output(s, "y", OC_F32, -1, NULL, (char *)memory + at, sizeof memory - at, &e);
    oc_run(s, &e);
    ASSERT_OK(e);
    const size_t bytes = oc_session_describe(s).peak_bytes;
    oc_session_free(s);
    oc_model_free(m);
    return bytes;
}

START_TEST(nothing_is_copied)
{
    const size_t size = sizeof image;
    ck_assert_uint_lt(peak(graphs[0], 0), size / 2);
    ck_assert_uint_ge(peak(graphs[0], 4), size);     /* not aligned to a cache line: copied */
    ck_assert_uint_ge(peak(graphs[9], 0), 2 * size); /* read by another node: copied */
}
END_TEST

static void count_missing(void *ctx, const oc_node_event *event)
{
    if (!event->begin && (!oc_value_data(event->out[0]) ||
                          oc_value_mutable_data((oc_value *)(uintptr_t)event->out[0])))
        ++*(int *)ctx;
}

START_TEST(an_observer_sees_the_output)
{
    int missing = 0;
    oc_error e = {OC_OK, ""};
    oc_model *m;
    const oc_session_options o = {.threads = 1,
                                  .observer = {.on_node = count_missing, .on_node_ctx = &missing}};
    oc_session *s = start(graphs[0], &o, &m, &e);
    oc_bind_output(s, "y", OC_F32, -1, NULL, memory, sizeof memory, &e);
    oc_run(s, &e);
    ASSERT_OK(e);
    ck_assert_int_eq(missing, 0);
    ck_assert(oc_fetch(s, "y", NULL, &e) == memory);
    oc_session_free(s);
    oc_model_free(m);
}
END_TEST

/* An output that is bound and one that is the same value: each in its own memory. */
START_TEST(outputs_of_one_value_are_apart)
{
    oc_error e = {OC_OK, ""};
    oc_model *m;
    oc_session *s = start(graphs[10], &(oc_session_options){.threads = 1}, &m, &e);
    oc_bind_output(s, "y", OC_F32, -1, NULL, memory, sizeof memory, &e);
    oc_run(s, &e);
    const float *a = oc_value_data(oc_fetch_value_at(s, 0, &e));
    const float *b = oc_value_data(oc_fetch_value_at(s, 1, &e));
    ASSERT_OK(e);
    ck_assert(a != b && (a == memory || b == memory) && memcmp(a, b, sizeof image) == 0);
    oc_session_free(s);
    oc_model_free(m);
}
END_TEST

SUITE("output bindings", results_are_the_same, nothing_is_copied, an_observer_sees_the_output,
      outputs_of_one_value_are_apart)
