/* SPDX-License-Identifier: Apache-2.0
 * test_work.c - every unit once, whatever the threads and pieces; pieces as long as the clock says;
 * and an end between two of them. */
#include "suite.h"
#include "base/system.h"
#include "base/work.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 3000 };

static const uint64_t MILLISECOND = 1000 * 1000;

typedef struct host {
    int asked, no_at; /* the question answered by no; 0: none */
} host;

static bool cancel(void *ctx)
{
    host *h = ctx;
    return ++h->asked == h->no_at;
}

static oc_watch watch_of(host *h)
{
    oc_watch w;
    oc_watch_begin(&w, "the run", &(oc_limits){.cancel = cancel, .cancel_ctx = h});
    return w;
}

static void busy(uint64_t nanoseconds)
{
    const uint64_t begin = oc_clock();
    while (oc_clock() - begin < nanoseconds)
        ;
}

/* What units do: count how often each ran and where, and take their time. */
typedef struct units {
    atomic_int seen[MOST];
    atomic_int pieces, wrong;
    int tasks;
    int64_t n;
    uint64_t each; /* nanoseconds */
} units;

static void run_units(void *arg, int task, int64_t first, int64_t end)
{
    units *u = arg;
    atomic_fetch_add(&u->pieces, 1);
    if (task < 0 || task >= u->tasks || first >= end || end > u->n)
        atomic_fetch_add(&u->wrong, 1);
    for (int64_t i = first; i < end; i++)
        atomic_fetch_add(&u->seen[i], 1);
    if (u->each)
        busy(u->each * (uint64_t)(end - first));
}

typedef void run_fn(const oc_work *w, int64_t n, oc_work_fn *fn, void *arg);

/* Runs n units by a function; returns how many ran, each at most once. */
static int run_by(run_fn *how, const oc_work *w, int64_t n, uint64_t each, int *pieces)
{
    static units u;
    memset(&u, 0, sizeof u);
    u.tasks = oc_work_tasks(w, n);
    u.n = n;
    u.each = each;
    how(w, n, run_units, &u);
    int ran = 0;
    for (int64_t i = 0; i < MOST; i++) {
        ck_assert_int_le(u.seen[i], i < n);
        ran += u.seen[i];
    }
    ck_assert_int_eq(u.wrong, 0);
    *pieces = u.pieces;
    return ran;
}

static int run(const oc_work *w, int64_t n, uint64_t each, int *pieces)
{
    return run_by(oc_work_run, w, n, each, pieces);
}

/* A hook of the host's that runs its tasks backwards, on this thread. */
static void run_backwards(void *ctx, int n, void (*task)(void *arg, int i), void *arg)
{
    ++*(int *)ctx;
    for (int i = n - 1; i >= 0; i--)
        task(arg, i);
}

START_TEST(every_unit_once)
{
    static const int64_t many[] = {0, 1, 2, 3, 7, 100, 1001, MOST};
    oc_memory m = oc_memory_new(NULL, 0);
    oc_threads *pool;
    ck_assert_int_eq(oc_threads_new(&m, 3, &pool, &(oc_error){0}), OC_OK);
    const oc_parallel own = oc_threads_parallel(pool);
    int called = 0, pieces;
    const oc_parallel hosts = {run_backwards, &called};
    const oc_parallel *const hooks[] = {NULL, &own, &hosts};
    for (int k = 0; k < 3 * 8 * 6; k++) {
        const oc_parallel *hook = hooks[k % 3];
        const int64_t n = many[k / 3 % 8];
        const int threads = k / 24;
        host h = {0};
        oc_watch watch = watch_of(&h);
        ck_assert_int_eq(run(&(oc_work){hook, threads, 0, NULL}, n, 0, &pieces), n);
        ck_assert_int_eq(pieces, oc_work_tasks(&(oc_work){hook, threads, 0, NULL}, n));
        ck_assert_int_eq(run(&(oc_work){hook, threads, 0, &watch}, n, 0, &pieces), n);
        ck_assert_int_eq(run(&(oc_work){hook, threads, 1e6, &watch}, n, 0, &pieces), n);
        const oc_work w = {hook, threads, 0, &watch};
        ck_assert_int_eq(run_by(oc_work_run_next, &w, n, 0, &pieces), n);
        ck_assert_int_eq(pieces, n);
    }
    oc_threads_free(pool);
}
END_TEST

/* With OC_ASK_OFTEN sizes are not the clock's. */
#ifdef OC_ASK_OFTEN
enum { BY_CLOCK = false };
#else
enum { BY_CLOCK = true };
#endif

START_TEST(work_that_is_short_asks_once)
{
    if (!BY_CLOCK)
        return;
    host h = {0};
    oc_watch watch = watch_of(&h);
    int pieces;
    ck_assert_int_eq(run(&(oc_work){NULL, 1, 1e5, &watch}, MOST, 0, &pieces), MOST);
    ck_assert_int_eq(pieces, 1);
    ck_assert_int_eq(h.asked, 1);
}
END_TEST

/* Units of 10 microseconds and of 3 milliseconds: pieces of about a millisecond, at least a unit.
 */
