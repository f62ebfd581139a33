/* SPDX-License-Identifier: Apache-2.0
 * test_onnx.c - binary models: there and back, damaged, and hostile. */
#include "wire.h"

#include "graph/build.h"
#include "graph/check.h"
#include "model_equal.h"
#include "loader/loader.h"
#include "tricky.h"

#include <stdio.h>

static const oc_writer *to_wire(wire *w)
{
    static oc_writer out;
    out = (oc_writer){wire_write, w};
    return &out;
}

static oc_model *new_model(const oc_model_options *options)
{
    oc_error e = {0};
    oc_model *m = NULL;
    ck_assert_int_eq(oc_model_new(options, &m, &e), OC_OK);
    return m;
}

static oc_model *load(const wire *w, oc_error *e)
{
    oc_model *m = new_model(NULL);
    *e = (oc_error){0};
    oc_load_onnx(m, w->bytes, w->size, e);
    return m;
}

static oc_model *load_good(const wire *w)
{
    oc_error e;
    oc_model *m = load(w, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    return m;
}

static oc_model *read_tricky(void)
{
    oc_error e = {0};
    oc_model *m = new_model(NULL);
    oc_load_text(m, tricky_model, strlen(tricky_model), &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    m->graph.node[0].opset = 0; /* a binary file cannot say it */
    return m;
}

static wire tricky_bytes(void)
{
    oc_error e = {0};
    wire w = {0};
    oc_model *m = read_tricky();
    ck_assert_int_eq(oc_save_onnx(m, to_wire(&w), &e), OC_OK);
    oc_model_free(m);
    return w;
}

/* ---- there and back ---- */

START_TEST(a_model_of_every_kind_survives)
{
    char why[256];
    wire w = tricky_bytes();
    oc_model *before = read_tricky(), *after = load_good(&w);
    ck_assert_msg(model_equal(before, after, why, sizeof why), "%s", why);
    oc_model_free(before);
    oc_model_free(after);
    wire_free(&w);
}
END_TEST

/* A text model with one function, as binary ONNX; the caller frees it. */
static wire written(const char *imports, const char *initializers, oc_error *e)
{
    char text[512];
    wire w = {0};
    snprintf(text, sizeof text,
             "<ir_version: 10, opset_import: [\"\": 17, \"my\": 1]>\n"
             "g (float[2] x) => (y) { y = my.f (x) }\n"
             "<domain: \"my\", opset_import: [%s]> f (s) => (r) <%s> { r = other.Op (s, w) }",
             imports, initializers);
    oc_model *m = NULL;
    *e = (oc_error){0};
    oc_model_new(NULL, &m, e);
    oc_load_text(m, text, strlen(text), e);
    ck_assert_msg(e->code == OC_OK, "%s", e->text);
    oc_save_onnx(m, to_wire(&w), e);
    oc_model_free(m);
    return w;
}

START_TEST(initializers_of_functions_become_nodes)
{
    oc_error e;
    wire w = written("\"\": 17, \"other\": 1", "float[2] w = {1, 2}", &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    oc_model *m = load_good(&w);
    const oc_graph *body = &m->function[0].body;
    ck_assert_int_eq(oc_model_check(m, &e), OC_OK);
    ck_assert_int_eq(body->n_initializer, 0);
    ck_assert_int_eq(body->n_node, 2);
    ck_assert_str_eq(body->node[0].op_type, "Constant");
    ck_assert_str_eq(body->node[0].out[0], "w");
    ck_assert_str_eq(body->node[0].attr[0].name, "value");
    ck_assert_int_eq(oc_value_n(&body->node[0].attr[0].u.t[0].value), 2);
    oc_model_free(m);
    wire_free(&w);
    w = written("\"\": 17, \"other\": 1",
                "sparse_tensor(float[2]) w = float[1] {1} at int64[1] {1}", &e);
    m = load_good(&w);
    ck_assert_int_eq(oc_model_check(m, &e), OC_OK);
    ck_assert_str_eq(m->function[0].body.node[0].attr[0].name, "sparse_value");
    oc_model_free(m);
    wire_free(&w);
}
END_TEST

START_TEST(initializers_of_functions_need_constant)
{
    oc_error e;
    wire w = written("\"other\": 1", "float[2] w = {1, 2}", &e);
    ck_assert_int_eq(e.code, OC_UNSUPPORTED);
    ck_assert_str_eq(e.text, "function 'f' has initializers, which binary ONNX says as nodes of "
                             "Constant-1, but imports none of ONNX's operators");
    wire_free(&w);
    w = written("\"\": 10, \"other\": 1",
                "sparse_tensor(float[2]) w = float[1] {1} at int64[1] {1}", &e);
    ck_assert_int_eq(e.code, OC_UNSUPPORTED);
    ck_assert_str_eq(e.text, "function 'f' has initializers, which binary ONNX says as nodes of "
                             "Constant-11, but imports an older version");
    wire_free(&w);
}
END_TEST

START_TEST(versions_of_nodes_must_be_the_imported_ones)
{
    wire w = {0};
    oc_error e = {0};
    oc_model *m = read_tricky();
    m->graph.node[0].opset = 1; /* as com.x is imported */
    ck_assert_int_eq(oc_save_onnx(m, to_wire(&w), &e), OC_OK);
    m->graph.node[0].opset = 2;
    ck_assert_int_eq(oc_save_onnx(m, to_wire(&w), &e), OC_UNSUPPORTED);
    ck_assert(strstr(e.text, "node 'n1' (com.x.Foo)"));
    m->graph.node[0].opset = 0;
    m->function[0].body.node[0].opset = 12; /* Add, where 13 is imported */
    e = (oc_error){0};
    ck_assert_int_eq(oc_save_onnx(m, to_wire(&w), &e), OC_UNSUPPORTED);
    oc_model_free(m);
    wire_free(&w);
}
END_TEST

typedef struct limited {
    size_t left;
    bool failed;
} limited;

static bool write_limited(void *ctx, const void *bytes, size_t size)
{
    limited *l = ctx;
    (void)bytes;
    ck_assert(!l->failed); /* it is not called again */
    l->failed = size > l->left;
    if (l->failed)
        return false;
    l->left -= size;
    return true;
}

START_TEST(a_writer_that_fails_ends_the_call)
{
    oc_model *m = read_tricky();
    for (size_t room = 0; room < 500; room += 50) {
        oc_error e = {0};
        limited l = {.left = room};
        ck_assert_int_eq(oc_save_onnx(m, &(oc_writer){write_limited, &l}, &e), OC_IO);
        ck_assert_int_eq(e.code, OC_IO);
    }
    oc_model_free(m);
}
END_TEST

START_TEST(files_of_2_gib_are_not_written)
{
    oc_error e = {0};
    limited none = {0};
    const oc_value v = oc_value_borrow(OC_U8, oc_dims_1d(INT64_C(1) << 31), "");
    ck_assert_int_eq(oc_save_value(&v, "huge", &(oc_writer){write_limited, &none}, &e), OC_LIMIT);
}
END_TEST

/* ---- attributes ---- */

/* A model of one node with the attribute, which is freed. */
static wire model_with(wire *attr)
{
    wire g = {0}, n = {0};
    wire_text(&n, 4, "Op");
    wire_message(&n, 5, attr);
    wire_message(&g, 1, &n);
    return wire_model(&g);
}

static void expect_kind(wire *attr, oc_attr_kind kind, int n)
{
    wire w = model_with(attr);
    oc_model *m = load_good(&w);
    const oc_attr *a = &m->graph.node[0].attr[0];
    ck_assert_str_eq(a->name, "a");
    ck_assert_int_eq(a->kind, kind);
    ck_assert_int_eq(a->n, n);
    oc_model_free(m);
    wire_free(&w);
}

START_TEST(kinds_are_inferred_where_files_do_not_tell)
{
    static const unsigned numbers[] = {3, 8}, texts[] = {4, 9};
    static const oc_attr_kind number_kinds[] = {OC_ATTR_INT, OC_ATTR_INTS},
                              text_kinds[] = {OC_ATTR_STRING, OC_ATTR_STRINGS};
    for (int i = 0; i < 2; i++) {
        wire a = {0}, b = {0};
        wire_text(&a, 1, "a");
        wire_int(&a, numbers[i], 7);
        expect_kind(&a, number_kinds[i], 1);
        wire_text(&b, 1, "a");
        wire_text(&b, texts[i], "");
        expect_kind(&b, text_kinds[i], 1);
    }
    wire f = {0}, fs = {0}, t = {0}, none = {0}, value = wire_tensor(OC_F32, 1);
    wire_text(&f, 1, "a");
    wire_key(&f, 2, WIRE_32);
    wire_raw(&f, "\0\0\0\0", 4);
    expect_kind(&f, OC_ATTR_FLOAT, 1);
    wire_text(&fs, 1, "a");
    wire_bytes(&fs, 7, "\0\0\0\0\0\0\0\0", 8);
    expect_kind(&fs, OC_ATTR_FLOATS, 2);
    wire_text(&t, 1, "a");
    wire_message(&t, 5, &value);
    expect_kind(&t, OC_ATTR_TENSOR, 1);
    wire_text(&none, 1, "a");
    expect_kind(&none, OC_ATTR_INTS, 0);
}
END_TEST

START_TEST(the_type_decides_where_files_tell)
{
    wire zero = {0}, list = {0}, lost = {0}, unknown = {0};
    oc_error e;
    wire_text(&zero, 1, "a"); /* a writer that leaves out zeros */
    wire_int(&zero, 20, OC_ATTR_INT);
    expect_kind(&zero, OC_ATTR_INT, 1);
    wire_text(&list, 1, "a");
    wire_int(&list, 20, OC_ATTR_FLOATS);
    expect_kind(&list, OC_ATTR_FLOATS, 0);
    wire_text(&lost, 1, "a");
    wire_int(&lost, 20, OC_ATTR_TENSOR);
    wire w = model_with(&lost);
    oc_model *m = load(&w, &e);
    ck_assert_int_eq(e.code, OC_FORMAT);
    ck_assert_str_eq(e.text, "attribute 'a' has no value of its type");
    oc_model_free(m);
    wire_free(&w);
    wire_text(&unknown, 1, "a");
    wire_int(&unknown, 20, 77);
    w = model_with(&unknown);
    m = load(&w, &e);
    ck_assert_int_eq(e.code, OC_FORMAT);
    ck_assert_str_eq(e.text, "attribute 'a' has no known type");
    oc_model_free(m);
    wire_free(&w);
}
END_TEST

/* Loading a model of one node with the attribute, which is freed, fails with this message. */
static void refused_attr(wire *attr, const char *message)
{
    oc_error e;
    wire w = model_with(attr);
    oc_model *m = load(&w, &e);
    ck_assert_msg(e.code == OC_FORMAT && strcmp(e.text, message) == 0, "'%s', expected '%s'",
                  e.text, message);
    oc_model_free(m);
    wire_free(&w);
}

START_TEST(an_attribute_says_one_thing)
{
    wire two = {0}, list = {0}, other = {0}, ref = {0};
    wire_text(&two, 1, "a");
    wire_int(&two, 3, 7);
    wire_text(&two, 4, "seven");
    refused_attr(&two, "node without a name (Op): attribute 'a' has values of 2 kinds");
    wire_text(&list, 1, "a");
    wire_int(&list, 3, 7);
    wire_int(&list, 8, 7);
    wire_int(&list, 20, OC_ATTR_INTS);
    refused_attr(&list, "node without a name (Op): attribute 'a' has values of 2 kinds");
    wire_text(&other, 1, "a");
    wire_int(&other, 3, 7);
    wire_int(&other, 20, OC_ATTR_FLOAT);
    refused_attr(&other,
                 "node without a name (Op): the value of attribute 'a' is int, its type float");
    wire_text(&ref, 1, "a");
    wire_int(&ref, 3, 7);
    wire_text(&ref, 21, "b");
    refused_attr(&ref,
                 "node without a name (Op): attribute 'a' has a value and refers to '@b' too");
}
END_TEST

START_TEST(a_default_of_a_function_says_one_thing)
{
    oc_error e;
    wire a = {0}, f = {0}, opset = {0}, g = {0};
    wire_text(&a, 1, "a");
    wire_int(&a, 3, 7);
    wire_text(&a, 4, "seven");
    wire_text(&f, 1, "twice");
    wire_message(&f, 11, &a);
    wire w = wire_model(&g);
    wire_int(&opset, 2, 21);
    wire_message(&f, 9, &opset);
    wire_message(&w, 25, &f);
    oc_model *m = load(&w, &e);
    ck_assert_str_eq(e.text, "function 'twice': attribute 'a' has values of 2 kinds");
    oc_model_free(m);
    wire_free(&w);
}
END_TEST

START_TEST(a_reference_has_a_known_type)
{
    wire a = {0};
    oc_error e;
    wire_text(&a, 1, "a");
    wire_text(&a, 21, "b");
    wire_int(&a, 20, 77);
    wire w = model_with(&a);
    oc_model *m = load(&w, &e);
    ck_assert_int_eq(e.code, OC_FORMAT);
    ck_assert_str_eq(e.text, "attribute 'a' has no known type");
    oc_model_free(m);
    wire_free(&w);
}
END_TEST

START_TEST(the_long_name_of_onnx_is_its_short_one)
{
    wire g = {0}, n = {0}, w = {0}, opset = {0};
    wire_text(&n, 4, "Op");
    wire_text(&n, 7, "ai.onnx");
    wire_message(&g, 1, &n);
    wire_message(&w, 7, &g);
    wire_text(&opset, 1, "ai.onnx");
    wire_int(&opset, 2, 13);
    wire_message(&w, 8, &opset);
    oc_model *m = load_good(&w);
    ck_assert_str_eq(m->graph.node[0].domain, "");
    ck_assert_ptr_eq(m->graph.node[0].domain, m->opsets.item[0].domain);
    oc_model_free(m);
    wire_free(&w);
}
END_TEST

/* Of dims alone: text has no form for them. */
START_TEST(denotations_of_dims_survive)
{
    oc_error e = {0};
    wire g = {0}, shape = {0}, dim = {0}, type = {0}, tensor = {0}, value = {0}, w = {0};
    wire_text(&dim, 2, "N");
    wire_text(&dim, 3, "DATA_BATCH");
    wire_message(&shape, 1, &dim);
    wire_int(&dim, 1, 4);
    wire_message(&shape, 1, &dim);
    wire_int(&tensor, 1, OC_F32);
    wire_message(&tensor, 2, &shape);
    wire_message(&type, 1, &tensor);
    wire_text(&value, 1, "x");
    wire_message(&value, 2, &type);
    wire_bytes(&g, 12, value.bytes, value.size);
    wire_message(&g, 11, &value);
    wire before = wire_model(&g);
    oc_model *m = load_good(&before);
    oc_save_onnx(m, to_wire(&w), &e);
    oc_model_free(m);
    m = oc_model_load_memory(w.bytes, w.size, NULL, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    const oc_port port = oc_model_input(m, 0);
    ck_assert_str_eq(port.dim_name[0], "N");
    ck_assert_str_eq(port.dim_denotation[0], "DATA_BATCH");
    ck_assert_int_eq(port.dim[1], 4);
    ck_assert_ptr_null(port.dim_denotation[1]);
    oc_model_free(m);
    wire_free(&before);
    wire_free(&w);
}
END_TEST

SUITE("onnx", a_model_of_every_kind_survives, denotations_of_dims_survive,
      initializers_of_functions_become_nodes, initializers_of_functions_need_constant,
      versions_of_nodes_must_be_the_imported_ones, a_writer_that_fails_ends_the_call,
      files_of_2_gib_are_not_written, kinds_are_inferred_where_files_do_not_tell,
      the_type_decides_where_files_tell, an_attribute_says_one_thing,
      a_default_of_a_function_says_one_thing, a_reference_has_a_known_type,
      the_long_name_of_onnx_is_its_short_one)
