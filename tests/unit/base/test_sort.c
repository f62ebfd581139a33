/* SPDX-License-Identifier: Apache-2.0
 * test_sort.c - the lesser and the greater of integers of any type, and the sort. */
#include "suite.h"

#include "base/sort.h"

#include <stdint.h>

START_TEST(integers)
{
    const int64_t big = INT64_C(1) << 40;
    ck_assert_int_eq(oc_min(3, -2), -2);
    ck_assert_int_eq(oc_max(3, -2), 3);
    ck_assert(oc_min(big, 7) == 7 && oc_max(7, big) == big);
    ck_assert(oc_max(SIZE_MAX, (size_t)1) == SIZE_MAX);
    ck_assert(oc_min(UINT64_MAX, UINT64_MAX - 1) == UINT64_MAX - 1);
    ck_assert(_Generic(oc_min(1u, 2u), unsigned : true, default : false));
    ck_assert_int_eq(oc_div_up(0, 4), 0);
    ck_assert_int_eq(oc_div_up(8, 4), 2);
    ck_assert_int_eq(oc_div_up(9, 4), 3);
    ck_assert(oc_div_up(big + 1, 2) == big / 2 + 1);
}
END_TEST

typedef struct item {
    int key, place;
    char more;
} item;

static int by_key(const void *ctx, const void *a, const void *b)
{
    ++*(int *)(uintptr_t)ctx;
    const int x = ((const item *)a)->key, y = ((const item *)b)->key;
    return (x > y) - (x < y);
}

/* For each length, with keys that repeat: sorted, stable, and with n log2 n comparisons at most. */
START_TEST(stable)
{
    item list[70], spare[70];
    for (int n = 0; n <= 70; n++) {
        int compared = 0, most = 0;
        for (int i = 0; i < n; i++)
            list[i] = (item){(i * 37 + n) % 11, i, 'm'};
        for (int run = 1; run < n; run *= 2)
            most += n;
        oc_sort(list, spare, (size_t)n, sizeof *list, by_key, &compared);
        ck_assert_int_le(compared, most);
        for (int i = 0; i < n; i++) {
            ck_assert(list[i].key == (list[i].place * 37 + n) % 11 && list[i].more == 'm');
            ck_assert(i == 0 || list[i - 1].key < list[i].key ||
                      (list[i - 1].key == list[i].key && list[i - 1].place < list[i].place));
        }
    }
}
END_TEST

SUITE("sort", integers, stable)
