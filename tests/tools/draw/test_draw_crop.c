/* SPDX-License-Identifier: Apache-2.0
 * test_draw_crop.c - objects that are cut out: upright, clipped and turned. */
#include "draw/drawn.h"

#include <math.h>

enum { WIDE = 40, HIGH = 30 };

/* Sample 3 x + 2 y, which is linear, so that what is between pixels is known. */
static image ramp(int channels, int white)
{
    image m = drawn_new(WIDE, HIGH, channels, white, 0);
    for (int i = 0; i < WIDE * HIGH * channels; i++) {
        const int pixel = i / channels;
        m.sample[i] = (uint16_t)(3 * (pixel % WIDE) + 2 * (pixel / WIDE) + i % channels);
    }
    return m;
}

static image cut(const image *m, const answer *a)
{
    oc_error e = {0};
    image out;
    draw_crop(m, a, a->n - 1, &out, "test", &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert(!out.sample || (out.channels == m->channels && out.white == m->white));
    return out;
}

START_TEST(a_box_is_cut_and_clipped)
{
    static const struct {
        float box[4];
        int x, y, width, height; /* wanted */
    } boxes[] = {{{5, 6, 15, 26}, 5, 6, 10, 20},
                 {{-8, -9, 4.4F, 5.6F}, 0, 0, 4, 6},
                 {{-1e30F, 2, 1e30F, 3}, 0, 2, WIDE, 1},
                 {{30, 20, 99, 99}, 30, 20, 10, 10}};
    for (int channels = 1; channels <= 4; channels++)
        for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
            image m = ramp(channels, channels % 2 ? 255 : 65535);
            const answer a = {.width = WIDE, .height = HIGH, .n = 1, .box = boxes[i].box};
            image out = cut(&m, &a);
            ck_assert_int_eq(out.width, boxes[i].width);
            ck_assert_int_eq(out.height, boxes[i].height);
            for (int k = 0; k < out.width * out.height * channels; k++) {
                const int pixel = k / channels, x = boxes[i].x + pixel % out.width,
                          y = boxes[i].y + pixel / out.width;
                ck_assert_int_eq(out.sample[k], 3 * x + 2 * y + k % channels);
            }
            image_free(&out);
            image_free(&m);
        }
}
END_TEST

START_TEST(what_is_not_on_the_photograph_is_empty)
{
    static const float boxes[][4] = {{50, 5, 60, 9}, {5, 5, 5, 9}, {NAN, 0, 9, 9}, {9, 9, 2, 2}};
    static const float corners[][8] = {
        {50, 0, 60, 0, 60, 9, 50, 9}, {0, 0, 9, 0, NAN, 9, 0, 9}, {-9, -9, -1, -9, -1, -1, -9, -1}};
    image m = ramp(3, 255);
    for (int i = 0; i < 7; i++) {
        const answer a = {.width = WIDE,
                          .height = HIGH,
                          .n = 1,
                          .box = i < 4 ? boxes[i] : NULL,
                          .corner = i < 4 ? NULL : corners[i - 4]};
        image out = cut(&m, &a);
        ck_assert_msg(!out.sample && out.width == 0, "%d", i);
    }
    image_free(&m);
}
END_TEST

/* Whichever corner is the first, and in which direction they go, the picture is upright. */
START_TEST(an_upright_box_by_corners_is_a_copy)
{
    static const float around[8] = {5, 6, 15, 6, 15, 26, 5, 26};
    image m = ramp(1, 255);
    for (int first = 0; first < 4; first++)
        for (int back = 0; back < 2; back++) {
            float corner[8];
            for (int i = 0; i < 8; i++) {
                const int k = (first + (back ? 4 - i / 2 : i / 2)) % 4;
                corner[i] = around[2 * k + i % 2];
            }
            const answer a = {.width = WIDE, .height = HIGH, .n = 1, .corner = corner};
            image out = cut(&m, &a);
            ck_assert(out.width == 10 && out.height == 20);
            for (int k = 0; k < 200; k++)
                ck_assert_int_eq(out.sample[k], 3 * (5 + k % 10) + 2 * (6 + k / 10));
            image_free(&out);
        }
    image_free(&m);
}
END_TEST

/* Sets the corners of a box around (x, y), turned clockwise by t. */
static void turn(float corner[8], double x, double y, double w, double h, double t)
{
    static const int sides[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int i = 0; i < 4; i++) {
        const double dx = sides[i][0] * w / 2, dy = sides[i][1] * h / 2;
        corner[2 * i] = (float)(x + dx * cos(t) - dy * sin(t));
        corner[2 * i + 1] = (float)(y + dx * sin(t) + dy * cos(t));
    }
}

/* The sample of the ramp at a place, which beyond the edges is that of the edge. */
static double ramp_at(double x, double y)
{
    return 3 * fmin(fmax(x - 0.5, 0), WIDE - 1) + 2 * fmin(fmax(y - 0.5, 0), HIGH - 1);
}

START_TEST(a_turned_box_becomes_upright)
{
    static const struct {
        double degrees, x, y;
        int w, h;
    } boxes[] = {{-40, 20, 15, 12, 8}, {-10, 20, 15, 12, 8}, {25, 20, 15, 6, 20},
                 {44, 20, 15, 8, 12},  {30, 1, 2, 14, 12},   {-20, 39, 29, 12, 10}};
    image m = ramp(1, 255);
    for (int i = 0; i < 6; i++) {
        const double t = boxes[i].degrees * acos(-1) / 180;
        const int w = boxes[i].w, h = boxes[i].h;
        float corner[8];
        turn(corner, boxes[i].x, boxes[i].y, w, h, t);
        const answer a = {.width = WIDE, .height = HIGH, .n = 1, .corner = corner};
        image out = cut(&m, &a);
        ck_assert_msg(out.width == w && out.height == h, "%d: %d x %d", i, out.width, out.height);
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                const double dx = x + 0.5 - w / 2.0, dy = y + 0.5 - h / 2.0;
                const double wanted = ramp_at(boxes[i].x + dx * cos(t) - dy * sin(t),
                                              boxes[i].y + dx * sin(t) + dy * cos(t));
                ck_assert_double_eq_tol(out.sample[w * y + x], wanted, 0.51);
            }
        image_free(&out);
    }
    image_free(&m);
}
END_TEST

/* The picture never becomes longer than the diagonal of the photograph. */
START_TEST(corners_far_away_are_bounded)
{
    static const float corner[8] = {-1e30F, -1e30F, 1e30F, -1e30F, 1e30F, 1e30F, -1e30F, 1e30F};
    image m = ramp(1, 255);
    const answer a = {.width = WIDE, .height = HIGH, .n = 1, .corner = corner};
    image out = cut(&m, &a);
    ck_assert(out.width <= 51 && out.height <= 51 && out.width > 0);
    image_free(&out);
    image_free(&m);
}
END_TEST

SUITE("draw_crop", a_box_is_cut_and_clipped, what_is_not_on_the_photograph_is_empty,
      an_upright_box_by_corners_is_a_copy, a_turned_box_becomes_upright,
      corners_far_away_are_bounded)
