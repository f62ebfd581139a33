/* SPDX-License-Identifier: Apache-2.0
 * test_draw_answer.c - boxes, labels, points and text in small pictures, pixel by pixel. */
#include "draw/drawn.h"

enum { WIDE = 200, HIGH = 160 };

/* ---- the picture ---- */

START_TEST(any_picture_becomes_rgb)
{
    static const struct {
        int channels, white, sample, wanted;
    } kinds[] = {{1, 255, 40, 40},       {3, 255, 40, 40},      {1, 65535, 257 * 40, 40},
                 {3, 65535, 65535, 255}, {2, 255, 51, 214},     {4, 255, 51, 214},
                 {4, 65535, 0, 255},     {2, 65535, 65535, 255}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        image m = drawn_new(30, 20, kinds[i].channels, kinds[i].white, kinds[i].sample);
        const answer a = {.width = 30, .height = 20};
        drawn_ok(&m, &a, NULL);
        const unsigned char c = (unsigned char)kinds[i].wanted;
        ck_assert_int_eq(drawn_count(&m, 0, 0, 30, 20, (rgb){c, c, c}), 600);
        image_free(&m);
    }
}
END_TEST

START_TEST(another_size_is_refused)
{
    oc_error e = {0};
    image m = drawn_new(30, 20, 3, 255, 0);
    const answer a = {.width = 20, .height = 30};
    draw_answer(&m, &a, &(draw_options){.where = "a.png"}, &e);
    ck_assert_int_eq(e.code, OC_SHAPE);
    ck_assert_str_eq(e.text, "a.png: an answer for 20 x 30 pixels, but the picture has 30 x 20");
    image_free(&m);
}
END_TEST

/* ---- boxes ---- */

START_TEST(a_box_is_a_frame)
{
    answer a;
    image m = drawn_gray(WIDE, HIGH, &a);
    const float box[] = {40, 50, 100, 120};
    const int64_t label[] = {2};
    a.n = 1;
    a.box = box;
    a.label = label;
    drawn_ok(&m, &a, &(draw_options){.parts = DRAW_BOXES, .line = 4});
    const rgb c = palette_colour(2);
    /* the middle of the line, four wide, is on the box */
    ck_assert_int_eq(drawn_count(&m, 38, 48, 102, 122, c), 64 * 74 - 56 * 66);
    ck_assert_int_eq(drawn_count(&m, 0, 0, WIDE, HIGH, c), 64 * 74 - 56 * 66);
    drawn_assert(&m, 38, 48, c);
    drawn_assert(&m, 101, 121, c);
    ck_assert(drawn_is_gray(&m, 42, 52) && drawn_is_gray(&m, 70, 80) && drawn_is_gray(&m, 37, 48));
    image_free(&m);
}
END_TEST

/* All of the line is seen, though its middle is on the edge of the picture. */
START_TEST(a_box_at_the_edge_is_seen)
{
    answer a;
    image m = drawn_gray(WIDE, HIGH, &a);
    const float box[] = {-50, 0, 1e30F, HIGH};
    a.n = 1;
    a.box = box;
    drawn_ok(&m, &a, &(draw_options){.parts = DRAW_BOXES, .line = 3});
    const rgb c = palette_colour(0);
    ck_assert_int_eq(drawn_count(&m, 0, 0, WIDE, HIGH, c), WIDE * HIGH - (WIDE - 6) * (HIGH - 6));
    image_free(&m);
}
END_TEST

/* Sides are rounded to whole pixels. A box that is not a box is left out. */
START_TEST(odd_boxes_are_drawn_or_left_out)
{
    static const struct {
        float box[4];
        int pixels; /* of a frame one pixel wide */
    } boxes[] = {{{40.4F, 50.6F, 60.6F, 80.4F}, 21 * 29 - 19 * 27},
                 {{40, 50, NAN, 80}, 0},
                 {{40, 50, INFINITY, 80}, 0},
                 {{60, 50, 40, 80}, 0},
                 {{500, 50, 600, 80}, 0},
                 {{40, 50, 40, 80}, 0}};
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        answer a;
        image m = drawn_gray(WIDE, HIGH, &a);
        a.n = 1;
        a.box = boxes[i].box;
        drawn_ok(&m, &a, &(draw_options){.line = 1});
        ck_assert_int_eq(drawn_count(&m, 0, 0, WIDE, HIGH, palette_colour(0)), boxes[i].pixels);
        image_free(&m);
    }
}
END_TEST

