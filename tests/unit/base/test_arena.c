/* SPDX-License-Identifier: Apache-2.0
 * test_arena.c - memory that dies all at once. */
#include "suite.h"
#include "base/arena.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The C library's memory, 8 bytes further on: aligned for any scalar type on machines of 32 bits,
 * and no more. */
static void *resize_by_8(void *ctx, void *block, size_t old_size, size_t new_size)
{
    char *begin = block ? (char *)block - 8 : NULL;
    (void)ctx, (void)old_size;
    if (new_size == 0) {
        free(begin);
        return NULL;
    }
    begin = realloc(begin, new_size + 8);
    return begin ? begin + 8 : NULL;
}

static void check_blocks(oc_memory m)
{
    oc_arena a = oc_arena_new(&m);
    unsigned char *block[300];
    int wrong = 0;                     /* an assertion for each byte would take a minute */
    for (size_t i = 0; i < 300; i++) { /* 45 KB: more than one block of the arena */
        block[i] = oc_arena_alloc(&a, i);
        ck_assert_uint_eq((uintptr_t)block[i] % 16, 0);
        for (size_t k = 0; k < i; k++)
            wrong += block[i][k] != 0;
        memset(block[i], (int)(i & 0xff), i);
    }
    for (size_t i = 0; i < 300; i++)
        for (size_t k = 0; k < i; k++)
            wrong += block[i][k] != (i & 0xff);
    ck_assert_int_eq(wrong, 0);
    ck_assert_ptr_nonnull(oc_arena_alloc(&a, 5 << 20)); /* larger than any block */
    oc_error e = {0};
    ck_assert_int_eq(oc_arena_check(&a, &e), OC_OK);
    oc_arena_free(&a);
    ck_assert_uint_eq(m.live, 0);
    ck_assert_ptr_nonnull(oc_arena_alloc(&a, 1)); /* can be used again */
    oc_arena_free(&a);
    ck_assert_uint_eq(m.live, 0);
}

START_TEST(blocks_are_aligned_zeroed_and_apart)
{
    check_blocks(oc_memory_new(NULL, 0));
}
END_TEST

START_TEST(memory_of_a_host_is_aligned_to_8_bytes)
{
    const oc_allocator host = {.resize = resize_by_8};
    check_blocks(oc_memory_new(&host, 0));
}
END_TEST

