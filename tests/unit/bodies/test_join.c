/* SPDX-License-Identifier: Apache-2.0
 * test_join.c - what a model says that oc_model_join makes of two, and what is refused. */
#include "starved.h"

static oc_model *load(const char *text)
{
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
    ck_assert_msg(m, "%s in:\n%s", e.text, text);
    return m;
}

/* The two models joined by one link, or by equal names when from is NULL; both are freed. */
static oc_model *join(const char *first, const char *second, const char *from, const char *to,
                      const char *prefix, oc_error *e)
{
    oc_model *one = load(first), *two = load(second);
    oc_model *joined = oc_model_join(one, two, &(oc_link){from, to}, from != NULL, prefix, e);
    oc_model_free(one);
    oc_model_free(two);
    return joined;
}

static void expect(const char *first, const char *second, const char *from, const char *to,
                   const char *prefix, const char *want)
{
    oc_error e = {OC_OK, ""};
    oc_model *joined = join(first, second, from, to, prefix, &e);
    ck_assert_msg(joined, "%s", e.text);
    char *got = model_text(joined);
    ck_assert_str_eq(got, want);
    free(got);
    oc_model_free(joined);
}

static void refuse(const char *first, const char *second, const char *from, const char *to,
                   oc_status code, const char *want)
{
    oc_error e = {OC_OK, ""};
    ck_assert_ptr_null(join(first, second, from, to, NULL, &e));
    ck_assert_msg(e.code == code && strcmp(e.text, want) == 0, "%d: %s", (int)e.code, e.text);
}

#define HEAD(ir, version) "<ir_version: " #ir ", opset_import: [\"\" : " #version "]>\n"
#define WANT(ir, imports, rest)                                                                    \
    "<\n  ir_version: " #ir ",\n  opset_import: [" imports "]" rest "\n>\n"

/* ---- names ---- */

/* The network has values that are named as the ports of what comes behind it. */
static const char network[] = HEAD(8, 17) //
    "g (float[N,4] x, bool c) => (float[N,4] y, z)\n"
    "<float[4] w = {1, 2, 3, 4}, float[N,4] boxes>\n"
    "{\n"
    "  boxes = Relu (x)\n"
    "  y = Add (boxes, w)\n"
    "  z = If <then_branch = t () => (p) { p = Mul (boxes, w) }, else_branch = e () => (q)\n"
    "    { q = Relu (y) }> (c)\n"
    "}\n";

START_TEST(ports_keep_their_names)
{
    expect(network,
           HEAD(9, 17) //
           "h (float[M,4] raw, float[K] other) => (float[M] boxes, float[K] o)\n"
           "<float[4] w = {4, 3, 2, 1}, int64[1] axes = {1}, float[M,4] x>\n"
           "{\n"
           "  [n] x = Mul (raw, w)\n"
           "  boxes = ReduceSum <keepdims = 0> (x, axes)\n"
           "  [n] o = Identity (other)\n"
           "}\n",
           "y", "raw", "post",
           WANT(9, "\"\" : 17", "") //
           "g (float[N,4] x, bool c, float[K] other) => (float[N] boxes, float[K] o, z) <\n"
           "  float[N,4] \"first/boxes\",\n"
           "  float[N,4] y,\n"
           "  float[N,4] \"post/x\",\n"
           "  float[4] w = {1, 2, 3, 4},\n"
           "  float[4] \"post/w\" = {4, 3, 2, 1},\n"
           "  int64[1] \"post/axes\" = {1}\n"
           "> {\n"
           "  \"first/boxes\" = Relu (x)\n"
           "  y = Add (\"first/boxes\", w)\n"
           "  z = If (c) <then_branch: graph = t () => (p) {\n"
           "    p = Mul (\"first/boxes\", w)\n"
           "  }, else_branch: graph = e () => (q) {\n"
           "    q = Relu (y)\n"
           "  }>\n"
           "  [\"post/n\"] \"post/x\" = Mul (y, \"post/w\")\n"
           "  boxes = ReduceSum <keepdims: int = 0> (\"post/x\", \"post/axes\")\n"
           "  [\"post/n_2\"] o = Identity (other)\n"
           "}\n");
}
END_TEST

