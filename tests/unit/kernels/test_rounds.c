/* SPDX-License-Identifier: Apache-2.0
 * test_rounds.c - long work in rounds: every unit once, and in each round every task as much. */
#include "kernels/common/rounds.h"
#include "suite.h"

static bool count(void *ctx)
{
    ++*(int *)ctx;
    return true;
}

/* Runs n units in rounds; returns how often somebody was asked. */
static int walk(int64_t n, double work, int tasks)
{
    int asked = 0;
    oc_rounds r = oc_rounds_new((oc_go_on){count, &asked}, n, work, tasks);
    int64_t seen = 0;
    while (oc_rounds_next(&r)) {
        ck_assert_int_eq(r.first, seen);
        ck_assert_int_gt(r.end, seen);
        seen = r.end;
        if (seen < n && (r.end - r.first) % tasks)
            ck_abort_msg("%d units for %d tasks in a round", (int)(r.end - r.first), tasks);
    }
    ck_assert_int_eq(seen, n);
    return asked;
}

START_TEST(every_unit_once)
{
    static const double works[] = {0, 1, 1e6, 7.75e7, OC_ROUND_WORK, 1e12};
    static const int64_t many[] = {0, 1, 2, 3, 6, 7, 100};
    for (int tasks = 1; tasks <= 5; tasks++)
        for (size_t i = 0; i < sizeof works / sizeof *works; i++)
            for (size_t k = 0; k < sizeof many / sizeof *many; k++)
                walk(many[k], works[i], tasks);
    ck_assert_int_eq(walk(100, 1, 2), 0);
    ck_assert_int_eq(walk(6, 7.75e7, 2), 2);
    ck_assert_int_eq(walk(6, 1e12, 2), 2);
}
END_TEST

START_TEST(without_anybody_to_ask)
{
    const oc_go_on none = {NULL, NULL};
    oc_rounds r = oc_rounds_new(none, 3, 1e12, 1);
    ck_assert(oc_rounds_next(&r) && oc_rounds_next(&r) && oc_rounds_next(&r));
    ck_assert(!oc_rounds_next(&r));
}
END_TEST

SUITE("rounds", every_unit_once, without_anybody_to_ask)
