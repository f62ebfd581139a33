/* SPDX-License-Identifier: Apache-2.0
 * test_unfused.c - how sessions compute sums of products: fused, exact or fast. */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"

#include <ocellus.h>
#include <ocellus_model.h>
#include <stdlib.h>
#include <string.h>

/* Two products that cancel but for 2^-24, the part of the second that only a fused multiply-add
 * sees: (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24, and a float between 1 and 2 has 23 bits behind the
 * point. */
static const float x[] = {0x1.001p+0f, 0x1.001p+0f}, v[] = {-0x1.001p+0f, 0x1.001p+0f};
static const char text[] = "<ir_version: 10, opset_import: [\"\" : 20]>\n"
                           "g (float[1,2] x, float[2,1] v) => (float[1,1] y, float[1,1] z)\n"
                           "<float[2,1] w = {-1.000244140625, 1.000244140625}>\n"
                           "{ y = MatMul (x, w)  z = MatMul (x, v) }";
static const float by_fused = 0x1p-24f, by_fast = 0;

static oc_model *load(void)
{
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    return m;
}

static oc_session *start(const oc_model *m, oc_session_options o)
{
    oc_error e = {OC_OK, ""};
    o.threads = 1;
    oc_session *s = oc_session_new(m, &o, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    return s;
}

/* A product by weights takes another kernel than one by an input; both give one result. */
static float run(oc_session *s)
{
    oc_error e = {OC_OK, ""};
    oc_bind(s, "x", OC_F32, 2, (int64_t[]){1, 2}, x, &e);
    oc_bind(s, "v", OC_F32, 2, (int64_t[]){2, 1}, v, &e);
    oc_run(s, &e);
    const float *y = oc_fetch(s, "y", NULL, &e), *z = oc_fetch(s, "z", NULL, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert(*y == *z);
    return *y;
}

static const char *products(const oc_session *s)
{
    return oc_session_describe(s).products;
}

START_TEST(a_set_that_fuses_has_one_way)
{
    oc_model *m = load();
    oc_session *exact = start(m, (oc_session_options){.cpu = "native"}),
               *fast = start(m, (oc_session_options){.cpu = "native", .unfused = 1});
    if (strcmp(products(exact), "fused") == 0)
        ck_assert_str_eq(products(fast), "fused");
    else
        ck_assert_str_eq(products(fast), "fast");
    ck_assert(run(exact) == by_fused);
    ck_assert(strcmp(products(fast), "fused") != 0 || run(fast) == by_fused);
    oc_session_free(exact), oc_session_free(fast);
    oc_model_free(m);
}
END_TEST

/* v128 is absent from processors with 64-bit NEON, and fuses on some others. */
START_TEST(others_have_two)
{
    static const char *const sets[] = {"scalar", "v128"};
    oc_model *m = load();
    for (int i = 0; i < 2; i++) {
        oc_session *exact = start(m, (oc_session_options){.cpu = sets[i]}),
                   *fast = start(m, (oc_session_options){.cpu = sets[i], .unfused = 1});
        ck_assert(run(exact) == by_fused);
        if (i == 0 || strcmp(products(exact), "exact") == 0) {
            ck_assert_str_eq(products(exact), "exact");
            ck_assert_str_eq(products(fast), "fast");
            ck_assert(run(fast) == by_fast);
        }
        oc_session_free(exact), oc_session_free(fast);
    }
    oc_model_free(m);
}
END_TEST

static void count(void *ctx, const char *line)
{
    if (strstr(line, "products: fast, "))
        ++*(int *)ctx;
}

/* The variable of the environment masks as the option cpu does. */
START_TEST(the_log_tells_the_way)
{
    int n = 0;
    oc_model *m = load();
    const oc_observer observer = {.log = count, .log_ctx = &n};
    setenv("OCELLUS_CPU", "scalar", 1);
    oc_session_free(start(m, (oc_session_options){.observer = observer}));
    ck_assert_int_eq(n, 0);
    oc_session_free(start(m, (oc_session_options){.observer = observer, .unfused = 1}));
    ck_assert_int_eq(n, 1);
    oc_model_free(m);
}
END_TEST

/* Bytes that the host's memory gives sessions: those that share a plan take less. */
static void *sum_resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
    *(size_t *)ctx += new_size - old_size;
    if (new_size)
        return realloc(block, new_size);
    free(block);
    return NULL;
}

/* Operators may prepare what one way alone reads. */
START_TEST(ways_that_differ_have_plans_of_their_own)
{
    static const char *const sets[] = {"scalar", "native"};
    for (int i = 0; i < 2; i++) {
        size_t bytes = 0;
        oc_error e = {OC_OK, ""};
        const oc_model_options counted = {.alloc = {sum_resize, &bytes}};
        oc_model *m = oc_model_load_memory(text, strlen(text), &counted, &e);
        oc_session *exact = start(m, (oc_session_options){.cpu = sets[i]});
        const size_t before = bytes;
        oc_session *fast = start(m, (oc_session_options){.cpu = sets[i], .unfused = 1});
        const oc_session_stats stats = oc_session_describe(fast);
        const bool shares = bytes - before < stats.own_bytes + stats.plan_bytes;
        ck_assert_int_eq(shares, strcmp(stats.products, "fused") == 0);
        oc_session_free(exact), oc_session_free(fast);
        oc_model_free(m);
        ck_assert_uint_eq(bytes, 0);
    }
}
END_TEST

SUITE("unfused", a_set_that_fuses_has_one_way, others_have_two, the_log_tells_the_way,
      ways_that_differ_have_plans_of_their_own)
