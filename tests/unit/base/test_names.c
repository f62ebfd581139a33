/* SPDX-License-Identifier: Apache-2.0
 * test_names.c - interned names, and maps from them. */
#include "suite.h"

#include "base/names.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static oc_name intern(oc_names *t, const char *text)
{
    return oc_names_intern(t, text, strlen(text));
}

START_TEST(equal_names_are_equal_pointers)
{
    oc_memory memory = oc_memory_new(NULL, 0);
    oc_arena arena = oc_arena_new(&memory);
    oc_names t = oc_names_new(&arena);
    ck_assert_ptr_null(oc_names_find(&t, "a", 1));
    oc_name kept[1000];
    char text[16];
    for (int i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, "n%d", i);
        kept[i] = intern(&t, text);
        ck_assert_str_eq(kept[i], text);
    }
    for (int i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, "n%d", i);
        ck_assert_ptr_eq(intern(&t, text), kept[i]);
        ck_assert_ptr_eq(oc_names_find(&t, text, strlen(text)), kept[i]);
    }
    ck_assert_str_eq(intern(&t, ""), "");
    oc_arena_free(&arena);
}
END_TEST

START_TEST(a_shared_table_keeps_pointers_and_grows_alone)
{
    oc_memory memory = oc_memory_new(NULL, 0);
    oc_arena arena = oc_arena_new(&memory), other = oc_arena_new(&memory);
    oc_names t = oc_names_new(&arena), u = oc_names_new(&other), empty = oc_names_new(&other);
    char text[16];
    for (int i = 0; i < 200; i++) {
        snprintf(text, sizeof text, "n%d", i);
        intern(&t, text);
    }
    ck_assert(oc_names_share(&u, &t));
    for (int i = 0; i < 400; i++) {
        snprintf(text, sizeof text, "n%d", i);
        const oc_name name = intern(&u, text);
        ck_assert_ptr_eq(oc_names_find(&t, text, strlen(text)), i < 200 ? name : NULL);
    }
    oc_names v = oc_names_new(&arena);
    ck_assert(oc_names_share(&v, &empty));
    ck_assert_str_eq(intern(&v, "x"), "x");
    oc_arena_free(&other);
    ck_assert_ptr_nonnull(oc_names_find(&t, "n7", 2));
    oc_arena_free(&arena);
}
END_TEST

START_TEST(maps_hold_the_last_value_of_each_name)
{
    oc_memory memory = oc_memory_new(NULL, 0);
    oc_arena arena = oc_arena_new(&memory);
    oc_names t = oc_names_new(&arena);
    oc_name_map m = oc_name_map_new(&arena);
    oc_name name[500];
    char text[16];
    for (int i = 0; i < 500; i++) {
        snprintf(text, sizeof text, "n%d", i);
        name[i] = intern(&t, text);
        ck_assert_int_eq(oc_name_map_get(&m, name[i]), -1);
        ck_assert(oc_name_map_put(&m, name[i], i));
    }
    ck_assert(oc_name_map_put(&m, name[3], 77));
    for (int i = 0; i < 500; i++)
        ck_assert_int_eq(oc_name_map_get(&m, name[i]), i == 3 ? 77 : i);
    oc_arena_free(&arena);
}
END_TEST

/* ---- names made to collide under plain FNV-1a ---- */

enum { BITS = 18, N = 150000 };

static uint32_t forward(uint32_t h, unsigned char byte)
{
    return (h ^ byte) * UINT32_C(0x1b3) & ((1u << BITS) - 1);
}

/* ending[h]: three bytes that take the low bits of the hash from h to 0; all zero: unknown. */
static void find_endings(unsigned char (*ending)[3])
{
    uint32_t inverse = 1; /* of 0x1b3, by Newton's iteration */
    for (int i = 0; i < 5; i++)
        inverse *= 2 - UINT32_C(0x1b3) * inverse;
    for (uint32_t i = 0; i < 1u << 22; i++) {
        const unsigned char byte[3] = {(unsigned char)('A' + (i & 63)),
                                       (unsigned char)(128 + (i >> 6 & 127)),
                                       (unsigned char)(128 + (i >> 13 & 127))};
        uint32_t h = 0;
        for (int k = 2; k >= 0; k--)
            h = (h * inverse ^ byte[k]) & ((1u << BITS) - 1);
        memcpy(ending[h], byte, sizeof byte);
    }
}

/* With a fixed start of the hash all these names would share one bucket: 10^10 steps. */
START_TEST(names_cannot_be_made_to_collide)
{
    oc_memory memory = oc_memory_new(NULL, 0);
    oc_arena arena = oc_arena_new(&memory);
    oc_names t = oc_names_new(&arena);
    unsigned char(*ending)[3] = calloc(1u << BITS, sizeof *ending);
    find_endings(ending);
    int n_found = 0;
    const clock_t start = clock();
    for (int i = 0; n_found < N && i < 4 * N; i++) {
        char text[16];
        const int size = snprintf(text, sizeof text - 3, "%d", i);
        uint32_t h = (uint32_t)(UINT64_C(14695981039346656037) & ((1u << BITS) - 1));
        for (int k = 0; k < size; k++)
            h = forward(h, (unsigned char)text[k]);
        if (!ending[h][0])
            continue;
        memcpy(text + size, ending[h], 3);
        n_found++;
        ck_assert_ptr_nonnull(oc_names_intern(&t, text, (size_t)size + 3));
    }
    ck_assert_int_eq(n_found, N);
    ck_assert_int_lt((clock() - start) / CLOCKS_PER_SEC, 6); /* a fiftieth of a second is usual */
    free(ending);
    oc_arena_free(&arena);
}
END_TEST

SUITE("names", equal_names_are_equal_pointers, a_shared_table_keeps_pointers_and_grows_alone,
      maps_hold_the_last_value_of_each_name, names_cannot_be_made_to_collide)
