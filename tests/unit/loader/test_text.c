/* SPDX-License-Identifier: Apache-2.0
 * test_text.c - the text form read: what it means, what is refused, and hostile text. */
#include "graph/build.h"
#include "loader/loader.h"
#include "failing.h"
#include "suite.h"
#include "tricky.h"

#include <stdio.h>
#include <string.h>

static oc_model *new_model(const oc_model_options *options)
{
    oc_model *m = NULL;
    oc_error e = {0};
    ck_assert_int_eq(oc_model_new(options, &m, &e), OC_OK);
    return m;
}

/* A model of the text, which must be good. */
static oc_model *load(const char *text)
{
    oc_model *m = new_model(NULL);
    oc_error e = {0};
    ck_assert_msg(oc_load_text(m, text, strlen(text), &e) == OC_OK, "%s", e.text);
    return m;
}

/* The first node of a graph with these nodes. */
static oc_model *load_node(const char *node, const oc_node **n)
{
    char text[1024];
    snprintf(text, sizeof text, "g () => () { %s }", node);
    oc_model *m = load(text);
    ck_assert_int_eq(m->graph.n_node, 1);
    *n = &m->graph.node[0];
    return m;
}

START_TEST(header)
{
    oc_model *m = load("<ir_version: 8, opset_import: [\"\": 13, \"ai.onnx\" : 14, \"com.x\": 1],\n"
                       " producer_name: \"p\", producer_version: \"1\", domain: \"d\",\n"
                       " model_version: 5, doc_string: \"doc\", metadata_props: [\"k\": \"v\"]>\n"
                       "g () => () {}");
    ck_assert_int_eq(m->ir_version, 8);
    ck_assert_int_eq(m->model_version, 5);
    ck_assert_int_eq(m->opsets.n, 3);
    ck_assert(m->opsets.item[1].domain == m->opsets.item[0].domain);
    ck_assert_int_eq(m->opsets.item[1].version, 14);
    ck_assert_str_eq(m->opsets.item[2].domain, "com.x");
    ck_assert_str_eq(m->producer_name, "p");
    ck_assert_str_eq(m->producer_version, "1");
    ck_assert_str_eq(m->domain, "d");
    ck_assert_str_eq(m->doc, "doc");
    ck_assert_int_eq(m->metadata.n, 1);
    ck_assert_str_eq(m->metadata.item[0].value, "v");
    oc_model_free(m);
}
END_TEST

START_TEST(types)
{
    oc_model *m = load("g (float a, float[] b, int8[2,N,?] c, seq(optional(double[3])) d,\n"
                       "   map(string, seq(float)) e, sparse_tensor(float[4]) f, g, float,\n"
                       "   opaque(a.b) h, opaque(a.b, c) i, float[1] j = {2}) => (string[] k) {}");
    const oc_value_info *in = m->graph.input;
    ck_assert_int_eq(m->graph.n_input, 11);
    ck_assert(in[0].type.kind == OC_TYPE_TENSOR && in[0].type.rank == 0);
    ck_assert_int_eq(in[1].type.rank, -1);
    ck_assert(in[2].type.type == OC_I8 && in[2].type.rank == 3 && in[2].type.dims[0].n == 2);
    ck_assert_str_eq(in[2].type.dims[1].symbol, "N");
    ck_assert(in[2].type.dims[2].n == -1 && !*in[2].type.dims[2].symbol);
    ck_assert(in[3].type.kind == OC_TYPE_SEQUENCE && in[3].type.item->kind == OC_TYPE_OPTIONAL);
    ck_assert(in[3].type.item->item->type == OC_F64);
    ck_assert(in[4].type.kind == OC_TYPE_MAP && in[4].type.type == OC_STRING);
    ck_assert(in[5].type.kind == OC_TYPE_SPARSE && in[5].type.rank == 1);
    ck_assert(in[6].type.kind == OC_TYPE_NONE && in[7].type.kind == OC_TYPE_NONE);
    ck_assert_str_eq(in[7].name, "float");
    ck_assert_str_eq(in[8].type.opaque_name, "a.b");
    ck_assert_str_eq(in[9].type.opaque_domain, "a.b");
    ck_assert_int_eq(m->graph.n_initializer, 1);
    ck_assert(m->graph.initializer[0].name == in[10].name);
    ck_assert(((const float *)m->graph.initializer[0].value.data)[0] == 2);
    oc_model_free(m);
}
END_TEST

