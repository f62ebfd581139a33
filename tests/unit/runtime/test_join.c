/* SPDX-License-Identifier: Apache-2.0
 * test_join.c - a joined model, also one that was written and read back, gives the bits that its
 * two models give one after the other. */
#include "byte_buffer.h"
#include "suite.h"

#include <ocellus_model.h>
#include <string.h>

enum { MOST = 6 };

/* Values by name, of a run. */
typedef struct values {
    const char *name[MOST];
    oc_value *value[MOST];
    int n;
} values;

static const oc_value *find(const values *v, const char *name)
{
    const char *slash = strrchr(name, '/'); /* "p/x" is another input with the value of "x" */
    for (int i = 0; i < v->n; i++)
        if (strcmp(v->name[i], slash ? slash + 1 : name) == 0)
            return v->value[i];
    return NULL;
}

static oc_value *copy(const oc_value *v, oc_error *e)
{
    byte_buffer bytes = {.bytes = NULL};
    oc_value_write(v, NULL, &(oc_writer){byte_buffer_append, &bytes}, e);
    oc_value *made = oc_value_read(bytes.bytes, bytes.size, oc_value_kind(v), NULL, NULL, e);
    free(bytes.bytes);
    return made;
}

/* Some numbers of the declared type: 1, -2, 3 ... in 4 elements, or a true bool. */
static oc_value *make(const oc_port *p, oc_error *e)
{
    static const int64_t dim[] = {4};
    oc_value *v = oc_tensor_new(p->type, p->rank, dim, NULL, e);
    for (int64_t i = 0; v && i < oc_value_count(v); i++)
        if (p->type == OC_F32)
            ((float *)oc_value_mutable_data(v))[i] = (float)(i % 2 ? -i - 1 : i + 1);
        else if (p->type == OC_I64)
            ((int64_t *)oc_value_mutable_data(v))[i] = i + 1;
        else
            ((bool *)oc_value_mutable_data(v))[i] = true;
    return v;
}

/* Runs the model with the values of these names, or else made up ones, which are kept; adds its
 * outputs, the first n_out of them, as name[i]. */
static void run(const oc_model *m, values *v, const char *const *name, int n_out, oc_error *e)
{
    oc_session *s = oc_session_new(m, NULL, e);
    for (int i = 0; i < oc_model_n_inputs(m); i++) {
        const oc_port p = oc_model_input(m, i);
        if (!find(v, p.name)) {
            v->name[v->n] = p.name;
            v->value[v->n++] = make(&p, e);
        }
        oc_bind_value_at(s, i, find(v, p.name), e);
    }
    oc_run(s, e);
    for (int i = 0; i < n_out && e->code == OC_OK; i++) {
        v->name[v->n] = name[i];
        v->value[v->n++] = copy(oc_fetch_value_at(s, i, e), e);
    }
    ck_assert_msg(e->code == OC_OK, "%s", e->text);
    oc_session_free(s);
}

static void free_values(values *v)
{
    for (int i = 0; i < v->n; i++)
        oc_value_free(v->value[i]);
    v->n = 0;
}

static oc_model *load(const char *bytes, size_t size)
{
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(bytes, size, NULL, &e);
    ck_assert_msg(m, "%s in:\n%s", e.text, bytes);
    return m;
}

static void expect_output(const oc_model *joined, const oc_value *want)
{
    oc_error e = {OC_OK, ""};
    values v = {.n = 0};
    run(joined, &v, (const char *const[]){"out"}, 1, &e);
    const oc_value *got = find(&v, "out");
    ck_assert_int_eq(oc_value_type(got), oc_value_type(want));
    ck_assert_int_eq(oc_value_count(got), oc_value_count(want));
    ck_assert_int_eq(memcmp(oc_value_data(got), oc_value_data(want),
                            (size_t)oc_value_count(want) * oc_type_size(oc_value_type(want))),
                     0);
    free_values(&v);
}

/* The first model gives y, which the second takes. */
static void expect_same(const char *one, const char *two)
{
    oc_error e = {OC_OK, ""};
    values v = {.n = 0};
    oc_model *first = load(one, strlen(one)), *second = load(two, strlen(two));
    run(first, &v, (const char *const[]){"y"}, 1, &e);
    run(second, &v, (const char *const[]){"out"}, 1, &e);
    oc_model *joined = oc_model_join(first, second, NULL, 0, "p", &e);
    ck_assert_msg(joined, "%s", e.text);
    expect_output(joined, find(&v, "out"));
    for (int format = OC_FORMAT_ONNX; format <= OC_FORMAT_TEXT; format++) {
        byte_buffer bytes = {.bytes = NULL};
        oc_model_save(joined, (oc_format)format, &(oc_writer){byte_buffer_append, &bytes}, &e);
        ck_assert_msg(e.code == OC_OK, "%s", e.text);
        oc_model *again = load(bytes.bytes, bytes.size);
        ck_assert_int_eq(oc_model_describe(again).n_remarks, 0);
        expect_output(again, find(&v, "out"));
        oc_model_free(again);
        free(bytes.bytes);
    }
    free_values(&v);
    oc_model_free(joined);
    oc_model_free(second);
    oc_model_free(first);
}

#define GIVES(imports, nodes)                                                                      \
    "<ir_version: 8, opset_import: [" imports "]>\n"                                               \
    "g (float[4] x, bool c) => (float[4] y)\n<float[4] w = {1, 2, 3, 4}, int64 n = {3},\n"         \
    " bool go = {1}>\n{ " nodes " }\n"
