/* SPDX-License-Identifier: Apache-2.0
 * check_reduce.c - every variant of the folds against scalar to the bit, for each type. (The order
 * of the scalar ones, and of the walk, is checked in tests/unit/kernels.) */
#include "bench.h"
#include "kernels/reduce/reduce.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 4000, MOST = 320 };

static const struct {
    oc_type type;
    size_t size;
    bool is_narrow;
} types[] = {{OC_F32, 4, false}, {OC_F64, 8, false}, {OC_I64, 8, false},
             {OC_I8, 1, true},   {OC_U8, 1, true},   {OC_I16, 2, true},
             {OC_U16, 2, true},  {OC_I32, 4, true},  {OC_U32, 4, true}};
enum { TYPES = sizeof types / sizeof *types };

/* Numbers of a type, near each other and far, hostile ones among them. */
static void fill(suite_random *r, oc_type type, void *x, int64_t n)
{
    static const double hostile[] = {0.0, -0.0, 1e-40, 3e38, -3e38, INFINITY, -INFINITY, NAN};
    const bool odd = suite_below(r, 3) == 0;
    unsigned char *bytes = x;
    for (int64_t i = 0; i < n; i++) {
        const double unit = (double)suite_below(r, 1 << 24) / (1 << 23) - 1;
        const double v = odd && suite_below(r, 30) == 0 ? hostile[suite_below(r, 8)]
                         : suite_below(r, 8) == 0       ? rint(unit)
                                                        : unit;
        if (type == OC_F32)
            ((float *)x)[i] = (float)v;
        else if (type == OC_F64)
            ((double *)x)[i] = v;
    }
    for (int64_t i = 0; type != OC_F32 && type != OC_F64 && i < 8 * n; i++)
        bytes[i] = (unsigned char)(suite_below(r, 4) ? suite_below(r, 256) : 0);
}

static bool same(oc_type type, const void *x, const void *y, int64_t n)
{
    const double *a = x, *b = y;
    const float *c = x, *d = y;
    if (type != OC_F32 && type != OC_F64)
        return memcmp(x, y, 8 * (size_t)n) == 0;
    for (int64_t i = 0; i < n; i++)
        if (!(type == OC_F64 ? SAME(a[i], b[i]) : SAME(c[i], d[i])))
            return false;
    return true;
}

static const oc_fold *fold(const oc_folds *folds, int i)
{
    const oc_fold *of[] = {&folds->max, &folds->min, &folds->sum, &folds->prod};
    return of[i];
}

START_TEST(variants_equal_scalar)
{
    suite_random r = suite_random_new(71);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const int t = round % TYPES;
        const oc_type type = types[t].type;
        const int64_t n = suite_below(&r, MOST);
        static uint64_t x[MOST], part[MOST], want[MOST], got[MOST];
        fill(&r, type, x, MOST);
        fill(&r, type, part, MOST);
        const oc_folds *scalar = oc_folds_pick(type, OC_CPU_SCALAR);
        EACH_VARIANT (oc_fold_variant, v, oc_fold_variants)
            for (int i = 0; v->of[type] && i < (types[t].is_narrow ? 4 : 13); i++) {
                const oc_folds *folds = v->of[type];
                memcpy(want, part, sizeof want);
                memcpy(got, part, sizeof got);
                if (i < 8) {
                    const bool along = i % 2;
                    const oc_fold *from = fold(scalar, i / 2), *to = fold(folds, i / 2);
                    suite_assert(from->size == types[t].size && to->size == from->size, "size");
                    (along ? from->along : from->across)(want, x, n);
                    (along ? to->along : to->across)(got, x, n);
                } else if (i < 10) {
                    (i % 2 ? scalar->abs : scalar->square)(want, n);
                    (i % 2 ? folds->abs : folds->square)(got, n);
                } else if (i == 10) {
                    scalar->sum.beside(want, x, 1 + n / OC_REDUCE_SUMS);
                    folds->sum.beside(got, x, 1 + n / OC_REDUCE_SUMS);
                } else {
                    const int64_t each = n / 4, width = each - suite_below(&r, (uint32_t)each + 1);
                    fold(scalar, i - 9)->down(want, x, each, width);
                    fold(folds, i - 9)->down(got, x, each, width);
                }
                suite_assert(same(type, got, want, MOST), "%s, type %d, %d of %d; OC_SEED=%u",
                             v->isa, (int)type, i, (int)n, seed);
            }
    }
}
END_TEST

/* ---- lines, by their own loops and by the others */

static void square(const void *ctx, void *to, const void *from, int64_t n)
{
    (void)ctx;
    for (int64_t k = 0; k < n; k++)
        ((double *)to)[k] = (double)((const float *)from)[k] * (double)((const float *)from)[k];
}

typedef struct kept {
    double *to;
    bool wide; /* are results double? */
} kept;

