/* SPDX-License-Identifier: Apache-2.0
 * test_ports.c - what a call gives an operator that asks for its operands, and for more after the
 * watch has ended. */
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

static bool is_wanted(void *ctx)
{
    return *(bool *)ctx;
}

static int64_t steps_of(const oc_call *c)
{
    int64_t n = 0;
    OC_CALL_LOOP (c, i, 1000, 64)
        n++;
    return n;
}

/* What an operator gets that has not noticed the end of a loop. */
START_TEST(nothing_follows_the_end)
{
    oc_call c = call_of("Op (T x, T w, T v) => (T y, T z, T more) | T: float");
    oc_pool pool = oc_pool_new(&memory);
    bool wanted = false;
    oc_watch watch = {0};
    char *room;
    oc_watch_begin(&watch, "the run", &(oc_limits){.cancel = is_wanted, .cancel_ctx = &wanted});
    services.watch = &watch;
    services.pool = &pool;
    ck_assert_int_eq(steps_of(&c), 1000);
    ck_assert_int_eq(OC_SCRATCH(&c, room, 64), OC_OK);
    ck_assert_int_eq(oc_set_out(&c, 0, OC_F32, &(oc_dims){1, {7}}), OC_OK);
    ck_assert_int_eq(oc_fail(&c, OC_VALUE, "a fault"), OC_VALUE);
    error = (oc_error){OC_OK, ""};
    wanted = true;
    ck_assert(!oc_watch_ask(&watch));
    ck_assert_int_eq(error.code, OC_OK); /* nobody has told */
    ck_assert_int_eq(steps_of(&c), 0);
    ck_assert_int_eq(OC_SCRATCH(&c, room, 64), OC_CANCELLED);
    error = (oc_error){OC_OK, ""};
    ck_assert_int_eq(oc_set_out(&c, 0, OC_F32, &(oc_dims){1, {3}}), OC_CANCELLED);
    ck_assert_int_eq(made[0].dims.n[0], 7);
    error = (oc_error){OC_OK, ""};
    ck_assert_int_eq(oc_fail(&c, OC_VALUE, "a fault"), OC_CANCELLED);
    ck_assert_str_eq(error.text, "the run was cancelled");
    services.watch = NULL;
    oc_call_release(&c);
    oc_pool_trim(&pool);
    oc_arena_free(&arena);
    ck_assert_uint_eq(memory.live, 0);
}
END_TEST

SUITE("ports", operands_that_cannot_be_missing, operands_that_may_be_missing,
      asking_as_if_they_were_there, nothing_follows_the_end)
