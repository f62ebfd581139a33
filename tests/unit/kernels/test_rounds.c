/* SPDX-License-Identifier: Apache-2.0
 * test_rounds.c - long work in rounds: every unit once, and in each round every task as much; and
 * loops at a pace. */
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

/* Asked once in OC_ROUND_WORK products, whatever the steps are; a step that is larger asks by
 * itself. */
START_TEST(a_pace_asks_by_work)
{
    int asked = 0;
    oc_pace p = {{count, &asked}, 0};
    for (int i = 0; i < 4 * 1024; i++)
        ck_assert(oc_pace_on(&p, OC_ROUND_WORK / 1024));
    ck_assert_int_eq(asked, 4);
    ck_assert(oc_pace_on(&p, 3 * (int64_t)OC_ROUND_WORK));
    ck_assert_int_eq(asked, 5);
    ck_assert(oc_pace_on(&(oc_pace){0}, 2 * (int64_t)OC_ROUND_WORK)); /* nobody to ask */
}
END_TEST

START_TEST(strips_hold_each_step_once)
{
    const int64_t sizes[] = {0, 1, 1023, 1024, 1025, 100000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int asked = 0;
        oc_pace p = {{count, &asked}, 0};
        oc_strip s = {0, 0};
        int64_t steps = 0;
        for (; oc_strip_next(&s, sizes[i], &p, OC_ROUND_WORK); steps += s.end - s.first)
            ck_assert(s.first == steps && s.end > s.first && s.end <= sizes[i]);
        ck_assert_int_eq(steps, sizes[i]);
        ck_assert_int_eq(asked, (sizes[i] + OC_STRIP_STEPS - 1) / OC_STRIP_STEPS);
    }
}
END_TEST

static bool refuse(void *ctx)
{
    (void)ctx;
    return false;
}

START_TEST(a_refusal_ends_the_work)
{
    oc_pace p = {{refuse, NULL}, 0};
    oc_rounds r = oc_rounds_new(p.go_on, 3, 1e12, 1);
    ck_assert(oc_pace_on(&p, OC_ROUND_WORK - 1));
    ck_assert(!oc_pace_on(&p, 1));
    ck_assert(oc_rounds_next(&r));
    ck_assert(!oc_rounds_next(&r));
}
END_TEST

SUITE("rounds", every_unit_once, without_anybody_to_ask, a_pace_asks_by_work,
      strips_hold_each_step_once, a_refusal_ends_the_work)
