/* SPDX-License-Identifier: Apache-2.0
 * test_symbols.c - dims and few integers that depend on dims which are not known: expressions, how
 * they are found, what is told of values, and what is folded. */
#include "suite.h"

#include "plan/fit.h"

#include <ocellus.h>
#include <ocellus_model.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- expressions */

typedef struct table {
    oc_memory memory;
    oc_arena arena;
    oc_names names;
    oc_expressions x;
    int n, h;
} table;

static void begin(table *t)
{
    t->memory = oc_memory_new(NULL, 0);
    t->arena = oc_arena_new(&t->memory);
    t->names = oc_names_new(&t->arena);
    oc_expressions_begin(&t->x, &t->arena);
    t->n = oc_expression_of_name(&t->x, oc_names_intern(&t->names, "n", 1));
    t->h = oc_expression_of_name(&t->x, oc_names_intern(&t->names, "h", 1));
}

static int number(table *t, int64_t n)
{
    return oc_expression_of_number(&t->x, n);
}

static int sum(table *t, int a, int b)
{
    return oc_expression_combine(&t->x, OC_SUM, a, b);
}

static int product(table *t, int a, int b)
{
    return oc_expression_combine(&t->x, OC_PRODUCT, a, b);
}

static int quotient(table *t, int a, int64_t b)
{
    return oc_expression_combine(&t->x, OC_QUOTIENT, a, number(t, b));
}

START_TEST(equal_expressions_are_one)
{
    table t;
    begin(&t);
    ck_assert_int_eq(oc_expression_of_name(&t.x, t.x.item[t.n].name), t.n);
    ck_assert_int_ne(oc_expression_of_name(&t.x, ""), oc_expression_of_name(&t.x, ""));
    ck_assert_int_eq(number(&t, 0), 0);
    ck_assert_int_eq(sum(&t, t.n, t.n), product(&t, number(&t, 2), t.n));
    ck_assert_int_eq(product(&t, t.n, t.h), product(&t, t.h, t.n));
    ck_assert_int_eq(sum(&t, sum(&t, t.n, number(&t, 3)), number(&t, -3)), t.n);
    ck_assert_int_eq(quotient(&t, quotient(&t, t.n, 2), 4), quotient(&t, t.n, 8));
    ck_assert_int_eq(sum(&t, number(&t, 2), number(&t, 3)), number(&t, 5));
    ck_assert_int_ne(quotient(&t, sum(&t, t.n, number(&t, 1)), 2), quotient(&t, t.n, 2));
    ck_assert_int_eq(product(&t, number(&t, INT64_MAX), t.n), OC_NO_EXPRESSION);
    ck_assert_int_eq(quotient(&t, t.n, 0), OC_NO_EXPRESSION);
    oc_arena_free(&t.arena);
}
END_TEST

