/* SPDX-License-Identifier: Apache-2.0
 * test_conv_cut.c - cuts of random convolutions: bands hold every position once, fit where they
 * can, and leave no thread with more than its part. */
#include "suite.h"

#include "kernels/conv/conv_cut.h"

enum { MANY = 20000, MOST_THREADS = 9 };

static oc_window_side random_side(suite_random *r, int64_t longest)
{
    oc_window_side s = {.kernel = 1 + suite_below(r, 5),
                        .stride = 1 + suite_below(r, 3),
                        .dilation = 1 + suite_below(r, 9)};
    s.out = 1 + suite_below(r, (uint32_t)longest);
    s.in = oc_window_side_reach(&s, s.out);
    return s;
}

static oc_conv_load random_load(suite_random *r)
{
    return (oc_conv_load){.row = random_side(r, 1 + suite_below(r, 80)),
                          .column = random_side(r, 1 + suite_below(r, 300)),
                          .row_grain = 1 + suite_below(r, 4),
                          .column_grain = 1 + suite_below(r, 16),
                          .low = 1 + suite_below(r, 4),
                          .widest = suite_below(r, 2) * suite_below(r, 200),
                          .planes = 1 + suite_below(r, 4),
                          .pixel = suite_below(r, 64),
                          .position = suite_below(r, 64),
                          .room = 1 + suite_below(r, 1 << (4 + suite_below(r, 20))),
                          .blocks = 1 + suite_below(r, 12),
                          .together = 1 + suite_below(r, 3),
                          .lines = 1 + suite_below(r, 100),
                          .copied = suite_below(r, 20),
                          .prepared = suite_below(r, 20),
                          .shared = suite_below(r, 2) * 1000.0};
}

/* Each position of the axis lies in one band, and no band is longer than the longest. */
static void check_axis(const oc_cut_axis *a, const oc_window_side *s, uint32_t state)
{
    int64_t at = 0, longest = 0;
    for (int64_t i = 0; i < a->bands; i++) {
        const oc_span span = oc_cut_span(a, i);
        suite_assert(span.first == at && span.end > at && span.first % a->grain == 0,
                     "band %ld is %ld .. %ld, OC_SEED=%u", (long)i, (long)span.first,
                     (long)span.end, state);
        longest = oc_max(longest, span.end - span.first);
        at = span.end;
    }
    suite_assert(at == s->out, "%ld positions of %ld, OC_SEED=%u", (long)at, (long)s->out, state);
    suite_assert(longest <= a->most && a->most < longest + a->grain, "OC_SEED=%u", state);
    const int64_t all = oc_window_side_reach(s, a->most), by_tap = s->kernel * a->most;
    suite_assert(a->apart == (s->stride == 1 && by_tap < all), "OC_SEED=%u", state);
    suite_assert(a->pixels == (a->apart ? by_tap : all), "OC_SEED=%u", state);
}

/* Bands that follow each other are as many positions as any others, but for one grain. */
static void check_even(const oc_cut_axis *a, uint32_t state)
{
    for (int64_t many = 1; many <= oc_min(a->bands, 6); many++) {
        int64_t least = INT64_MAX, most = 0;
        for (int64_t i = 0; i + many <= a->bands; i++) {
            const int64_t first = oc_cut_span(a, i).first,
                          end = oc_div_up(oc_cut_span(a, i + many - 1).end, a->grain);
            least = oc_min(least, end - first / a->grain);
            most = oc_max(most, end - first / a->grain);
        }
        suite_assert(most - least <= 1, "%ld to %ld grains, OC_SEED=%u", (long)least, (long)most,
                     state);
    }
}

static double bytes(const oc_conv_load *l, const oc_cut_axis *row, const oc_cut_axis *column)
{
    return (double)l->pixel * (double)row->pixels * (double)column->pixels +
           (double)l->position * (double)row->most * (double)column->most;
}

START_TEST(bands)
{
    suite_random r = suite_random_new(1);
    for (int i = 0; i < MANY; i++) {
        const uint32_t state = r.state;
        const oc_conv_load l = random_load(&r);
        const int threads = 1 + (int)suite_below(&r, MOST_THREADS);
        const oc_conv_cut c = oc_conv_cut_for(&l, threads);
        check_axis(&c.row, &l.row, state);
        check_axis(&c.column, &l.column, state);
        check_even(&c.row, state);
        check_even(&c.column, state);
        suite_assert(c.units == l.planes * c.row.bands * c.column.bands * c.pieces,
                     "%ld units, OC_SEED=%u", (long)c.units, state);
        suite_assert(c.pieces >= 1 && c.pieces <= threads && c.pieces <= l.blocks,
                     "%ld pieces of %ld blocks, OC_SEED=%u", (long)c.pieces, (long)l.blocks, state);
        suite_assert(bytes(&l, &c.row, &c.column) <= (double)l.room || c.row.most <= l.row_grain,
                     "a band of %ld rows has no room, OC_SEED=%u", (long)c.row.most, state);
        suite_assert(!l.widest || c.column.most <= oc_max(l.widest, l.column_grain), "OC_SEED=%u",
                     state);
    }
}
END_TEST