#define STEP(ir, in, out, op)                                                                      \
    HEAD(ir, 17) "g (float[4] " in ") => (float[4] " out ") { " out " = " op " }\n"

START_TEST(equal_names_are_linked)
{
    expect(
        STEP(8, "x", "y", "Neg (x)"), STEP(8, "y", "z", "Abs (y)"), NULL, NULL, NULL,
        WANT(8, "\"\" : 17", "") //
        "g (float[4] x) => (float[4] z) <\n  float[4] y\n> {\n  y = Neg (x)\n  z = Abs (y)\n}\n");
    refuse(STEP(8, "x", "y", "Neg (x)"), STEP(8, "a", "z", "Abs (a)"), NULL, NULL, OC_ARGUMENT,
           "no output of the first model has the name of an input of the second; links would tell "
           "which are meant");
}
END_TEST

/* Many exporters call ports "input" and "output". */
START_TEST(a_linked_output_gives_its_name_away)
{
    expect(STEP(8, "input", "output", "Neg (input)"), STEP(8, "input", "output", "Abs (input)"),
           "output", "input", NULL,
           WANT(8, "\"\" : 17", "") //
           "g (float[4] input) => (float[4] output) <\n  float[4] \"first/output\"\n> {\n"
           "  \"first/output\" = Neg (input)\n  output = Abs (\"first/output\")\n}\n");
}
END_TEST

/* A value within the second model does not take the name that a port of it has. */
START_TEST(ports_come_first)
{
    expect(STEP(8, "x", "y", "Neg (x)"),
           HEAD(8, 17) "h (float[4] y, float[4] \"second/u\") => (float[4] \"second/t\")\n"
                       "{ t = Abs (y)  u = Add (t, \"second/u\")  \"second/t\" = Neg (u) }\n",
           NULL, NULL, NULL,
           WANT(8, "\"\" : 17", "") //
           "g (float[4] x, float[4] \"second/u\") => (float[4] \"second/t\") <\n"
           "  float[4] y\n> {\n  y = Neg (x)\n  \"second/t_2\" = Abs (y)\n"
           "  \"second/u_2\" = Add (\"second/t_2\", \"second/u\")\n"
           "  \"second/t\" = Neg (\"second/u_2\")\n}\n");
}
END_TEST

#define TWO_IN HEAD(8, 17) "h (float[4] y, float[4] x) => (float[4] z) { z = Add (x, y) }\n"
#define TWO_OUT                                                                                    \
    HEAD(8, 17) "g (float[4] x) => (float[4] y, float[4] z) { y = Neg (x)  z = Abs (x) }\n"

START_TEST(ports_of_one_name_need_a_prefix)
{
    refuse(
        STEP(8, "x", "y", "Neg (x)"), TWO_IN, "y", "y", OC_ARGUMENT,
        "input 'x' of the second model has the name of an input or output of the first; a prefix "
        "would tell them apart");
    refuse(TWO_OUT, STEP(8, "y", "z", "Neg (y)"), "y", "y", OC_ARGUMENT,
           "output 'z' of the second model has the name of an input or output of the first; a "
           "prefix would tell them apart");
    expect(
        TWO_OUT, TWO_IN, "y", "y", "p",
        WANT(8, "\"\" : 17", "") //
        "g (float[4] x, float[4] \"p/x\") => (float[4] \"p/z\", float[4] z) <\n  float[4] y\n> {\n"
        "  y = Neg (x)\n  z = Abs (x)\n  \"p/z\" = Add (\"p/x\", y)\n}\n");
}
END_TEST

