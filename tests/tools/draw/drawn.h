/* SPDX-License-Identifier: Apache-2.0
 * drawn.h - what the tests of drawing share: plain pictures, and their pixels. */
#pragma once

#include "suite.h"

#include "draw/draw_answer.h"
#include "draw/palette.h"

enum { GRAY = 100 };

static inline image drawn_new(int width, int height, int channels, int white, int sample)
{
    image m = {.width = width, .height = height, .channels = channels, .white = white};
    oc_error e = {0};
    image_alloc(&m, SIZE_MAX, "test", &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    for (int i = 0; i < width * height * channels; i++)
        m.sample[i] = (uint16_t)sample;
    return m;
}

/* A gray picture of red, green and blue, and an answer for it that has nothing yet. */
static inline image drawn_gray(int width, int height, answer *a)
{
    *a = (answer){.width = width,
                  .height = height,
                  .input_width = width,
                  .input_height = height,
                  .fit = {1, 1, 0, 0}};
    return drawn_new(width, height, 3, 255, GRAY);
}

static inline void drawn_ok(image *m, const answer *a, const draw_options *o)
{
    oc_error e = {0};
    draw_answer(m, a, o, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert(m->channels == 3 && m->white == 255);
}

static inline rgb drawn_at(const image *m, int x, int y)
{
    const uint16_t *at = m->sample + 3 * ((size_t)y * (size_t)m->width + (size_t)x);
    return (rgb){(unsigned char)at[0], (unsigned char)at[1], (unsigned char)at[2]};
}

static inline bool drawn_is(const image *m, int x, int y, rgb c)
{
    const rgb at = drawn_at(m, x, y);
    return at.r == c.r && at.g == c.g && at.b == c.b;
}

static inline bool drawn_is_gray(const image *m, int x, int y)
{
    return drawn_is(m, x, y, (rgb){GRAY, GRAY, GRAY});
}

/* Counts the pixels of that colour in a rectangle. */
static inline int drawn_count(const image *m, int x0, int y0, int x1, int y1, rgb c)
{
    int n = 0;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            n += drawn_is(m, x, y, c);
    return n;
}

#define drawn_assert(m, x, y, c)                                                                   \
    ck_assert_msg(drawn_is(m, x, y, c), "pixel (%d, %d): %d %d %d", x, y, drawn_at(m, x, y).r,     \
                  drawn_at(m, x, y).g, drawn_at(m, x, y).b)
