/* SPDX-License-Identifier: Apache-2.0
 * test_ports.c - what a call gives an operator that asks for its operands. */
#include "ops/kit/call.h"
#include "suite.h"

#include <string.h>

static oc_memory memory;
static oc_arena arena;
static oc_error error;
static oc_services services;
static oc_operator operator;
static oc_value given[3], made[3];
static const oc_value *in[3];
static oc_value *out[3];

/* A call of an operator with this signature, all of whose operands are there. */
static oc_call call_of(const char *signature)
{
    const oc_sig *sig = NULL;
    memory = oc_memory_new(NULL, 0);
    arena = oc_arena_new(&memory);
    error = (oc_error){OC_OK, ""};
    services.error = &error;
    ck_assert_int_eq(oc_sig_parse(signature, &arena, &sig, &error), OC_OK);
    for (int i = 0; i < 3; i++) {
        in[i] = &given[i];
        out[i] = &made[i];
    }
    operator=(oc_operator){.sig = sig, .node = "node 'a' (Op-1)", .n_in = 3, .n_out = 3};
    return (oc_call){.op = &operator, .in = in, .out = out, .services = &services};
}

/* Where NDEBUG is defined, nobody looks. */
static void check_mistake(const char *what)
{
#ifndef NDEBUG
    ck_assert_int_eq(error.code, OC_ARGUMENT);
    ck_assert_msg(strstr(error.text, what) != NULL, "%s", error.text);
#else
    (void)what;
    ck_assert_int_eq(error.code, OC_OK);
#endif
    error = (oc_error){OC_OK, ""};
}

START_TEST(operands_that_cannot_be_missing)
{
    const oc_call c = call_of("Op (T x, T w?, T rest...) => (T y, T z, T more?) | T: float");
    ck_assert_ptr_eq(oc_in(&c, 0), &given[0]);
    ck_assert_ptr_eq(oc_in(&c, 2), &given[2]);
    ck_assert_ptr_eq(oc_out(&c, 0), &made[0]);
    ck_assert_ptr_eq(oc_out(&c, 1), &made[1]);
    ck_assert_int_eq(error.code, OC_OK);
    oc_arena_free(&arena);
}
END_TEST

START_TEST(operands_that_may_be_missing)
{
    const oc_call c = call_of("Op (T x, T w?, T rest...) => (T y, T z?, T more...) | T: float");
    ck_assert_ptr_eq(oc_in_or_null(&c, 1), &given[1]);
    ck_assert_ptr_eq(oc_out_or_null(&c, 1), &made[1]);
    ck_assert_ptr_eq(oc_out_or_null(&c, 2), &made[2]);
    in[1] = NULL;
    out[1] = out[2] = NULL;
    ck_assert_ptr_null(oc_in_or_null(&c, 1));
    ck_assert_ptr_null(oc_in_or_null(&c, 3));
    ck_assert_ptr_null(oc_out_or_null(&c, 1));
    ck_assert_ptr_null(oc_out_or_null(&c, 3));
    ck_assert(oc_wants(&c, 0) && !oc_wants(&c, 1) && !oc_wants(&c, 3));
    ck_assert_int_eq(error.code, OC_OK);
    oc_arena_free(&arena);
}
END_TEST

START_TEST(asking_as_if_they_were_there)
{
    const oc_call c = call_of("Op (T x, T w?, T rest...) => (T y, T z?, T more...) | T: float");
    oc_in(&c, 1);
    check_mistake("input 1, which may be missing");
    oc_in(&c, 3);
    check_mistake("input 3, which may be missing");
    oc_out(&c, 1);
    check_mistake("output 1, which may be missing");
    oc_out(&c, 2);
    check_mistake("output 2, which may be missing");
    oc_out(&c, 3);
    check_mistake("output 3, which may be missing");
    oc_arena_free(&arena);
}
END_TEST

SUITE("ports", operands_that_cannot_be_missing, operands_that_may_be_missing,
      asking_as_if_they_were_there)
