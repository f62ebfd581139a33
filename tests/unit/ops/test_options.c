/* SPDX-License-Identifier: Apache-2.0
 * test_options.c - choices of a session that operators declare. */
#include "suite.h"

#include "ops/kit/op_options.h"

#include <string.h>

static const oc_op host_ops[] = {
    {2,
     "com.me::Twist <option int turns = 1, option float by = 0.5, int axis> (T x) => (T y)"
     " | T: float",
     NULL, NULL},
    {1, "com.me::Twist <option string old = \"no\"> (T x) => (T y) | T: float", NULL, NULL},
    {0},
};

static oc_status check(const char *text, oc_error *e)
{
    oc_memory memory = oc_memory_new(NULL, 0);
    oc_arena arena = oc_arena_new(&memory);
    oc_sig_cache sigs = oc_sig_cache_new(&arena);
    *e = (oc_error){.code = OC_OK};
    const oc_status status = oc_options_check(text, host_ops, &sigs, e);
    oc_arena_free(&arena);
    return status;
}

START_TEST(good_texts)
{
    static const char *const good[] = {NULL,
                                       "",
                                       "RoiAlign.max=bilinear",
                                       "RoiAlign.max=\"bilinear\"",
                                       "com.me::Twist.turns=3, RoiAlign.max=corners",
                                       "com.me::Twist.by=-2 com.me::Twist.old=yes"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        oc_error e;
        ck_assert_msg(check(good[i], &e) == OC_OK, "%s", e.text);
    }
}
END_TEST

START_TEST(bad_texts)
{
    static const struct {
        const char *text, *part;
    } bad[] = {
        {"RoiAlign.mx=1", "option 'RoiAlign.mx': the operator has no option of that name"},
        {"RoiAlign.mode=max", "option 'RoiAlign.mode': the operator has no option"},
        {"Roi.max=1", "option 'Roi.max': there is no such operator"},
        {"Twist.turns=1", "option 'Twist.turns': there is no such operator"},
        {"com.me::Twist.turns=many", "expected an integer"},
        {"com.me::Twist.by=x", "expected a number"},
        {"RoiAlign.max", "expected '='"},
        {"RoiAlign", "expected '.'"},
        {"=1", "expected an operator"},
        {"RoiAlign.max=", "expected a word"},
        {"RoiAlign.max=corners;", "expected an operator"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        oc_error e;
        ck_assert_msg(check(bad[i].text, &e) != OC_OK, "%s", bad[i].text);
        ck_assert_msg(strstr(e.text, bad[i].part) != NULL, "'%s' lacks '%s'", e.text, bad[i].part);
    }
}
END_TEST

START_TEST(options_are_bound_like_attributes)
{
    oc_memory memory = oc_memory_new(NULL, 0);
    oc_arena arena = oc_arena_new(&memory);
    oc_error e = {.code = OC_OK};
    const oc_sig *sig;
    const oc_attr *bound[3] = {NULL};
    ck_assert_int_eq(oc_sig_parse(host_ops[0].signature, &arena, &sig, &e), OC_OK);
    bound[0] = &sig->attr[0].value;
    bound[1] = &sig->attr[1].value;
    const char *text = "RoiAlign.max=bilinear, com.me::Twist.turns=3, com.me::Twist.old=no";
    ck_assert_int_eq(oc_options_bind(text, sig, &arena, bound, &e), OC_OK);
    ck_assert_int_eq(*bound[0]->u.i, 3);
    ck_assert(*bound[1]->u.f == 0.5f);
    ck_assert_ptr_null(bound[2]);
    ck_assert_int_eq(oc_options_bind(NULL, sig, &arena, bound, &e), OC_OK);
    oc_arena_free(&arena);
}
END_TEST

SUITE("options", good_texts, bad_texts, options_are_bound_like_attributes)
