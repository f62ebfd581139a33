/* SPDX-License-Identifier: Apache-2.0
 * test_nomem.c - for every k, the k-th allocation fails: an error, no leak, and a session that goes
 * on once there is memory again. */
#include "failing.h"
#include "suite.h"

#include <ocellus.h>
#include <ocellus_op.h>
#include <ocellus_model.h>
#include <string.h>

/* Loads nodes of every kind: constants, strings, subgraphs, a function of the model, a body. */
static const char model_text[] =
    "<ir_version: 9, opset_import: [\"\" : 20, \"here\" : 1]>\n"
    "g (float[1,2,H,W] image, float[1,2,3] theta, string[N] s, int64 n)\n"
    "  => (float[1,2,H,W] warped, string[M] t, float[K,1] all, float mean)\n"
    "<float[1] w = {0.5}, string[2] more = {\"a longer string than most\", \"\"}>\n"
    "{\n"
    "  size = Shape (image)\n"
    "  grid = AffineGrid (theta, size)\n"
    "  plain = GridSample (image, grid)\n"
    "  warped = here.scale (plain, w)\n"
    "  t = Concat <axis = 0> (s, more)\n"
    "  yes = Constant <value = bool {1}> ()\n"
    "  zero = Constant <value_float = 0.0> ()\n"
    "  mean, all = Loop <body = b (int64 i, bool go, float x) => (bool again, float y, float[1] "
    "row)\n"
    "    { again = Identity (go)  f = Cast <to = 1> (i)  y = Add (x, f)\n"
    "      big = Greater (f, zero)\n"
    "      row = If (big) <then_branch = p () => (float[1] q) { q = Mul (w, y) },\n"
    "                      else_branch = r () => (float[1] q) { q = Identity (w) }>\n"
    "    }> (n, yes, zero)\n"
    "}\n"
    "<domain: \"here\", opset_import: [\"\" : 20]> scale (x, by) => (y) { y = Mul (x, by) }\n";

/* The model as bytes that load in another way. */
typedef struct bytes {
    char data[1 << 14];
    size_t size;
} bytes;

static bool append(void *ctx, const void *from, size_t size)
{
    bytes *b = ctx;
    ck_assert_uint_le(size, sizeof b->data - b->size);
    memcpy(b->data + b->size, from, size);
    b->size += size;
    return true;
}

