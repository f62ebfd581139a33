/* SPDX-License-Identifier: Apache-2.0
 * test_font.c - are characters written as the font has them, in every size? */
#include "suite.h"

#include "draw/font.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 160, PAPER = 255 };

static uint16_t sheet[3 * SIDE * SIDE];

static canvas blank(void)
{
    for (int i = 0; i < 3 * SIDE * SIDE; i++)
        sheet[i] = PAPER;
    return (canvas){sheet, SIDE, SIDE, 3 * SIDE};
}

/* How dark a pixel is: 0 to 255. */
static int ink_at(int x, int y)
{
    return PAPER - sheet[3 * (y * SIDE + x)];
}

static int ink_within(int x0, int y0, int x1, int y1)
{
    int sum = 0;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            sum += ink_at(x, y);
    return sum;
}

static void put(int height, int x, int y, const char *text)
{
    const canvas c = blank();
    font f;
    font_open(&f, height);
    font_write(&c, &f, x, y, text, strlen(text), palette_black);
    font_close(&f);
}

/* Compares a character of the original height with rows of '#' and '.'. */
static void is_drawn(const char *text, const char *const rows[16])
{
    put(16, 3, 5, text);
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 8; x++)
            ck_assert_msg(ink_at(3 + x, 5 + y) == (rows[y][x] == '#' ? 255 : 0),
                          "%s: pixel (%d, %d)", text, x, y);
    ck_assert_int_eq(ink_within(0, 0, SIDE, SIDE), ink_within(3, 5, 11, 21));
}

START_TEST(characters_are_those_of_the_font)
{
    static const char *const letter[16] = {"........", "........", "##......", "##......",
                                           "##......", "##..##..", "##.##...", "####....",
                                           "####....", "##.##...", "##..##..", "##...##.",
                                           "........", "........", "........", "........"};
    static const char *const latin[16] = {"........", "........", "..##....", "..##....",
                                          "..##.#..", "..####..", "..###...", ".###....",
                                          ".###....", "..##....", "..##....", "...###..",
                                          "........", "........", "........", "........"};
    static const char *const mark[16] = {"........", "........", "........", "........",
                                         "........", "...#....", "..###...", "..###...",
                                         "...#....", "........", "........", "........",
                                         "........", "........", "........", "........"};
    is_drawn("k", letter);
    is_drawn("\xc5\x82", latin);
    is_drawn("\xe6\x97\xa5", mark);
}
END_TEST

/* The ink of a character grows with the square of its height, within its cell. */
START_TEST(every_height_has_the_same_shape)
{
    put(16, 0, 0, "R");
    const double small = ink_within(0, 0, 8, 16);
    for (int height = 32; height <= FONT_MOST; height += 16) {
        put(height, 0, 0, "R");
        const double times = ink_within(0, 0, height / 2, height) / small;
        const double squares = height * height / 256.0;
        ck_assert_msg(times > 0.9 * squares && times < 1.1 * squares, "%d: %g", height, times);
        ck_assert_int_eq(ink_within(height / 2, 0, SIDE, SIDE), 0);
        ck_assert_int_eq(ink_within(0, height, height / 2, SIDE), 0);
    }
}
END_TEST

/* Characters that mirror each other do so in every height. */
START_TEST(mirrored_characters_stay_so)
{
    static const char *const pairs[][2] = {{"(", ")"}, {"<", ">"}, {"{", "}"}, {"[", "]"}};
    static int ink[FONT_MOST][FONT_MOST / 2];
    for (int i = 0; i < 4; i++)
        for (int height = 16; height <= FONT_MOST; height += 16) {
            put(height, 0, 0, pairs[i][0]);
            for (int y = 0; y < height; y++)
                for (int x = 0; x < height / 2; x++)
                    ink[y][x] = ink_at(x, y);
            put(height, 0, 0, pairs[i][1]);
            for (int y = 0; y < height; y++)
                for (int x = 0; x < height / 2; x++)
                    suite_assert(ink_at(height / 2 - 1 - x, y) == ink[y][x], "%s, %d: (%d, %d)",
                                 pairs[i][0], height, x, y);
        }
}
END_TEST