/* The link of an input of the first model: both take it. */
START_TEST(an_input_of_both)
{
    oc_error e = {OC_OK, ""};
    const oc_link links[] = {{"y", "y"}, {"x", "x"}};
    oc_model *one = load(TWO_OUT), *two = load(TWO_IN);
    oc_model *joined = oc_model_join(one, two, links, 2, "p", &e);
    ck_assert_msg(joined, "%s", e.text);
    char *got = model_text(joined);
    ck_assert_str_eq(got, WANT(8, "\"\" : 17", "") //
                     "g (float[4] x) => (float[4] \"p/z\", float[4] z) <\n  float[4] y\n> {\n"
                     "  y = Neg (x)\n  z = Abs (x)\n  \"p/z\" = Add (x, y)\n}\n");
    free(got);
    oc_model_free(joined);
    oc_model_free(one);
    oc_model_free(two);
}
END_TEST

/* An input that is an output, an initializer that is one, and one that is both of the first. */
START_TEST(what_passes_through)
{
    expect(
        HEAD(8, 17) "g (float[4] x) => (float[4] x, float[4] y) { y = Neg (x) }\n",
        HEAD(8, 17) "h (float[4] y, float[4] x, float[2] k) => (float[4] y, float[2] k, float w)\n"
                    "<float w = {1}> { }\n",
        NULL, NULL, NULL,
        WANT(8, "\"\" : 17", "") //
        "g (float[4] x, float[2] k) => (float[4] y, float[2] k, float w) <\n"
        "  float[4] \"first/y\",\n  float w = {1}\n> {\n"
        "  \"first/y\" = Neg (x)\n  y = Identity (\"first/y\")\n}\n");
}
END_TEST

/* The third model's names are new among those of the first and the second. */
START_TEST(models_are_joined_again)
{
    static const char twice[] = HEAD(8, 17) "g (float[N] x) => (float[N] x_out)\n"
                                            "{ [n] a = Neg (x)  [m] x_out = Abs (a) }\n";
    oc_error e = {OC_OK, ""};
    oc_model *m = load(twice), *one = m;
    const oc_link link = {"x_out", "x"};
    for (int i = 0; i < 3; i++) {
        oc_model *joined = oc_model_join(m, one, &link, 1, NULL, &e);
        ck_assert_msg(joined, "%s", e.text);
        if (i)
            oc_model_free(m);
        m = joined;
    }
    oc_model_free(one);
    char *got = model_text(m);
    ck_assert_ptr_nonnull(strstr(got,
                                 "  [\"second/n_3\"] \"second/a_3\" = Neg (\"first/x_out_3\")\n"
                                 "  [\"second/m_3\"] x_out = Abs (\"second/a_3\")\n"));
    free(got);
    oc_model_free(m);
}
END_TEST

/* ---- what the models declare ---- */

START_TEST(symbols_are_those_of_the_first_model)
{
    expect(
        HEAD(8, 17) "g (float[N,h] x) => (float[\"N\",\"h-2\",6] y) { y = Crop (x) }\n",
        HEAD(8, 17) "h (float[\"a\",\"b\",\"c\"] y, float[a,b,N,K] o)\n"
                    "  => (float[\"a*b\",\"c/2\",\"2*b+N_2\",\"K\"] z, seq(float[\"N+K\",a,?]) s)\n"
                    "{ z = Op (y)  s = Other (o) }\n",
        NULL, NULL, "p",
        WANT(8, "\"\" : 17", "") //
        "g (float[N,h] x, float[N,\"h-2\",p_N,K] o) => "
        "(float[\"N*(h-2)\",\"6/2\",\"2*(h-2)+N_2\",K] z, seq(float[\"p_N+K\",N,?]) s) <\n"
        "  float[N,\"h-2\",6] y\n> {\n"
        "  y = Crop (x)\n  z = Op (y)\n  s = Other (o)\n}\n");
}
END_TEST