START_TEST(the_clock_decides_how_large_a_piece_is)
{
    if (!BY_CLOCK)
        return;
    host h = {0};
    oc_watch watch = watch_of(&h);
    int pieces;
    run(&(oc_work){NULL, 1, 0, &watch}, MOST, 10000, &pieces);
    ck_assert_int_ge(pieces, 20);
    ck_assert_int_le(pieces, MOST / 2);
    ck_assert_int_ge(h.asked, 10);
    run(&(oc_work){NULL, 1, 0, &watch}, 20, 3 * MILLISECOND, &pieces);
    ck_assert_int_eq(pieces, 20);
}
END_TEST

/* A first guess that is far too large costs one long piece. */
START_TEST(a_piece_that_took_long_is_the_last_such)
{
    if (!BY_CLOCK)
        return;
    host h = {0};
    oc_watch watch = watch_of(&h);
    int pieces;
    run(&(oc_work){NULL, 1, 3e6, &watch}, MOST, 20000, &pieces);
    ck_assert_int_ge(pieces, 20);
}
END_TEST

START_TEST(the_host_is_not_asked_all_the_time)
{
    if (!BY_CLOCK)
        return;
    host h = {0};
    oc_watch watch = watch_of(&h);
    const uint64_t begin = oc_clock();
    for (int i = 0; i < 100000; i++)
        ck_assert(oc_watch_look(&watch, oc_clock()));
    ck_assert_int_ge(h.asked, 1);
    ck_assert_uint_le((uint64_t)h.asked, 1 + (oc_clock() - begin) / (MILLISECOND / 4));
}
END_TEST

START_TEST(after_a_no_no_piece_begins)
{
    host h = {.no_at = 2};
    oc_watch watch = watch_of(&h);
    const oc_work w = {NULL, 2, 0, &watch};
    int pieces;
    ck_assert_int_lt(run(&w, 100, MILLISECOND, &pieces), 10);
    ck_assert_int_eq(h.asked, 2);
    ck_assert_int_eq(run_by(oc_work_run_next, &w, 100, 0, &pieces), 0);
    ck_assert_int_eq(run(&w, 100, 0, &pieces), 0);
    oc_pieces p = oc_pieces_of(&w, 5, 1);
    ck_assert(!oc_pieces_next(&p) && !oc_pieces_next(&p));
    oc_count c = oc_count_of(&w);
    while (oc_counts(&c))
        ;
    ck_assert(!oc_counts(&c));
    ck_assert_int_eq(h.asked, 2);
}
END_TEST

/* A host whose threads work while whoever called waits: it is asked between rounds. */
START_TEST(threads_of_the_host_return_to_ask)
{
    host h = {0};
    oc_watch watch = watch_of(&h);
    int called = 0, pieces;
    const oc_parallel hosts = {run_backwards, &called};
    run(&(oc_work){&hosts, 2, 0, &watch}, 200, MILLISECOND, &pieces);
    ck_assert_int_ge(called, 3);
    ck_assert_int_lt(called, 200); /* not for each unit */
    h = (host){.no_at = 1};
    watch = watch_of(&h);
    ck_assert_int_lt(run(&(oc_work){&hosts, 2, 0, &watch}, 200, MILLISECOND, &pieces), 200);
}
END_TEST

START_TEST(a_loop_has_each_step_once)
{
    static const int64_t many[] = {0, 1, 7, 8, 9, 1000, 1000000};
    for (int k = 0; k < 2 * 7; k++) {
        host h = {0};
        oc_watch watch = watch_of(&h);
        oc_pieces p = oc_pieces_of(&(oc_work){.watch = k % 2 ? &watch : NULL}, many[k / 2], 8);
        int64_t seen = 0;
        for (; oc_pieces_next(&p); seen = p.end)
            ck_assert(p.first == seen && p.end > seen && p.end <= many[k / 2]);
        ck_assert_int_eq(seen, many[k / 2]);
    }
}
END_TEST

START_TEST(a_count_looks_at_the_clock)
{
    host h = {0};
    oc_watch watch = watch_of(&h);
    oc_count c = oc_count_of(&(oc_work){.watch = &watch});
    for (int i = 0; i < 1000; i++) {
        ck_assert(oc_counts(&c));
        busy(20000);
    }
    ck_assert_int_ge(h.asked, 5);
    c = oc_count_of(&(oc_work){.watch = NULL});
    for (int i = 0; i < 1000; i++)
        ck_assert(oc_counts(&c));
}
END_TEST

START_TEST(bytes_are_copied_and_cleared)
{
    enum { SIZE = (1 << 22) + 5 };
    char *src = malloc(SIZE), *dst = calloc(SIZE, 1);
    ck_assert(src && dst);
    memset(src, 7, SIZE);
    host h = {0};
    oc_watch watch = watch_of(&h);
    const oc_work w = {.watch = &watch};
    oc_work_copy(&w, dst, src, SIZE - 1);
    ck_assert(memcmp(dst, src, SIZE - 1) == 0 && dst[SIZE - 1] == 0);
    oc_work_zero(&w, src, SIZE - 1);
    ck_assert(src[0] == 0 && src[SIZE - 2] == 0 && src[SIZE - 1] == 7);
    ck_assert_int_ge(h.asked, 1);
    free(src);
    free(dst);
}
END_TEST

SUITE("work", every_unit_once, work_that_is_short_asks_once, the_clock_decides_how_large_a_piece_is,
      a_piece_that_took_long_is_the_last_such, the_host_is_not_asked_all_the_time,
      after_a_no_no_piece_begins, threads_of_the_host_return_to_ask, a_loop_has_each_step_once,
      a_count_looks_at_the_clock, bytes_are_copied_and_cleared)