static void keep(const void *ctx, const void *result, int64_t first, int64_t n)
{
    const kept *t = ctx;
    for (int64_t k = 0; k < n; k++)
        t->to[first + k] =
            t->wide ? ((const double *)result)[k] : (double)((const float *)result)[k];
}

START_TEST(lines_equal_parts_of_lines)
{
    enum { LINES = 9, LENGTH = 20 * OC_REDUCE_BLOCK };
    suite_random r = suite_random_new(72);
    static float x[LINES * (LENGTH + 1)];
    fill(&r, OC_F32, x, LINES * (LENGTH + 1));
    for (int round = 0; round < ROUNDS / 4; round++) {
        const uint32_t seed = r.state;
        const int64_t lines = 1 + suite_below(&r, LINES);
        const int64_t n = 1 + suite_below(&r, suite_below(&r, 8) ? 90 : LENGTH);
        const int64_t room = LINES * (LENGTH + 1) - lines * (n + 1);
        const int64_t from = suite_below(&r, (uint32_t)room + 1);
        double want[LINES], got[LINES];
        kept ctx = {.wide = round % 4 == 3};
        const oc_folds *scalar = oc_folds_pick(ctx.wide ? OC_F64 : OC_F32, OC_CPU_SCALAR);
        oc_reduce job = {.x = x + from,
                         .x_size = sizeof *x,
                         .n_kept = 1,
                         .n_reduced = 1,
                         .kept = {{lines, n + suite_below(&r, 2)}},
                         .reduced = {{n, 1}},
                         .fold = fold(scalar, ctx.wide ? 2 : round % 4),
                         .load = ctx.wide ? square : NULL,
                         .store = keep,
                         .ctx = &ctx};
        ctx.to = want;
        oc_reduce_run(&job);
        ctx.to = got;
        EACH_VARIANT (oc_fold_variant, v, oc_fold_variants) {
            const oc_folds *folds = v->of[ctx.wide ? OC_F64 : OC_F32];
            job.fold = fold(folds, ctx.wide ? 2 : round % 4);
            job.lines = ctx.wide ? folds->square_lines : job.fold->lines;
            oc_reduce_run(&job);
            for (int64_t i = 0; i < lines; i++)
                ASSERT_SAME(got[i], want[i], i, seed, "%s, fold %d of %d", v->isa, round % 4,
                            (int)n);
        }
    }
}
END_TEST

/* ---- --bench */

enum { SIDE = 1024, LANES = 16 };

static float x[SIDE * SIDE], y[SIDE];

static void store(const void *ctx, const void *result, int64_t first, int64_t n)
{
    (void)ctx;
    memcpy(y + first, result, (size_t)n * sizeof *y);
}

typedef struct job {
    const char *name;
    bool is_max;
    oc_reduce_axis kept[2], reduced;
} job;

static void run_job(const void *variant, void *ctx)
{
    const job *j = ctx;
    const oc_folds *folds = ((const oc_fold_variant *)variant)->of[OC_F32];
    const oc_reduce r = {.x = x,
                         .x_size = sizeof *x,
                         .n_kept = 2,
                         .n_reduced = 1,
                         .kept = {j->kept[0], j->kept[1]},
                         .reduced = {j->reduced},
                         .fold = j->is_max ? &folds->max : &folds->sum,
                         .lines = j->is_max ? folds->max.lines : folds->sum.lines,
                         .store = store};
    oc_reduce_run(&r);
}

static void bench_reduce(const bench *b)
{
    static const job jobs[] = {
        {"down columns", false, {{1, 0}, {SIDE, 1}}, {SIDE, SIDE}},
        {"along rows", false, {{1, 0}, {SIDE, SIDE}}, {SIDE, 1}},
        {"along short rows", false, {{1, 0}, {SIDE, SIDE}}, {64, 1}},
        {"16 channels side by side",
         false,
         {{SIDE / LANES, SIDE * LANES}, {LANES, 1}},
         {SIDE, LANES}},
        {"to one", false, {{1, 0}, {1, 0}}, {SIDE * SIDE, 1}},
    };
    bench_fill(x, SIDE * SIDE);
    for (int i = 0; i < 2 * (int)(sizeof jobs / sizeof *jobs); i++) {
        job j = jobs[i / 2];
        j.is_max = i % 2;
        const double n = (double)j.kept[0].n * (double)j.kept[1].n * (double)j.reduced.n;
        bench_case c = {.elements = n, .bytes = 4 * n, .run = run_job, .ctx = &j};
        snprintf(c.name, sizeof c.name, "%s, %s", j.is_max ? "maximum" : "sum", j.name);
        BENCH(b, &c, oc_fold_variant, oc_fold_variants, of[OC_F32]);
    }
}

KERNEL_SUITE(reduce, "a float", variants_equal_scalar, lines_equal_parts_of_lines)