START_TEST(contradictions_are_refused)
{
#define GIVES(type) HEAD(8, 17) "g (float[4] x) => (" type " y) { y = Op (x) }\n"
#define TAKES(type) HEAD(8, 17) "h (" type " y) => (float[4] z) { z = Op (y) }\n"
    static const struct {
        const char *gives, *takes, *want;
        oc_status code;
    } cases[] = {
        {GIVES("float[1,3]"), TAKES("int64[1,3]"), "float[1,3], expected int64[1,3]", OC_TYPE},
        {GIVES("float[1,3]"), TAKES("float[3]"), "float[1,3], expected float[3]", OC_SHAPE},
        {GIVES("float[N,3]"), TAKES("float[2,4]"), "float[N,3], expected float[2,4]", OC_SHAPE},
        {GIVES("float[N]"), TAKES("seq(float[N])"), "float[N], expected seq(float[N])", OC_SHAPE},
        {GIVES("seq(float[2])"), TAKES("seq(int64[2])"), "seq(float[2]), expected seq(int64[2])",
         OC_TYPE},
        {GIVES("optional(float[2])"), TAKES("float[3]"), "optional(float[2]), expected float[3]",
         OC_SHAPE},
        {GIVES("float[N,3]"), TAKES("float[2,M]"), NULL, OC_OK},
        {GIVES("float[]"), TAKES("float[2,M]"), NULL, OC_OK},
        {GIVES(""), TAKES("int64[2,M]"), NULL, OC_OK},
        {GIVES("seq(float[2])"), TAKES("seq(float[M])"), NULL, OC_OK},
        {GIVES("optional(float[2])"), TAKES("float[M]"), NULL, OC_OK},
        {GIVES("float[2]"), TAKES("optional(float[M])"), NULL, OC_OK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        oc_error e = {OC_OK, ""};
        char want[200];
        oc_model *joined = join(cases[i].gives, cases[i].takes, NULL, NULL, NULL, &e);
        snprintf(want, sizeof want, "'y' of the first model is %s as input 'y' of the second",
                 cases[i].want);
        ck_assert_msg(e.code == cases[i].code && (joined || strcmp(e.text, want) == 0), "%zu: %s",
                      i, e.text);
        oc_model_free(joined);
    }
}
END_TEST

START_TEST(quantization_is_renamed)
{
    static const char text[] =
        HEAD(8, 17) "{quantization: [\"t\": [\"SCALE_TENSOR\": \"s\", \"X\": \"no\"]]}\n"
                    "h (float[4] y) => (float[4] z) <float s = {1}>\n"
                    "{ t = Mul (y, s)  z = Neg (t) }\n";
    oc_error e = {OC_OK, ""};
    oc_model *joined = join(STEP(8, "s", "y", "Neg (s)"), text, NULL, NULL, "p", &e);
    ck_assert_msg(joined, "%s", e.text);
    char *got = model_text(joined);
    ck_assert_ptr_nonnull(
        strstr(got, "quantization: [\"p/t\": [\"SCALE_TENSOR\": \"p/s\", \"X\": \"no\"]]"));
    free(got);
    oc_model_free(joined);
}
END_TEST

/* ---- weights and defaults ---- */

/* Before IR version 4 weights are inputs. */
START_TEST(weights_are_no_inputs)
{
    static const char old[] = HEAD(3, 8) //
        "g (float[4] x, float[4] w) => (float[4] y) <float[4] w = {1, 2, 3, 4}>\n"
        "{ y = Add (x, w) }\n";
    static const char gives_weight[] = HEAD(3, 8) //
        "g (float[4] y, float[4] k) => (float[4] k) <float[4] k = {1, 2, 3, 4}> {}\n";
    expect(old, old, "y", "x", NULL,
           WANT(4, "\"\" : 8", "") //
           "g (float[4] x) => (float[4] y) <\n"
           "  float[4] \"first/y\",\n  float[4] w = {1, 2, 3, 4},\n"
           "  float[4] \"second/w\" = {1, 2, 3, 4}\n> {\n"
           "  \"first/y\" = Add (x, w)\n  y = Add (\"first/y\", \"second/w\")\n}\n");
    expect(old, gives_weight, "y", "y", NULL,
           WANT(4, "\"\" : 8", "") //
           "g (float[4] x) => (float[4] k) <\n"
           "  float[4] y,\n  float[4] w = {1, 2, 3, 4},\n"
           "  float[4] \"second/k\" = {1, 2, 3, 4}\n> {\n"
           "  y = Add (x, w)\n  k = Identity (\"second/k\")\n}\n");
}
END_TEST

START_TEST(a_linked_input_has_no_default)
{
    expect(
        STEP(8, "x", "y", "Neg (x)"),
        HEAD(8, 17) "h (float[4] y, float[4] k) => (float[4] z)\n"
                    "<float[4] k = {1, 2, 3, 4}, float[4] y = {0, 0, 0, 0}> { z = Add (y, k) }\n",
        NULL, NULL, NULL,
        WANT(8, "\"\" : 17", "") //
        "g (float[4] x, float[4] k) => (float[4] z) <\n"
        "  float[4] y,\n  float[4] k = {1, 2, 3, 4}\n> {\n"
        "  y = Neg (x)\n  z = Add (y, k)\n}\n");
}
END_TEST

START_TEST(weights_are_borrowed)
{
    enum { N = 64 };
    char text[4096] = HEAD(8, 17) "h (float[64] y) => (float[64] z) <float[64] w = {0";
    for (int i = 1; i < N; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), ", %d", i);
    strcat(text, "}> { z = Mul (y, w) }");
    oc_error e = {OC_OK, ""};
    oc_model *m = load(text);
    oc_model *joined = oc_model_join(m, m, &(oc_link){"z", "y"}, 1, NULL, &e);
    ck_assert_msg(joined, "%s", e.text);
    ck_assert_int_eq(joined->graph.n_initializer, 2);
    for (int i = 0; i < 2; i++)
        ck_assert_ptr_eq(joined->graph.initializer[i].value.data,
                         m->graph.initializer[0].value.data);
    oc_model_free(joined);
    oc_model_free(m);
}
END_TEST