START_TEST(a_turned_box_goes_through_its_corners)
{
    answer a;
    image m = drawn_gray(WIDE, HIGH, &a);
    const float corner[] = {100, 30, 150, 80, 100, 130, 50, 80};
    a.n = 1;
    a.corner = corner;
    drawn_ok(&m, &a, &(draw_options){.parts = DRAW_BOXES, .line = 3});
    const rgb c = palette_colour(0);
    static const int on[][2] = {{100, 30}, {149, 80}, {100, 129}, {50, 80}, {125, 55}, {75, 105}};
    for (int i = 0; i < 6; i++)
        drawn_assert(&m, on[i][0], on[i][1], c);
    ck_assert(drawn_is_gray(&m, 100, 80) && drawn_is_gray(&m, 55, 40));
    image_free(&m);
    m = drawn_gray(WIDE, HIGH, &(answer){0});
    const float score[] = {0.5F};
    a.score = score;
    drawn_ok(&m, &a, &(draw_options){.parts = DRAW_LABELS, .line = 2});
    /* the middle of "0.50", 40 pixels, above the highest corner */
    ck_assert_int_eq(drawn_count(&m, 80, 11, 120, 12, c), 40);
    image_free(&m);
}
END_TEST

START_TEST(a_plate_begins_where_a_nearly_level_edge_does)
{
    answer a;
    image m = drawn_gray(WIDE, HIGH, &a);
    const float score[] = {0.5F}, corner[] = {50, 84, 150, 80, 151, 100, 51, 104};
    a.n = 1;
    a.corner = corner;
    a.score = score;
    drawn_ok(&m, &a, &(draw_options){.parts = DRAW_LABELS, .line = 2});
    ck_assert_int_eq(drawn_count(&m, 49, 61, 89, 62, palette_colour(0)), 40);
    image_free(&m);
}
END_TEST

/* The greater score lies above; NaN is the least; of equal ones the first is the better. */
START_TEST(the_best_is_on_top)
{
    static const struct {
        float score[2];
        int best;
    } pairs[] = {{{0.2F, 0.9F}, 1}, {{0.9F, 0.2F}, 0}, {{0.5F, 0.5F}, 0}, {{NAN, -1}, 1}};
    const float box[] = {40, 60, 120, 120, 40, 60, 120, 120};
    for (int i = 0; i < 4; i++) {
        answer a;
        image m = drawn_gray(WIDE, HIGH, &a);
        a.n = 2;
        a.box = box;
        a.score = pairs[i].score;
        drawn_ok(&m, &a, &(draw_options){.parts = DRAW_BOXES, .by_object = true});
        drawn_assert(&m, 40, 80, palette_colour(pairs[i].best));
        image_free(&m);
    }
}
END_TEST

/* ---- labels ---- */

static const char *name(const void *from, int64_t label, size_t *size)
{
    const char *const *names = from;
    if (label < 0 || label > 1)
        return NULL;
    *size = strlen(names[label]);
    return names[label];
}

START_TEST(a_plate_has_name_and_score)
{
    answer a;
    image m = drawn_gray(WIDE, HIGH, &a);
    const float box[] = {40, 50, 150, 120}, score[] = {0.876F};
    const int64_t label[] = {1};
    const char *const names[] = {"cat", "dog"};
    a.n = 1;
    a.box = box;
    a.score = score;
    a.label = label;
    drawn_ok(&m, &a, &(draw_options){.name = name, .names = names, .line = 2});
    const rgb c = palette_colour(1);
    /* "dog 0.88": eight characters of 8 x 16, 4 to each side, 1 above and below */
    const int x = 39, y = 49 - 18, width = 8 * 8 + 8;
    ck_assert_int_eq(drawn_count(&m, x, y, x + width, y + 1, c), width);
    ck_assert_int_eq(drawn_count(&m, x + width, y, WIDE, y + 18, (rgb){GRAY, GRAY, GRAY}),
                     (WIDE - x - width) * 18);
    const int ink = drawn_count(&m, x, y, x + width, y + 18, palette_ink(c));
    ck_assert_int_eq(ink + drawn_count(&m, x, y, x + width, y + 18, c), width * 18);
    ck_assert_int_gt(ink, 150);
    image_free(&m);
}
END_TEST

