/* SPDX-License-Identifier: Apache-2.0
 * check.h - what the tests use of Check, for WASI, where Check cannot be built.
 *
 * Check goes on after a failed assertion by longjmp or in another process, and WASI has neither.
 * Here the first failure ends the program. */
#pragma once

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tests ---- */

typedef struct TTest {
    const char *name;
    void (*run)(int i);
} TTest;

#define START_TEST(test_name)                                                                      \
    static void test_name##_run(int i);                                                            \
    static const TTest test_name##_test = {#test_name, test_name##_run};                           \
    static const TTest *const test_name = &test_name##_test;                                       \
    static void test_name##_run(__attribute__((unused)) int _i)                                    \
    {
#define END_TEST }

/* A case holds a program's tests, so a suite and a runner are their case. */
typedef struct TCase {
    const char *name;
    const TTest *test[256];
    int n, n_passed;
} TCase;
typedef TCase Suite;
typedef TCase SRunner;

enum { CK_NOFORK, CK_NORMAL };

/* What fails tells the test that runs. A program has one. */
static TCase *check_running;

static inline TCase *tcase_create(const char *name)
{
    static TCase only;
    only = (TCase){.name = name};
    return &only;
}

static inline void tcase_set_timeout(TCase *c, double seconds)
{
    (void)c;
    (void)seconds;
}

static inline void tcase_add_test(TCase *c, const TTest *test)
{
    if (c->n == sizeof c->test / sizeof *c->test) {
        fprintf(stderr, "%s has more than %d tests\n", c->name, c->n);
        exit(1);
    }
    c->test[c->n++] = test;
}

static inline Suite *suite_create(const char *name)
{
    (void)name;
    return NULL;
}

static inline void suite_add_tcase(Suite *s, TCase *c)
{
    (void)s;
    check_running = c;
}

static inline SRunner *srunner_create(Suite *s)
{
    (void)s;
    return check_running;
}

static inline void srunner_set_fork_status(SRunner *r, int status)
{
    (void)r;
    (void)status;
}

static inline void srunner_run_all(SRunner *r, int verbosity)
{
    (void)verbosity;
    while (r->n_passed < r->n) {
        r->test[r->n_passed]->run(0);
        r->n_passed++;
    }
    printf("100%%: Checks: %d, Failures: 0, Errors: 0\n", r->n);
}

static inline int srunner_ntests_failed(SRunner *r)
{
    return r->n - r->n_passed;
}

static inline void srunner_free(SRunner *r)
{
    (void)r;
}

/* ---- assertions ---- */

/* Prints where and what failed, and ends the program. */
#define ck_abort_msg(...) (check_place(__FILE__, __LINE__), printf(__VA_ARGS__), check_end())

static inline void check_place(const char *file, int line)
{
    const TCase *c = check_running;
    printf("%s:%d: %s: ", file, line, c ? c->test[c->n_passed]->name : "");
}

_Noreturn static inline void check_end(void)
{
    const int n = check_running ? check_running->n_passed + 1 : 1;
    printf("\n%d%%: Checks: %d, Failures: 1, Errors: 0\n", 100 * (n - 1) / n, n);
    exit(1);
}

#define ck_assert_msg(condition, ...) ((condition) ? (void)0 : ck_abort_msg(__VA_ARGS__))
#define ck_assert(condition)          ck_assert_msg(condition, "'%s' is false", #condition)

/* Compares two operands as values of a type, which format prints. */
#define check_two(type, format, a, op, b)                                                          \
    do {                                                                                           \
        const type a_ = (a), b_ = (b);                                                             \
        ck_assert_msg(a_ op b_, "'%s' is %" format ", expected " #op " %" format, #a, a_, b_);     \
    } while (0)

#define ck_assert_int_eq(a, b)  check_two(intmax_t, PRIdMAX, a, ==, b)
#define ck_assert_int_ne(a, b)  check_two(intmax_t, PRIdMAX, a, !=, b)
#define ck_assert_int_lt(a, b)  check_two(intmax_t, PRIdMAX, a, <, b)
#define ck_assert_int_le(a, b)  check_two(intmax_t, PRIdMAX, a, <=, b)
#define ck_assert_int_gt(a, b)  check_two(intmax_t, PRIdMAX, a, >, b)
#define ck_assert_int_ge(a, b)  check_two(intmax_t, PRIdMAX, a, >=, b)
#define ck_assert_uint_eq(a, b) check_two(uintmax_t, PRIuMAX, a, ==, b)
#define ck_assert_uint_ne(a, b) check_two(uintmax_t, PRIuMAX, a, !=, b)
#define ck_assert_uint_lt(a, b) check_two(uintmax_t, PRIuMAX, a, <, b)
#define ck_assert_uint_le(a, b) check_two(uintmax_t, PRIuMAX, a, <=, b)
#define ck_assert_uint_gt(a, b) check_two(uintmax_t, PRIuMAX, a, >, b)
#define ck_assert_uint_ge(a, b) check_two(uintmax_t, PRIuMAX, a, >=, b)

#define ck_assert_float_eq(a, b)            check_two(float, "g", a, ==, b)
#define ck_assert_double_eq(a, b)           check_two(double, "g", a, ==, b)
#define ck_assert_double_lt(a, b)           check_two(double, "g", a, <, b)
#define ck_assert_float_eq_tol(a, b, most)  ck_assert_double_eq_tol(a, b, most)
#define ck_assert_double_eq_tol(a, b, most) check_two(double, "g", fabs((double)(a) - (b)), <, most)

#define ck_assert_ptr_eq(a, b)   ck_assert_msg((const void *)(a) == (b), "'%s' is not '%s'", #a, #b)
#define ck_assert_ptr_ne(a, b)   ck_assert_msg((const void *)(a) != (b), "'%s' is '%s'", #a, #b)
#define ck_assert_ptr_null(a)    ck_assert_msg((a) == NULL, "'%s' is not NULL", #a)
#define ck_assert_ptr_nonnull(a) ck_assert_msg((a) != NULL, "'%s' is NULL", #a)
#define ck_assert_mem_eq(a, b, n)                                                                  \
    ck_assert_msg(memcmp(a, b, n) == 0, "the bytes of '%s' are not those of '%s'", #a, #b)

#define ck_assert_str_eq(a, b)  check_texts(__FILE__, __LINE__, a, b, #a, true)
#define ck_assert_str_ne(a, b)  check_texts(__FILE__, __LINE__, a, b, #a, false)
#define ck_assert_pstr_eq(a, b) check_texts(__FILE__, __LINE__, a, b, #a, true)

static inline void check_texts(const char *file, int line, const char *a, const char *b,
                               const char *what, bool same)
{
    if ((a && b ? strcmp(a, b) == 0 : a == b) == same)
        return;
    check_place(file, line);
    printf("'%s' is \"%s\", expected %s\"%s\"", what, a ? a : "(null)", same ? "" : "not ",
           b ? b : "(null)");
    check_end();
}