static int left[2];

static void leave_first(const void *bytes, size_t n)
{
    left[0] += bytes && n;
}

static void leave_second(const void *bytes, size_t n)
{
    left[1] += bytes && n;
}

/* What the system may take back of the files of both models. */
START_TEST(bytes_of_both_are_left)
{
    static const char bytes[3][16];
    oc_error e = {OC_OK, ""};
    oc_model *one = load(STEP(8, "x", "y", "Neg (x)")), *two = load(STEP(8, "y", "z", "Abs (y)"));
    oc_model_may_leave(one, bytes[1], sizeof bytes[1], leave_first, &e);
    oc_model_may_leave(two, bytes[2], sizeof bytes[2], leave_second, &e);
    oc_model_may_leave(two, bytes[0], sizeof bytes[0], leave_second, &e);
    oc_model *joined = oc_model_join(one, two, NULL, 0, NULL, &e);
    ck_assert_msg(joined, "%s", e.text);
    ck_assert_int_eq(one->n_release_hook, 1);
    oc_model_free(one);
    oc_model_free(two);
    for (int i = 0; i < 3; i++)
        oc_model_leave(joined, &bytes[i][4], 8);
    ck_assert_int_eq(left[0], 1);
    ck_assert_int_eq(left[1], 2);
    oc_model_free(joined);
}
END_TEST

/* ---- what else a model says ---- */

