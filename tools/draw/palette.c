/* SPDX-License-Identifier: Apache-2.0
 * palette.c - which colours are told apart, and which stand for numbers. */
#include "draw/palette.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

const rgb palette_black = {0, 0, 0}, palette_white = {255, 255, 255};

/* Eight are those that Okabe and Ito chose for all eyes (2008); each other one is far from them in
 * CIELAB, as all three kinds of eyes see them. By their order persons, which COCO numbers 0, have
 * colours far from what is beside them most often: bicycles (1), cars (2), motorcycles, buses (5),
 * trucks (7), cats (15), dogs (16), chairs (56), tables (60). */
static const rgb colours[PALETTE_COLOURS] = {
    {0xe6, 0x9f, 0x00}, {0x00, 0x44, 0xdd}, {0x56, 0xb4, 0xe9}, {0x88, 0x33, 0x22},
    {0xcc, 0x79, 0xa7}, {0x88, 0xff, 0xaa}, {0x88, 0x33, 0x44}, {0x99, 0x22, 0x88},
    {0x00, 0x9e, 0x73}, {0xf0, 0xe4, 0x42}, {0x00, 0x72, 0xb2}, {0x88, 0xdd, 0xbb},
    {0xd5, 0x5e, 0x00}, {0x88, 0x33, 0x66}, {0x99, 0xdd, 0x66}, {0x11, 0x44, 0xaa},
    {0x44, 0xbb, 0x66}, {0x44, 0x88, 0xff}, {0x55, 0xff, 0xff}, {0x00, 0x00, 0x00},
};

rgb palette_colour(int64_t i)
{
    const int others = PALETTE_COLOURS - 1;
    const int rest = (int)(i % others); /* 0: the last of the others */
    return colours[i == 0 ? 0 : rest > 0 ? rest : others + rest];
}

/* Black on gray 117 has the contrast of white on gray 117. Squares stand in for sRGB's curve. */
rgb palette_ink(rgb ground)
{
    enum { RED = 2126, GREEN = 7152, BLUE = 722, MIDDLE = 117 };
    const int light =
        RED * ground.r * ground.r + GREEN * ground.g * ground.g + BLUE * ground.b * ground.b;
    return light > (RED + GREEN + BLUE) * MIDDLE * MIDDLE ? palette_black : palette_white;
}

/* Parts of white, in percent, or, negative, of black: neighbours in the list are far apart. */
rgb palette_shade(rgb c, int i)
{
    static const int of_light[PALETTE_SHADES] = {0, 50, -50, 25, -25};
    static const int of_dark[PALETTE_SHADES] = {0, 40, 65, 20, 80};
    const bool is_light = palette_ink(c).r == 0;
    const int part = (is_light ? of_light : of_dark)[i % PALETTE_SHADES];
    const int left = 100 - abs(part), add = part > 0 ? 255 * part : 0;
    return (rgb){(unsigned char)((c.r * left + add) / 100),
                 (unsigned char)((c.g * left + add) / 100),
                 (unsigned char)((c.b * left + add) / 100)};
}

/* Returns the sample at a part, 0 to 1, of the way from b to c, on a smooth curve whose slope at b
 * is that from a to c, and at c that from b to d (Catmull and Rom). */
static unsigned char on_curve(int a, int b, int c, int d, double part)
{
    const double third = 3 * (b - c) + d - a, second = 2 * a - 5 * b + 4 * c - d, first = c - a;
    const double x = b + ((third * part + second) * part + first) * part / 2;
    return (unsigned char)(x > 0 ? (x < 255 ? floor(x + 0.5) : 255) : 0);
}

