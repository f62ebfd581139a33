/* SPDX-License-Identifier: Apache-2.0
 * suite.h - what every Check program shares: its main, and random numbers that can be replayed. */
#pragma once

#include <check.h>
#include <stdint.h>
#include <stdlib.h>

/* Addresses have 32 bits: sizes that fit elsewhere are refused as too large. */
enum { SUITE_NARROW = SIZE_MAX < UINT64_MAX };

/* Runs the tests in this process and returns the program's exit status. */
static inline int suite_run(const char *name, const TTest *const test[], int n)
{
    TCase *c = tcase_create(name);
    tcase_set_timeout(c, 0);
    for (int i = 0; i < n; i++)
        tcase_add_test(c, test[i]);
    Suite *s = suite_create(name);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_set_fork_status(r, CK_NOFORK);
    srunner_run_all(r, CK_NORMAL);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}

/* SUITE("dims", first_test, second_test) defines main. */
#define SUITE(name, ...)                                                                           \
    int main(void)                                                                                 \
    {                                                                                              \
        const TTest *const tests[] = {__VA_ARGS__};                                                \
        return suite_run(name, tests, (int)(sizeof tests / sizeof *tests));                        \
    }

/* As ck_assert_msg for inner loops: Check notes every assertion that holds in a file. */
#define suite_assert(condition, ...)                                                               \
    do {                                                                                           \
        if (!(condition))                                                                          \
            ck_abort_msg(__VA_ARGS__);                                                             \
    } while (0)

/* A random number generator whose state a failing test prints; OC_SEED=state replays it. Bytes that
 * something else has chosen, such as a fuzzer, decide before the state does. */
typedef struct suite_random {
    uint32_t state;
    const uint8_t *bytes;
    size_t left; /* of bytes */
} suite_random;

static inline suite_random suite_random_new(uint32_t otherwise)
{
    const char *replay = getenv("OC_SEED");
    return (suite_random){.state = replay ? (uint32_t)strtoul(replay, NULL, 10) : otherwise};
}

/* In 0 .. n-1. */
static inline uint32_t suite_below(suite_random *r, uint32_t n)
{
    const size_t take = n <= 1 << 8 ? 1 : n <= 1 << 16 ? 2 : 4;
    if (n && r->left >= take) {
        uint32_t chosen = 0;
        for (size_t i = 0; i < take; i++, r->left--)
            chosen = chosen << 8 | *r->bytes++;
        return chosen % n;
    }
    r->state = r->state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(r->state >> 4) * n >> 28);
}
