/* SPDX-License-Identifier: Apache-2.0
 * test_map.c - broadcasting walks against one element at a time, for any number of threads. */
#include "base/cpu.h"
#include "suite.h"
#include "tensor/convert.h"
#include "tensor/map.h"

#include <string.h>

enum { ROOM = 1 << 18, POOLS = 3 };

typedef struct world {
    oc_memory memory;
    oc_threads *pool[POOLS];
    oc_parallel parallel[POOLS];
} world;

static void world_open(world *w)
{
    static const int threads[POOLS] = {1, 2, 7};
    w->memory = oc_memory_new(NULL, 0);
    oc_error e = {0};
    for (int i = 0; i < POOLS; i++) {
        ck_assert_int_eq(oc_threads_new(&w->memory, threads[i], &w->pool[i], &e), OC_OK);
        w->parallel[i] = oc_threads_parallel(w->pool[i]);
    }
}

static void world_close(world *w)
{
    for (int i = 0; i < POOLS; i++)
        oc_threads_free(w->pool[i]);
    ck_assert_uint_eq(w->memory.live, 0);
}

/* Dims that broadcast: those of y, and of operands that repeat or lack axes. Row lengths go past
 * what one task takes when long_rows. */
static void random_dims(suite_random *r, bool long_rows, oc_dims *y, oc_dims x[], int n_x)
{
    y->rank = (int)suite_below(r, 6);
    int64_t room = ROOM / 2;
    for (int a = 0; a < y->rank; a++) {
        const bool is_long = long_rows && a == y->rank - 1;
        y->n[a] = is_long              ? 1 + suite_below(r, 70000)
                  : suite_below(r, 40) ? 1 + suite_below(r, 5)
                                       : 0;
        if (y->n[a] > room)
            y->n[a] = room;
        room /= y->n[a] ? y->n[a] : 1;
    }
    const int full = (int)suite_below(r, (uint32_t)n_x); /* one that repeats nothing */
    for (int k = 0; k < n_x; k++) {
        x[k].rank = k == full ? y->rank : (int)suite_below(r, (uint32_t)y->rank + 1);
        const int skip = y->rank - x[k].rank;
        for (int a = 0; a < x[k].rank; a++)
            x[k].n[a] = k != full && suite_below(r, 3) == 0 ? 1 : y->n[a + skip];
    }
}

/* Where element i of y comes from in an operand with dims x. */
static int64_t source_of(const oc_dims *y, const oc_dims *x, int64_t i)
{
    int64_t at = 0, step = 1;
    for (int a = y->rank - 1, b = x->rank - 1; a >= 0; a--, b--) {
        const int64_t coordinate = i % y->n[a];
        i /= y->n[a];
        if (b < 0)
            continue;
        at += x->n[b] == 1 ? 0 : coordinate * step;
        step *= x->n[b];
    }
    return at;
}

/* A function of three int32 whose operands cannot be told apart by luck; its row adds a fourth, the
 * context. */
static int32_t mix(int32_t a, int32_t b, int32_t c)
{
    return (int32_t)((uint32_t)a * 3u + (uint32_t)b * 50021u + (uint32_t)c * 700001u);
}

static void mix_row(void *y_, const void *const x[], const int64_t step[], int64_t n,
                    const void *ctx)
{
    int32_t *y = y_;
    const int32_t *a = x[0], *b = x[1], *c = x[2], *more = ctx;
    for (int64_t i = 0; i < n; i++)
        y[i] = mix(a[i * step[0]], b[i * step[1]], c[i * step[2]]) + *more;
}

static void check_round(world *w, suite_random *r, bool long_rows)
{
    static int32_t data[3][ROOM], got[ROOM], want[ROOM];
    const uint32_t start = r->state;
    const int32_t more = (int32_t)suite_below(r, 100);
    oc_dims y_dims, dims[3];
    random_dims(r, long_rows, &y_dims, dims, 3);
    oc_value v[3];
    const oc_value *x[3] = {&v[0], &v[1], &v[2]};
    for (int k = 0; k < 3; k++) {
        v[k] = oc_value_borrow(OC_I32, dims[k], data[k]);
        for (int64_t i = 0; i < oc_value_n(&v[k]); i++)
            data[k][i] = (int32_t)suite_below(r, 1 << 20);
    }
    const int64_t n = oc_dims_count(&y_dims);
    for (int64_t i = 0; i < n; i++)
        want[i] =
            mix(data[0][source_of(&y_dims, &dims[0], i)], data[1][source_of(&y_dims, &dims[1], i)],
                data[2][source_of(&y_dims, &dims[2], i)]) +
            more;
    for (int p = -1; p < POOLS; p++) {
        memset(got, 0x5a, sizeof *got * (size_t)(n + 1));
        oc_value y = oc_value_borrow(OC_I32, y_dims, got);
        oc_map(&y, x, 3, mix_row, &more, &(oc_work){p < 0 ? NULL : &w->parallel[p], 7, 0, NULL});
        ck_assert_msg(memcmp(got, want, sizeof *got * (size_t)n) == 0, "pool %d, OC_SEED=%u", p,
                      start);
        ck_assert_msg(got[n] == 0x5a5a5a5a, "past the end, OC_SEED=%u", start);
    }
}

