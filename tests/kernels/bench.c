/* SPDX-License-Identifier: Apache-2.0
 * bench.c - the clock, the median and the table of --bench. */
#define _POSIX_C_SOURCE 199309L
#include "bench.h"

#include <time.h>

enum { ROUNDS = 15 };
static const double ROUND_NS = 2e6; /* a round makes as many calls as fill this time */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Nanoseconds of one call. */
static double time_calls(const bench_case *c, const bench_row *row, int calls)
{
    const double begin = now();
    for (int i = 0; i < calls; i++)
        c->run(row->variant, c->ctx);
    return (now() - begin) / calls;
}

/* After a call that brings code and data into the caches. */
static int calls_of_round(const bench *b, const bench_case *c, const bench_row *row)
{
    if (b->quick)
        return 1;
    time_calls(c, row, 1);
    const double calls = ROUND_NS / (time_calls(c, row, 1) + 1);
    return calls < 1 ? 1 : calls > 1e6 ? 1000000 : (int)calls;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_row(const bench_case *c, const bench_row *row, double ns, double scalar_ns)
{
    printf("%-34s %-8s %12.3f ", c->name, row->isa, ns / c->elements);
    if (c->bytes > 0)
        printf("%8.2f ", c->bytes / ns);
    else
        printf("%8s ", "");
    printf("%8.2f\n", scalar_ns / ns);
}

void bench_rows(const bench *b, const bench_case *c, const bench_row rows[], int n)
{
    double ns[BENCH_ROWS][ROUNDS];
    int calls[BENCH_ROWS] = {0}; /* 0: not on this processor */
    const int rounds = b->quick ? 1 : ROUNDS;
    for (int i = 0; i < n; i++)
        if (!(rows[i].need & ~oc_cpu_detect()))
            calls[i] = calls_of_round(b, c, &rows[i]);
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < n; i++)
            if (calls[i])
                ns[i][round] = time_calls(c, &rows[i], calls[i]);
    for (int i = 0; i < n; i++)
        if (calls[i])
            qsort(ns[i], (size_t)rounds, sizeof ns[i][0], by_value);
    for (int i = 0; i < n; i++)
        if (calls[i])
            print_row(c, &rows[i], ns[i][rounds / 2], ns[n - 1][rounds / 2]);
        else
            printf("%-34s %-8s not on this processor\n", c->name, rows[i].isa);
}

unsigned bench_cpu(const char *isa)
{
    int known = 1;
    return oc_cpu_detect() & oc_cpu_mask(isa, &known);
}

void bench_fill(float *x, int64_t n)
{
    suite_random r = {1};
    for (int64_t i = 0; i < n; i++)
        x[i] = (float)suite_below(&r, 1 << 20) / (1 << 19) - 1;
}

int bench_main(const char *name, const char *element, int argc, char **argv,
               void (*run)(const bench *b))
{
    const bench b = {.quick = strcmp(argv[1], "--bench=quick") == 0};
    if (argc != 2 || (!b.quick && strcmp(argv[1], "--bench") != 0)) {
        fprintf(stderr, "usage: check_%s [--bench | --bench=quick]\n", name);
        return 2;
    }
    printf("%s: an element is %s\n", name, element);
    printf("%-34s %-8s %12s %8s %8s\n", "case", "variant", "ns/element", "GB/s", "x scalar");
    run(&b);
    return 0;
}
