/* SPDX-License-Identifier: Apache-2.0
 * test_layout.c - boxes of a layer do not overlap, lines go down, chains are straight, and large
 * graphs take little. */
#include "inspect/layout.h"

#include "common/tool.h"
#include "suite.h"

#include <math.h>
#include <string.h>

static layout new_layout(int n, int (*line)[2], int n_line)
{
    layout l = {.n = n, .n_line = n_line};
    l.width = tool_alloc((size_t)n, sizeof *l.width);
    l.line = tool_alloc((size_t)n_line, sizeof *l.line);
    for (int i = 0; i < n; i++)
        l.width[i] = 80 + i % 3 * 40;
    for (int i = 0; i < n_line; i++)
        l.line[i] = (layout_line){.from = line[i][0], .to = line[i][1]};
    layout_make(&l);
    return l;
}

/* Every two boxes of one layer keep their distance, and lines lead to lower layers. */
static void check_places(const layout *l)
{
    for (int a = 0; a < l->n; a++) {
        ck_assert(l->layer[a] >= 0 && l->layer[a] < l->n_layer);
        ck_assert(l->x[a] - l->width[a] / 2 >= 0 && l->x[a] + l->width[a] / 2 <= l->right);
        for (int b = a + 1; b < l->n; b++)
            ck_assert(l->layer[a] != l->layer[b] ||
                      fabs(l->x[a] - l->x[b]) >
                          (l->width[a] + l->width[b]) / 2 + LAYOUT_GAP - 1e-6);
    }
    for (int i = 0; i < l->n_line; i++)
        ck_assert_int_lt(l->layer[l->line[i].from], l->layer[l->line[i].to]);
}

START_TEST(a_chain_is_straight)
{
    static int line[][2] = {{0, 1}, {1, 2}, {2, 3}};
    layout l = new_layout(4, line, 3);
    check_places(&l);
    for (int i = 1; i < 4; i++) {
        ck_assert_int_eq(l.layer[i], i);
        ck_assert(fabs(l.x[i] - l.x[0]) < 1);
    }
    layout_free(&l);
}
END_TEST

/* 0 feeds 1 and, past two layers, 4; 3 feeds 4 alone and stands just above it. */
START_TEST(a_long_line_bends_in_each_layer)
{
    static int line[][2] = {{0, 1}, {1, 2}, {2, 4}, {0, 4}, {3, 4}};
    layout l = new_layout(5, line, 5);
    check_places(&l);
    ck_assert_int_eq(l.line[3].n_bend, 2);
    ck_assert_int_eq(l.layer[l.line[3].bend], 1);
    ck_assert_int_eq(l.layer[l.line[3].bend + 1], 2);
    ck_assert_int_eq(l.layer[3], 2);
    ck_assert(fabs(l.x[l.line[3].bend] - l.x[1]) > 50); /* it passes beside the box */
    layout_free(&l);
}
END_TEST

START_TEST(nothing_and_single_boxes)
{
    layout none = new_layout(0, NULL, 0);
    ck_assert_int_eq(none.n_layer, 0);
    layout_free(&none);
    layout three = new_layout(3, NULL, 0);
    check_places(&three);
    ck_assert_int_eq(three.n_layer, 1);
    layout_free(&three);
}
END_TEST

START_TEST(random_graphs)
{
    uint32_t seed = 1;
    for (int round = 0; round < 50; round++) {
        static int line[400][2];
        const int n = 2 + round * 3;
        int n_line = 0;
        for (int i = 0; i < 2 * n; i++) {
            seed = seed * 1664525 + 1013904223;
            const int to = 1 + (int)(seed >> 8) % (n - 1);
            seed = seed * 1664525 + 1013904223;
            line[n_line][0] = (int)(seed >> 8) % to;
            line[n_line++][1] = to;
        }
        layout l = new_layout(n, line, n_line);
        check_places(&l);
        layout_free(&l);
    }
}
END_TEST

/* A line from each box to the last: bends for all of them would be as many as boxes squared. */
START_TEST(bends_are_bounded)
{
    enum { N = 20000 };
    static int line[2 * N][2];
    int n_line = 0;
    for (int i = 1; i < N; i++) {
        line[n_line][0] = i - 1;
        line[n_line++][1] = i;
        line[n_line][0] = i / 2;
        line[n_line++][1] = i;
    }
    layout l = new_layout(N, line, n_line);
    ck_assert_int_le(l.n_all, 6 * N);
    layout_free(&l);
}
END_TEST

SUITE("layout", a_chain_is_straight, a_long_line_bends_in_each_layer, nothing_and_single_boxes,
      random_graphs, bends_are_bounded)
