/* SPDX-License-Identifier: Apache-2.0
 * test_case_file.c - case files are read and validated, and their errors name line and column. */
#include "check/case_file.h"
#include "check/validate.h"
#include "check/library.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const check_family *find(void *ctx, const char *op, oc_error *e)
{
    return check_library_find(ctx, op, e);
}

/* Reads a case file of an operator, and checks what it says when it is well formed. */
static void read_text(check_library *l, const char *op, const char *text, check_family *out,
                      char copy[1000], oc_error *e)
{
    *e = (oc_error){0};
    snprintf(copy, 1000, "%s", text);
    const check_source source = {.path = "x.check", .op = op, .text = copy, .find = find, .ctx = l};
    check_read_file(&source, out, e);
    if (e->code == OC_OK)
        check_validate(out, e);
}

START_TEST(every_case_file_is_right)
{
    check_library *l = check_library_new();
    const char *op;
    int n = 0;
    for (; (op = check_library_op(l, n)); n++) {
        oc_error e = {0};
        suite_assert(check_library_find(l, op, &e), "%s", e.text);
    }
    ck_assert_int_gt(n, 40);
    check_library_free(l);
}
END_TEST

START_TEST(operators_are_found_by_name_and_domain)
{
    check_library *l = check_library_new();
    oc_error e = {0};
    const check_family *f = check_library_find(l, "Softmax", &e);
    ck_assert_ptr_nonnull(f);
    ck_assert_ptr_eq(check_library_find(l, "ai.onnx::Softmax", &e), f);
    ck_assert_ptr_nonnull(check_library_find(l, "ai.onnx.preview::FlexAttention", &e));
    ck_assert_ptr_null(check_library_find(l, "com.me::Softmax", &e));
    ck_assert_ptr_null(check_library_find(l, "Soft", &e));
    ck_assert_int_eq(e.code, OC_OK);
    check_library_free(l);
}
END_TEST

START_TEST(every_key_is_read)
{
    check_library *l = check_library_new();
    check_family f;
    char copy[1000];
    oc_error e;
    read_text(l, "LayerNormalization",
              "# A comment.\n\n"
              "  outputs 3\n"
              "bound 2 ulp + 32 ulp(1) + 0.5 least\n"
              "numbers mild \n"
              "stash_type since 17\n"
              "types double float\n"
              "opset 17\n"
              "defect differs: the sum: too small\n"
              "attributes none\n"
              "attributes since 3: epsilon = 0.1\n"
              "inputs T[3,4]; n T[4]; ; i5 int64[]; + float[1]; p T[0] -> 2\n"
              "inputs before 18: <axis = 1, epsilon: float = 0.5> = int64[2] {4, -5}\n"
              "refused T[3,4]; = string[2] {\"};\", \",\\\"\"}",
              &f, copy, &e);
    ck_assert_str_eq(e.text, "");
    const check_spec *s = &f.spec;
    ck_assert(s->n_out == 3 && s->ulp == 2 && s->ulp_of_1 == 32 && s->least == 0.5 && s->mild);
    ck_assert(s->stash_since == 17 && s->opset == 17 && s->n_types == 2);
    ck_assert(s->types[0] == OC_F64 && s->types[1] == OC_F32);
    ck_assert_str_eq(f.defects->text, "the sum: too small");
    ck_assert(!f.defects->fails && !f.defects[1].text);
    ck_assert_int_eq(s->n_attributes, 2);
    ck_assert_str_eq(s->attributes[0].text, "");
    ck_assert_str_eq(s->attributes[1].text, "epsilon = 0.1");
    ck_assert_int_eq(s->attributes[1].scope.since, 3);
    ck_assert_int_eq(s->n_inputs, 3);
    const check_inputs *a = &s->inputs[0], *b = &s->inputs[1], *c = &s->inputs[2];
    ck_assert(a->n == 6 && a->n_out == 2 && !a->refused && !a->own);
    static const check_kind kinds[] = {CHECK_ANY,   CHECK_MODEST,   CHECK_MISSING,
                                       CHECK_BELOW, CHECK_POSITIVE, CHECK_UNIT};
    for (int i = 0; i < 6; i++)
        ck_assert_int_eq(a->in[i].kind, kinds[i]);
    ck_assert(a->in[0].type == OC_UNDEFINED && a->in[0].rank == 2 && a->in[0].dim[1] == 4);
    ck_assert(a->in[3].type == OC_I64 && a->in[3].rank == 0 && a->in[3].below == 5);
    ck_assert(b->n == 1 && b->in[0].kind == CHECK_GIVEN && b->scope.before == 18);
    ck_assert_str_eq(b->own, "axis = 1, epsilon: float = 0.5");
    ck_assert_str_eq(b->text, "= int64[2] {4, -5}");
    ck_assert_str_eq(b->in[0].elements, "{4, -5}");
    ck_assert(c->refused && c->n == 2 && c->in[1].size == (int)strlen("{\"};\", \",\\\"\"}"));
    check_spec_free(&f.spec);
    check_library_free(l);
}
END_TEST

