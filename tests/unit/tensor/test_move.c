/* SPDX-License-Identifier: Apache-2.0
 * test_move.c - strided copies against one-element-at-a-time copying. */
#include "suite.h"
#include "tensor/move.h"

#include <string.h>

enum { ROOM = 4096 };

/* Copies element by element, the outermost axis first. */
static void move_slowly(char *dst, const int64_t ds[], const char *src, const int64_t ss[],
                        const oc_dims *box, int axis, size_t elem)
{
    if (axis == box->rank) {
        memcpy(dst, src, elem);
        return;
    }
    for (int64_t i = 0; i < box->n[axis]; i++)
        move_slowly(dst + i * ds[axis] * (int64_t)elem, ds, src + i * ss[axis] * (int64_t)elem, ss,
                    box, axis + 1, elem);
}

START_TEST(equals_slow_copy)
{
    suite_random r = suite_random_new(1);
    static char src[ROOM], want[ROOM], got[ROOM];
    for (int i = 0; i < ROOM; i++)
        src[i] = (char)suite_below(&r, 256);
    for (int round = 0; round < 2000; round++) {
        const uint32_t start = r.state;
        const size_t elem = (size_t)1 << suite_below(&r, 5);
        oc_dims box = {.rank = (int)suite_below(&r, 5)};
        int64_t ds[OC_MAX_RANK], ss[OC_MAX_RANK], step = 1, origin = 0;
        for (int a = box.rank - 1; a >= 0; a--) {
            box.n[a] = 1 + suite_below(&r, 4);
            ds[a] = step;
            /* the source repeats, runs backward, or is permuted through other strides */
            ss[a] = suite_below(&r, 4) == 0 ? 0 : suite_below(&r, 2) ? step : -step;
            if (ss[a] < 0)
                origin += step * (box.n[a] - 1);
            step *= box.n[a];
        }
        memset(want, 0x5a, sizeof want);
        memset(got, 0x5a, sizeof got);
        const char *from = src + origin * (int64_t)elem;
        move_slowly(want, ds, from, ss, &box, 0, elem);
        oc_move(got, ds, from, ss, &box, elem);
        ck_assert_msg(memcmp(want, got, sizeof got) == 0, "seed %u", start);
    }
}
END_TEST

START_TEST(empty_boxes_copy_nothing)
{
    char dst[4] = "abc";
    const int64_t step[2] = {1, 1};
    const oc_dims box = {2, {3, 0}};
    oc_move(dst, step, "xyz", step, &box, 1);
    ck_assert_str_eq(dst, "abc");
    oc_copy_rows(dst, 1, "xyz", 1, 1, 0);
    ck_assert_str_eq(dst, "abc");
}
END_TEST

START_TEST(fill_repeats_one_element)
{
    for (int64_t n = 0; n < 40; n++) {
        uint32_t out[48], one = 0xdeadbeef;
        memset(out, 0, sizeof out);
        oc_fill(out, n, &one, sizeof one);
        for (int64_t i = 0; i < 48; i++)
            ck_assert_uint_eq(out[i], i < n ? one : 0);
    }
}
END_TEST

SUITE("move", equals_slow_copy, empty_boxes_copy_nothing, fill_repeats_one_element)