START_TEST(texts)
{
    table t;
    begin(&t);
    const int half = quotient(&t, sum(&t, t.h, number(&t, 1)), 2);
    const struct {
        int handle;
        const char *text;
    } rows[] = {
        {number(&t, -7), "-7"},
        {product(&t, number(&t, 2), t.n), "2*n"},
        {quotient(&t, t.n, 8), "n/8"},
        {sum(&t, t.n, number(&t, 1)), "n+1"},
        {sum(&t, t.n, number(&t, -1)), "n-1"},
        {half, "(h+1)/2"},
        {quotient(&t, sum(&t, half, number(&t, 1)), 2), "((h+1)/2+1)/2"},
        {product(&t, number(&t, 3), product(&t, t.n, half)), "3*n*((h+1)/2)"},
        {quotient(&t, product(&t, t.n, t.h), 4), "n*h/4"},
        {product(&t, t.n, sum(&t, t.h, number(&t, 1))), "n*(h+1)"},
        {sum(&t, t.n, oc_expression_of_name(&t.x, "")), NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_pstr_eq(oc_expression_text(&t.x, rows[i].handle), rows[i].text);
    oc_arena_free(&t.arena);
}
END_TEST

/* Each expression is found again from its values, and a limit passes for none. */
START_TEST(values_tell_expressions)
{
    table t;
    begin(&t);
    oc_fit f = {.x = &t.x, .n_points = OC_POINTS, .n_operands = 2, .operand = {t.n, t.h}};
    const int64_t *n = t.x.item[t.n].at;
    memcpy(f.at[0], n, sizeof t.x.item->at);
    memcpy(f.at[1], t.x.item[t.h].at, sizeof t.x.item->at);
    const int rows[] = {
        number(&t, 5),
        t.h,
        product(&t, number(&t, 3), t.n),
        sum(&t, t.n, number(&t, -2)),
        quotient(&t, t.h, 16),
        quotient(&t, sum(&t, t.n, number(&t, 1)), 2),
        quotient(&t, product(&t, number(&t, 3), t.n), 2),
        product(&t, number(&t, 12), product(&t, t.n, t.h)),
        sum(&t, sum(&t, product(&t, number(&t, 2), t.n), t.h), number(&t, 4)),
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_int_eq(oc_fit_expression(&f, t.x.item[rows[i]].at), rows[i]);
    int64_t y[OC_POINTS];
    for (int k = 0; k < OC_POINTS; k++)
        y[k] = n[k] < 1000 ? n[k] : 1000;
    ck_assert_int_eq(oc_fit_expression(&f, y), OC_NO_EXPRESSION);
    oc_arena_free(&t.arena);
}
END_TEST

/* ---- what is told */

static void note(void *ctx, const oc_node_info *node)
{
    char *told = ctx;
    for (int i = 0; i < node->n_out && node->depth == 0; i++) {
        const oc_port *p = &node->out[i];
        size_t at = strlen(told);
        at += (size_t)snprintf(told + at, 1000 - at, "%s%s[%s", at ? " " : "", p->name,
                               p->rank < 0 ? "..." : "");
        for (int a = 0; a < p->rank; a++)
            at += p->dim[a] >= 0
                      ? (size_t)snprintf(told + at, 1000 - at, "%s%d", a ? "," : "", (int)p->dim[a])
                      : (size_t)snprintf(told + at, 1000 - at, "%s%s", a ? "," : "",
                                         p->dim_name[a] ? p->dim_name[a] : "?");
        snprintf(told + at, 1000 - at, "]");
    }
}

static oc_model *model_of(const char *graph, oc_error *e)
{
    char text[3000];
    snprintf(text, sizeof text, "<ir_version: 8, opset_import: [\"\" : 17]>\n%s", graph);
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, e);
    ck_assert_msg(m, "%s", e->text);
    return m;
}

/* What ONNX's shape inference, with data propagation, and the definitions say. */
START_TEST(shapes_follow)
{
    static const struct {
        const char *graph, *told;
    } rows[] = {
        {"g (float[3,4] x) => (float y) { s = Shape (x) c = ConstantOfShape (s) "
         "y = ReduceSum <keepdims = 0> (c) }",
         "s[2] c[3,4] y[]"},
        {"g (float[n,4] x) => (float y) { s = Shape (x) c = ConstantOfShape (s) "
         "y = ReduceSum <keepdims = 0> (c) }",
         "s[2] c[n,4] y[]"},
        {"g (float[3,1,2] x, float[1,4,2] y) => (float[] z) { s = Shape (y) e = Expand (x, s) "
         "z = Relu (e) }",
         "s[3] e[3,4,2] z[3,4,2]"},
        {"g (float[a,1,2] x, float[1,b,2] y) => (float[] z) { s = Shape (y) z = Expand (x, s) }",
         "s[3] z[a,b,2]"},
        {"g (float[n,k] x, int64[3] s) => (float[] z) { z = Reshape (x, s) }", "z[?,?,?]"},
        {"g (float[2,3,4] x) => (float[] z) <int64[1] a = {0}, int64[1] m = {-1}> { s = Shape (x) "
         "i = Gather (s, a) c = Concat <axis = 0> (i, m) z = Reshape (x, c) }",
         "s[3] i[1] c[2] z[2,12]"},
        {"g (float[n,3,h,w] x) => (float[] z) <int64[1] a = {0}, int64[1] m = {-1}> "
         "{ p = MaxPool <kernel_shape = [2,2], strides = [2,2]> (x) s = Shape (p) "
         "i = Gather (s, a) c = Concat <axis = 0> (i, m) z = Reshape (p, c) }",
         "p[n,3,h/2,w/2] s[4] i[1] c[2] z[n,3*(h/2)*(w/2)]"},
        {"g (float[n,m] x, float[k,m] y) => (float[] z) { c = Concat <axis = 0> (x, y) "
         "d = Concat <axis = 1> (c, c) t = Transpose (y) z = MatMul (d, t) }",
         "c[n+k,m] d[n+k,2*m] t[m,k] z[n+k,k]"},
        {"g (float[n,k] x, float[j,5] y) => (float[] z) { z = MatMul (x, y) }", "z[n,5]"},
        {"g (float[n,k] x, float[n,j] y) => (float[] z) { z = Add (x, y) }", "z[n,?]"},
        {"g (float[n] x, float[4] y) => (float[] z) { z = Add (x, y) }", "z[4]"},
        /* limits pass neither for numbers nor for sizes */
        {"g (float[n] x) => (float[] y, float[] z) <int64[1] a = {0}, int64[1] b = {1000}, "
         "int64[1] d = {30000000}, int64[1] e = {90000000}, int64[1] l = {-1}, "
         "int64[1] m = {9223372036854775807}> { y = Slice (x, a, b) z = Slice (x, d, e) "
         "u = Slice (x, l, m) }",
         "y[?] z[?] u[?]"},
        {"g (float[n] x) => (float[] y) <int64 two = {2}, int64 one = {1}> { s = Size (x) "
         "h = Div (s, two) p = Add (h, one) q = Mul (p, two) a = Constant <value_ints = [1]> () "
         "r = Reshape (q, a) y = ConstantOfShape (r) }",
         "s[] h[] p[] q[] a[1] r[1] y[2*((n+2)/2)]"},
        {"g (float[n,2] x, bool c) => (float[] z) { z = If <then_branch = t () => (float[] p) "
         "{ p = Concat <axis = 0> (x, x) }, else_branch = f () => (float[] q) { q = Exp (x) }> (c) "
         "}",
         "z[?,2]"},
        {"g (float[n,2] x) => (float[] z) { c = Constant <value = bool {1}> () z = If "
         "<then_branch = t () => (float[] p) { p = Concat <axis = 0> (x, x) }, else_branch = f () "
         "=> (float[] q) { q = Exp (x) }> (c) }",
         "c[] z[2*n,2]"},
        /* a condition on a size may go either way */
        {"g (float[n] x) => (float[] z) <int64[1] five = {5}> { s = Shape (x) c = Equal (s, five) "
         "z = If <then_branch = t () => (float[] p) { p = Constant <value = float[7] "
         "{1, 2, 3, 4, 5, 6, 7}> () }, else_branch = f () => (float[] q) { q = Exp (x) }> (c) }",
         "s[1] c[1] z[?]"},
        {"g (float[n] x, float[m] y) => (float[] z) <int64[1] a = {3}, int64[1] b = {9}> "
         "{ s = Shape (x) t = Shape (y) c = Greater (s, t) d = Where (c, a, b) "
         "z = ConstantOfShape (d) }",
         "s[1] t[1] c[1] d[1] z[?]"},
        {"g (float[n,2] x) => (int64[] z) { z = NonZero (x) }", "z[2,?]"},
        {"g (float[n,2] x) => (float[] z) { s = SequenceConstruct (x, x) "
         "i = Constant <value = int64 {1}> () z = SequenceAt (s, i) }",
         "s[...] i[] z[n,2]"},
        {"g (float[] x) => (int64[] z) { s = Shape (x) z = Shape (s) }", "s[?] z[1]"},
        {"g (float[n,m,k] x) => (float[] z) { c = Concat <axis = 0> (x, x) "
         "p = MaxPool <kernel_shape = [3], strides = [2], pads = [1, 1]> (c) "
         "q = MaxPool <kernel_shape = [3], strides = [2], pads = [1, 1]> (p) z = Relu (q) }",
         "c[2*n,m,k] p[2*n,m,(k+1)/2] q[2*n,m,(k+3)/4] z[2*n,m,(k+3)/4]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        oc_error e = {OC_OK, ""};
        char told[1000] = "";
        oc_model *m = model_of(rows[i].graph, &e);
        oc_model_visit(m, NULL, note, told, &e);
        ck_assert_msg(e.code == OC_OK, "%s", e.text);
        ck_assert_str_eq(told, rows[i].told);
        oc_model_free(m);
    }
}
END_TEST

/* ---- what is folded */

/* Steps that follow from known dims of values whose other dims are not known. */
START_TEST(known_numbers_are_folded)
{
    static const struct {
        const char *graph;
        int n_folded;
    } rows[] = {
        {"g (float[n,3] x) => (int64[] y) <int64 one = {1}> { s = Shape (x) y = Gather (s, one) }",
         1},
        {"g (float[n,3] x) => (int64[] y) <int64 one = {0}> { s = Shape (x) y = Gather (s, one) }",
         0},
        {"g (float[4,3] x) => (int64[] y) { s = Shape (x) y = Add (s, s) }", 2},
        /* two inputs may have different sizes under one name, and arithmetic tells no number */
        {"g (float[n,3] x, float[n,2] z) => (int64[] y) <int64[1] a = {0}, int64[1] m = {-1}, "
         "int64 one = {1}> { s = Shape (z) i = Gather (s, a) c = Concat <axis = 0> (i, m) "
         "r = Reshape (x, c) t = Shape (r) y = Gather (t, one) }",
         0},
        {"g (float[n] x) => (int64[] y) { s = Size (x) d = Sub (s, s) y = Identity (d) }", 0},
    };
    static const float ones[12];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        oc_error e = {OC_OK, ""};
        oc_model *m = model_of(rows[i].graph, &e);
        oc_session *s = oc_session_new(m, &(oc_session_options){.threads = 1}, &e);
        oc_session *plain = oc_session_new(m, &(oc_session_options){.no_folding = true}, &e);
        for (int k = 0; k < oc_model_n_inputs(m); k++) {
            const oc_port p = oc_model_input(m, k);
            const int64_t dims[] = {p.dim[0] < 0 ? 4 - 2 * k : p.dim[0], p.rank > 1 ? p.dim[1] : 0};
            oc_bind(s, p.name, OC_F32, p.rank, dims, ones, &e);
            oc_bind(plain, p.name, OC_F32, p.rank, dims, ones, &e);
        }
        oc_run(s, &e);
        oc_run(plain, &e);
        ck_assert_msg(e.code == OC_OK, "row %zu: %s", i, e.text);
        size_t n, want;
        const void *y = oc_fetch(s, "y", &n, &e), *z = oc_fetch(plain, "y", &want, &e);
        ck_assert_uint_eq(n, want);
        ck_assert_mem_eq(y, z, n * sizeof(int64_t));
        ck_assert_msg(oc_session_describe(s).n_folded == rows[i].n_folded, "row %zu: %d", i,
                      oc_session_describe(s).n_folded);
        oc_session_free(s);
        oc_session_free(plain);
        oc_model_free(m);
    }
}
END_TEST

/* The slice has no row while x has fewer than 2^50, which all trials have, and 5 where x has more:
 * what is known by trials is not folded. */
START_TEST(evidence_is_not_folded)
{
    oc_error e = {OC_OK, ""};
    oc_model *m = model_of("g (float[n,0] x) => (int64[] y) <int64[1] a = {1125899906842624}, "
                           "int64[1] b = {1125899906842629}, int64[1] o = {0}, int64 zero = {0}> "
                           "{ r = Slice (x, a, b, o) s = Shape (r) y = Gather (s, zero) }",
                           &e);
    oc_session *s = oc_session_new(m, &(oc_session_options){.threads = 1}, &e);
    static const int64_t dims[] = {INT64_C(1) << 51, 0};
    size_t n;
    oc_bind(s, "x", OC_F32, 2, dims, "", &e);
    if (SUITE_NARROW) {
        ck_assert_int_eq(e.code, OC_ARGUMENT);
        e = (oc_error){OC_OK, ""};
        oc_bind(s, "x", OC_F32, 2, (int64_t[]){0, 0}, "", &e);
    }
    oc_run(s, &e);
    const int64_t *y = oc_fetch(s, "y", &n, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_uint_eq(n, 1);
    ck_assert_int_eq(*y, SUITE_NARROW ? 0 : 5);
    ck_assert_int_eq(oc_session_describe(s).n_folded, 0);
    oc_session_free(s);
    oc_model_free(m);
}
END_TEST

/* ---- what is wrong whatever the batch */

static void count_problems(void *ctx, oc_status code, const char *text)
{
    *(int *)ctx += code != OC_OK && strstr(text, "channels") == NULL && strstr(text, "with group");
}

START_TEST(channels_must_fit)
{
    static const struct {
        const char *nodes;
        int n_problems;
    } rows[] = {
        {"y = Conv (x, w)", 1},
        {"y = Conv <group = 2> (x, w)", 0},
        {"y = Conv <group = 3> (x, w)", 1},
        {"y = ConvTranspose (x, w)", 0},
        {"y = ConvTranspose <group = 3> (x, w)", 1},
        {"a = Cast <to = 2> (x) b = Cast <to = 2> (w) c = ConvInteger (a, b) y = Cast <to = 1> (c)",
         1},
        {"a = Cast <to = 2> (x) b = Cast <to = 2> (w) c = ConvInteger <group = 2> (a, b) "
         "y = Cast <to = 1> (c)",
         0},
        {"z = Constant <value = uint8 {0}> () s = Constant <value = float {1}> () "
         "a = Cast <to = 2> (x) b = Cast <to = 2> (w) "
         "c = QLinearConv (a, s, z, b, s, z, s, z) y = Cast <to = 1> (c)",
         1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char graph[1000];
        int n = 0;
        oc_error e = {OC_OK, ""};
        snprintf(graph, sizeof graph,
                 "g (float[n,8,h,w] x) => (float[] y) <float[8,4,1,1] w = {%s1}> {%s}",
                 "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,", rows[i].nodes);
        oc_model *m = model_of(graph, &e);
        oc_model_examine(m, count_problems, &n, &e);
        ck_assert_msg(e.code == OC_OK, "%s", e.text);
        ck_assert_msg(n == rows[i].n_problems, "row %zu: %d", i, n);
        oc_model_free(m);
    }
}
END_TEST

/* ---- what is written */

static bool append(void *ctx, const void *bytes, size_t size)
{
    char *text = ctx;
    const size_t at = strlen(text), part = size < 1999 - at ? size : 1999 - at;
    memcpy(text + at, bytes, part);
    text[at + part] = 0;
    return true;
}

START_TEST(shapes_are_declared)
{
    oc_error e = {OC_OK, ""};
    char text[2000] = "", told[1000] = "";
    oc_model *m = model_of("g (float[n,4] x) => (float[] y) { a = Concat <axis = 0> (x, x) "
                           "y = Flatten (a) z = Relu (y) }",
                           &e);
    oc_model *d = oc_model_declare(m, &e);
    oc_model_free(m); /* the new one lives on */
    oc_model_save(d, OC_FORMAT_TEXT, &(oc_writer){append, text}, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_ptr_nonnull(strstr(text, "=> (float[\"2*n\",4] y)"));
    ck_assert_ptr_nonnull(strstr(text, "float[\"2*n\",4] a"));
    ck_assert_ptr_nonnull(strstr(text, "z = Relu"));
    oc_model *again = oc_model_load_memory(text, strlen(text), NULL, &e);
    oc_model_visit(again, NULL, note, told, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_str_eq(told, "a[2*n,4] y[2*n,4] z[2*n,4]");
    ck_assert_str_eq(oc_model_output(again, 0).dim_name[0], "2*n");
    oc_model_free(again);
    oc_model_free(d);
    ck_assert_ptr_null(oc_model_declare(NULL, &e));
    ck_assert_int_eq(e.code, OC_ARGUMENT);
}
END_TEST

SUITE("symbols", equal_expressions_are_one, texts, values_tell_expressions, shapes_follow,
      known_numbers_are_folded, evidence_is_not_folded, channels_must_fit, shapes_are_declared)
