/* SPDX-License-Identifier: Apache-2.0
 * test_roofline.c - nodes held against a made-up machine, and what is measured of the real one. */
#include "suite.h"
#include "base/system.h"
#include "session/roofline.h"

#include <math.h>

/* 100 GFLOP/s; 50 GB/s up to 1 MB, 10 GB/s from 64 MB on. */
static peak made_up(void)
{
    peak p = {.threads = 1, .gflops = 100};
    for (int k = 0; k < PEAK_COPIES; k++) {
        p.copy[k].bytes = k < 4 ? 1e6 / (8 >> k) : 64e6 * (1 << (k - 4));
        p.copy[k].gbytes = k < 4 ? 50 : 10;
    }
    return p;
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

START_TEST(copies_of_any_size)
{
    const peak p = made_up();
    ck_assert(peak_gbytes(&p, 0) == 50 && peak_gbytes(&p, 1e6) == 50);
    ck_assert(near(peak_gbytes(&p, 8e6), 30)); /* half the way from 1 to 64, as powers go */
    ck_assert(peak_gbytes(&p, 64e6) == 10 && peak_gbytes(&p, 1e12) == 10);
}
END_TEST

START_TEST(ranks_by_time_above_the_roof)
{
    observe_entry rows[] = {
        /* name, op, output, into, count, nanoseconds, least, work of all runs */
        {"fast", "Conv", "a", "Conv+Relu", NULL, 2, 2500000, 1200000, {2e8, 1e5, false, false}},
        {"slow", "Add", "b", "Add", NULL, 2, 2500000, 1000000, {2e5, 2e6, false, false}},
        {"within", "Mul", "c", "Mul", "Add", 2, 10, 5, {0}},
        {"loop", "Loop", "d", "Loop", NULL, 2, 9000000, 4000000, {.holds_others = true}},
        {"twice", "MatMul", "e", "MatMul", NULL, 4, 9000000, 2000000, {2e8, 4e3, true, false}},
    };
    const observer o = {.entry = rows, .n = sizeof rows / sizeof *rows};
    const peak p = made_up();
    roofline r = roofline_new(&o, 2, &p, "avx2");
    ck_assert_int_eq(r.n, 3);
    ck_assert_str_eq(r.node[0].entry->name, "twice");
    ck_assert(near(r.node[0].ms, 4) && near(r.node[0].roof_ms, 2) && !r.node[0].by_memory);
    ck_assert_str_eq(r.node[1].entry->name, "slow");
    ck_assert(near(r.node[1].ms, 1) && near(r.node[1].roof_ms, 0.02) && r.node[1].by_memory);
    ck_assert_str_eq(r.node[2].entry->name, "fast");
    ck_assert(near(r.node[2].ms, 1.2) && near(r.node[2].roof_ms, 1) && !r.node[2].by_memory);
    ck_assert(near(r.ms, 6.2) && near(r.roof_ms, 3.02));
    ck_assert(near(r.node[2].flop, 1e8) && near(r.node[2].bytes, 5e4));
    roofline_free(&r);
}
END_TEST

START_TEST(measures_this_machine)
{
    const char *const sets[] = {"scalar", "native"};
    for (int threads = 1; threads < 4; threads += 2) {
        const peak p = peak_measure(sets[threads > 1], threads);
        ck_assert_int_eq(p.threads, threads);
        ck_assert(p.gflops > 1e-3 && p.gflops < 1e6);
        for (int k = 0; k < PEAK_COPIES; k++)
            ck_assert(p.copy[k].gbytes > 1e-3 && p.copy[k].gbytes < 1e6 &&
                      (k == 0 || p.copy[k].bytes > p.copy[k - 1].bytes));
    }
    ck_assert_int_ge(oc_processor_count(), 1);
}
END_TEST

SUITE("roofline", copies_of_any_size, ranks_by_time_above_the_roof, measures_this_machine)
