/* SPDX-License-Identifier: Apache-2.0
 * test_palette.c - are colours told apart, by all eyes, and do they stand for what they should? */
#include "suite.h"

#include "draw/palette.h"

#include <math.h>
#include <stdbool.h>

typedef struct triple {
    double v[3];
} triple;

static double linear(int sample)
{
    const double x = sample / 255.0;
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static triple times(const double m[9], triple a)
{
    triple to;
    for (int i = 0; i < 3; i++)
        to.v[i] = m[3 * i] * a.v[0] + m[3 * i + 1] * a.v[1] + m[3 * i + 2] * a.v[2];
    return to;
}

static double root(double t)
{
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

/* CIELAB, by the white point D65. */
static triple lab(triple light)
{
    static const double xyz[9] = {0.4124564, 0.3575761, 0.1804375, 0.2126729, 0.7151522,
                                  0.0721750, 0.0193339, 0.1191920, 0.9503041};
    const triple a = times(xyz, light);
    const double x = root(a.v[0] / 0.95047), y = root(a.v[1]), z = root(a.v[2] / 1.08883);
    return (triple){{116 * y - 16, 500 * (x - y), 200 * (y - z)}};
}

/* What eyes of all receptors see, and those without one kind of them, in linear light: Vienot,
 * Brettel and Mollon, 1999. */
static const double eyes[3][9] = {
    {1, 0, 0, 0, 1, 0, 0, 0, 1},
    {0.11238, 0.88762, 0, 0.11238, 0.88762, 0, 0.00401, -0.00401, 1},
    {0.29275, 0.70725, 0, 0.29275, 0.70725, 0, -0.02234, 0.02234, 1},
};

static triple seen(rgb c, int eye)
{
    triple light = times(eyes[eye], (triple){{linear(c.r), linear(c.g), linear(c.b)}});
    for (int i = 0; i < 3; i++)
        light.v[i] = fmin(fmax(light.v[i], 0), 1);
    return lab(light);
}

static double distance(rgb a, rgb b, int eye)
{
    const triple p = seen(a, eye), q = seen(b, eye);
    return sqrt(pow(p.v[0] - q.v[0], 2) + pow(p.v[1] - q.v[1], 2) + pow(p.v[2] - q.v[2], 2));
}

/* 2.3 is just noticeable. The nearest two are of the eight by Okabe and Ito, at 17.2. */
START_TEST(all_eyes_tell_them_apart)
{
    for (int eye = 0; eye < 3; eye++)
        for (int i = 0; i < PALETTE_COLOURS; i++)
            for (int j = 0; j < i; j++) {
                const double gap = distance(palette_colour(i), palette_colour(j), eye);
                ck_assert_msg(gap > 17, "colours %d and %d: %g, eyes %d", j, i, gap, eye);
            }
}
END_TEST

/* Bicycles, cars, motorcycles, buses, trucks, cats, dogs, chairs, tables, and what is beside them.
 */
START_TEST(persons_are_told_from_what_is_beside_them)
{
    static const int beside[] = {1, 2, 3, 5, 7, 15, 16, 56, 60},
                     pairs[][2] = {{1, 2}, {2, 5}, {2, 7}, {5, 7}, {1, 3}, {2, 3}, {15, 16}};
    for (int i = 0; i < 9; i++) {
        const double gap = distance(palette_colour(0), palette_colour(beside[i]), 0);
        ck_assert_msg(gap > 60, "label %d: %g", beside[i], gap);
    }
    for (int i = 0; i < 7; i++) {
        const double gap = distance(palette_colour(pairs[i][0]), palette_colour(pairs[i][1]), 0);
        ck_assert_msg(gap > 60, "labels %d and %d: %g", pairs[i][0], pairs[i][1], gap);
    }
}
END_TEST

START_TEST(shades_are_told_apart)
{
    for (int k = 0; k < PALETTE_COLOURS; k++)
        for (int i = 0; i < PALETTE_SHADES; i++)
            for (int j = 0; j < i; j++) {
                const rgb c = palette_colour(k);
                const double gap = distance(palette_shade(c, i), palette_shade(c, j), 0);
                ck_assert_msg(gap > 6, "colour %d, shades %d and %d: %g", k, j, i, gap);
            }
}
END_TEST

START_TEST(any_number_has_a_colour)
{
    static const int64_t same[][2] = {
        {PALETTE_COLOURS, 1}, {-1, PALETTE_COLOURS - 2}, {-PALETTE_COLOURS, 18}, {5019, 3}};
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq(distance(palette_colour(same[i][0]), palette_colour(same[i][1]), 0), 0);
    for (int i = 1; i < 300; i++)
        ck_assert(distance(palette_colour(i), palette_colour(0), 0) > 0);
    palette_colour(INT64_MIN);
    palette_colour(INT64_MAX);
}
END_TEST

static double contrast(rgb a, rgb b)
{
    const double p = 0.2126 * linear(a.r) + 0.7152 * linear(a.g) + 0.0722 * linear(a.b);
    const double q = 0.2126 * linear(b.r) + 0.7152 * linear(b.g) + 0.0722 * linear(b.b);
    return (fmax(p, q) + 0.05) / (fmin(p, q) + 0.05);
}

/* 4.5 is what the guidelines for the web ask of text. */
START_TEST(text_is_read_on_every_colour)
{
    for (int i = 0; i < PALETTE_COLOURS; i++) {
        const rgb ground = palette_colour(i);
        ck_assert_msg(contrast(ground, palette_ink(ground)) >= 4.5, "colour %d", i);
    }
    ck_assert(palette_ink(palette_white).r == 0 && palette_ink(palette_black).r == 255);
}
END_TEST

START_TEST(levels_rise_in_lightness)
{
    rgb level[PALETTE_LEVELS];
    palette_levels(level);
    ck_assert(seen(level[0], 0).v[0] < 1 && seen(level[PALETTE_LEVELS - 1], 0).v[0] > 95);
    for (int eye = 0; eye < 3; eye++)
        for (int i = 1; i < PALETTE_LEVELS; i++) {
            const double step = seen(level[i], eye).v[0] - seen(level[i - 1], eye).v[0];
            ck_assert_msg(step > 0 && step < 1.2, "level %d: %g, eyes %d", i, step, eye);
        }
}
END_TEST

START_TEST(a_direction_is_a_hue)
{
    rgb wheel[PALETTE_WHEEL + 1];
    palette_wheel(wheel);
    const rgb right = palette_motion(wheel, 1, 0), none = palette_motion(wheel, 0, 0),
              fast = palette_motion(wheel, 1e200, 1), nan = palette_motion(wheel, NAN, 0),
              slow = palette_motion(wheel, 0.5, 0);
    ck_assert(right.r == 255 && right.g == 0 && right.b == 0);
    ck_assert(slow.r == 255 && slow.g == 127 && slow.b == 127);
    ck_assert(none.r == 255 && none.g == 255 && none.b == 255);
    ck_assert(nan.r == 0 && nan.g == 0 && nan.b == 0);
    ck_assert(fast.r == 0 && fast.g == 0 && fast.b == 0); /* its square is infinite */
}
END_TEST

SUITE("palette", all_eyes_tell_them_apart, persons_are_told_from_what_is_beside_them,
      shades_are_told_apart, any_number_has_a_colour, text_is_read_on_every_colour,
      levels_rise_in_lightness, a_direction_is_a_hue)