/* A slope of steps becomes smooth: a doubled '/' is no two by two copy. */
START_TEST(a_slope_becomes_smooth)
{
    put(32, 0, 0, "/");
    int partly = 0;
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 16; x++)
            partly += ink_at(x, y) > 0 && ink_at(x, y) < 255;
    ck_assert_int_gt(partly, 10);
}
END_TEST

/* Counts the pixels in which two characters differ. */
static int unlike(const char *a, const char *b, int height)
{
    static int ink[FONT_MOST][FONT_MOST / 2];
    int n = 0;
    put(height, 0, 0, a);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < height / 2; x++)
            ink[y][x] = ink_at(x, y);
    put(height, 0, 0, b);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < height / 2; x++)
            n += abs(ink[y][x] - ink_at(x, y)) > 127;
    return n;
}

START_TEST(letters_are_told_apart)
{
    static const char *const pairs[][2] = {{"A", "R"}, {"S", "5"}, {"0", "O"}};
    static const int least[] = {10, 9, 5};
    for (int i = 0; i < 3; i++) {
        const int n = unlike(pairs[i][0], pairs[i][1], 16);
        ck_assert_msg(n >= least[i], "%s and %s: %d pixels", pairs[i][0], pairs[i][1], n);
    }
    ck_assert_int_eq(unlike("A", "\xd0\x90", 16), 0); /* a Cyrillic one */
}
END_TEST

/* Across the middle of a stem no pixel is covered in part. */
START_TEST(stems_are_sharp)
{
    for (int height = 16; height <= FONT_MOST; height += 5) {
        put(height, 0, 0, "H");
        for (int x = 0; x < SIDE; x++) {
            const int ink = ink_at(x, (height + 8) / 16 * 9);
            ck_assert_msg(ink == 0 || ink == 255, "height %d, column %d: %d", height, x, ink);
        }
    }
}
END_TEST

START_TEST(heights_are_multiples)
{
    static const int heights[][2] = {{-5, 16}, {0, 16},  {17, 16}, {23, 16},
                                     {24, 32}, {33, 32}, {41, 48}, {9999, FONT_MOST}};
    for (int i = 0; i < 8; i++) {
        font f;
        font_open(&f, heights[i][0]);
        ck_assert_int_eq(f.height, heights[i][1]);
        ck_assert_int_eq(f.width, heights[i][1] / 2);
        font_close(&f);
    }
}
END_TEST

START_TEST(characters_are_counted)
{
    static const struct {
        const char *text;
        int columns;
    } texts[] = {{"", 0},
                 {"dog 0.5", 7},
                 {"\xc5\x81\xc3\xb3\x64\xc5\xba", 4},
                 {"e\xcc\x81t", 2},         /* an accent of its own */
                 {"a\xff\x62", 3},          /* a byte of no character */
                 {"\xe6\x97\xa5\xe6", 2},   /* one that the font lacks, one cut off */
                 {"\xef\xbb\xbfx\x01", 2}}; /* a mark without width, a control character */
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ck_assert_int_eq(font_columns(texts[i].text, strlen(texts[i].text), -1, NULL),
                         texts[i].columns);
    size_t fits = 99;
    font_columns("\xc5\x81\xc3\xb3z", 5, 2, &fits);
    ck_assert_uint_eq(fits, 4);
}
END_TEST

START_TEST(nothing_is_written_outside)
{
    enum { INNER = 20 };
    static const int at[][2] = {{-5, -9}, {15, 12}, {-400, 0}, {0, 400}, {-30, 5}, {19, -15}};
    for (int i = 0; i < 6; i++) {
        const canvas all = blank();
        const canvas part = {sheet + 3 * (40 * SIDE + 40), INNER, INNER, all.stride};
        font f;
        font_open(&f, 16 + 8 * i);
        font_write(&part, &f, at[i][0], at[i][1], "WMWMWM", 6, palette_black);
        font_close(&f);
        ck_assert_int_eq(ink_within(0, 0, SIDE, SIDE), ink_within(40, 40, 40 + INNER, 40 + INNER));
    }
}
END_TEST

SUITE("font", characters_are_those_of_the_font, every_height_has_the_same_shape,
      mirrored_characters_stay_so, a_slope_becomes_smooth, letters_are_told_apart, stems_are_sharp,
      heights_are_multiples, characters_are_counted, nothing_is_written_outside)