START_TEST(equals_one_at_a_time)
{
    world w;
    world_open(&w);
    suite_random r = suite_random_new(11);
    for (int round = 0; round < 1500; round++)
        check_round(&w, &r, false);
    for (int round = 0; round < 20; round++)
        check_round(&w, &r, true);
    world_close(&w);
}
END_TEST

/* a - b, times the context. */
static void subtract_row(void *y_, const void *const x[], const int64_t step[], int64_t n,
                         const void *ctx)
{
    float *y = y_;
    const float *a = x[0], *b = x[1], *factor = ctx;
    for (int64_t i = 0; i < n; i++)
        y[i] = (a[i * step[0]] - b[i * step[1]]) * *factor;
}

static void less_row(void *y_, const void *const x[], const int64_t step[], int64_t n,
                     const void *ctx)
{
    (void)ctx;
    uint8_t *y = y_;
    const float *a = x[0], *b = x[1];
    for (int64_t i = 0; i < n; i++)
        y[i] = a[i * step[0]] < b[i * step[1]];
}

static float as_float(oc_type type, uint16_t code)
{
    float x;
    oc_widen(&x, &code, type, 1);
    return x;
}

static void convert(unsigned cpu, void *to, oc_type to_type, const void *from, oc_type from_type,
                    int64_t n)
{
    ck_assert_uint_eq(cpu, OC_CPU_SCALAR);
    oc_convert(to, to_type, from, from_type, n, false);
}

static const oc_wide wide = {OC_F32, convert, OC_CPU_SCALAR};

static void check_half(world *w, suite_random *r, oc_type type, bool long_rows)
{
    static uint16_t data[2][ROOM], got[ROOM];
    static uint8_t less[ROOM];
    const float factor = 3;
    const uint32_t start = r->state;
    oc_dims y_dims, dims[2];
    random_dims(r, long_rows, &y_dims, dims, 2);
    oc_value v[2];
    const oc_value *x[2] = {&v[0], &v[1]};
    for (int k = 0; k < 2; k++) {
        v[k] = oc_value_borrow(type, dims[k], data[k]);
        for (int64_t i = 0; i < oc_value_n(&v[k]); i++) /* numbers near 1, both signs */
            data[k][i] = (uint16_t)((type == OC_F16 ? 0x3800 : 0x3f00) + suite_below(r, 0x400) +
                                    (suite_below(r, 2) << 15));
    }
    const int64_t n = oc_dims_count(&y_dims);
    for (int p = -1; p < POOLS; p++) {
        const oc_work some = {p < 0 ? NULL : &w->parallel[p], 7, 0, NULL};
        oc_value y = oc_value_borrow(type, y_dims, got), z = oc_value_borrow(OC_BOOL, y_dims, less);
        got[n] = 0x5a5a;
        less[n] = 0x5a;
        oc_map_wide(&y, x, 2, subtract_row, &factor, &wide, &some);
        oc_map_wide(&z, x, 2, less_row, NULL, &wide, &some);
        int64_t wrong = 0;
        for (int64_t i = 0; i < n; i++) {
            const float a = as_float(type, data[0][source_of(&y_dims, &dims[0], i)]);
            const float b = as_float(type, data[1][source_of(&y_dims, &dims[1], i)]);
            const float difference = (a - b) * factor;
            uint16_t want;
            oc_narrow(&want, type, &difference, 1);
            wrong += got[i] != want || less[i] != (a < b);
        }
        ck_assert_msg(wrong == 0, "%lld elements, pool %d, OC_SEED=%u", (long long)wrong, p, start);
        ck_assert_msg(got[n] == 0x5a5a && less[n] == 0x5a, "past the end, OC_SEED=%u", start);
    }
}

START_TEST(halves_are_computed_in_float)
{
    world w;
    world_open(&w);
    suite_random r = suite_random_new(12);
    for (int round = 0; round < 200; round++)
        check_half(&w, &r, round % 2 ? OC_F16 : OC_BF16, round % 16 < 2);
    world_close(&w);
}
END_TEST

START_TEST(the_result_may_be_an_operand)
{
    static int32_t a[1000], b[1000];
    for (int32_t i = 0; i < 1000; i++) {
        a[i] = i;
        b[i] = 7 * i;
    }
    const oc_dims dims = {2, {10, 100}};
    oc_value y = oc_value_borrow(OC_I32, dims, a), other = oc_value_borrow(OC_I32, dims, b);
    const oc_value *x[3] = {&y, &other, &other};
    oc_map(&y, x, 3, mix_row, &(int32_t){0}, &(oc_work){0});
    for (int32_t i = 0; i < 1000; i++)
        ck_assert_int_eq(a[i], mix(i, 7 * i, 7 * i));
}
END_TEST

SUITE("map", equals_one_at_a_time, halves_are_computed_in_float, the_result_may_be_an_operand)
