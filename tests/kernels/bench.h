/* SPDX-License-Identifier: Apache-2.0
 * bench.h - the other use of a check program: --bench times the variants that the tests compare.
 *
 *     check_gather                 runs the tests
 *     check_gather --bench         prints one line for each case and variant
 *     check_gather --bench=quick   the same lines, each after a single call
 *
 * A line has nanoseconds per element (the program's first line says what an element is), GB per
 * second read and written, and the speed as a multiple of scalar's. Times are medians of rounds;
 * the variants of a case take turns, so that a slow moment of the machine meets them all. */
#pragma once

#include "suite.h"
#include "variants.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct bench {
    bool quick; /* one round of one call */
} bench;

/* One call of the kernel; variant: a row of the kernel's table. */
typedef void bench_fn(const void *variant, void *ctx);

typedef struct bench_case {
    char name[40];
    double elements, bytes; /* of one call; bytes: read and written, 0 where that tells nothing */
    bench_fn *run;
    void *ctx;
} bench_case;

typedef struct bench_row {
    const char *isa;
    unsigned need;
    const void *variant;
} bench_row;

enum { BENCH_ROWS = 8 }; /* most variants of a table */

/* Times a case with each of n variants, the last of them scalar, and prints their lines. */
void bench_rows(const bench *b, const bench_case *c, const bench_row rows[], int n);

/* The variants of a table that have the named function. */
#define BENCH(b, c, type, table, function)                                                         \
    do {                                                                                           \
        const type *const *row_ = (table);                                                         \
        bench_row rows_[BENCH_ROWS];                                                               \
        int n_ = 0;                                                                                \
        for (const type *v_ = *row_; v_; v_ = v_->need ? *++row_ : NULL)                           \
            if (v_->function)                                                                      \
                rows_[n_++] = (bench_row){v_->isa, v_->need, v_};                                  \
        bench_rows(b, c, rows_, n_);                                                               \
    } while (0)

/* The bits of a session that may use the variants up to the one named. */
unsigned bench_cpu(const char *isa);

/* Fills n floats of at most 1 in magnitude, the same ones each time. */
void bench_fill(float *x, int64_t n);

/* The program's exit status for arguments that ask for a bench; element: what one is. */
int bench_main(const char *name, const char *element, int argc, char **argv,
               void (*run)(const bench *b));

/* As SUITE, and bench_##name with --bench. */
#define KERNEL_SUITE(name, element, ...)                                                           \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        const TTest *const tests[] = {__VA_ARGS__};                                                \
        if (argc > 1)                                                                              \
            return bench_main(#name, element, argc, argv, bench_##name);                           \
        return suite_run(#name, tests, (int)(sizeof tests / sizeof *tests));                       \
    }