/* The lightness of the colours between which the curve goes, in CIELAB, rises by equal steps. */
void palette_levels(rgb level[PALETTE_LEVELS])
{
    static const rgb at[] = {{0, 0, 4},      {35, 19, 82},   {94, 18, 121},
                             {149, 40, 119}, {206, 60, 95},  {245, 101, 56},
                             {255, 156, 22}, {255, 207, 51}, {252, 252, 164}};
    enum { LAST = sizeof at / sizeof *at - 1 };
    for (int i = 0; i < PALETTE_LEVELS; i++) {
        const double place = i * (double)LAST / (PALETTE_LEVELS - 1);
        const int k = place < LAST ? (int)place : LAST - 1;
        const rgb a = at[k > 0 ? k - 1 : 0], b = at[k], c = at[k + 1],
                  d = at[k + 2 < LAST ? k + 2 : LAST];
        level[i] =
            (rgb){on_curve(a.r, b.r, c.r, d.r, place - k), on_curve(a.g, b.g, c.g, d.g, place - k),
                  on_curve(a.b, b.b, c.b, d.b, place - k)};
    }
}

/* ---- the wheel of directions ---- */

/* From red by yellow, green, cyan, blue and magenta back to red: how many steps each arc has, and
 * the colour at its begin. */
enum { ARCS = 6 };
static const struct {
    int steps;
    rgb from;
} arcs[ARCS + 1] = {
    {15, {255, 0, 0}}, {6, {255, 255, 0}}, {4, {0, 255, 0}}, {11, {0, 255, 255}},
    {13, {0, 0, 255}}, {6, {255, 0, 255}}, {0, {255, 0, 0}},
};

/* Returns the sample of a step of an arc: it rises or falls from a to b by whole numbers. */
static unsigned char step_between(int a, int b, int step, int steps)
{
    const int moved = 255 * step / steps;
    return (unsigned char)(a == b ? a : a < b ? moved : 255 - moved);
}

void palette_wheel(rgb wheel[PALETTE_WHEEL + 1])
{
    rgb *to = wheel;
    for (int k = 0; k < ARCS; k++) {
        const rgb a = arcs[k].from, b = arcs[k + 1].from;
        const int n = arcs[k].steps;
        for (int i = 0; i < n; i++)
            *to++ = (rgb){step_between(a.r, b.r, i, n), step_between(a.g, b.g, i, n),
                          step_between(a.b, b.b, i, n)};
    }
    *to = wheel[0];
}

/* Returns atan(t) for 0 <= t <= 1, to 2e-8: formula 4.4.49 of Abramowitz and Stegun. The C
 * library's has other bits on other systems. */
static double arc_tangent(double t)
{
    static const double of[] = {0.0028662257,  -0.0161657367, 0.0429096138,
                                -0.0752896400, 0.1065626393,  -0.1420889944,
                                0.1999355085,  -0.3333314528, 1.0};
    double sum = 0;
    for (int i = 0; i < (int)(sizeof of / sizeof *of); i++)
        sum = sum * (t * t) + of[i];
    return sum * t;
}

/* Returns the angle of (x, y) in half turns, -1 to 1. */
static double half_turns(double x, double y)
{
    static const double pi = 3.14159265358979323846;
    const double wide = fabs(x), high = fabs(y);
    const bool steep = high > wide;
    const double longer = steep ? high : wide;
    double a = longer > 0 ? arc_tangent((steep ? wide : high) / longer) / pi : 0;
    a = steep ? 0.5 - a : a;
    a = signbit(x) ? 1 - a : a;
    return signbit(y) ? -a : a;
}

rgb palette_motion(const rgb wheel[PALETTE_WHEEL + 1], double x, double y)
{
    const double squares = x * x + y * y;
    if (!isfinite(squares))
        return palette_black;
    const double place = (half_turns(-x, -y) + 1) / 2 * (PALETTE_WHEEL - 1);
    const int first = (int)place;
    const double part = place - first, speed = squares < 1 ? sqrt(squares) : 1;
    const rgb a = wheel[first], b = wheel[first + 1];
    const double r = (a.r + (b.r - a.r) * part) / 255, g = (a.g + (b.g - a.g) * part) / 255,
                 u = (a.b + (b.b - a.b) * part) / 255;
    return (rgb){(unsigned char)(255 * (1 - speed * (1 - r))),
                 (unsigned char)(255 * (1 - speed * (1 - g))),
                 (unsigned char)(255 * (1 - speed * (1 - u)))};
}