START_TEST(of_takes_the_lines_of_another_file)
{
    check_library *l = check_library_new();
    check_family f;
    char copy[1000];
    oc_error e = {0};
    const check_spec *other = &check_library_find(l, "Softmax", &e)->spec;
    read_text(l, "LogSoftmax", "inputs T[]\nattributes of Softmax\ninputs of  Softmax\nopset 13",
              &f, copy, &e);
    ck_assert_str_eq(e.text, "");
    ck_assert_int_eq(f.spec.n_attributes, other->n_attributes);
    ck_assert_int_eq(f.spec.n_inputs, 1 + other->n_inputs);
    ck_assert_str_eq(f.spec.inputs[1].text, other->inputs[0].text);
    check_spec_free(&f.spec);
    check_library_free(l);
}
END_TEST

/* Behind "inputs T[2]\n", so that the error is on line 2 unless it says otherwise. */
static const struct {
    const char *op, *text, *error;
} wrong[] = {
    {"Elu", "input T[3]", "line 2, column 1: 'input' is not a key, expected inputs, refused, "},
    {"Elu", "  inputs", "line 2, column 9: nothing behind 'inputs'"},
    {"Elu", "inputs flot[3]", "line 2, column 8: 'flot' is not an element type, expected T or "},
    {"Elu", "inputs T[3]; T[3,]", "line 2, column 15: expected dimensions, as in [2,3]"},
    {"Elu", "inputs T[3] T[3]", "line 2, column 13: expected ';' and the next input"},
    {"Elu", "inputs = T[2] {1, 2, 3}", "line 2, column 15: 3 elements, expected 2"},
    {"Elu", "inputs = T[2] {1, 2", "line 2, column 15: expected elements, as in {4, 5}"},
    {"Elu", "inputs i0 T[2]", "line 2, column 8: expected a bound from 1 "},
    {"Elu", "inputs T[2] -> two", "line 2, column 13: expected a number of outputs"},
    {"Elu", "inputs ;;;;;;;;", "line 2, column 16: more than 8 inputs"},
    {"Elu", "inputs T[1,1,1,1,1,1,1]", "line 2, column 9: more than 6 dimensions"},
    {"Elu", "inputs <alpha = 1.0 T[2]", "line 2, column 8: this '<' has no '>'"},
    {"Elu", "inputs since 9 T[2]", "line 2, column 14: expected an opset and a colon"},
    {"Elu", "inputs before 9: T[2]", "line 2, column 18: no case uses these inputs; the first "},
    {"Elu", "inputs of Relux", "line 2, column 11: there is no functions/Relux.check"},
    {"Elu", "refused <alphs = 1.0> T[2]",
     "line 2, column 10: 'alphs' is not an attribute of Elu-18"},
    {"Elu", "attributes alpha", "line 2, column 17: expected '=' and a value behind attribute 'a"},
    {"Elu", "attributes alpha = ", "line 2, column 19: expected a value of attribute 'alpha'"},
    {"Elu", "attributes alpha = 1.0,", "line 2, column 23: expected an attribute behind the comma"},
    {"Elu", "attributes alpha = 1",
     "line 2, column 20: attribute 'alpha' of Elu is 1, expected float"},
    {"Elu", "attributes alpha: int = 1", "line 2, column 19: attribute 'alpha' of Elu is int, exp"},
    {"Relu", "attributes axis = 1",
     "line 2, column 12: 'axis' is not an attribute of Relu-18, which"},
    {"Gelu", "attributes approximate = tanh",
     "line 2, column 26: attribute 'approximate' of Gelu is t"},
    {"ReduceL1", "attributes keepdims = yes",
     "line 2, column 23: attribute 'keepdims' of ReduceL1"},
    {"CenterCropPad", "attributes axes = 1",
     "line 2, column 19: attribute 'axes' of CenterCropPad"},
    {"CastLike", "attributes round_mode = \"up\"",
     "line 2, column 12: 'round_mode' is not an attri"},
    {"Elu", "attributes none\nattributes before 18: alpha = 1.0",
     "line 3, column 23: no case uses"},
    {"Elu", "outputs 0", "line 2, column 9: '0', expected a number from 1 to 24"},
    {"Elu", "outputs 1\noutputs 1", "line 3, column 1: a second line 'outputs', expected one"},
    {"Elu", "opset 18th", "line 2, column 7: '18th', expected a number from 1 to 999"},
    {"Elu", "bound 2 ulps",
     "line 2, column 7: '2 ulps', expected numbers of ulp, ulp(1) and least"},
    {"Elu", "bound 2 ulp +", "line 2, column 7: '2 ulp +', expected numbers of ulp"},
    {"Elu", "bound 2 ulp + 3 ulp", "line 2, column 7: '2 ulp + 3 ulp', expected numbers of"},
    {"Elu", "bound -2 ulp", "line 2, column 7: '-2 ulp', expected numbers of ulp"},
    {"Elu", "numbers wild", "line 2, column 9: numbers 'wild', expected mild"},
    {"Elu", "stash_type 17", "line 2, column 12: expected 'since' and an opset"},
    {"Elu", "types float flot", "line 2, column 13: 'flot' is not an element type"},
    {"Elu", "domain a b", "line 2, column 8: 'a b', expected a domain without blanks"},
    {"Elu", "defect alters: it", "line 2, column 8: expected 'differs:' or 'fails:' and what"},
    {"Elu", "defect fails: ", "line 2, column 8: expected 'differs:' or 'fails:' and what"},
    {"Elu", "maker nobody", "line 2, column 7: there is no maker 'nobody'"},
    {"Elu", "maker affine_grid", "line 2, column 1: another line goes with 'maker'"},
};

START_TEST(errors_name_line_and_column)
{
    check_library *l = check_library_new();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        check_family f;
        char copy[1000], text[1000], expected[1000];
        oc_error e;
        snprintf(text, sizeof text, "inputs T[2]\n%s", wrong[i].text);
        snprintf(expected, sizeof expected, "x.check: %s", wrong[i].error);
        read_text(l, wrong[i].op, text, &f, copy, &e);
        suite_assert(e.code == OC_FORMAT && strncmp(e.text, expected, strlen(expected)) == 0,
                     "%s: '%s'\nexpected '%s'", wrong[i].text, e.text, expected);
        check_spec_free(&f.spec);
    }
    check_library_free(l);
}
END_TEST

START_TEST(a_file_has_inputs)
{
    check_family f;
    char copy[1000];
    oc_error e;
    read_text(NULL, "Elu", "attributes none\n", &f, copy, &e);
    ck_assert_str_eq(e.text, "x.check: line 1, column 1: the file ends without a line 'inputs'");
    check_spec_free(&f.spec);
}
END_TEST

SUITE("case files", every_case_file_is_right, operators_are_found_by_name_and_domain,
      every_key_is_read, of_takes_the_lines_of_another_file, errors_name_line_and_column,
      a_file_has_inputs)
