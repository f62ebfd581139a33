/* SPDX-License-Identifier: Apache-2.0
 * check_lookup.c - every variant of a table's lookup against the table itself. */
#include "bench.h"
#include "kernels/elementwise/lookup.h"

#include <string.h>

enum { ROUNDS = 2000, MOST = 1100, N = 1 << 16 };

START_TEST(variants_equal_the_table)
{
    suite_random r = suite_random_new(61);
    static uint8_t x[MOST], y[MOST], table[OC_LOOKUP_ENTRIES];
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const int n = (int)suite_below(&r, MOST);
        for (int i = 0; i < OC_LOOKUP_ENTRIES; i++)
            table[i] = (uint8_t)suite_below(&r, 256);
        for (int i = 0; i < MOST; i++)
            x[i] = (uint8_t)suite_below(&r, 256);
        EACH_VARIANT (oc_lookup_variant, v, oc_lookup_variants) {
            const bool in_place = suite_below(&r, 2);
            memcpy(y, x, sizeof y);
            v->row(y, in_place ? y : x, table, n);
            for (int i = 0; i < MOST; i++)
                suite_assert(y[i] == (i < n ? table[x[i]] : x[i]),
                             "%s: [%d] of %d is %d for %d; OC_SEED=%u", v->isa, i, n, y[i], x[i],
                             seed);
        }
    }
}
END_TEST

/* ---- --bench */

static uint8_t from[N], to[N], entries[OC_LOOKUP_ENTRIES];

static void run_row(const void *variant, void *ctx)
{
    (void)ctx;
    ((const oc_lookup_variant *)variant)->row(to, from, entries, N);
}

static void bench_lookup(const bench *b)
{
    const bench_case c = {.name = "lookup", .elements = N, .bytes = 2.0 * N, .run = run_row};
    BENCH(b, &c, oc_lookup_variant, oc_lookup_variants, row);
}

KERNEL_SUITE(lookup, "a byte", variants_equal_the_table)