/* Returns the ink on the plate of an object with that label, above its box. */
static int ink_of(int64_t label, const char *const names[2])
{
    answer a;
    image m = drawn_gray(3 * WIDE, HIGH, &a);
    const float box[] = {10, 50, 150, 120};
    a.n = 1;
    a.box = box;
    a.label = &label;
    drawn_ok(&m, &a, &(draw_options){.name = name, .names = names, .line = 2});
    const rgb ink = palette_ink(palette_colour(label));
    const int n = drawn_count(&m, 0, 0, 3 * WIDE, 48, ink);
    image_free(&m);
    return n;
}

START_TEST(names_are_cut_and_numbers_stand_in)
{
    static char long_name[100000], forty[] = "iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii";
    memset(long_name, 'i', sizeof long_name - 1);
    const char *const names[] = {forty, long_name}, *const first[] = {"i", ""};
    const int letter = ink_of(0, first), all = ink_of(0, names), cut = ink_of(1, names);
    ck_assert_int_eq(all, 40 * letter);
    ck_assert_int_gt(cut, 39 * letter); /* followed by three points */
    ck_assert_int_lt(cut, 42 * letter);
    ck_assert_int_eq(ink_of(1, first), 0);
    static char accents[400] = "i"; /* one character for the eye, but of many bytes */
    for (int i = 1; i + 2 < 400; i += 2)
        memcpy(accents + i, "\xcc\x81", 2);
    const char *const marked[] = {accents, "i\xcc\x81"};
    ck_assert_int_eq(ink_of(1, marked), letter);
    ck_assert_int_gt(ink_of(0, marked), letter); /* followed by three points */
    ck_assert_int_gt(ink_of(-1000, names), 0);   /* "-1000" */
}
END_TEST

START_TEST(plates_make_room_for_each_other)
{
    answer a;
    image m = drawn_gray(WIDE, HIGH, &a);
    const float box[] = {40, 60, 160, 116, 40, 60, 160, 116, 40, 60, 160, 116, 40, 60, 160, 116};
    const float score[] = {0.4F, 0.3F, 0.2F, 0.1F};
    a.n = 4;
    a.box = box;
    a.score = score;
    drawn_ok(&m, &a, &(draw_options){.parts = DRAW_LABELS, .by_object = true, .line = 2});
    /* above, inside at the top, below, inside at the bottom: 4 characters and 4 to each side */
    static const int top[] = {59 - 18, 59, 117, 117 - 18};
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(drawn_count(&m, 39, top[i], 79, top[i] + 1, palette_colour(i)), 40);
        ck_assert_int_eq(drawn_count(&m, 39, top[i] + 17, 79, top[i] + 18, palette_colour(i)), 40);
    }
    image_free(&m);
}
END_TEST

/* Boxes of 24 x 24, 2 apart, in 3 x 3: plates are around all of them; those in the corners have
 * one, and the one in the middle, for which there is no room, has none. */
START_TEST(plates_do_not_cover_small_objects)
{
    enum { SIDE = 24, STEP = 26, LEFT = 60, TOP = 40 };
    answer a;
    image m = drawn_gray(WIDE, HIGH, &a);
    float box[4 * 9], score[9];
    int64_t label[9];
    for (int i = 0; i < 9; i++) {
        const float x = (float)(LEFT + STEP * (i % 3)), y = (float)(TOP + STEP * (i / 3));
        const float sides[] = {x, y, x + SIDE, y + SIDE};
        memcpy(box + 4 * i, sides, sizeof sides);
        score[i] = (float)(9 - i) / 10;
        label[i] = i;
    }
    a.n = 9;
    a.box = box;
    a.score = score;
    a.label = label;
    drawn_ok(&m, &a, &(draw_options){.line = 1});
    for (int i = 0; i < 9; i++) {
        const int x = (int)box[4 * i], y = (int)box[4 * i + 1], frame = 4 * (SIDE - 1);
        const int inside =
            drawn_count(&m, x + 1, y + 1, x + SIDE - 1, y + SIDE - 1, (rgb){GRAY, GRAY, GRAY});
        const int all = drawn_count(&m, 0, 0, WIDE, HIGH, palette_colour(i));
        ck_assert_int_eq(inside, (SIDE - 2) * (SIDE - 2));
        ck_assert_msg(i == 4 ? all == frame : i % 2 || all > frame + 300, "object %d: %d pixels", i,
                      all);
    }
    image_free(&m);
}
END_TEST

/* A picture whose lines are 4 wide, with letters of 32: a box that is narrow for them has letters
 * of 16, and a small one lines of 1. */
