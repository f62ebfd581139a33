/* SPDX-License-Identifier: Apache-2.0
 * test_value.c - counted buffers and the pool. */
#include "suite.h"
#include "tensor/value.h"

#include <string.h>
#include <time.h>

static oc_value tensor(oc_pool *p, int64_t n)
{
    oc_error e = {OC_OK, ""};
    oc_value v;
    const oc_dims dims = oc_dims_1d(n);
    ck_assert_int_eq(oc_value_new_tensor(p, OC_F32, &dims, &v, &e), OC_OK);
    return v;
}

START_TEST(released_buffers_come_back)
{
    oc_memory m = oc_memory_new(NULL, 0);
    oc_pool p = oc_pool_new(&m);
    oc_value a = tensor(&p, 1000);
    void *first = a.data;
    ck_assert_uint_eq((uintptr_t)first % OC_ALIGN, 0);
    oc_value b = oc_value_ref(&a);
    oc_value_unref(&a);
    ck_assert_ptr_null(a.data);
    const size_t live = m.live;
    oc_value c = tensor(&p, 1000); /* b still holds the first buffer */
    ck_assert_ptr_ne(c.data, first);
    ck_assert_uint_gt(m.live, live);
    oc_value_unref(&b);
    b = tensor(&p, 900);
    ck_assert_ptr_eq(b.data, first);
    oc_value_unref(&b);
    oc_value_unref(&c);
    ck_assert_uint_eq(p.live, 0);
    oc_pool_trim(&p);
    ck_assert_uint_eq(m.live, 0);
}
END_TEST

START_TEST(small_requests_do_not_take_large_buffers)
{
    oc_memory m = oc_memory_new(NULL, 0);
    oc_pool p = oc_pool_new(&m);
    oc_value large = tensor(&p, 100000);
    void *data = large.data;
    oc_value_unref(&large);
    oc_value small = tensor(&p, 10);
    ck_assert_ptr_ne(small.data, data);
    oc_value_unref(&small);
    oc_pool_trim(&p);
    ck_assert_uint_eq(m.live, 0);
}
END_TEST

START_TEST(the_cap_holds_and_idle_buffers_yield)
{
    oc_memory m = oc_memory_new(NULL, 10000);
    oc_pool p = oc_pool_new(&m);
    oc_error e = {OC_OK, ""};
    oc_value a = tensor(&p, 1500), b;
    const oc_dims dims = oc_dims_1d(2000);
    ck_assert_int_eq(oc_value_new_tensor(&p, OC_F32, &dims, &b, &e), OC_LIMIT);
    oc_value_unref(&a); /* idle now: 6000 bytes that the next request may have */
    e = (oc_error){OC_OK, ""};
    ck_assert_int_eq(oc_value_new_tensor(&p, OC_F32, &dims, &b, &e), OC_OK);
    oc_value_unref(&b);
    oc_pool_trim(&p);
}
END_TEST

START_TEST(sequences_own_their_items)
{
    oc_memory m = oc_memory_new(NULL, 0);
    oc_pool p = oc_pool_new(&m);
    oc_error e = {OC_OK, ""};
    oc_value item = tensor(&p, 10), list;
    ck_assert_int_eq(oc_value_new_list(&p, OC_SEQUENCE, OC_F32, 2, &list, &e), OC_OK);
    oc_value_items(&list)[0] = oc_value_ref(&item);
    oc_value_unref(&item);
    ck_assert_uint_gt(p.live, 64);
    oc_value_unref(&list);
    ck_assert_uint_eq(p.live, 0);
    oc_pool_trim(&p);
    ck_assert_uint_eq(m.live, 0);
}
END_TEST