static void want_names(const oc_name *names, int n, const char *want)
{
    char got[128] = "";
    for (int i = 0; i < n; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s|", names[i]);
    ck_assert_str_eq(got, want);
}

START_TEST(names_of_nodes)
{
    static const struct {
        const char *text, *out, *in;
    } rows[] = {
        {"y = Op ()", "y|", ""},
        {"y = Op (x,)", "y|", "x|"},
        {"y = Op (,)", "y|", "|"},
        {"y = Op (\"\")", "y|", "|"},
        {"y = Op (, x)", "y|", "|x|"},
        {"y = Op (a, , b)", "y|", "a||b|"},
        {"y, \"\", z = Op (\"a b\", \"/c\")", "y||z|", "a b|/c|"},
        {"= Op (x)", "", "x|"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const oc_node *n;
        oc_model *m = load_node(rows[i].text, &n);
        want_names(n->out, n->n_out, rows[i].out);
        want_names(n->in, n->n_in, rows[i].in);
        ck_assert_str_eq(n->op_type, "Op");
        oc_model_free(m);
    }
}
END_TEST

START_TEST(operators_and_labels)
{
    const oc_node *n;
    oc_model *m = load_node("[\"a label\"] y = com.x.y.Op:variant (x)", &n);
    ck_assert_str_eq(n->name, "a label");
    ck_assert_str_eq(n->domain, "com.x.y");
    ck_assert_str_eq(n->op_type, "Op");
    ck_assert_str_eq(n->overload, "variant");
    oc_model_free(m);
    m = load_node("y = ai.onnx.Op (x) <k = 1>", &n);
    ck_assert(n->domain == oc_model_name(m, ""));
    ck_assert_int_eq(oc_node_attr(n, "k")->u.i[0], 1);
    oc_model_free(m);
}
END_TEST

START_TEST(attribute_kinds)
{
    static const struct {
        const char *text;
        oc_attr_kind kind;
        int n;
    } rows[] = {
        {"1", OC_ATTR_INT, 1},
        {"-1.5", OC_ATTR_FLOAT, 1},
        {"inf", OC_ATTR_FLOAT, 1},
        {"\"s\"", OC_ATTR_STRING, 1},
        {"[1, 2]", OC_ATTR_INTS, 2},
        {"[1, 2.5, 3]", OC_ATTR_FLOATS, 3},
        {"[1, nan]", OC_ATTR_FLOATS, 2},
        {"[\"a\"]", OC_ATTR_STRINGS, 1},
        {"float[2] {1, 2}", OC_ATTR_TENSOR, 1},
        {"float {1}", OC_ATTR_TENSOR, 1},
        {"float[] {1}", OC_ATTR_TENSOR, 1},
        {"float[1] name = {1}", OC_ATTR_TENSOR, 1},
        {"[int8 {1}, bool {0}]", OC_ATTR_TENSORS, 2},
        {"float[2]", OC_ATTR_TYPE_PROTO, 1},
        {"seq(float)", OC_ATTR_TYPE_PROTO, 1},
        {"[float, float[N]]", OC_ATTR_TYPE_PROTOS, 2},
        {"g () => () {}", OC_ATTR_GRAPH, 1},
        {"\"a g\" () => () {}", OC_ATTR_GRAPH, 1},
        {"[g () => () {}]", OC_ATTR_GRAPHS, 1},
        {"sparse_tensor(float[4]) = float[1] {1} at int64[1] {3}", OC_ATTR_SPARSE_TENSOR, 1},
        {"@b", OC_ATTR_UNDEFINED, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        const oc_node *n;
        snprintf(text, sizeof text, "y = Op <a = %s> ()", rows[i].text);
        oc_model *m = load_node(text, &n);
        ck_assert_msg(n->attr[0].kind == rows[i].kind && n->attr[0].n == rows[i].n, "%s", text);
        oc_model_free(m);
    }
}
END_TEST

START_TEST(attribute_kinds_that_are_written)
{
    const oc_node *n;
    oc_model *m = load_node("y = Op <f: float = 2, fs: floats = [1], e: ints = [], r: int = @b,\n"
                            " s: graph = inf () => () {}> ()",
                            &n);
    ck_assert(n->attr[0].kind == OC_ATTR_FLOAT && n->attr[0].u.f[0] == 2);
    ck_assert(n->attr[1].kind == OC_ATTR_FLOATS && n->attr[1].u.f[0] == 1);
    ck_assert(n->attr[2].kind == OC_ATTR_INTS && n->attr[2].n == 0);
    ck_assert_int_eq(n->attr[3].kind, OC_ATTR_INT);
    ck_assert_str_eq(n->attr[3].ref, "b");
    ck_assert_str_eq(n->attr[4].u.g[0]->name, "inf");
    oc_model_free(m);
}
END_TEST

START_TEST(function)
{
    static const char text[] =
        "<domain: \"\", opset_import: [\"\" : 20]>\n"
        "AffineGrid <align_corners, k: int = 3>(theta, float[N] size) => (grid)\n"
        "<int8 inner>\n"
        "{ c = Constant <value_int: int = @align_corners> ()\n"
        "  grid = If (c) <then_branch: graph = g1 () => ( a,  b) {\n  a = Op (c)\n }> }";
    oc_model *m = new_model(NULL);
    oc_error e = {0};
    ck_assert_msg(oc_load_text_function(m, text, strlen(text), &e) == OC_OK, "%s", e.text);
    ck_assert_int_eq(m->n_function, 1);
    const oc_function *f = &m->function[0];
    ck_assert_str_eq(f->name, "AffineGrid");
    ck_assert_int_eq(oc_opsets_find(&f->opsets, oc_model_name(m, "")), 20);
    ck_assert_str_eq(f->attr_name[0], "align_corners");
    ck_assert_int_eq(f->attr_default[0].u.i[0], 3);
    ck_assert(f->body.n_input == 2 && f->body.n_output == 1 && f->body.n_node == 2);
    ck_assert_str_eq(f->body.value[0].name, "size");
    ck_assert_str_eq(f->body.value[1].name, "inner");
    ck_assert_int_eq(f->body.node[1].attr[0].u.g[0]->n_output, 2);
    ck_assert_int_eq(oc_load_text_function(m, "F () => () {} x", 15, &e), OC_FORMAT);
    oc_model_free(m);
}
END_TEST

START_TEST(tensor)
{
    static const char text[] = "int32[2,2] {1, 2, 3, 4} # four\n--- next";
    oc_memory memory = oc_memory_new(NULL, 0);
    oc_arena arena = oc_arena_new(&memory);
    oc_pool pool = oc_pool_new(&memory);
    oc_error e = {0};
    oc_value v;
    const char *end;
    ck_assert_int_eq(oc_load_text_tensor(&pool, &arena, text, strlen(text), &v, &end, &e), OC_OK);
    ck_assert(v.type == OC_I32 && v.dims.rank == 2 && ((const int32_t *)v.data)[3] == 4);
    ck_assert_str_eq(end, "--- next");
    oc_value_unref(&v);
    ck_assert_int_eq(oc_load_text_tensor(&pool, &arena, "int32[2] {1}", 12, &v, &end, &e),
                     OC_FORMAT);
    oc_pool_trim(&pool);
    oc_arena_free(&arena);
    ck_assert_uint_eq(memory.live, 0);
}
END_TEST

/* Eight bytes at every location. */
static bool give_bytes(void *ctx, const char *location, const void **data, size_t *size)
{
    static const uint8_t eight[8] = {0, 0, 0x80, 0x3f, 0x21, 1, 0, 1};
    (void)ctx, (void)location;
    *data = eight;
    *size = sizeof eight;
    return true;
}

static oc_status load_external(const char *declaration, oc_model **m, oc_error *e)
{
    char text[256];
    const oc_model_options options = {.external = give_bytes};
    snprintf(text, sizeof text, "g () => () <%s> {}", declaration);
    *e = (oc_error){0};
    *m = new_model(&options);
    return oc_load_text(*m, text, strlen(text), e);
}

START_TEST(external_elements)
{
    oc_model *m;
    oc_error e;
    ck_assert_int_eq(load_external("float w = [\"location\": \"f\", \"length\": \"4\"]", &m, &e),
                     OC_OK);
    ck_assert(*(const float *)m->graph.initializer[0].value.data == 1);
    oc_model_free(m);
    ck_assert_int_eq(
        load_external("uint4[3] w = [\"location\": \"f\", \"offset\": 4, \"length\": 2]", &m, &e),
        OC_OK);
    ck_assert_int_eq(memcmp(m->graph.initializer[0].value.data, "\1\2\1", 3), 0);
    oc_model_free(m);
    ck_assert_int_eq(load_external("bool[2] w = [\"location\": \"f\", \"offset\": 6]", &m, &e),
                     OC_OK);
    oc_model_free(m);
    ck_assert_int_eq(load_external("bool[8] w = [\"location\": \"f\"]", &m, &e), OC_VALUE);
    oc_model_free(m);
    ck_assert_int_eq(load_external("float[3] w = [\"location\": \"f\"]", &m, &e), OC_IO);
    oc_model_free(m);
    ck_assert_int_eq(load_external("float[3] w = [\"location\": \"f\", \"length\": 8]", &m, &e),
                     OC_FORMAT);
    ck_assert_str_eq(e.text, "tensor 'f': 8 bytes of data, expected 12 for its type and dims");
    oc_model_free(m);
    ck_assert_int_eq(load_external("string[1] w = [\"location\": \"f\"]", &m, &e), OC_FORMAT);
    oc_model_free(m);
}
END_TEST

/* The binary form refuses the same entries, with the same words: test_external.c. */
START_TEST(external_entries_that_are_refused)
{
    static const struct {
        const char *entries, *message;
    } rows[] = {
        {"\"location\": \"g\"", "found '\"location\"', external location is given twice"},
        {"\"offset\": 0, \"offset\": 4", "external offset is given twice"},
        {"\"checksum\": \"a\", \"checksum\": \"a\"", "external checksum is given twice"},
        {"\"length\": \"-1\"", "external length is '-1', expected a number >= 0"},
        {"\"length\": -1", "external length is '-1', expected a number >= 0"},
        {"\"offset\": \" 0\"", "external offset is ' 0', expected a number >= 0"},
        {"\"offset\": 9223372036854775808", "expected a number that fits 64 bits"},
        {"\"offset\": \"9223372036854775808\"", "expected a number >= 0"},
        {"\"checksum\": 1", "expected a quoted value"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char declaration[128];
        oc_model *m;
        oc_error e;
        snprintf(declaration, sizeof declaration, "float w = [\"location\": \"f\", %s]",
                 rows[i].entries);
        ck_assert_msg(load_external(declaration, &m, &e) == OC_FORMAT, "%s", declaration);
        ck_assert_msg(strncmp(e.text, "line 1, column ", 15) == 0 &&
                          strstr(e.text, rows[i].message) != NULL,
                      "%s: '%s'", declaration, e.text);
        oc_model_free(m);
    }
    /* keys of others are theirs */
    oc_model *m;
    oc_error e;
    ck_assert_int_eq(
        load_external("float w = [\"location\": \"f\", \"length\": \"4\", \"k\": \"1\", "
                      "\"k\": \"2\"]",
                      &m, &e),
        OC_OK);
    oc_model_free(m);
}
END_TEST

START_TEST(errors_say_where_and_what)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "line 1, column 1: found the end, expected a graph's name"},
        {"g (x\n\n  => (y) {}", "line 3, column 3: found '=>', expected ','"},
        {"g (x) (y) {}", "line 1, column 7: found '(', expected '=>'"},
        {"g () => () {", "line 1, column 13: found the end, expected a value's name"},
        {"g () => () { y = }", "line 1, column 18: found '}', expected an operator's name"},
        {"g () => () { y = Op (a b) }", "line 1, column 24: found 'b', expected ','"},
        {"g () => () { y = Op <a> () }", "line 1, column 23: found '>', expected '='"},
        {"g () => () { y = Op <a: in = 1> () }",
         "line 1, column 25: found 'in', expected an attribute kind"},
        {"g () => () { y = Op <a: int = 1.5> () }",
         "line 1, column 31: found '1.5', expected a value of kind int"},
        {"g () => () { y = Op <a: int = [1]> () }",
         "line 1, column 31: found '[', expected one value of kind int"},
        {"g () => () { y = Op <a: ints = 1> () }", "line 1, column 32: found '1', expected '['"},
        {"g () => () { y = Op <a = []> () }",
         "line 1, column 27: found ']', expected an element, or a kind before '='"},
        {"g () => () { y = Op <a = [1, \"b\"]> () }",
         "line 1, column 30: found '\"b\"', expected a value of kind int"},
        {"<ir_version: \"8\"> g () => () {}",
         "line 1, column 14: found '\"8\"', expected a version"},
        {"<overload: \"8\"> g () => () {}",
         "line 1, column 2: found 'overload', expected a key of this header"},
        {"g (float[-1] x) => () {}", "line 1, column 10: found '-1', expected a dimension >= 0"},
        {"g (float[N] x = {1}) => () {}",
         "line 1, column 17: found '{', expected the elements of a shape of numbers"},
        {"g (seq(1) x) => () {}", "line 1, column 8: found '1', expected a type"},
        {"g () => () <float[3] w = {1, 2}> {}",
         "line 1, column 31: found '}', expected ',' and 3 elements in all"},
        {"g () => () <float[100] w = {1}> {}",
         "line 1, column 28: found '{', expected elements as many as the shape has"},
        {"g () => () <float[9000000000] w = {1}> {}",
         "line 1, column 35: found '{', expected elements as many as the shape has"},
        {"g () => () <float[4294967296,4294967296,4294967296] w = {1}> {}",
         "line 1, column 57: found '{', expected elements as many as the shape has"},
        {"g (\"a\\x00\") => () {}",
         "line 1, column 4: found '\"a\\x00\"', expected a value's name without a NUL byte"},
        {"g () => () { {doc_string: \"a\\x00\"} y = Op () }",
         "line 1, column 27: found '\"a\\x00\"', expected a quoted text without a NUL byte"},
        {"g () => () { {denotation: \"a\"} y = Op () }",
         "line 1, column 15: found 'denotation', expected the key of an annotation that is allowed "
         "here"},
        {"g (float[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1] x = {1}) => () {}",
         "line 1, column 49: found '{', expected at most 16 dimensions, not 17"},
        {"g () => () <sparse_tensor(float[4]) w = int8[1] {1} at int64[1] {1}> {}",
         "line 1, column 41: found 'int8', expected values of type float"},
        {"g () => () <float[1] w = [\"offset\": 1]> {}",
         "line 1, column 26: found '[', expected a location among the keys"},
        {"g () => () <float[1] w = [\"location\": \"x\", \"offset\": \"1x\"]> {}",
         "line 1, column 44: found '\"offset\"', external offset is '1x', expected a number >= 0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        oc_model *m = new_model(NULL);
        oc_error e = {0};
        ck_assert_msg(oc_load_text(m, rows[i].text, strlen(rows[i].text), &e) == OC_FORMAT, "%s",
                      rows[i].text);
        ck_assert_str_eq(e.text, rows[i].message);
        oc_model_free(m);
    }
}
END_TEST

/* before n times, then after. */
static oc_status load_repeated(const char *first, const char *before, int n, const char *after)
{
    const size_t size = strlen(first) + strlen(before) * (size_t)n + strlen(after);
    char *text = malloc(size + 1), *p = text;
    ck_assert_ptr_nonnull(text);
    p += sprintf(p, "%s", first);
    for (int i = 0; i < n; i++)
        p += sprintf(p, "%s", before);
    sprintf(p, "%s", after);
    oc_model *m = new_model(NULL);
    oc_error e = {0};
    const oc_status status = oc_load_text(m, text, size, &e);
    oc_model_free(m);
    free(text);
    return status;
}

START_TEST(nesting_is_bounded)
{
    static const char open[] = "g () => () { y = If <b = ";
    ck_assert_int_eq(load_repeated("", open, 1000000, ""), OC_FORMAT);
    ck_assert_int_eq(load_repeated("g (", "seq(", 1000000, ""), OC_FORMAT);
    char good[4096] = "", *p = good;
    for (int i = 0; i < OC_MAX_NESTING; i++)
        p += sprintf(p, "%s", "> () }");
    char body[8192];
    snprintf(body, sizeof body, "g () => () {}%s", good);
    ck_assert_int_eq(load_repeated("", open, OC_MAX_NESTING, body), OC_OK);
    snprintf(body, sizeof body, "g () => () {}%s> () }", good);
    ck_assert_int_eq(load_repeated("", open, OC_MAX_NESTING + 1, body), OC_FORMAT);
}
END_TEST

/* A name of n parts, "a.a. ... a.Relu", is read in a few times its own size. */
START_TEST(long_paths_take_little_memory)
{
    enum { PARTS = 20000 };
    static const char front[] =
        "<ir_version: 8, opset_import: [\"\": 17]> g (float x) => (y) { y = ";
    static char text[2 * PARTS + 200];
    strcpy(text, front);
    char *at = text + strlen(text);
    for (int i = 0; i < PARTS; i++, at += 2)
        memcpy(at, "a.", 2);
    strcpy(at, "Relu (x) }");
    oc_error e = {0};
    oc_model *m = new_model(&(oc_model_options){.limits.memory_cap = 1 << 20});
    ck_assert_msg(oc_load_text(m, text, strlen(text), &e) == OC_OK, "%s", e.text);
    ck_assert_str_eq(m->graph.node[0].op_type, "Relu");
    ck_assert_uint_eq(strlen(m->graph.node[0].domain), 2 * PARTS - 1);
    oc_model_free(m);
}
END_TEST

START_TEST(every_prefix_is_an_answer)
{
    for (size_t size = 0; size <= strlen(tricky_model); size++) {
        char *exact = malloc(size + 1); /* so that a sanitizer sees a read past the end */
        ck_assert_ptr_nonnull(exact);
        memcpy(exact, tricky_model, size);
        oc_model *m = new_model(NULL);
        oc_error e = {0};
        const oc_status status = oc_load_text(m, exact, size, &e);
        ck_assert_msg(status == e.code && (status == OC_OK || *e.text), "%zu", size);
        oc_model_free(m);
        free(exact);
    }
}
END_TEST

START_TEST(every_failed_allocation_is_an_error)
{
    for (int k = 1; k < 100; k++) {
        failing f = {.left = k, .forever = true};
        oc_error e = {0};
        oc_model *m = new_model(&(oc_model_options){.alloc = {failing_resize, &f}});
        const oc_status status = oc_load_text(m, tricky_model, strlen(tricky_model), &e);
        oc_model_free(m);
        if (status == OC_OK) {
            ck_assert_int_gt(k, 3);
            return;
        }
        ck_assert_int_eq(status, OC_NOMEM);
    }
    ck_abort_msg("a hundred allocations were not enough");
}
END_TEST

SUITE("text", header, types, names_of_nodes, operators_and_labels, attribute_kinds,
      attribute_kinds_that_are_written, function, tensor, external_elements,
      external_entries_that_are_refused, errors_say_where_and_what, nesting_is_bounded,
      long_paths_take_little_memory, every_prefix_is_an_answer, every_failed_allocation_is_an_error)
