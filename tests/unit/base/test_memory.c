/* SPDX-License-Identifier: Apache-2.0
 * test_memory.c - the door to the allocator: its counts, its cap, and what a hook is asked. */
#include "suite.h"
#include "base/memory.h"

#include <string.h>

typedef struct hook_state {
    size_t live; /* by the sizes that the hook is told */
    int calls, fail_at;
} hook_state;

static void *hook(void *ctx, void *block, size_t old_size, size_t new_size)
{
    hook_state *h = ctx;
    if (++h->calls == h->fail_at)
        return NULL;
    ck_assert((block == NULL) == (old_size == 0));
    h->live = h->live - old_size + new_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

START_TEST(live_and_peak_are_what_the_hook_sees)
{
    hook_state h = {0};
    oc_memory m = oc_memory_new(&(oc_allocator){hook, &h}, 0);
    char *a = oc_memory_alloc(&m, 1000), *b = oc_memory_alloc(&m, 0);
    ck_assert_uint_eq(m.live, 1001);
    memset(a, 7, 1000);
    a = oc_memory_resize(&m, a, 1000, 3000);
    ck_assert_int_eq(a[999], 7);
    ck_assert_uint_eq(m.live, 3001);
    a = oc_memory_resize(&m, a, 3000, 10);
    ck_assert_uint_eq(m.live, 11);
    ck_assert_uint_eq(h.live, 11);
    b = oc_memory_resize(&m, b, 0, 20);
    ck_assert_uint_eq(h.live, 30);
    oc_memory_free(&m, a, 10);
    oc_memory_free(&m, b, 20);
    oc_memory_free(&m, NULL, 20);
    ck_assert_uint_eq(m.live, 0);
    ck_assert_uint_eq(h.live, 0);
    ck_assert_uint_eq(m.peak, 3001);
}
END_TEST

static void *give_any(void *ctx, void *block, size_t old_size, size_t new_size)
{
    (void)block;
    (void)old_size;
    return new_size ? ctx : NULL;
}

/* Within a block of more bytes than ptrdiff_t counts, distances could not be told. */
START_TEST(a_block_is_no_larger_than_its_distances)
{
    static max_align_t byte[1];
    oc_memory m = oc_memory_new(&(oc_allocator){give_any, byte}, 0);
    oc_error e = {0};
    ck_assert_ptr_null(oc_memory_alloc(&m, (size_t)PTRDIFF_MAX + 1));
    ck_assert_int_eq(oc_memory_error(&m, (size_t)PTRDIFF_MAX + 1, &e), OC_NOMEM);
    ck_assert_uint_eq(m.live, 0);
    char *a = oc_memory_alloc(&m, 1);
    ck_assert_ptr_eq(a, byte);
    ck_assert_ptr_null(oc_memory_resize(&m, a, 1, (size_t)PTRDIFF_MAX + 1));
    ck_assert_uint_eq(m.live, 1);
    oc_memory_free(&m, a, 1);
}
END_TEST

/* Blocks beyond some size are asked of the C library in another way. */
START_TEST(a_block_keeps_its_bytes_at_any_size)
{
    const size_t sizes[] = {1 << 20, 3 << 20, (5 << 20) + 1, (4 << 20) - 1, 1 << 10, 1 << 22};
    oc_memory m = oc_memory_new(NULL, 0);
    size_t size = 1 << 20, kept = size;
    int wrong = 0; /* an assertion for each byte would take a minute */
    unsigned char *a = oc_memory_alloc(&m, size);
    for (size_t i = 0; i < size; i++)
        a[i] = (unsigned char)(i % 251);
    for (int k = 0; k < 6; k++) {
        a = oc_memory_resize(&m, a, size, sizes[k]);
        ck_assert_ptr_nonnull(a);
        size = sizes[k];
        kept = size < kept ? size : kept;
        for (size_t i = 0; i < kept; i++)
            wrong += a[i] != i % 251;
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_uint_eq(m.live, size);
    oc_memory_free(&m, a, size);
    ck_assert_uint_eq(m.live, 0);
}
END_TEST

START_TEST(the_cap_is_exact)
{
    oc_memory m = oc_memory_new(NULL, 100);
    oc_error e = {0};
    void *a = oc_memory_alloc(&m, 60);
    ck_assert_ptr_null(oc_memory_alloc(&m, 41));
    ck_assert_int_eq(oc_memory_error(&m, 41, &e), OC_LIMIT);
    ck_assert_str_eq(e.text, "memory cap: 41 bytes wanted, 60 of 100 bytes are in use");
    void *b = oc_memory_alloc(&m, 40);
    ck_assert_ptr_nonnull(b);
    ck_assert_ptr_null(oc_memory_resize(&m, b, 40, 41));
    ck_assert_uint_eq(m.live, 100);
    oc_memory_free(&m, b, 40);
    ck_assert_ptr_null(oc_memory_alloc(&m, SIZE_MAX));
    oc_memory_free(&m, a, 60);
    ck_assert_uint_eq(m.live, 0);
    e = (oc_error){0}; /* what was freed after the refusal was in use when it came */
    ck_assert_int_eq(oc_memory_error(&m, 101, &e), OC_LIMIT);
    ck_assert_str_eq(e.text, "memory cap: 101 bytes wanted, 60 of 100 bytes are in use");
}
END_TEST

START_TEST(a_failing_hook_is_no_limit)
{
    hook_state h = {.fail_at = 2};
    oc_memory m = oc_memory_new(&(oc_allocator){hook, &h}, 100);
    oc_error e = {0};
    char *a = oc_memory_alloc(&m, 10);
    a[9] = 5;
    ck_assert_ptr_null(oc_memory_resize(&m, a, 10, 50));
    ck_assert_int_eq(oc_memory_error(&m, 50, &e), OC_NOMEM);
    ck_assert_int_eq(a[9], 5);
    ck_assert_uint_eq(m.live, 10);
    oc_memory_free(&m, a, 10);
}
END_TEST

START_TEST(memories_share_a_budget)
{
    oc_budget budget = {.cap = 100};
    hook_state h = {0};
    oc_memory first = oc_memory_new(&(oc_allocator){hook, &h}, 0);
    oc_error e = {0};
    first.budget = &budget;
    oc_memory second = oc_memory_beside(&first, 50, NULL);
    void *a = oc_memory_alloc(&first, 60), *b = oc_memory_alloc(&second, 40);
    ck_assert(a && b);
    ck_assert_ptr_null(oc_memory_alloc(&second, 5));
    ck_assert_int_eq(oc_memory_error(&second, 5, &e), OC_LIMIT);
    ck_assert_str_eq(e.text, "memory cap: 5 bytes wanted, 100 of 100 bytes are in use by the model "
                             "and its sessions");
    a = oc_memory_resize(&first, a, 60, 30);
    ck_assert_uint_eq(atomic_load(&budget.live), 70);
    ck_assert_ptr_null(oc_memory_alloc(&second, 11)); /* past its own cap */
    h.fail_at = h.calls + 1;
    ck_assert_ptr_null(oc_memory_alloc(&first, 30)); /* and what the hook refuses is given back */
    ck_assert_uint_eq(atomic_load(&budget.live), 70);
    void *c = oc_memory_alloc(&first, 30);
    ck_assert_ptr_nonnull(c);
    ck_assert_ptr_null(oc_memory_resize(&first, c, 30, SIZE_MAX));
    oc_memory_free(&first, a, 30);
    oc_memory_free(&first, c, 30);
    oc_memory_free(&second, b, 40);
    ck_assert_uint_eq(atomic_load(&budget.live), 0);
    budget = (oc_budget){.cap = 10, .live = 20}; /* what holds the budget may be larger itself */
    ck_assert_ptr_null(oc_memory_alloc(&first, 1));
}
END_TEST

static bool always(void *ctx)
{
    (void)ctx;
    return true;
}

START_TEST(a_watch_that_ended_refuses)
{
    oc_watch watch;
    oc_memory m = oc_memory_new(NULL, 0);
    oc_error e = {0};
    void *a = oc_memory_alloc(&m, 60);
    m.watch = &watch;
    oc_watch_begin(&watch, "loading", &(oc_limits){.cancel = always});
    ck_assert_ptr_null(oc_memory_alloc(&m, 1));
    ck_assert_int_eq(oc_memory_error(&m, 1, &e), OC_CANCELLED);
    ck_assert_str_eq(e.text, "loading was cancelled");
    oc_memory_free(&m, a, 60);
    ck_assert_uint_eq(m.live, 0);
}
END_TEST

SUITE("memory", live_and_peak_are_what_the_hook_sees, a_block_keeps_its_bytes_at_any_size,
      a_block_is_no_larger_than_its_distances, the_cap_is_exact, a_failing_hook_is_no_limit,
      memories_share_a_budget, a_watch_that_ended_refuses)
