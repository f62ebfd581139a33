/* SPDX-License-Identifier: Apache-2.0
 * test_describe.c - what oc_op_describe tells of a host's signature and of the built-in ones. */
#include "suite.h"

#include <ocellus_op.h>
#include <string.h>

static oc_type_mask bit(oc_type type)
{
    return (oc_type_mask)1 << type;
}

START_TEST(parts_of_a_signature)
{
    oc_error e = {0};
    const oc_op row = {
        3,
        "com.me::Twist <int axis = -1, option string how = \"no\", floats f?, string s> "
        "(U a, T b?, float c, T rest~...) => (U y, seq(float) z?) | random; "
        "T: float seq(map(int8)) ; U: index opt(bool) opt(seq(bool)) = int64",
        NULL, NULL};
    const oc_op_info *op = oc_op_describe(&row, &e);
    ck_assert_msg(op != NULL, "%s", e.text);
    ck_assert(op->version == &row && op->random);
    ck_assert_str_eq(op->domain, "com.me");
    ck_assert_str_eq(op->name, "Twist");
    ck_assert_str_eq(op->label, "com.me::Twist");
    ck_assert_str_eq(op->ports, "(U a, T b?, float c, T rest~...) => (U y, seq(float) z?)");

    ck_assert_int_eq(op->n_attributes, 3); /* how is the session's */
    ck_assert_str_eq(op->attribute[0].kind, "int");
    ck_assert(!op->attribute[0].required && op->attribute[0].has_default);
    ck_assert_str_eq(op->attribute[1].name, "f");
    ck_assert_str_eq(op->attribute[1].kind, "floats");
    ck_assert(!op->attribute[1].required && !op->attribute[1].has_default);
    ck_assert(op->attribute[2].required);

    ck_assert_int_eq(op->n_variables, 2);
    ck_assert_str_eq(op->variable[0].name, "T"); /* the text's order, not that of the ports */
    ck_assert_str_eq(op->variable[0].text, "T: float seq(map(int8))");
    ck_assert(op->variable[0].types.map_sequence == bit(OC_I8));
    ck_assert_str_eq(op->variable[1].text, "U: index opt(bool) opt(seq(bool)) = int64");
    ck_assert(op->variable[1].types.tensor == (bit(OC_I32) | bit(OC_I64)));
    ck_assert(op->variable[1].types.optional == bit(OC_BOOL));
    ck_assert(op->variable[1].types.opt_sequence == bit(OC_BOOL));

    ck_assert_int_eq(op->n_inputs, 4);
    ck_assert_int_eq(op->input[0].variable, 1);
    ck_assert(op->input[1].variable == 0 && op->input[1].optional && !op->input[1].variadic);
    ck_assert(op->input[2].variable == -1 && op->input[2].types.tensor == bit(OC_F32));
    ck_assert(op->input[3].variadic && op->input[3].mixed);
    ck_assert_str_eq(op->input[3].name, "rest");
    ck_assert_int_eq(op->n_outputs, 2);
    ck_assert(op->output[1].types.sequence == bit(OC_F32) && op->output[1].optional);
    oc_op_info_free(op);
}
END_TEST

START_TEST(built_in_rows)
{
    oc_error e = {0};
    int i = 0;
    for (; oc_builtin_op(i); i++) {
        const oc_op_info *op = oc_op_describe(oc_builtin_op(i), &e);
        ck_assert_msg(op != NULL, "%s: %s", oc_builtin_op(i)->signature, e.text);
        ck_assert(strncmp(op->version->signature, op->label, strlen(op->label)) == 0);
        ck_assert(strstr(op->version->signature, op->ports) != NULL);
        oc_op_info_free(op);
    }
    ck_assert_int_gt(i, 1);
}
END_TEST

/* A wrong row is an error; one that is set keeps the call from doing anything. */
START_TEST(wrong_rows)
{
    const oc_op wrong = {1, "com.me::Twist (T x", NULL, NULL}, empty = {1, NULL, NULL, NULL};
    oc_error e = {0};
    ck_assert(!oc_op_describe(&wrong, &e) && e.code == OC_FORMAT);
    ck_assert(!oc_op_describe(oc_builtin_op(0), &e) && e.code == OC_FORMAT);
    e = (oc_error){0};
    ck_assert(!oc_op_describe(&empty, &e) && e.code == OC_ARGUMENT);
    e = (oc_error){0};
    ck_assert(!oc_op_describe(NULL, &e) && e.code == OC_ARGUMENT);
    ck_assert(!oc_op_describe(oc_builtin_op(0), NULL));
    oc_op_info_free(NULL);
}
END_TEST

SUITE("describe", parts_of_a_signature, built_in_rows, wrong_rows)
