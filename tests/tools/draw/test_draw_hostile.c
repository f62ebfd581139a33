/* SPDX-License-Identifier: Apache-2.0
 * test_draw_hostile.c - answers of any numbers are drawn or left out, and lack of memory is an
 * error. */
#include "draw/drawn.h"

#include "common/data.h"
#include "draw/font.h"

#include <float.h>
#include <math.h>

enum { OBJECTS = 6, POINTS = 21, CELLS = 7, SIDE = 50 };

static const float strange[] = {NAN,      INFINITY, -INFINITY, 1e30F,        -1e30F, FLT_MAX,
                                -FLT_MAX, 0,        -0.0F,     FLT_MIN,      25,     49.999F,
                                50,       -1,       1e10F,     2147483648.0F};

static float pick(suite_random *r)
{
    const uint32_t n = sizeof strange / sizeof *strange;
    const uint32_t i = suite_below(r, 2 * n);
    return i < n ? strange[i] : (float)suite_below(r, 6000) / 100 - 5;
}

typedef struct numbers {
    float box[OBJECTS * 4], score[OBJECTS], point[OBJECTS * POINTS * 3], corner[OBJECTS * 8],
        mask[OBJECTS * CELLS * CELLS], flow[2 * CELLS * CELLS], depth[CELLS * CELLS];
    int64_t label[OBJECTS], cls[CELLS * CELLS];
    char text[40];
} numbers;

static const char *name(const void *from, int64_t label, size_t *size)
{
    *size = (size_t)(label & 63);
    return label & 64 ? NULL : from;
}

static void pick_floats(suite_random *r, float *to, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof *to; i++)
        to[i] = pick(r);
}

static void pick_numbers(suite_random *r, numbers *n)
{
    pick_floats(r, n->box, sizeof n->box);
    pick_floats(r, n->score, sizeof n->score);
    pick_floats(r, n->point, sizeof n->point);
    pick_floats(r, n->corner, sizeof n->corner);
    pick_floats(r, n->mask, sizeof n->mask);
    pick_floats(r, n->flow, sizeof n->flow);
    pick_floats(r, n->depth, sizeof n->depth);
    static const int64_t labels[] = {INT64_MIN, INT64_MAX, -1, 0, 1, 4095, 4096, 80};
    for (int i = 0; i < OBJECTS; i++)
        n->label[i] = labels[suite_below(r, 8)];
    for (int i = 0; i < CELLS * CELLS; i++)
        n->cls[i] = labels[suite_below(r, 8)];
    for (size_t i = 0; i + 1 < sizeof n->text; i++)
        n->text[i] = (char)suite_below(r, 256);
    n->text[sizeof n->text - 1] = 0;
}

#define MAYBE(r, x) (suite_below(r, 2) ? (x) : NULL)

static answer pick_answer(suite_random *r, const numbers *n)
{
    static const int points[] = {0, 1, 5, 17, 21, -3};
    answer a = {.width = SIDE, .height = 1 + (int)suite_below(r, SIDE)};
    a.input_width = 1 + (int)suite_below(r, 90);
    a.input_height = 1 + (int)suite_below(r, 90);
    for (int i = 0; i < 4; i++)
        a.fit[i] = suite_below(r, 3) ? (double)suite_below(r, 300) / 100 : pick(r);
    a.n = (int)suite_below(r, OBJECTS + 1);
    a.box = MAYBE(r, n->box);
    a.score = MAYBE(r, n->score);
    a.label = MAYBE(r, n->label);
    a.n_points = points[suite_below(r, 6)];
    a.point = MAYBE(r, n->point);
    a.corner = MAYBE(r, n->corner);
    a.grid_width = 1 + (int)suite_below(r, CELLS);
    a.grid_height = 1 + (int)suite_below(r, CELLS);
    a.mask = MAYBE(r, n->mask);
    a.cls = MAYBE(r, n->cls);
    a.flow = MAYBE(r, n->flow);
    a.depth = MAYBE(r, n->depth);
    a.text = MAYBE(r, n->text);
    return a;
}

