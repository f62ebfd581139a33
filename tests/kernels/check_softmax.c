/* SPDX-License-Identifier: Apache-2.0
 * check_softmax.c - every variant of softmax against scalar to the bit, and scalar against double;
 * rows' sums against exact ones. */
#include "bench.h"
#include "kernels/normalize/normalize.h"

#include <math.h>
#include <string.h>

enum { MOST = 70000 }; /* at least ROWS rows of OC_SHORT_ROW elements */

static const int64_t counts[] = {0,  1,  2,   7,   8,   15,   16,   17,
                                 31, 33, 127, 128, 129, 1023, 1025, 3000};
enum { COUNTS = sizeof counts / sizeof *counts };

static float x[MOST], got[MOST + 1], want[MOST];

/* Kind 0: up to a few; 1: up to where exps end; 2: hostile numbers among others. */
static void fill(suite_random *r, int64_t n, int kind)
{
    static const float hostile[] = {0.0f, -0.0f, 1e-45f, 3e38f, -3e38f, INFINITY, -INFINITY, NAN};
    for (int64_t i = 0; i < n; i++) {
        const float unit = (float)suite_below(r, 1 << 20) / (1 << 19) - 1;
        x[i] = unit * (kind == 1 ? 60 : 5);
        if (kind == 2 && suite_below(r, 64) == 0)
            x[i] = hostile[suite_below(r, 8)];
    }
}

static const oc_work forever = {0};

static void compare(const oc_softmax_variant *v, int64_t n, int64_t stride, int64_t width, bool log)
{
    const int64_t all = n * stride;
    memset(got, 0x55, sizeof got);
    memset(want, 0x55, sizeof want);
    v->f32(got, x, n, stride, width, log, &forever);
    oc_softmax_pick(OC_F32, OC_CPU_SCALAR)(want, x, n, stride, width, log, &forever);
    for (int64_t i = 0; i < all; i++)
        suite_assert(SAME(got[i], want[i]), "%s, %d elements, %d of %d columns: [%d] is %a, not %a",
                     v->isa, (int)n, (int)width, (int)stride, (int)i, (double)got[i],
                     (double)want[i]);
    suite_assert(memcmp(&got[all], "\x55\x55\x55\x55", 4) == 0, "%s writes past the end", v->isa);
}

START_TEST(variants_equal_scalar)
{
    suite_random r = suite_random_new(3);
    EACH_VARIANT (oc_softmax_variant, v, oc_softmax_variants)
        for (int i = 0; i < COUNTS; i++)
            for (int kind = 0; kind < 6; kind++) {
                fill(&r, MOST, kind % 3);
                compare(v, counts[i], 1, 1, kind > 2);
                for (int64_t width = 1; width <= OC_COLUMNS; width += width < 18 ? 1 : 23)
                    if (counts[i] * (width + 3) < MOST)
                        compare(v, counts[i], width + 3, width, kind > 2);
            }
}
END_TEST

static void compare_rows(const oc_softmax_variant *v, int64_t n, const oc_row_map *out_channel)
{
    const oc_row_fns *f = v->rows_f32, *s = oc_row_fns_pick(OC_F32, OC_CPU_SCALAR);
    const double of_v[] = {f->sum(x, n, &forever), f->sum_abs(x, n, &forever),
                           f->sum_squares(x, n, &forever),
                           f->moments(x, n, out_channel->center, &forever).sum,
                           f->moments(x, n, out_channel->center, &forever).squares};
    const double of_s[] = {s->sum(x, n, &forever), s->sum_abs(x, n, &forever),
                           s->sum_squares(x, n, &forever),
                           s->moments(x, n, out_channel->center, &forever).sum,
                           s->moments(x, n, out_channel->center, &forever).squares};
    for (int i = 0; i < 5; i++)
        suite_assert(SAME(of_v[i], of_s[i]), "%s, %d elements: sum %d is %a, not %a", v->isa,
                     (int)n, i, of_v[i], of_s[i]);
    memset(got, 0x55, sizeof got);
    f->divide(got, x, n, out_channel);
    s->divide(want, x, n, out_channel);
    for (int64_t i = 0; i < n; i++)
        suite_assert(SAME(got[i], want[i]), "%s, %d elements: [%d] is %a, not %a", v->isa, (int)n,
                     (int)i, (double)got[i], (double)want[i]);
    suite_assert(memcmp(&got[n], "\x55\x55\x55\x55", 4) == 0, "%s writes past the end", v->isa);
}