START_TEST(impossible_sizes_are_remembered)
{
    oc_memory m = oc_memory_new(NULL, 0);
    oc_error e = {0};
    const size_t bad[][2] = {{SIZE_MAX, 1}, {SIZE_MAX / 2, 3}, {SIZE_MAX - 16, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        oc_arena a = oc_arena_new(&m);
        ck_assert_ptr_null(oc_arena_array(&a, bad[i][0], bad[i][1]));
        e = (oc_error){0};
        ck_assert_int_eq(oc_arena_check(&a, &e), OC_NOMEM);
        ck_assert_ptr_nonnull(oc_arena_alloc(&a, 1)); /* goes on, but does not forget */
        e = (oc_error){0};
        ck_assert_int_eq(oc_arena_check(&a, &e), OC_NOMEM);
        oc_arena_free(&a);
    }
}
END_TEST

START_TEST(a_full_cap_is_a_limit)
{
    oc_memory m = oc_memory_new(NULL, 10000);
    oc_arena a = oc_arena_new(&m);
    oc_error e = {0};
    ck_assert_ptr_nonnull(oc_arena_alloc(&a, 100));
    ck_assert_ptr_null(oc_arena_alloc(&a, 20000));
    ck_assert_int_eq(oc_arena_check(&a, &e), OC_LIMIT);
    oc_arena_free(&a);
    ck_assert_uint_eq(m.live, 0);
}
END_TEST

/* Large ones have blocks of their size, and others go on where they were. */
START_TEST(large_allocations_leave_no_room_unused)
{
    oc_memory m = oc_memory_new(NULL, 0);
    oc_arena a = oc_arena_new(&m);
    const size_t large = 3 << 20;
    for (int i = 0; i < 20; i++) {
        char *before = oc_arena_alloc(&a, 100), *block = oc_arena_alloc(&a, large);
        char *after = oc_arena_alloc(&a, 100);
        memset(block, 1, large);
        ck_assert(before[99] == 0 && after[0] == 0 && after[99] == 0);
    }
    ck_assert_uint_lt(m.live, 20 * (large + 100) + (1 << 14));
    oc_arena_free(&a);
    ck_assert_uint_eq(m.live, 0);
}
END_TEST

/* A list grows beyond what the block of small allocations would have room for, among them. */
START_TEST(lists_leave_the_block_of_small_allocations)
{
    enum { N = 500000, EACH = 100 };
    oc_memory m = oc_memory_new(NULL, 0);
    oc_arena a = oc_arena_new(&m);
    for (int i = 0; i < 10; i++)
        oc_arena_expect(&a, 1000000);
    int64_t *list = NULL, *last = NULL;
    int n = 0, wrong = 0;
    for (int i = 0; i < 10000; i++)
        ck_assert_ptr_nonnull(oc_arena_alloc(&a, 1000));
    for (int i = 0; i < N; i++) {
        int64_t *item = OC_PUSH(&a, list, n);
        *item = i;
        if (i % EACH)
            continue;
        wrong += last && *last != i - EACH;
        last = oc_arena_alloc(&a, sizeof *last);
        *last = i;
    }
    for (int i = 0; i < N; i++)
        wrong += list[i] != i;
    ck_assert_int_eq(wrong, 0);
    oc_arena_free(&a);
    ck_assert_uint_eq(m.live, 0);
}
END_TEST

/* Allocations that are expected lie in few blocks, which take little more memory than they do. */
START_TEST(expected_allocations_share_blocks_of_their_size)
{
    enum { N = 40 };
    const size_t each = 300000;
    oc_memory m = oc_memory_new(NULL, 0);
    oc_arena a = oc_arena_new(&m);
    int far = 0;
    char *last = oc_arena_alloc(&a, 1);
    for (int i = 0; i < N; i++)
        oc_arena_expect(&a, each);
    oc_arena_expect(&a, 3 << 20); /* will have a block of its own */
    for (int i = 0; i < N; i++) {
        char *p = oc_arena_alloc(&a, each);
        far += (uintptr_t)p - (uintptr_t)last > each + 64;
        last = p;
    }
    ck_assert_int_le(far, 2);
    ck_assert_uint_lt(m.live, N * each + OC_LARGE_PAGE);
    ck_assert_ptr_nonnull(oc_arena_alloc(&a, 3 << 20));
    for (int i = 0; i < 100; i++)
        ck_assert_ptr_nonnull(oc_arena_alloc(&a, 1000));
    ck_assert_uint_lt(m.live, N * each + OC_LARGE_PAGE + (4 << 20));
    oc_arena_free(&a);
    ck_assert_uint_eq(m.live, 0);
}
END_TEST

START_TEST(texts_are_copied_and_terminated)
{
    oc_memory m = oc_memory_new(NULL, 0);
    oc_arena a = oc_arena_new(&m);
    ck_assert_str_eq(oc_arena_text(&a, "abcdef", 3), "abc");
    ck_assert_str_eq(oc_arena_text(&a, NULL, 0), "");
    ck_assert_str_eq(oc_arena_printf(&a, "%s-%d", "cat", 13), "cat-13");
    char long_text[5001];
    memset(long_text, 'x', 5000);
    long_text[5000] = 0;
    ck_assert_str_eq(oc_arena_printf(&a, "%s", long_text), long_text);
    oc_arena_free(&a);
}
END_TEST

START_TEST(blocks_may_ask_for_an_alignment)
{
    oc_memory m = oc_memory_new(NULL, 0);
    oc_arena a = oc_arena_new(&m);
    for (size_t align = 32; align <= 4096; align *= 2)
        for (size_t size = 0; size < 100; size += 33) {
            unsigned char *block = oc_arena_aligned(&a, size, align);
            ck_assert_uint_eq((uintptr_t)block % align, 0);
            memset(block, 0xa5, size);
        }
    oc_error e = {OC_OK, ""};
    ck_assert_int_eq(oc_arena_check(&a, &e), OC_OK);
    ck_assert_ptr_null(oc_arena_aligned(&a, SIZE_MAX - 8, 64));
    ck_assert_int_ne(oc_arena_check(&a, &e), OC_OK);
    oc_arena_free(&a);
}
END_TEST

START_TEST(texts_grow_by_what_is_appended)
{
    oc_memory m = oc_memory_new(NULL, 20000);
    oc_arena a = oc_arena_new(&m);
    char *text = NULL, want[3001] = "";
    int n = 0;
    for (int i = 0; i < 1000; i++) {
        ck_assert(oc_arena_append(&a, &text, &n, "abc", (size_t)(i % 4)));
        memcpy(want + strlen(want), "abc", (size_t)(i % 4));
        ck_assert_str_eq(text, want);
    }
    ck_assert_int_eq(n, (int)strlen(want));
    char large[20000] = "";
    ck_assert(!oc_arena_append(&a, &text, &n, large, sizeof large));
    ck_assert_str_eq(text, want);
    ck_assert(!oc_arena_append(&a, &text, &n, large, (size_t)INT_MAX));
    oc_arena_free(&a);
}
END_TEST

START_TEST(pushed_items_stay_in_order_and_start_zeroed)
{
    oc_memory m = oc_memory_new(NULL, 0);
    oc_arena a = oc_arena_new(&m);
    struct {
        int *item, n;
    } list = {NULL, 0};
    for (int i = 0; i < 1000; i++) {
        int *p = OC_PUSH(&a, list.item, list.n);
        ck_assert_ptr_nonnull(p);
        ck_assert_int_eq(*p, 0);
        *p = i;
    }
    ck_assert_int_eq(list.n, 1000);
    for (int i = 0; i < 1000; i++)
        ck_assert_int_eq(list.item[i], i);
    oc_arena_free(&a);
}
END_TEST

/* 100 bytes, as large as what a model has many of. */
typedef struct wide {
    char byte[100];
} wide;

START_TEST(large_lists_take_a_quarter_more_than_their_items)
{
    enum { ITEMS = 300000, OTHERS = 5 << 20 };
    static const wide zeroed;
    int wrong = 0; /* an assertion for each item would take minutes */
    oc_memory m = oc_memory_new(NULL, 0);
    oc_arena a = oc_arena_new(&m);
    struct {
        wide *item;
        int n;
    } list = {NULL, 0};
    for (int i = 0; i < ITEMS; i++) {
        wide *p = OC_PUSH(&a, list.item, list.n);
        wrong += !p || memcmp(p, &zeroed, sizeof zeroed) != 0;
        memset(p->byte, i % 127 + 1, sizeof p->byte);
        if (i % 1000 == 0) /* now and then the list's block is not the newest */
            memset(oc_arena_alloc(&a, 100), 77, 100);
        wrong += m.peak > (size_t)(i + 1) * sizeof(wide) / 4 * 5 + OTHERS;
    }
    for (int i = 0; i < ITEMS; i++)
        wrong += list.item[i].byte[0] != i % 127 + 1 || list.item[i].byte[99] != i % 127 + 1;
    ck_assert_int_eq(wrong, 0);
    oc_arena_free(&a);
    ck_assert_uint_eq(m.live, 0);
}
END_TEST

START_TEST(a_failed_push_leaves_a_large_list)
{
    oc_error e = {0};
    oc_memory m = oc_memory_new(NULL, 16 << 20);
    oc_arena a = oc_arena_new(&m);
    struct {
        wide *item;
        int n;
    } list = {NULL, 0};
    while (OC_PUSH(&a, list.item, list.n))
        list.item[list.n - 1].byte[99] = (char)(list.n % 127);
    ck_assert_int_gt(list.n, 90000);
    int wrong = 0;
    for (int i = 0; i < list.n; i++)
        wrong += list.item[i].byte[99] != (i + 1) % 127;
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_eq(oc_arena_check(&a, &e), OC_LIMIT);
    oc_arena_free(&a);
    ck_assert_uint_eq(m.live, 0);
}
END_TEST

START_TEST(a_failed_push_leaves_the_list)
{
    oc_memory m = oc_memory_new(NULL, 6000);
    oc_arena a = oc_arena_new(&m);
    struct {
        char (*item)[100];
        int n;
    } list = {NULL, 0};
    while (OC_PUSH(&a, list.item, list.n))
        list.item[list.n - 1][99] = (char)list.n;
    ck_assert_int_gt(list.n, 3);
    for (int i = 0; i < list.n; i++)
        ck_assert_int_eq(list.item[i][99], i + 1);
    oc_arena_free(&a);
}
END_TEST

/* ---- memory that may be ended ---- */

enum { LARGE = 64 << 20 };

/* The C library's memory; *ctx becomes whether the middle of a large block was written. */
static void *resize_marked(void *ctx, void *block, size_t old_size, size_t new_size)
{
    char *p = block;
    if (new_size == 0 && old_size > LARGE / 2)
        *(bool *)ctx = p[old_size / 2] != 0x55;
    if (new_size == 0) {
        free(p);
        return NULL;
    }
    p = realloc(p, new_size);
    if (p && new_size > old_size)
        memset(p + old_size, 0x55, new_size - old_size);
    return p;
}

static bool after_five(void *ctx)
{
    return ++*(int *)ctx > 5;
}

START_TEST(a_watch_ends_the_clearing_of_large_memory)
{
    int asked = 0;
    bool written = true;
    oc_watch w;
    oc_watch_begin(&w, "loading", &(oc_limits){.cancel = after_five, .cancel_ctx = &asked});
    oc_memory m = oc_memory_new(&(oc_allocator){resize_marked, &written}, 0);
    m.watch = &w;
    oc_arena a = oc_arena_new(&m);
    oc_error e = {0};
    ck_assert_ptr_null(oc_arena_alloc(&a, LARGE));
    ck_assert_int_eq(oc_arena_check(&a, &e), OC_CANCELLED);
    oc_arena_free(&a);
    ck_assert(!written);
    /* a list that grows */
    int *item = NULL, n = 0;
    asked = -100;
    oc_watch_begin(&w, "loading", &(oc_limits){.cancel = after_five, .cancel_ctx = &asked});
    while (n < 1 << 30 && OC_PUSH(&a, item, n))
        ;
    ck_assert_int_eq(oc_arena_check(&a, &(oc_error){0}), OC_CANCELLED);
    oc_arena_free(&a);
}
END_TEST

SUITE("arena", blocks_are_aligned_zeroed_and_apart, memory_of_a_host_is_aligned_to_8_bytes,
      impossible_sizes_are_remembered, a_full_cap_is_a_limit,
      large_allocations_leave_no_room_unused, lists_leave_the_block_of_small_allocations,
      expected_allocations_share_blocks_of_their_size, blocks_may_ask_for_an_alignment,
      texts_are_copied_and_terminated, texts_grow_by_what_is_appended,
      pushed_items_stay_in_order_and_start_zeroed, large_lists_take_a_quarter_more_than_their_items,
      a_failed_push_leaves_a_large_list, a_failed_push_leaves_the_list,
      a_watch_ends_the_clearing_of_large_memory)
