/* SPDX-License-Identifier: Apache-2.0
 * test_growth.c - time and memory grow with what a file says, not with its square.
 *
 * Each kind of growth.h is measured at n and at 16 n: for each of the four doublings, 2.5 times the
 * time of each stage and 2.5 times the memory are the most. So there is room for what no cache
 * holds at 16 n, and a square shows long before it is most of the time. A time that is too long is
 * measured again, some times: what another process does can only make it longer.
 *
 * OC_GROWTH prints all figures; OC_ONLY, a part of a name, takes only the kinds that have it. */
#include "growth.h"

#include <limits.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifdef __SANITIZE_ADDRESS__
enum { SHARE = 4 };
#else
enum { SHARE = 1 };
#endif
enum { TIMES = 2, MORE_TIMES = 10, FACTOR = 16 };

static const double most_ratio = 2.5 * 2.5 * 2.5 * 2.5;
static const double least_seconds = 0.01; /* what takes less is not looked at */

static void keep_least(growth_cost *least, const growth_cost *c, bool first)
{
    for (int k = 0; k < GROWTH_STAGES; k++)
        if (first || c->seconds[k] < least->seconds[k])
            least->seconds[k] = c->seconds[k];
    least->bytes = c->bytes;
    least->size = c->size;
}

/* The first stage that takes too long; GROWTH_STAGES: none. */
static int find_slow(const growth_cost *few, const growth_cost *many)
{
    for (int k = 0; k < GROWTH_STAGES; k++)
        if (many->seconds[k] > least_seconds && many->seconds[k] > 2 * most_ratio * few->seconds[k])
            return k;
    return GROWTH_STAGES;
}

static void print(const growth *g, const growth_cost *few, const growth_cost *many)
{
    printf("%s: %d to %d: text %.1f, memory %.1f MB * %.1f,", g->name, g->n / SHARE,
           FACTOR * (g->n / SHARE), (double)many->size / (double)few->size,
           1e-6 * (double)many->bytes, (double)many->bytes / (double)few->bytes);
    for (int k = 0; k < GROWTH_STAGES; k++)
        if (many->seconds[k] > least_seconds / 4)
            printf(" %s %.0f ms * %.1f,", growth_stage_names[k], 1e3 * many->seconds[k],
                   many->seconds[k] / few->seconds[k]);
    printf("\n");
    fflush(stdout);
}

static void check(const growth *g)
{
    growth_cost few = {.bytes = 0}, many = {.bytes = 0};
    const int n = g->n / SHARE;
    int slow = 0;
    for (int i = 0; i < TIMES || (i < MORE_TIMES && slow < GROWTH_STAGES); i++) {
        growth_cost c = growth_measure(g, n);
        keep_least(&few, &c, i == 0);
        c = growth_measure(g, FACTOR * n);
        keep_least(&many, &c, i == 0);
        slow = find_slow(&few, &many);
    }
    if (getenv("OC_GROWTH"))
        print(g, &few, &many);
    ck_assert_msg(slow == GROWTH_STAGES, "%s: %s took %.1f ms for %d and %.1f ms for %d", g->name,
                  growth_stage_names[slow], 1e3 * few.seconds[slow], n, 1e3 * many.seconds[slow],
                  FACTOR * n);
    ck_assert_msg((double)many.bytes <= most_ratio * (double)few.bytes,
                  "%s: %zu bytes for %d and %zu bytes for %d", g->name, few.bytes, n, many.bytes,
                  FACTOR * n);
}

/* Memory that is freed stays with the process: from the second time on, what is measured asks the
 * system for no pages, whose price says nothing of how work grows. */
static void keep_pages(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

static void check_all(const growth *g)
{
    const char *only = getenv("OC_ONLY");
    keep_pages();
    for (; g->name; g++)
        if (!only || strstr(g->name, only))
            check(g);
}

START_TEST(lists)
{
    check_all(growths_of_lists);
}
END_TEST

START_TEST(graphs)
{
    check_all(growths_of_graphs);
}
END_TEST

SUITE("growth", lists, graphs)