static draw_options pick_options(suite_random *r, const numbers *n)
{
    static const int sizes[] = {0, 0, 1, 7, 1000000, INT32_MAX, -5};
    draw_options o = {.where = "random", .names = n->text};
    o.name = suite_below(r, 2) ? name : NULL;
    o.parts = suite_below(r, 2) ? 0 : suite_below(r, 2 * DRAW_HEAT);
    o.place = (int)suite_below(r, 2);
    o.line = sizes[suite_below(r, 7)];
    o.letters = sizes[suite_below(r, 7)];
    o.by_object = suite_below(r, 2);
    o.least_confidence = suite_below(r, 2) ? 0 : pick(r);
    return o;
}

/* The sanitizers look for what is read and written outside, and for undefined conversions. */
START_TEST(any_numbers_are_drawn)
{
    suite_random r = suite_random_new(49);
    for (int i = 0; i < 1000; i++) {
        static numbers n;
        const uint32_t state = r.state;
        oc_error e = {0};
        pick_numbers(&r, &n);
        const answer a = pick_answer(&r, &n);
        const draw_options o = pick_options(&r, &n);
        image m = drawn_new(a.width, a.height, 1 + (int)suite_below(&r, 4), 255, GRAY);
        for (int k = 0; k < a.n && (a.box || a.corner); k++) {
            image out;
            draw_crop(&m, &a, k, &out, "random", &e);
            image_free(&out);
        }
        draw_answer(&m, &a, &o, &e);
        suite_assert(e.code == OC_OK, "%s; OC_SEED=%u", e.text, state);
        for (int k = 0; k < 3 * m.width * m.height; k++)
            suite_assert(m.sample[k] <= 255, "sample %d is %d; OC_SEED=%u", k, m.sample[k], state);
        image_free(&m);
    }
}
END_TEST

START_TEST(a_map_without_cells_is_refused)
{
    static const int sizes[][4] = {{0, 3, 9, 9}, {3, -1, 9, 9}, {3, 3, 0, 9}, {3, 3, 9, -9}};
    static const float depth[9];
    for (int i = 0; i < 4; i++) {
        oc_error e = {0};
        answer a;
        image m = drawn_gray(9, 9, &a);
        a.grid_width = sizes[i][0];
        a.grid_height = sizes[i][1];
        a.input_width = sizes[i][2];
        a.input_height = sizes[i][3];
        a.depth = depth;
        draw_answer(&m, &a, NULL, &e);
        ck_assert_int_eq(e.code, OC_SHAPE);
        ck_assert(strstr(e.text, "picture: a map of "));
        image_free(&m);
    }
}
END_TEST

/* More objects than are drawn: the best are. */
START_TEST(only_the_best_of_many_are_drawn)
{
    enum { MANY = DRAW_OBJECTS + 1 };
    static float box[4 * MANY], score[MANY];
    answer a;
    image m = drawn_gray(SIDE, SIDE, &a);
    for (int i = 0; i < MANY; i++) {
        const float x = i ? 20 : 0;
        box[4 * i] = box[4 * i + 1] = x;
        box[4 * i + 2] = box[4 * i + 3] = x + 10;
        score[i] = (float)i;
    }
    a.n = MANY;
    a.box = box;
    a.score = score;
    drawn_ok(&m, &a, &(draw_options){.parts = DRAW_BOXES});
    ck_assert(drawn_is_gray(&m, 0, 5) && !drawn_is_gray(&m, 20, 25));
    image_free(&m);
}
END_TEST

START_TEST(lack_of_memory_is_an_error)
{
    static const float mask[4] = {1, 1, 1, 1}, depth[4], flow[8];
    static const int64_t cls[4];
    int failed = 0;
    for (size_t more = 0; more < 100000; more += 400) {
        oc_error e = {0};
        answer a;
        image m = drawn_gray(SIDE, SIDE, &a);
        a.n = 1;
        a.grid_width = a.grid_height = 2;
        a.mask = mask;
        a.depth = depth;
        a.flow = flow;
        a.cls = cls;
        a.text = "text";
        data_set_cap(3 * SIDE * SIDE * sizeof *m.sample + 100 + more);
        draw_answer(&m, &a, NULL, &e);
        data_set_cap(0);
        ck_assert(e.code == OC_OK || e.code == OC_LIMIT);
        failed += e.code == OC_LIMIT;
        image_free(&m);
    }
    ck_assert(failed > 20 && failed < 230);
}
END_TEST

SUITE("draw_hostile", any_numbers_are_drawn, a_map_without_cells_is_refused,
      only_the_best_of_many_are_drawn, lack_of_memory_is_an_error)