START_TEST(sizes_follow_the_object)
{
    answer a;
    image m = drawn_gray(1600, 1200, &a);
    const float box[] = {100, 100, 600, 700, 700, 100, 760, 220, 900, 100, 920, 120};
    const int64_t label[] = {1, 0, 3};
    const char *const names[] = {"elephants", "cat"};
    a.n = 3;
    a.box = box;
    a.label = label;
    drawn_ok(&m, &a, &(draw_options){.name = name, .names = names});
    const rgb c[] = {palette_colour(1), palette_colour(0), palette_colour(3)};
    ck_assert_int_eq(drawn_count(&m, 120, 0, 121, 101, c[0]), 36 + 3); /* beside the letters */
    ck_assert_int_eq(drawn_count(&m, 300, 60, 301, 200, c[0]), 4);
    ck_assert_int_eq(drawn_count(&m, 701, 0, 702, 101, c[1]), 18 + 3);
    ck_assert_int_eq(drawn_count(&m, 750, 98, 751, 200, c[1]), 4);
    ck_assert_int_eq(drawn_count(&m, 917, 103, 922, 115, c[2]), 12);
    image_free(&m);
}
END_TEST

/* Points of a face of 24 pixels are smaller than those of one of 200. */
START_TEST(points_follow_the_object)
{
    answer a;
    image m = drawn_gray(600, 400, &a);
    const float box[] = {100, 100, 300, 300, 400, 100, 424, 124};
    const float point[] = {200, 200, 1, 412, 112, 1};
    a.n = 2;
    a.n_points = 1;
    a.box = box;
    a.point = point;
    drawn_ok(&m, &a, &(draw_options){.parts = DRAW_POINTS});
    ck_assert(!drawn_is_gray(&m, 203, 200) && drawn_is_gray(&m, 414, 112));
    ck_assert(!drawn_is_gray(&m, 412, 112));
    image_free(&m);
}
END_TEST

/* One below the other, in the order of the scores. */
START_TEST(classes_of_a_picture_are_a_list)
{
    answer a;
    image m = drawn_gray(WIDE, HIGH, &a);
    const float score[] = {0.1F, 0.7F, 0.2F};
    const int64_t label[] = {4, 1, 3};
    a.n = 3;
    a.score = score;
    a.label = label;
    drawn_ok(&m, &a, NULL);
    static const int order[] = {1, 3, 4};
    for (int i = 0; i < 3; i++)
        drawn_assert(&m, 8, 8 + 18 * i, palette_colour(order[i]));
    ck_assert(drawn_is_gray(&m, 8, 8 + 18 * 3));
    image_free(&m);
}
END_TEST

/* ---- points ---- */

START_TEST(points_are_discs_of_some_confidence)
{
    answer a;
    image m = drawn_gray(WIDE, HIGH, &a);
    const float point[] = {50, 60, 0.9F, 120, 60, 0.4F, 160.5F, 100.5F, 0.5F};
    a.n = 1;
    a.n_points = 3;
    a.point = point;
    drawn_ok(&m, &a, &(draw_options){.line = 2});
    const rgb c = palette_colour(0);
    drawn_assert(&m, 50, 60, c);
    drawn_assert(&m, 51, 60, c);
    drawn_assert(&m, 160, 100, c);
    drawn_assert(&m, 160, 103, palette_white); /* a disc of 5 with an edge of 1 around it */
    ck_assert(drawn_is_gray(&m, 120, 60) && drawn_is_gray(&m, 160, 105));
    ck_assert(drawn_is_gray(&m, 85, 60)); /* three points have no lines */
    image_free(&m);
}
END_TEST

static void put_points(image *m, answer *a, int n, float *point)
{
    *m = drawn_gray(WIDE, HIGH, a);
    for (int i = 0; i < n; i++) {
        point[3 * i] = 10;
        point[3 * i + 1] = 10;
        point[3 * i + 2] = 0;
    }
    a->n = 1;
    a->n_points = n;
    a->point = point;
}

static void show_point(float *point, int i, float x, float y)
{
    point[3 * i] = x;
    point[3 * i + 1] = y;
    point[3 * i + 2] = 1;
}