/* The smallest that fits, of equal ones the one released last; none that would be half empty. */
START_TEST(released_buffers_are_taken_by_best_fit)
{
    oc_memory m = oc_memory_new(NULL, 0);
    oc_pool p = oc_pool_new(&m);
    enum { N = 40 };
    oc_value v[N];
    const void *data[N];
    for (int i = 0; i < N; i++) { /* 1600, 3200, .. bytes, each twice */
        v[i] = tensor(&p, 400 * (i / 2 + 1));
        data[i] = v[i].data;
    }
    for (int i = 0; i < N; i++)
        oc_value_unref(&v[i * 7 % N]); /* in some order */
    const size_t live = m.live;
    const int i = 20;
    oc_value a = tensor(&p, 400 * (i / 2 + 1) - 100), b = tensor(&p, 400 * (i / 2 + 1));
    const bool later = i * 23 % N > (i + 1) * 23 % N; /* as 7 * 23 = 1 modulo N */
    ck_assert_ptr_eq(a.data, data[later ? i : i + 1]);
    ck_assert_ptr_eq(b.data, data[later ? i + 1 : i]);
    oc_value c = tensor(&p, 400 * (i / 2 + 1));
    ck_assert(c.data == data[i + 2] || c.data == data[i + 3]);
    ck_assert_uint_eq(m.live, live);
    oc_value small = tensor(&p, 10);
    ck_assert_uint_gt(m.live, live);
    oc_value_unref(&a);
    oc_value_unref(&b);
    oc_value_unref(&c);
    oc_value_unref(&small);
    oc_pool_trim(&p);
    ck_assert_uint_eq(m.live, 0);
}
END_TEST

/* Released one after the other into a pool that holds as many larger ones: no buffer is moved. */
START_TEST(many_idle_buffers_take_no_time)
{
    enum { N = 100000 };
    oc_memory m = oc_memory_new(NULL, 0);
    oc_pool p = oc_pool_new(&m);
    oc_value *v = calloc(2 * N, sizeof *v);
    const clock_t start = clock();
    for (int i = 0; i < N; i++) {
        v[i] = tensor(&p, 40 + i % 50);
        v[N + i] = tensor(&p, 8);
    }
    for (int i = 0; i < 2 * N; i++)
        oc_value_unref(&v[i]);
    for (int i = 0; i < N; i++)
        v[i] = tensor(&p, 8);
    for (int i = 0; i < N; i++)
        oc_value_unref(&v[i]);
    oc_pool_trim(&p);
    ck_assert_uint_eq(m.live, 0);
    ck_assert_int_lt((clock() - start) / CLOCKS_PER_SEC, 8); /* a tenth of a second is usual */
    free(v);
}
END_TEST

/* Two lengths alive at a time, each one longer: what is kept stays within a few times that. */
START_TEST(growing_values_leave_little_behind)
{
    enum { MOST = 3000 };
    oc_memory m = oc_memory_new(NULL, 0);
    oc_pool p = oc_pool_new(&m);
    oc_error e = {OC_OK, ""};
    oc_value list = {0}, x = {0};
    for (int n = 1; n <= MOST; n++) {
        oc_value longer;
        ck_assert_int_eq(oc_value_new_list(&p, OC_SEQUENCE, OC_F32, n, &longer, &e), OC_OK);
        oc_value_unref(&list);
        list = longer;
    }
    ck_assert_uint_lt(m.peak, 10 * MOST * sizeof(oc_value));
    oc_value_unref(&list);
    oc_pool_trim(&p);
    ck_assert_uint_eq(m.live, 0);
    m.peak = p.peak = 0;
    for (int n = 1; n <= MOST; n++) {
        oc_value longer = tensor(&p, 100 * n);
        oc_value_unref(&x);
        x = longer;
    }
    ck_assert_uint_lt(m.peak, 6 * 400 * MOST);
    oc_value_unref(&x);
    oc_pool_trim(&p);
    ck_assert_uint_eq(m.live, 0);
}
END_TEST

