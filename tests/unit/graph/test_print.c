/* SPDX-License-Identifier: Apache-2.0
 * test_print.c - models printed, read back and compared. */
#include "graph/build.h"
#include "model_equal.h"
#include "graph/print.h"
#include "loader/loader.h"
#include "suite.h"
#include "tricky.h"

#include <stdio.h>
#include <string.h>

typedef struct text {
    char *bytes;
    size_t size;
} text;

static bool append(void *ctx, const void *bytes, size_t size)
{
    text *t = ctx;
    char *larger = realloc(t->bytes, t->size + size + 1);
    if (!larger)
        return false;
    memcpy(larger + t->size, bytes, size);
    t->bytes = larger;
    t->size += size;
    t->bytes[t->size] = '\0';
    return true;
}

static oc_model *load(const char *bytes, size_t size)
{
    oc_model *m = NULL;
    oc_error e = {0};
    ck_assert_int_eq(oc_model_new(NULL, &m, &e), OC_OK);
    ck_assert_msg(oc_load_text(m, bytes, size, &e) == OC_OK, "%s\n%s", e.text, bytes);
    return m;
}

static text print(const oc_model *m)
{
    text t = {NULL, 0};
    oc_error e = {0};
    const oc_writer out = {append, &t};
    ck_assert_int_eq(oc_print_model(m, &out, &e), OC_OK);
    return t;
}

START_TEST(print_and_parse_is_a_fixed_point)
{
    char why[256];
    oc_model *a = load(tricky_model, strlen(tricky_model));
    const text first = print(a);
    oc_model *b = load(first.bytes, first.size);
    const text second = print(b);
    ck_assert_msg(model_equal(a, b, why, sizeof why), "%s", why);
    ck_assert_str_eq(first.bytes, second.bytes);
    oc_model_free(a);
    oc_model_free(b);
    free(first.bytes);
    free(second.bytes);
}
END_TEST

START_TEST(text_looks_like_onnx)
{
    static const char source[] =
        "<ir_version: 8, opset_import: [\"\" : 13]> g (float[N,2] x) => (y) <float[2] w = {1,2}>\n"
        "{ [n] \"a.b\", \"float\" = Add (x, w) y = If (\"a.b\", ) <then_branch = t () => (z) {z = "
        "F <k=1> "
        "()}>}";
    oc_model *m = load(source, strlen(source));
    const text t = print(m);
    ck_assert_str_eq(t.bytes, "<\n"
                              "  ir_version: 8,\n"
                              "  opset_import: [\"\" : 13]\n"
                              ">\n"
                              "g (float[N,2] x) => (y) <\n"
                              "  float[2] w = {1, 2}\n"
                              "> {\n"
                              "  [n] \"a.b\", \"float\" = Add (x, w)\n"
                              "  y = If (\"a.b\") <then_branch: graph = t () => (z) {\n"
                              "    z = F <k: int = 1> ()\n"
                              "  }>\n"
                              "}\n");
    oc_model_free(m);
    free(t.bytes);
}
END_TEST

/* The tricky model with the first from replaced by to. */
static oc_model *load_changed(const char *from, const char *to)
{
    const char *at = strstr(tricky_model, from);
    ck_assert_msg(at != NULL, "%s", from);
    text t = {NULL, 0};
    append(&t, tricky_model, (size_t)(at - tricky_model));
    append(&t, to, strlen(to));
    append(&t, at + strlen(from), strlen(at + strlen(from)));
    oc_model *m = load(t.bytes, t.size);
    free(t.bytes);
    return m;
}