START_TEST(rows_equal_scalar)
{
    static float scale[MOST], bias[MOST];
    static const double centers[] = {0, 1.5, INFINITY, (double)NAN};
    static const double divisors[] = {0, 1.25, 1, -3, 1};
    suite_random r = suite_random_new(5);
    fill(&r, MOST, 2);
    memcpy(scale, x, sizeof x);
    fill(&r, MOST, 0);
    memcpy(bias, x, sizeof x);
    EACH_VARIANT (oc_softmax_variant, v, oc_softmax_variants)
        for (int i = 0; i < COUNTS; i++)
            for (int kind = 0; kind < 24; kind++) {
                const oc_row_map out_channel = {.center = centers[kind % 4],
                                                .divisor = divisors[kind % 5],
                                                .scale = kind % 3 ? scale : NULL,
                                                .bias = kind % 3 == 2 ? bias : NULL,
                                                .step = kind / 12};
                fill(&r, MOST, kind % 2 * 2);
                compare_rows(v, counts[i], &out_channel);
            }
}
END_TEST

enum { ROWS = 37 };

/* ROWS rows of n elements by one call are what each row is by itself. */
static void compare_short(const oc_row_fns *f, const char *isa, int64_t n, const oc_row_map *map)
{
    const oc_row_fns *s = oc_row_fns_pick(OC_F32, OC_CPU_SCALAR);
    double sum[ROWS], squares[ROWS], mean[ROWS];
    oc_row_moments m[ROWS];
    f->sums(sum, x, n, ROWS);
    f->square_sums(squares, x, n, ROWS);
    for (int r = 0; r < ROWS; r++)
        mean[r] = map[r].center;
    f->moments_of_rows(m, x, n, ROWS, mean);
    memset(got, 0x55, sizeof got);
    f->divide_rows(got, x, n, ROWS, map);
    for (int r = 0; r < ROWS; r++) {
        const float *row = x + r * n;
        const oc_row_moments w = s->moments(row, n, mean[r], &forever);
        const double of_s[] = {s->sum(row, n, &forever), s->sum_squares(row, n, &forever), w.sum,
                               w.squares};
        const double of_f[] = {sum[r], squares[r], m[r].sum, m[r].squares};
        for (int i = 0; i < 4; i++)
            suite_assert(SAME(of_f[i], of_s[i]), "%s: sum %d of row %d of %d elements", isa, i, r,
                         (int)n);
        s->divide(want + r * n, row, n, &map[r]);
    }
    for (int64_t i = 0; i < ROWS * n; i++)
        suite_assert(SAME(got[i], want[i]), "%s, rows of %d elements: [%d] is %a, not %a", isa,
                     (int)n, (int)i, (double)got[i], (double)want[i]);
    suite_assert(memcmp(&got[ROWS * n], "\x55\x55\x55\x55", 4) == 0, "%s writes past the end", isa);
}