/* One thread has the largest bands for which there is room, with all output channels. */
START_TEST(alone)
{
    suite_random r = suite_random_new(2);
    for (int i = 0; i < MANY; i++) {
        const uint32_t state = r.state;
        const oc_conv_load l = random_load(&r);
        const oc_conv_cut c = oc_conv_cut_for(&l, 1);
        suite_assert(c.pieces == 1, "OC_SEED=%u", state);
        const int64_t grains = oc_div_up(l.row.out, l.row_grain);
        oc_cut_axis taller = c.row; /* of one band less */
        taller.most =
            oc_min(oc_div_up(grains, oc_max(c.row.bands - 1, 1)) * l.row_grain, l.row.out);
        taller.pixels = oc_cut_pixels(&l.row, taller.most);
        suite_assert(c.row.bands == 1 || bytes(&l, &taller, &c.column) > (double)l.room,
                     "%ld bands of rows are too many, OC_SEED=%u", (long)c.row.bands, state);
    }
}
END_TEST

/* The positions of the busiest thread, all of whose units follow each other. */
static int64_t busiest(const oc_conv_cut *c, int threads)
{
    int64_t most = 0;
    for (int t = 0; t < threads; t++) {
        const oc_span units = oc_share(c->units, threads, t);
        int64_t positions = 0;
        for (int64_t u = units.first; u < units.end; u++) {
            const int64_t band = u / c->pieces;
            const oc_span column = oc_cut_span(&c->column, band % c->column.bands);
            const oc_span row = oc_cut_span(&c->row, band / c->column.bands % c->row.bands);
            positions += (column.end - column.first) * (row.end - row.first);
        }
        most = oc_max(most, positions);
    }
    return most;
}

/* Where there is room for all and products are all that costs, threads have even parts. */
START_TEST(even_threads)
{
    suite_random r = suite_random_new(3);
    for (int i = 0; i < MANY; i++) {
        const uint32_t state = r.state;
        const int threads = 1 + (int)suite_below(&r, MOST_THREADS);
        const int64_t rows = threads + (int64_t)suite_below(&r, 100),
                      columns = 1 + suite_below(&r, 100);
        const oc_conv_load l = {.row = {rows, rows, 1, 1, 1, 0},
                                .column = {columns, columns, 1, 1, 1, 0},
                                .row_grain = 1,
                                .column_grain = columns,
                                .low = 1,
                                .planes = 1,
                                .pixel = 1,
                                .room = INT64_MAX,
                                .blocks = 1,
                                .together = 1,
                                .lines = 1e-6};
        const oc_conv_cut c = oc_conv_cut_for(&l, threads);
        suite_assert(busiest(&c, threads) == oc_div_up(rows, threads) * columns,
                     "%ld positions of %ld rows by %d threads, OC_SEED=%u",
                     (long)busiest(&c, threads), (long)rows, threads, state);
    }
}
END_TEST

/* Where rows are too few for the threads, columns and output channels are shared. */
START_TEST(few_rows)
{
    oc_conv_load l = {.row = {1, 1, 1, 1, 1, 0},
                      .column = {800, 800, 1, 1, 1, 0},
                      .row_grain = 1,
                      .column_grain = 8,
                      .low = 1,
                      .planes = 1,
                      .pixel = 64,
                      .room = 1 << 20,
                      .blocks = 8,
                      .together = 1,
                      .lines = 64,
                      .copied = 64}; /* so that pieces would each copy all pixels */
    oc_conv_cut c = oc_conv_cut_for(&l, 4);
    ck_assert_int_eq(c.column.bands, 4);
    ck_assert_int_eq(c.pieces, 1);
    l.column.in = l.column.out = 1; /* reading weights is all that there is to share */
    c = oc_conv_cut_for(&l, 4);
    ck_assert_int_eq(c.pieces, 4);
    ck_assert_int_eq(c.units, 4);
    l.planes = 0; /* an empty result */
    ck_assert_int_eq(oc_conv_cut_for(&l, 4).units, 0);
}
END_TEST

SUITE("conv_cut", bands, alone, even_threads, few_rows)