START_TEST(every_change_is_a_difference)
{
    static const struct {
        const char *from, *to, *why;
    } rows[] = {
        {"version: 10", "version: 9", "model: the IR versions differ"},
        {"\"com.x\" : 1", "\"com.x\" : 2", "model: the opset imports differ"},
        {"name: \"me\"", "name: \"\"", "model: the producer names differ"},
        {"version: \"1.0\"", "version: \"1\"", "model: the producer versions differ"},
        {"domain: \"d.e\"", "domain: \"d\"", "model: the domains differ"},
        {"model_version: 7", "model_version: 8", "model: the model versions differ"},
        {"two\n", "two", "model: the doc strings differ"},
        {"\"k\": \"v\"", "\"k\": \"w\"", "model: the metadata differ"},
        {"gdoc", "", "model: graph 'main graph': the doc strings differ"},
        {"\"x\": \"y\"", "\"y\": \"y\"", "model: graph 'main graph': the metadata differ"},
        {"SCALE_TENSOR", "S", "quantization 0 't': the parameters differ"},
        {"main graph", "m", "graph 'main graph': the names differ"},
        {"float[N, 3, ?]", "double[N, 3, ?]", "input 0 'x': the element types differ"},
        {"float[N, 3, ?]", "float[N, 4, ?]", "input 0 'x': the dimensions differ"},
        {"float[N, 3, ?]", "float[M, 3, ?]", "input 0 'x': the dimensions differ"},
        {"float[N, 3, ?]", "float[N, 3]", "input 0 'x': the ranks differ"},
        {"seq(float) s2", "optional(float) s2", "input 2 's2': the kinds of type differ"},
        {"IMAGE", "TEXT", "input 3 'y': the denotations differ"},
        {"\"vi\"", "\"\"", "input 3 'y': the doc strings differ"},
        {"map(int64", "map(int32", "input 5 'mp': the key types differ"},
        {"\"D\"", "\"E\"", "input 5 'mp': item: the denotations differ"},
        {"opaque(a.b, C)", "opaque(a.b, D)", "the opaque names differ"},
        {", seq() es", "", "graph 'main graph': input: the numbers differ"},
        {"int64[3] z", "int64[3] zz", "value 0 'z': the names differ"},
        {"-2.5}, int64", "-2.25}, int64", "initializer 1 'w': the elements differ"},
        {"-0, 1e-45", "0, 1e-45", "initializer 3 'ff': the elements differ"},
        {"0x7fa00001", "0x7fa00002", "initializer 3 'ff': the elements differ"},
        {"cdoc", "", "initializer 2 'dd': the doc strings differ"},
        {"{0, 0, 1, 3}", "{0, 0, 1, 2}",
         "sparse tensor 0 'spi': indices 'idx': the elements differ"},
        {"abc\"", "abd\"", "model: the fields that are not declared differ"},
        {"DATA_BATCH", "DATA_TIME", "input 1 'dn': the dimensions differ"},
        {"\"tm\"", "\"tn\"", "initializer 2 'dd': the metadata differ"},
        {"\"sd\"", "\"se\"", "sparse tensor 0 'spi': the doc strings differ"},
        {"\"iv\"", "\"iw\"", "indices 'idx': the metadata differ"},
        {"[n1]", "[n2]", "node 0 'n1': the names differ"},
        {"\"nd\"", "\"\"", "node 0 'n1': the doc strings differ"},
        {"opset: 12", "opset: 11", "node 0 'n1': the opsets differ"},
        {"\"a\": \"b\"", "\"a\": \"c\"", "node 0 'n1': the metadata differ"},
        {"com.x.Foo", "com.y.Foo", "node 0 'n1': the domains differ"},
        {"Foo:over", "Foo:ove", "node 0 'n1': the overloads differ"},
        {"Foo:over", "Fo:over", "node 0 'n1': the operators differ"},
        {"in3, \"\")", "in3)", "node 0 'n1': the inputs differ"},
        {"a, \"\", c =", "a, c =", "node 0 'n1': the outputs differ"},
        {"i = 1", "i = 2", "attribute 0 'i': the integers differ"},
        {"f = 2.5", "f = 2", "attribute 1 'f': the kinds differ"},
        {"2.5, nan", "2.5, -nan", "attribute 4 'lf': the floats differ"},
        {"[1, 2],", "[1],", "attribute 3 'li': the lengths differ"},
        {"s = \"x\"", "s = \"y\"", "attribute 2 's': the strings differ"},
        {"int32 named", "int32 nam", "attribute 9 't2': tensor 0 'named': the names differ"},
        {"\"td\"", "\"\"", "tensor 0: the doc strings differ"},
        {"\"ad\"", "\"\"", "attribute 18 'q': the doc strings differ"},
        {"double, {}", "double, float", "attribute 12 'tps': the kinds of type differ"},
        {"nm = ", "nn = ", "sparse tensor 0 'nm': the names differ"},
        {"c = @d", "c = @e", "attribute 1 'c': the references differ"},
        {"float k = {1}", "float k = {2}", "graph 0 'g1': initializer 0 'k': the elements differ"},
        {"Add (x, k)", "Add (k, x)", "graph 0 'g1': node 0: the inputs differ"},
        {"Foo <p,", "Foo <pp,", "function 0 'Foo': the attributes differ"},
        {"q: int = 3, r", "q: int = 4, r", "function 0 'Foo': attribute 0 'q'"},
        {"overload: \"o\"", "overload: \"\"", "function 0 'Foo': the overloads differ"},
        {"[] > \"Bar baz\" () => () {}", "[] > \"Bar\" () => () {}",
         "function 1 'Bar baz': the names differ"},
        {"< opset_import: [] > \"Bar baz\" () => () {}", "", "model: function: the numbers differ"},
    };
    oc_model *a = load(tricky_model, strlen(tricky_model));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char why[256];
        oc_model *b = load_changed(rows[i].from, rows[i].to);
        ck_assert_msg(!model_equal(a, b, why, sizeof why), "%s", rows[i].from);
        ck_assert_msg(strstr(why, rows[i].why) != NULL, "%s: %s", rows[i].from, why);
        ck_assert(!model_equal(b, a, why, 8)); /* a short buffer is respected */
        oc_model_free(b);
    }
    oc_model_free(a);
}
END_TEST

START_TEST(the_binary_form_says_the_same)
{
    char why[256];
    oc_model *a = load_changed(", opset: 12", ""), *b = NULL; /* which ONNX has no field for */
    text t = {NULL, 0};
    oc_error e = {0};
    const oc_writer out = {append, &t};
    ck_assert_msg(oc_save_onnx(a, &out, &e) == OC_OK, "%s", e.text);
    ck_assert_int_eq(oc_model_new(NULL, &b, &e), OC_OK);
    ck_assert_msg(oc_load_onnx(b, t.bytes, t.size, &e) == OC_OK, "%s", e.text);
    ck_assert_msg(model_equal(a, b, why, sizeof why), "%s", why);
    oc_model_free(a);
    oc_model_free(b);
    free(t.bytes);
}
END_TEST

static bool refuse(void *ctx, const void *bytes, size_t size)
{
    (void)bytes;
    return (*(size_t *)ctx += size) < 2000;
}

START_TEST(a_writer_that_fails_is_an_error)
{
    oc_model *m = load(tricky_model, strlen(tricky_model));
    size_t written = 0;
    oc_error e = {0};
    const oc_writer out = {refuse, &written};
    ck_assert_int_eq(oc_print_model(m, &out, &e), OC_IO);
    oc_model_free(m);
}
END_TEST

SUITE("print", print_and_parse_is_a_fixed_point, text_looks_like_onnx, every_change_is_a_difference,
      the_binary_form_says_the_same, a_writer_that_fails_is_an_error)