static void compare_softmax_rows(const oc_softmax_variant *v, int64_t n, bool as_log)
{
    memset(got, 0x55, sizeof got);
    v->rows_f32->softmax_rows(got, x, n, ROWS, as_log);
    for (int r = 0; r < ROWS; r++)
        oc_softmax_pick(OC_F32, OC_CPU_SCALAR)(want + r * n, x + r * n, n, 1, 1, as_log, &forever);
    for (int64_t i = 0; i < ROWS * n; i++)
        suite_assert(SAME(got[i], want[i]), "%s, %srows of %d elements: [%d] is %a, not %a", v->isa,
                     as_log ? "logarithms of " : "", (int)n, (int)i, (double)got[i],
                     (double)want[i]);
    suite_assert(memcmp(&got[ROWS * n], "\x55\x55\x55\x55", 4) == 0, "%s writes past the end",
                 v->isa);
}

START_TEST(softmax_of_short_rows)
{
    suite_random r = suite_random_new(8);
    EACH_VARIANT (oc_softmax_variant, v, oc_softmax_variants)
        for (int64_t n = 0; n <= OC_SHORT_ROW; n += n < 140 ? 1 : 127)
            for (int kind = 0; kind < 6; kind++) {
                fill(&r, ROWS * n, kind % 3);
                compare_softmax_rows(v, n, kind > 2);
            }
}
END_TEST

START_TEST(short_rows_equal_rows)
{
    static float scale[MOST], bias[MOST];
    suite_random r = suite_random_new(7);
    fill(&r, MOST, 2);
    memcpy(scale, x, sizeof x);
    fill(&r, MOST, 0);
    memcpy(bias, x, sizeof x);
    EACH_VARIANT (oc_softmax_variant, v, oc_softmax_variants)
        for (int i = 0; i < COUNTS && counts[i] <= OC_SHORT_ROW; i++)
            for (int kind = 0; kind < 6; kind++) {
                oc_row_map map[ROWS];
                for (int k = 0; k < ROWS; k++)
                    map[k] = (oc_row_map){.center = k * 0.5,
                                          .divisor = k + 0.75,
                                          .scale = kind % 3 ? scale + k : NULL,
                                          .bias = kind % 3 == 2 ? bias + k : NULL,
                                          .step = 1};
                fill(&r, MOST, kind / 3 * 2);
                compare_short(v->rows_f32, v->isa, counts[i], map);
            }
}
END_TEST

/* Of the result of exp: its argument is exact, since x is a multiple of 2^-16 of at most 7 bits. */
START_TEST(scalar_is_near_double)
{
    suite_random r = suite_random_new(4);
    double worst = 0;
    for (int64_t n = 2; n < 3000; n = n * 3 / 2) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++)
            x[i] = (float)suite_below(&r, 1 << 22) / 65536;
        x[n / 2] = 64;
        for (int64_t i = 0; i < n; i++)
            sum += exp((double)x[i] - 64);
        oc_softmax_pick(OC_F32, OC_CPU_SCALAR)(got, x, n, 1, 1, false, &forever);
        for (int64_t i = 0; i < n; i++) {
            const double y = exp((double)x[i] - 64) / sum;
            worst = fmax(worst, fabs((double)got[i] / y - 1));
        }
    }
    suite_assert(worst < 4 * 0x1p-24, "off by %g of 2^-24", worst * 0x1p24);
}
END_TEST

/* Down to e^-87 exps are normal numbers, and those below are 0. */
START_TEST(exps_end_above_subnormal_numbers)
{
    static const float row[] = {0, -86, -87, -87.00001f, -88, -100, -104, -3e38f};
    enum { ALL = sizeof row / sizeof *row, NORMAL = 3 };
    EACH_VARIANT (oc_softmax_variant, v, oc_softmax_variants) {
        v->f32(got, row, ALL, 1, 1, false, &forever);
        for (int i = 0; i < ALL; i++) {
            const double y = i < NORMAL ? exp((double)row[i]) : 0;
            suite_assert(fabs((double)got[i] - y) <= y * 0x1p-23, "%s: [%d] is %a, not %a", v->isa,
                         i, (double)got[i], y);
        }
    }
}
END_TEST