#define TAKES(imports, nodes)                                                                      \
    "<ir_version: 8, opset_import: [" imports "]>\n"                                               \
    "h (float[4] y, float[4] x, bool c) => (float z)\n<float[4] w = {4, 3, 2, 1}, int64 n = "      \
    "{2},\n"                                                                                       \
    " bool go = {1}>\n{ " nodes " }\n"

#define BRANCHES                                                                                   \
    "t = Mul (y_, w)  z_ = If <then_branch = b () => (t2) { t1 = Neg (t)  t2 = Add (t1, w) },"     \
    " else_branch = b () => (t3) { t3 = Identity (t) }> (c)  v = Loop <body = b (int64 i, bool k," \
    " float[4] s) => (bool k2, float[4] s2) { k2 = Identity (k)  t1 = Mul (s, w)  s2 = Add (t1,"   \
    " t) }> (n, go, z_)  "

START_TEST(graphs_within_nodes)
{
    expect_same(GIVES("\"\" : 17", "y_ = Relu (x) " BRANCHES "y = Add (v, x)"),
                TAKES("\"\" : 17", "y_ = Sub (y, x) " BRANCHES "z = Sub (v, y)"));
}
END_TEST

START_TEST(functions_of_one_name)
{
    expect_same(
        GIVES("\"\" : 17, \"my\" : 1", "y = my.F (x)") //
        "<domain: \"my\", opset_import: [\"\" : 17, \"my\" : 1]> F (a) => (b) { t = my.G (a)  b = "
        "Neg (t) }\n<domain: \"my\", opset_import: [\"\" : 17]> G (a) => (b) { b = Abs (a) }\n",
        TAKES("\"\" : 18, \"my\" : 2", "t = my.G (y)  z = my.F (t)") //
        "<domain: \"my\", opset_import: [\"\" : 18, \"my\" : 1]> F (a) => (b) { t = my.G (a)  b = "
        "Add (t, a) }\n<domain: \"my\", opset_import: [\"\" : 18]> G (a) => (b)\n"
        "{ w = Constant <value_float = 3.0> ()  b = Mul (a, w) }\n");
    /* a function of one model is an operator of the other */
    expect_same(GIVES("\"\" : 17", "y = HardSwish (x)") //
                "<domain: \"\", opset_import: [\"\" : 17]> HardSwish (a) => (b) { b = Neg (a) }\n",
                TAKES("\"\" : 17", "z = HardSwish (y)"));
}
END_TEST

START_TEST(opsets_of_two_ages)
{
    expect_same(GIVES("\"\" : 9", "t = Unsqueeze <axes = [0]> (x)  s = Softmax (t)  "
                                  "y = ReduceSum <axes = [0], keepdims = 0> (s)"),
                TAKES("\"\" : 18", "a = Constant <value_ints = [0]> ()  "
                                   "t = Unsqueeze (y, a)  u = Concat <axis = 0> (t, t)  "
                                   "z = ReduceMax <keepdims = 0> (u, a)"));
    expect_same(GIVES("\"\" : 18", "a = Constant <value_ints = [0]> ()  t = Unsqueeze (x, a)  "
                                   "y = ReduceMean <keepdims = 0> (t, a)"),
                TAKES("\"\" : 9", "u = Dropout (y)  t = Unsqueeze <axes = [0]> (u)  "
                                  "z = Squeeze <axes = [0]> (t)"));
}
END_TEST

START_TEST(other_domains)
{
    expect_same(GIVES("\"\" : 17, \"ai.onnx.ml\" : 1",
                      "t = ai.onnx.ml.Scaler <offset = [1.0], scale = [2.0]> (x)  y = Neg (t)"),
                TAKES("\"\" : 13, \"ai.onnx.ml\" : 3",
                      "t = ai.onnx.ml.Normalizer <norm = \"L1\"> (y)  "
                      "z = ai.onnx.ml.Binarizer <threshold = 0.2> (t)"));
    expect_same(GIVES("\"\" : 17, \"com.microsoft\" : 1", "y = com.microsoft.Gelu (x)"),
                TAKES("\"\" : 13", "z = Neg (y)"));
}
END_TEST

/* What owns what: models that borrow from each other are freed in any order, and without recursion
 * through all of them. */
START_TEST(many_borrow)
{
    enum { MANY = 200 };
    static const char text[] = "<ir_version: 8, opset_import: [\"\" : 17]> g (float[4] x) => "
                               "(float[4] y) { y = Neg (x) }";
    oc_error e = {OC_OK, ""};
    const oc_link link = {"y", "x"};
    oc_model *one = load(text, strlen(text)), *all = load(text, strlen(text));
    for (int i = 0; i < MANY; i++) {
        oc_model *next = i % 2 ? oc_model_join(one, all, &link, 1, NULL, &e)
                               : oc_model_join(all, one, &link, 1, NULL, &e);
        oc_model_free(all);
        all = next;
    }
    oc_model_free(one);
    ck_assert_msg(all, "%s", e.text);
    ck_assert_int_eq(oc_model_describe(all).n_nodes, MANY + 1);
    oc_model_free(all);
}
END_TEST

SUITE("join", graphs_within_nodes, functions_of_one_name, opsets_of_two_ages, other_domains,
      many_borrow)
