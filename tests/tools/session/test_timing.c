/* SPDX-License-Identifier: Apache-2.0
 * test_timing.c - what sums up samples, and how many runs a session makes. */
#include "suite.h"
#include "session/timing.h"

#include <ocellus_model.h>
#include <math.h>
#include <string.h>

static timing_figures sum_up(int n, double *ms)
{
    return timing_sum_up(&(timing){.ms = ms, .n = n});
}

START_TEST(sums_up_samples_in_any_order)
{
    double ten[] = {7, 3, 10, 1, 9, 2, 8, 4, 6, 5}, three[] = {30, 10, 5}, one[] = {2.5};
    const double before[] = {7, 3, 10, 1, 9, 2, 8, 4, 6, 5};
    timing_figures f = sum_up(10, ten);
    ck_assert(f.min == 1 && f.median == 5.5 && f.p90 == 9 && fabs(f.mean - 5.5) < 1e-12);
    ck_assert(memcmp(ten, before, sizeof ten) == 0);
    ck_assert(f.p99 == 10 && fabs(f.rate - 1e3 / 5.5) < 1e-9);
    double hundred[100];
    for (int i = 0; i < 100; i++)
        hundred[i] = (37 * i) % 100; /* each of 0 to 99 once */
    f = sum_up(100, hundred);
    ck_assert(f.p90 == 89 && f.p99 == 98);
    f = sum_up(99, hundred); /* without the 63 */
    ck_assert(f.p99 == 99);
    f = sum_up(9, ten); /* without the 5 */
    ck_assert(f.min == 1 && f.median == 6 && f.p90 == 10);
    f = sum_up(3, three);
    ck_assert(f.min == 5 && f.median == 10 && f.p90 == 30 && fabs(f.mean - 15) < 1e-12);
    f = sum_up(1, one);
    ck_assert(f.min == 2.5 && f.median == 2.5 && f.p90 == 2.5 && f.mean == 2.5);
    f = sum_up(0, NULL);
    ck_assert(f.min == 0 && f.median == 0 && f.p90 == 0 && f.p99 == 0 && f.mean == 0 &&
              f.rate == 0);
}
END_TEST

static void count_node(void *ctx, const oc_node_event *event)
{
    if (event->begin)
        ++*(int *)ctx;
}

START_TEST(runs_warm_and_timed)
{
    static const char text[] = "<ir_version: 8, opset_import: [\"\" : 13]> g (float[2] x) => "
                               "(float[4] y) { y = Concat <axis = 0> (x, x) }";
    static const float x[2] = {1, 2};
    const int64_t dim = 2;
    int count = 0;
    oc_error e = {0};
    timing t = {0};
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
    oc_session *s = oc_session_new(m,
                                   &(oc_session_options){.threads = 1,
                                                         .observer.on_node = count_node,
                                                         .observer.on_node_ctx = &count},
                                   &e);
    oc_bind(s, "x", OC_F32, 1, &dim, x, &e);
    timing_run(&t, s, 3, 5, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_int_eq(t.n, 5);
    ck_assert_int_eq(count, 8);
    timing_run(&t, s, 0, 2, &e);
    ck_assert_int_eq(t.n, 7);
    ck_assert_int_eq(count, 10);
    for (int i = 0; i < t.n; i++)
        ck_assert(t.ms[i] >= 0 && t.ms[i] < 1e5);
    e.code = OC_CANCELLED; /* an error that stands lets nothing run */
    timing_run(&t, s, 1, 1, &e);
    ck_assert(t.n == 7 && count == 10);
    timing_free(&t);
    oc_session_free(s);
    oc_model_free(m);
}
END_TEST

SUITE("timing", sums_up_samples_in_any_order, runs_warm_and_timed)