/* What is left of a large buffer serves others, and all is one again when they are released. */
START_TEST(large_buffers_are_split_and_joined)
{
    enum { THIRD = 100000 }; /* elements */
    static const int orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {1, 2, 0}, {0, 2, 1}};
    oc_memory m = oc_memory_new(NULL, 0);
    oc_pool p = oc_pool_new(&m);
    oc_value v = tensor(&p, 3 * THIRD + 1000);
    const char *data = v.data;
    const size_t live = m.live;
    for (int i = 0; i < 5; i++) {
        oc_value part[3];
        oc_value_unref(&v);
        for (int k = 0; k < 3; k++) {
            part[k] = tensor(&p, THIRD);
            memset(part[k].data, k, THIRD * sizeof(float));
        }
        for (int k = 0; k < 3; k++) {
            const char *at = part[k].data;
            ck_assert(at >= data && at[0] == k && at[THIRD * sizeof(float) - 1] == k);
        }
        ck_assert_uint_lt(m.live, live + 1000); /* the list of idle buffers, and no other buffer */
        for (int k = 0; k < 3; k++)
            oc_value_unref(&part[orders[i][k]]);
        v = tensor(&p, 3 * THIRD + 1000);
        ck_assert_ptr_eq(v.data, data);
    }
    oc_value_unref(&v);
    ck_assert_uint_eq(p.live, 0);
    oc_pool_trim(&p);
    ck_assert_uint_eq(m.live, 0);
}
END_TEST

/* Values of any sizes, released in any order: no two share a byte, and the memory stays within
 * twice what is alive at one time. */
START_TEST(buffers_of_any_sizes_are_apart)
{
    enum { N = 40, ROUNDS = 20000, MOST = 100000, HEADERS = N * 1000 };
    suite_random r = suite_random_new(39);
    oc_memory m = oc_memory_new(NULL, 0);
    oc_pool p = oc_pool_new(&m);
    oc_value v[N] = {{0}};
    for (int round = 0; round < ROUNDS; round++) {
        const int i = (int)suite_below(&r, N);
        float *x = v[i].data;
        const int64_t n = x ? oc_value_n(&v[i]) : 0;
        if (x)
            ck_assert(x[0] == (float)i && x[n / 2] == (float)i && x[n - 1] == (float)i);
        oc_value_unref(&v[i]);
        if (suite_below(&r, 3) == 0)
            continue;
        v[i] = tensor(&p, 1 + (int64_t)suite_below(&r, suite_below(&r, 2) ? MOST : 100));
        for (int64_t k = 0; k < oc_value_n(&v[i]); k++)
            ((float *)v[i].data)[k] = (float)i;
        ck_assert_uint_le(m.live, 2 * p.peak + HEADERS);
    }
    for (int i = 0; i < N; i++)
        oc_value_unref(&v[i]);
    ck_assert_uint_eq(p.live, 0);
    oc_pool_trim(&p);
    ck_assert_uint_eq(m.live, 0);
}
END_TEST

/* Two values alive at a time, then two that are a little larger, run by run, as networks have them:
 * the larger take the place of the others, and soon nothing is allocated. */
START_TEST(larger_values_take_the_place_of_others)
{
    oc_memory m = oc_memory_new(NULL, 0);
    oc_pool p = oc_pool_new(&m);
    size_t peak = 0;
    for (int run = 0; run < 6; run++) {
        oc_value a = tensor(&p, 1000000), b = tensor(&p, 1000000);
        oc_value_unref(&a);
        oc_value c = tensor(&p, 1010000);
        oc_value_unref(&b);
        oc_value d = tensor(&p, 1010000);
        oc_value_unref(&c);
        oc_value_unref(&d);
        ck_assert_msg(run == 0 || m.peak == peak, "run %d: %zu, then %zu bytes", run, peak, m.peak);
        peak = m.peak;
    }
    ck_assert_uint_lt(m.peak, 9000000);
    oc_pool_trim(&p);
    ck_assert_uint_eq(m.live, 0);
}
END_TEST

