/* SPDX-License-Identifier: Apache-2.0
 * test_warm.c - a session's third run and all after it ask the allocator for nothing, the second
 * for one block at most, as the first may have met other idle ones; and what a session keeps of a
 * run serves the next one only where its inputs have the same types and dims; what is only copied
 * shares memory. */
#include "suite.h"

#include <ocellus.h>
#include <ocellus_model.h>
#include <stdio.h>
#include <string.h>

typedef struct counting {
    int64_t calls, live;
} counting;

static void *count_resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
    counting *c = ctx;
    c->calls++;
    c->live += (int64_t)new_size - (int64_t)old_size;
    if (new_size)
        return realloc(block, new_size);
    free(block);
    return NULL;
}

static void check_warm_runs(const char *text, void (*bind)(oc_session *s, oc_error *e), int threads)
{
    counting count = {0, 0};
    const oc_model_options o = {.alloc = {count_resize, &count}};
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(text, strlen(text), &o, &e);
    oc_session *s = oc_session_new(m, &(oc_session_options){.threads = threads}, &e);
    bind(s, &e);
    oc_run(s, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    const int64_t first = count.calls;
    ck_assert_int_gt(first, 0);
    oc_run(s, &e);
    const int64_t calls = count.calls;
    ck_assert_int_le(calls, first + 1);
    for (int i = 0; i < 10; i++)
        oc_run(s, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_int_eq(count.calls, calls);
    oc_session_free(s);
    oc_model_free(m);
    ck_assert_int_eq(count.live, 0);
}

static void bind_chain(oc_session *s, oc_error *e)
{
    static float x[100];
    oc_bind(s, "x", OC_F32, 1, (int64_t[]){100}, x, e);
}

START_TEST(of_small_operators)
{
    for (int threads = 1; threads <= 2; threads++)
        check_warm_runs("<ir_version: 8, opset_import: [\"\" : 13]>\n"
                        "g (float[N] x) => (float[M] y)\n"
                        "{ a = Add (x, x)  b = Mul (a, x)  y = Concat <axis = 0> (x, a, b) }",
                        bind_chain, threads);
}
END_TEST

/* The vision operators, with few channels and with as many as are laid side by side in scratch
 * memory; a grid that is stored and one that is not. */
static const char vision[] =
    "<ir_version: 10, opset_import: [\"\" : 20]>\n"
    "g (float[1,40,24,20] many, float[1,3,24,20] few, float[1,2,3] theta, float[1,16,16,2] grid,\n"
    "   float[9,4] rois, int64[9] images) => (float[A,B,C,D] a, float[A,B,C,D] b,\n"
    "   float[A,I,C,D] c, float[E,F,G,H] d, float[E,I,G,H] e, float[J,C,D,K] f) {\n"
    "  size = Constant <value = int64[4] {1, 40, 16, 16}> ()\n"
    "  made = AffineGrid (theta, size)\n"
    "  a = GridSample (many, made)\n"
    "  b = GridSample <mode = \"cubic\"> (many, grid)\n"
    "  c = GridSample <mode = \"nearest\"> (few, grid)\n"
    "  d = RoiAlign <output_height = 7, output_width = 7> (many, rois, images)\n"
    "  e = RoiAlign <output_height = 7, output_width = 7> (few, rois, images)\n"
    "  f = AffineGrid (theta, size)\n"
    "}";

static void bind_vision(oc_session *s, oc_error *e)
{
    static float many[40 * 24 * 20], few[3 * 24 * 20], grid[16 * 16 * 2], rois[9 * 4];
    static float theta[6] = {0.9f, 0.1f, 0, -0.1f, 0.9f, 0};
    static int64_t images[9];
    for (int i = 0; i < 16 * 16 * 2; i++)
        grid[i] = (float)(i % 37) / 18 - 1;
    for (int i = 0; i < 9; i++) {
        rois[4 * i] = rois[4 * i + 1] = (float)i;
        rois[4 * i + 2] = rois[4 * i + 3] = (float)(2 * i + 3);
    }
    oc_bind(s, "many", OC_F32, 4, (int64_t[]){1, 40, 24, 20}, many, e);
    oc_bind(s, "few", OC_F32, 4, (int64_t[]){1, 3, 24, 20}, few, e);
    oc_bind(s, "theta", OC_F32, 3, (int64_t[]){1, 2, 3}, theta, e);
    oc_bind(s, "grid", OC_F32, 4, (int64_t[]){1, 16, 16, 2}, grid, e);
    oc_bind(s, "rois", OC_F32, 2, (int64_t[]){9, 4}, rois, e);
    oc_bind(s, "images", OC_I64, 1, (int64_t[]){9}, images, e);
}

START_TEST(of_vision_operators)
{
    for (int threads = 1; threads <= 2; threads++)
        check_warm_runs(vision, bind_vision, threads);
}
END_TEST

/* ---- other dims in each run */

/* Groups, a shape that is computed, a branch, a rank beyond what is kept, two that must agree. */
static const char any_dims[] =
    "<ir_version: 8, opset_import: [\"\" : 17]>\n"
    "g (float[N] x, float[M] z) => (float[?] y)\n"
    "<int64[1] minus = {-1}, int64[9] many = {1, 1, 1, 1, 1, 1, 1, 1, -1}, int64[2] two = {-1, "
    "2}>\n"
    "{ s = Shape (x)  r = Reshape (x, two)  t = Transpose (r)  u = Reshape (t, s)\n"
    "  a = Add (u, z)  b = Mul (a, u)  c = Exp (b)\n"
    "  deep = Reshape (c, many)  more = Neg (deep)  flat = Reshape (more, minus)\n"
    "  n = Size (x)  four = Constant <value_int = 4> ()  small = Less (n, four)\n"
    "  y = If (small) <then_branch = p () => (float[?] v) { v = Concat <axis = 0> (flat, x) },\n"
    "                  else_branch = q () => (float[?] w) { h = Sub (flat, x) w = Abs (h) }> }";

static oc_status run_with(oc_session *s, int64_t n, int64_t m, float *y, size_t *count)
{
    float x[16], z[16];
    oc_error e = {OC_OK, ""};
    for (int i = 0; i < 16; i++) {
        x[i] = (float)(i % 5) / 4;
        z[i] = (float)(i % 3) - 1;
    }
    oc_bind(s, "x", OC_F32, 1, &n, x, &e);
    oc_bind(s, "z", OC_F32, 1, &m, z, &e);
    oc_run(s, &e);
    const float *made = oc_fetch(s, "y", count, &e);
    for (size_t i = 0; e.code == OC_OK && i < *count; i++)
        y[i] = made[i];
    return e.code;
}

START_TEST(dims_change_from_run_to_run)
{
    static const int64_t dims[][2] = {{2, 2}, {2, 2}, {6, 6}, {6, 1}, {6, 1}, {6, 5}, {6, 6},
                                      {2, 1}, {2, 2}, {3, 3}, {8, 8}, {8, 8}, {2, 2}};
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(any_dims, strlen(any_dims), NULL, &e);
    oc_session *kept = oc_session_new(m, &(oc_session_options){.threads = 1}, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    int faults = 0;
    for (size_t i = 0; i < sizeof dims / sizeof *dims; i++) {
        float y[32], want[32];
        size_t n = 0, n_want = 0;
        oc_session *fresh = oc_session_new(m, &(oc_session_options){.threads = 1}, &e);
        const oc_status status = run_with(fresh, dims[i][0], dims[i][1], want, &n_want);
        ck_assert_int_eq(run_with(kept, dims[i][0], dims[i][1], y, &n), status);
        faults += status != OC_OK;
        ck_assert_uint_eq(n, n_want);
        ck_assert_mem_eq(y, want, n * sizeof *y);
        oc_session_free(fresh);
    }
    ck_assert_int_eq(faults, 2); /* 5 does not repeat to 6, 3 are no pairs */
    oc_session_free(kept);
    oc_model_free(m);
}
END_TEST

/* What a convolution keeps of a run is of the dims of that alone. */
static const char any_image[] =
    "<ir_version: 8, opset_import: [\"\" : 17]>\n"
    "g (float[N,16,H,W] x) => (float[N,32,I,J] y)\n"
    "<int64[4] one = {16, 1, 3, 3}, int64[4] all = {32, 16, 3, 3}> {\n"
    "  v = ConstantOfShape <value = float[1] {0.25}> (one)\n"
    "  w = ConstantOfShape <value = float[1] {0.5}> (all)\n"
    "  a = Conv <group = 16, pads = [1, 1, 1, 1]> (x, v)  b = Relu (a)\n"
    "  y = Conv <strides = [2, 2]> (b, w) }";

static void run_image(oc_session *s, const int64_t dims[3], float *y, size_t *n)
{
    static float x[2 * 16 * 400];
    oc_error e = {OC_OK, ""};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        x[i] = (float)(i * 7 % 23) - 9;
    oc_bind(s, "x", OC_F32, 4, (int64_t[]){dims[0], 16, dims[1], dims[2]}, x, &e);
    oc_run(s, &e);
    const float *made = oc_fetch(s, "y", n, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    memcpy(y, made, *n * sizeof *y);
}

START_TEST(image_changes_from_run_to_run)
{
    static const int64_t dims[][3] = {{1, 12, 12}, {1, 12, 12}, {2, 8, 20}, {2, 8, 20},
                                      {1, 12, 12}, {1, 20, 8},  {1, 5, 7},  {2, 20, 20}};
    static float y[1 << 14], want[1 << 14];
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(any_image, strlen(any_image), NULL, &e);
    oc_session *kept = oc_session_new(m, &(oc_session_options){.threads = 1}, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    for (size_t i = 0; i < sizeof dims / sizeof *dims; i++) {
        size_t n = 0, n_want = 0;
        oc_session *fresh = oc_session_new(m, &(oc_session_options){.threads = 1}, &e);
        run_image(fresh, dims[i], want, &n_want);
        run_image(kept, dims[i], y, &n);
        ck_assert_uint_eq(n, n_want);
        ck_assert_mem_eq(y, want, n * sizeof *y);
        oc_session_free(fresh);
    }
    oc_session_free(kept);
    oc_model_free(m);
}
END_TEST

/* Bytes of the values of a run of "a = Neg (x)", of steps, and of "y = Concat (a, b)". */
static size_t peak_of(const char *steps)
{
    static float x[1000];
    char text[600];
    oc_error e = {OC_OK, ""};
    snprintf(text, sizeof text,
             "<ir_version: 10, opset_import: [\"\" : 21]>\n"
             "g (float[1000] x) => (float[M] y)\n"
             "<int64[2] none = {0, 0}, int64[1] small = {1}, int64[2] some = {-1, 1}> {\n"
             "a = Neg (x)  %s  y = Concat <axis = 0> (a, b) }",
             steps);
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
    oc_session *s = oc_session_new(m, &(oc_session_options){.threads = 1}, &e);
    oc_bind(s, "x", OC_F32, 1, (int64_t[]){1000}, x, &e);
    oc_run(s, &e);
    ck_assert_msg(e.code == OC_OK, "%s: %s", steps, e.text);
    const size_t peak = oc_session_describe(s).peak_bytes;
    oc_session_free(s);
    oc_model_free(m);
    return peak;
}

START_TEST(copies_share_memory)
{
    static const char *const copies[] = {"b = Pad (a, none)", "b = Dropout (a)",
                                         "b = Cast <to = 1> (a)", "b = CastLike (a, x)",
                                         "b = Expand (a, small)"};
    const size_t least = peak_of("b = Identity (a)");
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        ck_assert_msg(peak_of(copies[i]) == least, "%s", copies[i]);
    ck_assert_uint_gt(peak_of("b = Pad (a, some)"), least);
}
END_TEST

SUITE("warm", of_small_operators, of_vision_operators, dims_change_from_run_to_run,
      image_changes_from_run_to_run, copies_share_memory)