/* Whole numbers whose sums are exact in float, in any order; every element counts once. */
START_TEST(sums_have_every_element)
{
    static double wide[MOST];
    for (int i = 0; i < COUNTS; i++) {
        const int64_t n = counts[i];
        double sum = 0, magnitudes = 0, squares = 0, deviations = 0, variance = 0;
        for (int64_t k = 0; k < n; k++) {
            wide[k] = x[k] = (float)(k % 13) - 5;
            sum += wide[k];
            magnitudes += fabs(wide[k]);
            squares += wide[k] * wide[k];
            deviations += wide[k] - 2;
            variance += (wide[k] - 2) * (wide[k] - 2);
        }
        const oc_row_fns *f = oc_row_fns_pick(OC_F32, OC_CPU_SCALAR);
        const oc_row_fns *d = oc_row_fns_pick(OC_F64, OC_CPU_SCALAR);
        suite_assert(f->sum(x, n, &forever) == sum && d->sum(wide, n, &forever) == sum, "sum of %d",
                     (int)n);
        suite_assert(f->sum_abs(x, n, &forever) == magnitudes &&
                         d->sum_abs(wide, n, &forever) == magnitudes,
                     "sum of %d magnitudes", (int)n);
        suite_assert(f->sum_squares(x, n, &forever) == squares &&
                         d->sum_squares(wide, n, &forever) == squares,
                     "sum of %d squares", (int)n);
        const oc_row_moments m = f->moments(x, n, 2, &forever),
                             w = d->moments(wide, n, 2, &forever);
        suite_assert(m.sum == deviations && w.sum == deviations, "%d deviations", (int)n);
        suite_assert(m.squares == variance && w.squares == variance, "squares of %d deviations",
                     (int)n);
    }
}
END_TEST

/* The order that the header states, which other orders would not equal. */
START_TEST(sums_have_the_stated_order)
{
    suite_random r = suite_random_new(6);
    for (int i = 0; i < COUNTS; i++) {
        const int64_t n = counts[i];
        double sum = 0;
        fill(&r, n, 0);
        for (int64_t at = 0; at < n; at += 1024) {
            float lane[16] = {0};
            for (int64_t k = at; k < n && k < at + 1024; k++)
                lane[k % 16] += x[k];
            for (int half = 8; half; half /= 2)
                for (int l = 0; l < half; l++)
                    lane[l] += lane[l + half];
            sum += (double)lane[0];
        }
        suite_assert(oc_row_fns_pick(OC_F32, OC_CPU_SCALAR)->sum(x, n, &forever) == sum,
                     "sum of %d", (int)n);
    }
}
END_TEST

/* ---- --bench */

typedef struct columns {
    int n, width; /* width 1: a row */
    bool as_log;
} columns;

static void run_softmax(const void *variant, void *ctx)
{
    const columns *j = ctx;
    ((const oc_softmax_variant *)variant)
        ->f32(got, x, j->n, j->width, j->width, j->as_log, &forever);
}

static void bench_softmax(const bench *b)
{
    static const columns jobs[] = {{64, 1, false},    {1000, 1, false}, {1000, 1, true},
                                   {60000, 1, false}, {100, 5, false},  {1000, 64, false}};
    bench_fill(x, MOST);
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        columns j = jobs[i];
        bench_case c = {.elements = j.n * (double)j.width, .run = run_softmax, .ctx = &j};
        c.bytes = 8 * c.elements;
        snprintf(c.name, sizeof c.name, "%s, %d elements, %d wide",
                 j.as_log ? "logarithm" : "softmax", j.n, j.width);
        BENCH(b, &c, oc_softmax_variant, oc_softmax_variants, f32);
    }
}

KERNEL_SUITE(softmax, "a float", variants_equal_scalar, rows_equal_scalar, short_rows_equal_rows,
             softmax_of_short_rows, scalar_is_near_double, exps_end_above_subnormal_numbers,
             sums_have_every_element, sums_have_the_stated_order)