/* What only one value has, in a buffer of its size, becomes an arena's without a copy. */
START_TEST(elements_move_to_an_arena)
{
    oc_memory m = oc_memory_new(NULL, 0);
    oc_pool p = oc_pool_new(&m);
    oc_arena a = oc_arena_new(&m);
    oc_value v = tensor(&p, 1000), shared = oc_value_ref(&v), large;
    float *data = v.data;
    data[999] = 7;
    ck_assert(!oc_value_move(&v, &a));
    oc_value_unref(&shared);
    ck_assert(oc_value_move(&v, &a));
    ck_assert(v.data == data && !v.buffer && data[999] == 7);
    ck_assert(!oc_value_move(&v, &a)); /* it is borrowed now */
    ck_assert_uint_eq(p.live, 0);
    large = tensor(&p, 1000);
    oc_value_unref(&large);
    large = tensor(&p, 500);
    ck_assert(!oc_value_move(&large, &a)); /* half of its buffer would be lost */
    oc_value_unref(&large);
    oc_pool_trim(&p);
    for (int i = 0; i < 100; i++)
        ck_assert_ptr_nonnull(oc_arena_alloc(&a, 1000)); /* more than a block */
    v = tensor(&p, 600);
    ck_assert(oc_value_move(&v, &a));
    ck_assert_ptr_nonnull(oc_arena_alloc(&a, 100));
    ck_assert(data[999] == 7);
    oc_pool_trim(&p);
    ck_assert_uint_gt(m.live, 1600 * sizeof(float));
    oc_arena_free(&a);
    ck_assert_uint_eq(m.live, 0);
}
END_TEST

START_TEST(equality_sees_type_shape_and_elements)
{
    const float x[] = {1, 2}, y[] = {1, 3};
    oc_value a = oc_value_borrow(OC_F32, oc_dims_1d(2), x), b = a;
    ck_assert(oc_value_equal(&a, &b));
    b.data = (void *)(uintptr_t)y;
    ck_assert(!oc_value_equal(&a, &b));
    b = a;
    b.type = OC_I32;
    ck_assert(!oc_value_equal(&a, &b));
    const oc_string s[] = {{"ab", 2}}, t[] = {{"ab", 2}}, u[] = {{"ac", 2}};
    a = oc_value_borrow(OC_STRING, oc_dims_1d(1), s);
    b = oc_value_borrow(OC_STRING, oc_dims_1d(1), t);
    ck_assert(oc_value_equal(&a, &b));
    b.data = (void *)(uintptr_t)u;
    ck_assert(!oc_value_equal(&a, &b));
}
END_TEST

static bool after_five(void *ctx)
{
    return ++*(int *)ctx > 5;
}

/* Writes to fresh pages in any order would take long where nobody asks. */
START_TEST(large_buffers_have_their_pages_where_work_may_be_ended)
{
    int asked = 0;
    oc_watch w;
    oc_watch_begin(&w, "the run", &(oc_limits){.cancel = after_five, .cancel_ctx = &asked});
    oc_memory m = oc_memory_new(NULL, 0);
    m.watch = &w;
    oc_pool p = oc_pool_new(&m);
    oc_error e = {OC_OK, ""};
    oc_value v;
    const oc_dims dims = oc_dims_1d(64 << 20);
    ck_assert_int_eq(oc_value_new_tensor(&p, OC_U8, &dims, &v, &e), OC_CANCELLED);
    ck_assert_int_eq(asked, 6);
    ck_assert_uint_eq(m.live, 0);
    asked = -1000;
    e = (oc_error){OC_OK, ""};
    oc_watch_begin(&w, "the run", &(oc_limits){.cancel = after_five, .cancel_ctx = &asked});
    ck_assert_int_eq(oc_value_new_tensor(&p, OC_U8, &dims, &v, &e), OC_OK);
    ck_assert_int_ge(asked, -1000 + 64);
    oc_value_unref(&v);
    oc_pool_trim(&p);
}
END_TEST

SUITE("value", released_buffers_come_back, small_requests_do_not_take_large_buffers,
      the_cap_holds_and_idle_buffers_yield, sequences_own_their_items,
      released_buffers_are_taken_by_best_fit, many_idle_buffers_take_no_time,
      growing_values_leave_little_behind, large_buffers_are_split_and_joined,
      buffers_of_any_sizes_are_apart, larger_values_take_the_place_of_others,
      elements_move_to_an_arena, equality_sees_type_shape_and_elements,
      large_buffers_have_their_pages_where_work_may_be_ended)