static bytes binary_model(void)
{
    static bytes b;
    oc_error e = {0};
    oc_model *m = oc_model_load_memory(model_text, strlen(model_text), NULL, &e);
    b.size = 0;
    oc_model_save(m, OC_FORMAT_ONNX, &(oc_writer){append, &b}, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    oc_model_free(m);
    return b;
}

static void bind_all(oc_session *s, oc_error *e)
{
    static const float image[] = {1, 2, 3, 4, 5, 6, 7, 8}, theta[] = {1, 0, 0, 0, 1, 0};
    static const oc_string strings[] = {{"one", 3}};
    static const int64_t n = 3;
    oc_bind(s, "image", OC_F32, 4, (const int64_t[]){1, 2, 2, 2}, image, e);
    oc_bind(s, "theta", OC_F32, 3, (const int64_t[]){1, 2, 3}, theta, e);
    oc_bind(s, "s", OC_STRING, 1, (const int64_t[]){1}, strings, e);
    oc_bind(s, "n", OC_I64, 0, NULL, &n, e);
}

static void check_outputs(const oc_session *s, oc_error *e)
{
    static const float want_warped[] = {0.5f, 1, 1.5f, 2, 2.5f, 3, 3.5f, 4},
                       want_all[] = {0.5f, 0.5f, 1.5f};
    size_t n_warped, n_all, n_strings;
    const float *warped = oc_fetch(s, "warped", &n_warped, e), *all = oc_fetch(s, "all", &n_all, e);
    const oc_string *t = oc_fetch(s, "t", &n_strings, e);
    ck_assert_msg(e->code == OC_OK, "%s", e->text);
    ck_assert(n_warped == 8 && memcmp(warped, want_warped, sizeof want_warped) == 0);
    ck_assert(n_all == 3 && memcmp(all, want_all, sizeof want_all) == 0);
    ck_assert(n_strings == 3 && t[1].size == 25 && memcmp(t[0].data, "one", 3) == 0);
}

typedef struct setting {
    oc_session_options options;
    bool forever;
} setting;

/* Load, plan, run twice and free with the k-th allocation failing; false when none was left. */
static bool attempt(const void *model, size_t size, const setting *how, int k)
{
    failing f = {.left = k, .forever = how->forever};
    const oc_model_options load = {.alloc = {failing_resize, &f}};
    oc_error e = {0};
    oc_model *m = oc_model_load_memory(model, size, &load, &e);
    oc_session *s = oc_session_new(m, &how->options, &e);
    bind_all(s, &e);
    oc_run(s, &e);
    const bool failed = f.left == (how->forever ? 0 : -1);
    if (!failed || e.code == OC_OK)
        check_outputs(s, &e); /* what failed may have been memory one can do without */
    else
        ck_assert_msg(e.code == OC_NOMEM && strstr(e.text, "memory"), "k %d: %s: %s", k,
                      oc_status_name(e.code), e.text);
    if (s) { /* there is memory again */
        f.left = -1;
        e = (oc_error){0};
        bind_all(s, &e);
        oc_run(s, &e);
        ck_assert_msg(e.code == OC_OK, "k %d: %s", k, e.text);
        check_outputs(s, &e);
    }
    oc_session_free(s);
    oc_model_free(m);
    ck_assert_msg(f.blocks == 0, "k %d: %ld blocks leak", k, f.blocks);
    return failed;
}

static void attempt_all(const void *model, size_t size, const oc_session_options *options)
{
    for (int forever = 0; forever <= 1; forever++) {
        const setting how = {*options, forever};
        int k = 0;
        while (attempt(model, size, &how, k))
            ck_assert_int_lt(++k, 5000);
        ck_assert_int_gt(k, 20);
    }
}

START_TEST(text_model)
{
    attempt_all(model_text, strlen(model_text), &(oc_session_options){.threads = 1});
}
END_TEST

START_TEST(binary_model_with_threads)
{
    const bytes b = binary_model();
    attempt_all(b.data, b.size, &(oc_session_options){.threads = 3});
}
END_TEST

START_TEST(bodies_without_reuse)
{
    const bytes b = binary_model();
    attempt_all(
        b.data, b.size,
        &(oc_session_options){.threads = 1, .bodies.policy = OC_BODY_EXPAND, .no_reuse = true});
}
END_TEST

START_TEST(body_of_the_host)
{
    static const oc_function_text bodies[] = {
        {"<domain: \"\", opset_import: [\"\": 18]> Twist (a, b) => (c)\n"
         "{\n#if b\nm = Neg (b)\nc = Sub (a, m)\n#end\n}",
         "ai.onnx::Add", "own.txt"},
        {0},
    };
    attempt_all(model_text, strlen(model_text),
                &(oc_session_options){.threads = 1, .bodies.own = bodies});
}
END_TEST

/* Through the cap too: every size of it is an error or the right result. */
START_TEST(every_cap)
{
    const bytes b = binary_model();
    size_t cap = 256;
    for (bool done = false; !done; cap += 256) {
        oc_error e = {0};
        oc_model *m = oc_model_load_memory(b.data, b.size, NULL, &e);
        oc_session *s =
            oc_session_new(m, &(oc_session_options){.threads = 1, .limits.memory_cap = cap}, &e);
        bind_all(s, &e);
        oc_run(s, &e);
        done = e.code == OC_OK;
        if (done)
            check_outputs(s, &e);
        else
            ck_assert_msg(e.code == OC_LIMIT, "cap %zu: %s", cap, e.text);
        if (s)
            ck_assert_uint_le(oc_session_describe(s).peak_bytes, cap);
        oc_session_free(s);
        oc_model_free(m);
        ck_assert_uint_lt(cap, 1 << 20);
    }
    ck_assert_uint_gt(cap, 4096);
}
END_TEST

/* An optional that holds a sequence is bound by two lists of the session's own. */
START_TEST(bound_lists)
{
    static const char text[] = "<ir_version: 9, opset_import: [\"\" : 20]>\n"
                               "g (optional(seq(float[2])) x) => (bool y)\n"
                               "{ y = OptionalHasElement (x) }";
    static const uint8_t sequence[] = {0x10, 3,    0x2a, 18, 0x10, 1, 0x1a, 14, 8, 2, 0x10,
                                       1,    0x4a, 8,    0,  0,    0, 0,    0,  0, 0, 0};
    bool failed = true;
    for (int k = 0; failed; k++) {
        failing f = {.left = -1};
        const oc_model_options load = {.alloc = {failing_resize, &f}};
        oc_error e = {0};
        oc_value *v = oc_value_read(sequence, sizeof sequence, OC_OPTIONAL, NULL, &load.alloc, &e);
        oc_model *m = oc_model_load_memory(text, strlen(text), &load, &e);
        oc_session *s = oc_session_new(m, &(oc_session_options){.threads = 1}, &e);
        ck_assert_msg(e.code == OC_OK, "%s", e.text);
        f.left = k;
        oc_bind_value_at(s, 0, v, &e);
        failed = e.code != OC_OK;
        ck_assert_msg(!failed || e.code == OC_NOMEM, "k %d: %s", k, e.text);
        ck_assert_msg(failed || k > 1, "no list is allocated");
        oc_session_free(s);
        oc_model_free(m);
        oc_value_free(v);
        ck_assert_msg(f.blocks == 0, "k %d: %ld blocks leak", k, f.blocks);
    }
}
END_TEST

/* A sequence of one map, from "b" and "a" to floats. */
START_TEST(out_channels_that_are_read)
{
    static const uint8_t map[] = {0x32, 30,   0x10, 8,    0x22, 1,    'b', 0x22, 1, 'a', 0x2a,
                                  20,   0x1a, 8,    0x10, 1,    0x4a, 4,   0,    0, 0,   0,
                                  0x1a, 8,    0x10, 1,    0x4a, 4,    0,   0,    0, 0};
    bool failed = true;
    for (int k = 0; failed; k++) {
        failing f = {.left = k};
        oc_error e = {0};
        const oc_allocator alloc = {failing_resize, &f};
        oc_value *v = oc_value_read(map, sizeof map, OC_SEQUENCE, NULL, &alloc, &e);
        failed = e.code != OC_OK;
        ck_assert_msg(!failed || e.code == OC_NOMEM, "k %d: %s", k, e.text);
        ck_assert_msg(failed || k > 5, "no map is allocated");
        ck_assert(failed || oc_value_key_type(v) == OC_STRING);
        oc_value_free(v);
        ck_assert_msg(f.blocks == 0, "k %d: %ld blocks leak", k, f.blocks);
    }
}
END_TEST

SUITE("nomem", text_model, binary_model_with_threads, bodies_without_reuse, body_of_the_host,
      every_cap, bound_lists, out_channels_that_are_read)