/* Only lines whose two points are shown are drawn, and none for other numbers of points. */
START_TEST(skeletons_are_known_by_their_points)
{
    static const struct {
        int n, from, to;
        bool joined;
    } lines[] = {{17, 5, 7, true},  {17, 11, 13, true}, {17, 0, 16, false}, {17, 9, 10, false},
                 {21, 0, 17, true}, {21, 7, 8, true},   {21, 4, 8, false},  {5, 0, 2, true},
                 {5, 0, 1, false},  {5, 3, 4, true},    {6, 0, 2, false},   {18, 5, 7, false}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        float point[3 * 21];
        answer a;
        image m;
        put_points(&m, &a, lines[i].n, point);
        show_point(point, lines[i].from, 40, 80);
        show_point(point, lines[i].to, 160, 80);
        drawn_ok(&m, &a, &(draw_options){.line = 2});
        ck_assert_msg(drawn_is_gray(&m, 100, 80) == !lines[i].joined, "%d points: %d to %d",
                      lines[i].n, lines[i].from, lines[i].to);
        ck_assert(drawn_is_gray(&m, 10, 10));
        image_free(&m);
    }
}
END_TEST

/* ---- text ---- */

START_TEST(text_is_written_below)
{
    answer a;
    image m = drawn_gray(WIDE, 40, &a);
    a.text = "read\nin two lines, the second of which is broken";
    drawn_ok(&m, &a, NULL);
    /* 23 characters fit: "read", "in two lines, the", "second of which is", "broken" */
    ck_assert_int_eq(m.width, WIDE);
    ck_assert_int_eq(m.height, 40 + 4 * 16 + 8);
    ck_assert_int_eq(drawn_count(&m, 0, 0, WIDE, 40, (rgb){GRAY, GRAY, GRAY}), WIDE * 40);
    for (int line = 0; line < 4; line++) {
        const int y = 44 + 16 * line;
        ck_assert_int_gt(drawn_count(&m, 8, y, WIDE, y + 16, palette_black), 40);
        ck_assert_int_eq(drawn_count(&m, 0, y, 8, y + 16, palette_white), 8 * 16);
        ck_assert_int_gt(drawn_count(&m, 8, y, 16, y + 16, palette_black), 10);
    }
    ck_assert_int_eq(drawn_count(&m, 8 + 4 * 8, 44, WIDE, 60, palette_black), 0);
    image_free(&m);
}
END_TEST

/* Its letters, each an object with a score, are not listed in the photograph. */
START_TEST(a_text_has_one_score)
{
    answer a;
    image m = drawn_gray(WIDE, 40, &a);
    const float score[] = {1, 0.5F};
    a.n = 2;
    a.score = score;
    a.text = "ab";
    drawn_ok(&m, &a, NULL);
    ck_assert_int_eq(m.height, 40 + 16 + 8);
    ck_assert_int_eq(drawn_count(&m, 0, 0, WIDE, 40, (rgb){GRAY, GRAY, GRAY}), WIDE * 40);
    /* "ab  0.75" */
    ck_assert_int_eq(drawn_count(&m, 24, 40, 40, m.height, palette_black), 0);
    ck_assert_int_gt(drawn_count(&m, 64, 40, 72, m.height, palette_black), 10);
    ck_assert_int_eq(drawn_count(&m, 72, 40, WIDE, m.height, palette_black), 0);
    image_free(&m);
}
END_TEST

START_TEST(text_at_a_box_is_its_label)
{
    answer a;
    image m = drawn_gray(WIDE, HIGH, &a);
    const float box[] = {40, 60, 160, 110};
    a.n = 1;
    a.box = box;
    a.text = "abc";
    drawn_ok(&m, &a, &(draw_options){.line = 2});
    ck_assert_int_eq(m.height, HIGH);
    ck_assert_int_eq(drawn_count(&m, 39, 59 - 18, 39 + 32, 59 - 17, palette_colour(0)), 32);
    image_free(&m);
}
END_TEST

SUITE("draw_answer", any_picture_becomes_rgb, another_size_is_refused, a_box_is_a_frame,
      a_box_at_the_edge_is_seen, odd_boxes_are_drawn_or_left_out,
      a_turned_box_goes_through_its_corners, a_plate_begins_where_a_nearly_level_edge_does,
      the_best_is_on_top, a_plate_has_name_and_score, names_are_cut_and_numbers_stand_in,
      plates_make_room_for_each_other, plates_do_not_cover_small_objects, sizes_follow_the_object,
      points_follow_the_object, classes_of_a_picture_are_a_list,
      points_are_discs_of_some_confidence, skeletons_are_known_by_their_points,
      text_is_written_below, a_text_has_one_score, text_at_a_box_is_its_label)
