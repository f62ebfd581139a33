/* SPDX-License-Identifier: Apache-2.0
 * test_threads.c - results have the same bits for any number of threads and any instruction set:
 * the operators that sum, and those that move, at sizes that leave something over everywhere. */
#include "outcome.h"
#include "same_value.h"
#include "suite.h"

#include <stdio.h>

enum { INPUTS = 3, ELEMENTS = 1 << 18, TEXT = 1000 };

static const struct {
    const char *call;
    oc_dims dims[INPUTS]; /* of a, b and c; rank 0: is not there */
} models[] = {
    {"MatMul (a, b)", {{2, {131, 275}}, {2, {275, 67}}}},
    {"MatMul (a, b)", {{3, {3, 2, 300}}, {2, {300, 301}}}},
    {"MatMul (a, b)", {{2, {470, 259}}, {2, {259, 3}}}},
    {"Conv <pads = [1, 1, 1, 1]> (a, b, c)",
     {{4, {2, 19, 15, 17}}, {4, {70, 19, 3, 3}}, {1, {70}}}},
    {"Conv <strides = [2, 2], group = 3> (a, b)", {{4, {2, 6, 43, 41}}, {4, {9, 2, 5, 4}}}},
    {"Conv <pads = [1, 2, 0, 1], group = 5> (a, b, c)",
     {{4, {2, 5, 61, 43}}, {4, {10, 1, 3, 4}}, {1, {10}}}},
    {"ConvTranspose <strides = [2, 2], pads = [1, 1, 0, 1]> (a, b, c)",
     {{4, {2, 19, 13, 17}}, {4, {19, 11, 3, 3}}, {1, {11}}}},
    {"ConvTranspose <strides = [3, 2], group = 3> (a, b)",
     {{4, {2, 6, 23, 11}}, {4, {6, 5, 3, 2}}}},
    {"DeformConv <pads = [1, 1, 1, 1]> (a, b, c)",
     {{4, {2, 19, 15, 17}}, {4, {33, 19, 3, 3}}, {4, {2, 18, 15, 17}}}},
    {"DeformConv <group = 2, offset_group = 2> (a, b, c)",
     {{4, {2, 6, 32, 13}}, {4, {4, 3, 5, 2}}, {4, {2, 40, 28, 12}}}},
    {"Attention (a, b, c)", {{4, {1, 3, 37, 18}}, {4, {1, 3, 101, 18}}, {4, {1, 3, 101, 21}}}},
    {"Attention <is_causal = 1> (a, a, a)", {{4, {2, 2, 65, 16}}}},
    {"Softmax (a)", {{2, {37, 1111}}}},
    {"LogSoftmax <axis = 0> (a)", {{2, {211, 301}}}},
    {"LayerNormalization (a, b, c)", {{2, {61, 1500}}, {1, {1500}}, {1, {1500}}}},
    {"RMSNormalization (a, b)", {{2, {61, 1500}}, {1, {1500}}}},
    {"GroupNormalization <num_groups = 5> (a, b, c)", {{3, {2, 20, 333}}, {1, {20}}, {1, {20}}}},
    {"MaxPool <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]> (a)",
     {{4, {2, 19, 33, 47}}}},
    {"MaxPool <kernel_shape = [5], dilations = [3]> (a)", {{3, {2, 3, 9001}}}},
    {"AveragePool <kernel_shape = [2, 3, 4], pads = [1, 1, 1, 0, 1, 2]> (a)",
     {{5, {1, 5, 11, 13, 37}}}},
    {"LpPool <kernel_shape = [3, 3], strides = [1, 2]> (a)", {{4, {2, 9, 31, 35}}}},
    {"GlobalAveragePool (a)", {{4, {2, 19, 33, 47}}}},
    {"BatchNormalization <training_mode = 1> (a, b, b, c, c)",
     {{4, {3, 19, 35, 17}}, {1, {19}}, {1, {19}}}},
    {"LRN <size = 5, alpha = 0.5> (a)", {{4, {2, 19, 15, 37}}}},
    {"Gelu (a)", {{1, {50021}}}},
    {"Gelu <approximate = \"tanh\"> (a)", {{1, {50021}}}},
    {"Swish (a)", {{1, {50021}}}},
    {"Sigmoid (a)", {{1, {50021}}}},
    {"Tanh (a)", {{1, {50021}}}},
    {"Erf (a)", {{1, {50021}}}},
    {"Exp (a)", {{1, {50021}}}},
    {"ReduceSum (a)", {{1, {200003}}}},
    {"ReduceL2 (a)", {{2, {401, 523}}}},
    {"ReduceLogSumExp (a)", {{1, {200003}}}},
    {"ReduceMean <keepdims = 0> (a, axes)", {{2, {20011, 9}}}},
    {"ReduceMax (a, axes)", {{2, {3, 70001}}}},
    {"ReduceProd (a)", {{1, {150000}}}},
    {"Resize <mode = \"linear\", axes = [2, 3]> (a, \"\", scales)", {{4, {2, 3, 150, 211}}}},
    {"Resize <mode = \"cubic\", axes = [3, 1]> (a, \"\", scales)", {{4, {1, 40, 3, 500}}}},
    {"Resize <mode = \"cubic\", antialias = 1, axes = [0, 2]> (a, \"\", scales)",
     {{3, {70, 20, 111}}}},
    {"Resize <axes = [1, 2]> (a, \"\", scales)", {{4, {3, 90, 70, 3}}}},
    {"Concat <axis = 1> (a, b, a)", {{3, {3, 35, 731}}, {3, {3, 29, 731}}}},
    {"Concat <axis = 0> (a, b)", {{1, {100003}}, {1, {70001}}}},
    {"Split <num_outputs = 1> (a)", {{2, {331, 333}}}},
    {"Transpose <perm = [1, 0, 2]> (a)", {{3, {41, 39, 67}}}},
    {"Transpose <perm = [2, 0, 1]> (a)", {{3, {41, 39, 67}}}},
    {"Slice (a, one, many, one)", {{3, {3, 501, 131}}}},
    {"Expand (a, large)", {{3, {5, 1, 131}}}},
    {"Tile (a, tiles)", {{3, {5, 201, 131}}}},
    {"DepthToSpace <blocksize = 3> (a)", {{4, {1, 45, 55, 61}}}},
};
enum { MODELS = sizeof models / sizeof *models };