START_TEST(metadata_of_both)
{
    static const char first[] =
        "<ir_version: 8, opset_import: [\"\" : 17], producer_name: \"one\",\n"
        " metadata_props: [\"k\": \"v\", \"same\": \"s\"]>\n"
        "g (float x) => (float y) { y = Neg (x) }\n";
    static const char second[] = "<ir_version: 10, opset_import: [\"\" : 17], producer_name: "
                                 "\"two\", doc_string: \"said\",\n"
                                 " metadata_props: [\"k\": \"u\", \"same\": \"s\", \"l\": \"m\"]>\n"
                                 "h (float y) => (float z) { z = Neg (y) }\n";
    oc_error e = {OC_OK, ""};
    oc_model *joined = join(first, second, NULL, NULL, NULL, &e);
    ck_assert_msg(joined, "%s", e.text);
    const oc_model_info d = oc_model_describe(joined);
    const char *value;
    ck_assert_str_eq(d.producer_name, "one");
    ck_assert_int_eq(d.ir_version, 10);
    ck_assert_str_eq(oc_model_metadata(joined, 2, &value), "l");
    ck_assert_str_eq(value, "m");
    ck_assert_ptr_null(oc_model_metadata(joined, 3, NULL));
    ck_assert_int_eq(d.n_remarks, 2);
    ck_assert_str_eq(d.remarks[0],
                     "metadata 'k' of the second model is left out: the first has another value");
    ck_assert_str_eq(d.remarks[1],
                     "doc_string and unknown fields of the second model are left out");
    oc_model_free(joined);
}
END_TEST

START_TEST(what_is_refused)
{
    static const char one[] = STEP(8, "x", "y", "Neg (x)"), two[] = STEP(8, "a", "z", "Abs (a)");
    const oc_link twice[] = {{"y", "a"}, {"y", "a"}};
    oc_error e = {OC_OK, ""};
    refuse(one, two, "z", "a", OC_ARGUMENT, "the first model has no output or input 'z'");
    refuse(one, two, "y", "z", OC_ARGUMENT, "the second model has no input 'z'");
    oc_model *m = load(one), *n = load(two);
    ck_assert_ptr_null(oc_model_join(m, n, twice, 2, NULL, &e));
    ck_assert_str_eq(e.text, "input 'a' of the second model is linked twice");
    oc_model_free(m);
    oc_model_free(n);
}
END_TEST

static oc_model *join_two(void *ctx, oc_error *e)
{
    oc_model *const *two = ctx;
    return oc_model_join(two[0], two[1], NULL, 0, "p", e);
}

START_TEST(without_memory)
{
    static const char second[] = HEAD(9, 9) //
        "{quantization: [\"t\": [\"S\": \"w\"]]}\n"
        "h (float[M,4] y, float[K] other) => (float[M,4] boxes, float[K] other)\n"
        "<float[4] w = {4, 3, 2, 1}, float[M,\"4*K\"] t>\n"
        "{ t = Softmax (y)  boxes = Mul (t, w) }\n";
    failing hungry = {.left = -1};
    oc_error e = {OC_OK, ""};
    const oc_model_options options = {.alloc = {failing_resize, &hungry}};
    oc_model *two[] = {oc_model_load_memory(network, strlen(network), &options, &e),
                       oc_model_load_memory(second, strlen(second), &options, &e)};
    ck_assert_int_gt(starved(&hungry, join_two, two), 10);
    oc_model_free(two[0]);
    oc_model_free(two[1]);
    ck_assert_int_eq(hungry.blocks, 0);
}
END_TEST

SUITE("join", ports_keep_their_names, equal_names_are_linked, a_linked_output_gives_its_name_away,
      ports_come_first, ports_of_one_name_need_a_prefix, an_input_of_both, what_passes_through,
      models_are_joined_again, symbols_are_those_of_the_first_model, contradictions_are_refused,
      quantization_is_renamed, weights_are_no_inputs, a_linked_input_has_no_default,
      weights_are_borrowed, bytes_of_both_are_left, metadata_of_both, what_is_refused,
      without_memory)