static int inputs_of(int model)
{
    int n = 0;
    while (n < INPUTS && models[model].dims[n].rank)
        n++;
    return n;
}

/* ReduceProd's factors stay near 1; a few others are not finite. */
static void fill(suite_random *r, oc_value v[INPUTS], int model, oc_type type, bool hostile)
{
    static float x[ELEMENTS];
    static double data[INPUTS][ELEMENTS];
    static const float odd[] = {NAN, INFINITY, -INFINITY, 1e-45f, -0.0f};
    for (int i = 0; i < INPUTS; i++) {
        const oc_dims *d = &models[model].dims[i];
        v[i] = oc_value_borrow(type, *d, data[i]);
        const int64_t n = d->rank ? oc_dims_count(d) : 0;
        ck_assert(n <= ELEMENTS);
        for (int64_t k = 0; k < n; k++) {
            x[k] = ((float)suite_below(r, 1 << 20) / (1 << 19) - 1) * 4;
            if (strstr(models[model].call, "Prod"))
                x[k] = 1 + x[k] / 1024;
            if (hostile && suite_below(r, 1000) == 0)
                x[k] = odd[suite_below(r, 5)];
        }
        oc_convert(data[i], type, x, OC_F32, n, false);
    }
}

static void text_of(int model, oc_type type, char text[TEXT])
{
    int at = snprintf(text, TEXT, "<ir_version: 10, opset_import: [\"\" : 24]>\ng (");
    for (int i = 0; i < inputs_of(model); i++)
        at += snprintf(text + at, TEXT - (size_t)at, "%s%s[] %c", i ? ", " : "", oc_type_name(type),
                       'a' + i);
    snprintf(text + at, TEXT - (size_t)at,
             ") => (%s[] y) <int64[1] axes = {%d}, "
             "float[2] scales = {1.75, 0.6}, int64[1] one = {1}, int64[1] many = {1000}, "
             "int64[3] large = {5, 301, 131}, int64[3] tiles = {1, 1, 2}> {\n  y = %s\n}\n",
             oc_type_name(type), strstr(models[model].call, "Max") != NULL, models[model].call);
}

static void compare(int model, oc_type type, bool hostile)
{
    static const char *const isas[] = {"scalar", "v128", "avx2", "avx512", "neon"};
    static const int threads[] = {1, 2, 7};
    char text[TEXT];
    suite_random r = suite_random_new(40);
    oc_value in[INPUTS];
    oc_error e = {.code = OC_OK};
    fill(&r, in, model, type, hostile);
    text_of(model, type, text);
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
    oc_session *first = NULL;
    const oc_value *want = NULL;
    for (int run = 0; run < 3 * (int)(sizeof isas / sizeof *isas); run++) {
        const oc_session_options options = {.threads = threads[run % 3], .cpu = isas[run / 3]};
        oc_session *session = oc_session_new(m, &options, &e);
        for (int i = 0; i < inputs_of(model); i++)
            oc_bind_value_at(session, i, &in[i], &e);
        oc_run(session, &e);
        const oc_value *y = oc_fetch_value(session, "y", &e);
        ck_assert_msg(e.code == OC_OK, "%s\n%s", e.text, text);
        if (run == 0) {
            first = session;
            want = y;
            continue;
        }
        ck_assert_msg(same_value(y, want), "other bits with %s and %d threads; OC_SEED=40\n%s",
                      options.cpu, options.threads, text);
        oc_session_free(session);
    }
    oc_session_free(first);
    oc_model_free(m);
}

START_TEST(bits_are_the_same)
{
    for (int model = 0; model < MODELS; model++) {
        compare(model, OC_F32, false);
        compare(model, OC_F32, true);
        compare(model, OC_F64, false);
        compare(model, OC_F16, false);
    }
}
END_TEST

static void note_tasks(void *ctx, int n, void (*task)(void *arg, int i), void *arg)
{
    int *most = ctx;
    *most = n > *most ? n : *most;
    for (int i = n - 1; i >= 0; i--)
        task(arg, i);
}

/* The sizes above are work enough that threads share it. */
START_TEST(each_is_shared)
{
    suite_random r = suite_random_new(41);
    for (int model = 0; model < MODELS; model++) {
        char text[TEXT];
        int most = 0;
        oc_value in[INPUTS];
        const oc_session_options options = {.threads = 7, .parallel = {note_tasks, &most}};
        fill(&r, in, model, OC_F32, false);
        text_of(model, OC_F32, text);
        outcome o = outcome_of(text, &options, in, inputs_of(model), 1);
        ck_assert_msg(o.error.code == OC_OK, "%s\n%s", o.error.text, text);
        ck_assert_msg(most >= 2, "one thread does all of\n%s", text);
        outcome_free(&o);
    }
}
END_TEST

SUITE("threads", bits_are_the_same, each_is_shared)
