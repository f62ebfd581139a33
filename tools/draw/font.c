/* SPDX-License-Identifier: Apache-2.0
 * font.c - how does a character of 8 x 16 bits become a larger one? */
#include "draw/font.h"

#include "base/int.h"
#include "base/utf8.h"
#include "common/text_width.h"

#include <zlib.h>

#include "font.def" /* codes, rows_z, licence */

enum { N_GLYPHS = sizeof codes / sizeof *codes, UNKNOWN = N_GLYPHS, NO_GLYPH = -1 };

/* A character in one of the sizes that doubling gives: row y, whose leftmost pixel is bit
 * height / 2 - 1. */
typedef struct bits {
    int height;
    uint64_t row[FONT_MOST];
} bits;

void font_open(font *f, int height)
{
    const int bounded = oc_min(oc_max(height, (int)FONT_LEAST), (int)FONT_MOST);
    *f = (font){.height = (bounded + FONT_LEAST / 2) / FONT_LEAST * FONT_LEAST,
                .glyph = tool_alloc(N_GLYPHS + 1, sizeof *f->glyph)};
    f->width = f->height / 2;
}

void font_close(font *f)
{
    for (int i = 0; f->glyph && i <= N_GLYPHS; i++)
        free(f->glyph[i]);
    free(f->glyph);
    free(f->rows);
    *f = (font){0};
}

const char *font_licence(void)
{
    return licence;
}

/* ---- characters in a text ---- */

static int find_glyph(unsigned code)
{
    int low = 0, high = N_GLYPHS;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (codes[middle] < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low < N_GLYPHS && codes[low] == code ? low : UNKNOWN;
}

/* Returns the glyph of the character at *at, and moves *at behind it. */
static int next_glyph(const char *text, size_t size, size_t *at)
{
    const unsigned char *p = (const unsigned char *)text + *at;
    const size_t n = oc_utf8_size(p, size - *at);
    *at += n ? n : 1;
    return n == 0 ? UNKNOWN : text_width_of(p, n) == 0 ? NO_GLYPH : find_glyph(text_code(p, n));
}

int font_columns(const char *text, size_t size, int most, size_t *fits)
{
    int columns = 0;
    for (size_t at = 0; at < size;) {
        columns += next_glyph(text, size, &at) != NO_GLYPH;
        if (most >= 0 && columns <= most)
            *fits = at;
    }
    return columns;
}

bool font_lacks(const char *text, size_t size)
{
    for (size_t at = 0; at < size;)
        if (next_glyph(text, size, &at) == UNKNOWN)
            return true;
    return false;
}

/* ---- glyphs ---- */

/* Moves bit i of the lower half to bit 2 i. */
static uint64_t spread(uint64_t x)
{
    x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
    x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x | x << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    x = (x | x << 2) & UINT64_C(0x3333333333333333);
    return (x | x << 1) & UINT64_C(0x5555555555555555);
}

/* Doubles a glyph by the rule of Scale2x: a quarter of a pixel takes the value of the two
 * neighbours that it touches where these are equal and the two opposite ones differ from them.
 * Slopes become smooth, and corners stay. */
static bits doubled(const bits *b)
{
    bits big = {.height = 2 * b->height};
    const uint64_t all = (UINT64_C(1) << b->height / 2) - 1;
    for (int y = 0; y < b->height; y++) {
        const uint64_t row = b->row[y], left = row >> 1, right = row << 1 & all;
        const uint64_t up = y > 0 ? b->row[y - 1] : 0;
        const uint64_t down = y + 1 < b->height ? b->row[y + 1] : 0;
        const uint64_t edge = (up ^ down) & (left ^ right);
        const uint64_t take_left[] = {edge & ~(left ^ up), edge & ~(left ^ down)};
        const uint64_t take_right[] = {edge & ~(right ^ up), edge & ~(right ^ down)};
        for (int half = 0; half < 2; half++) {
            const uint64_t l = (row & ~take_left[half]) | (left & take_left[half]);
            const uint64_t r = (row & ~take_right[half]) | (right & take_right[half]);
            big.row[2 * y + half] = spread(l) << 1 | spread(r);
        }
    }
    return big;
}

/* The rows of all characters. */
static const unsigned char *open_rows(font *f)
{
    uLongf size = N_GLYPHS * FONT_LEAST;
    if (!f->rows) {
        f->rows = tool_alloc(N_GLYPHS, FONT_LEAST);
        uncompress(f->rows, &size, rows_z, sizeof rows_z);
    }
    return f->rows;
}

static bits original(font *f, int glyph)
{
    static const unsigned char mark[16] = {[5] = 0x10, [6] = 0x38, [7] = 0x38, [8] = 0x10};
    bits b = {.height = FONT_LEAST};
    const unsigned char *row = glyph == UNKNOWN ? mark : open_rows(f) + glyph * FONT_LEAST;
    for (int y = 0; y < FONT_LEAST; y++)
        b.row[y] = row[y];
    return b;
}

/* Counts how much of pixel (x, y) of a glyph of height h is set. Both sides of a pixel of b are h
 * units long, and both sides of the pixel b->height units. */
static int covered(const bits *b, int h, int x, int y)
{
    const int side = b->height, x0 = x * side, x1 = x0 + side, y0 = y * side, y1 = y0 + side;
    int sum = 0;
    for (int j = y0 / h; j * h < y1; j++) {
        const int high = oc_min(y1, (j + 1) * h) - oc_max(y0, j * h);
        int wide = 0;
        for (int i = b->row[j] ? x0 / h : side; i * h < x1; i++)
            if (b->row[j] >> (side / 2 - 1 - i) & 1)
                wide += oc_min(x1, (i + 1) * h) - oc_max(x0, i * h);
        sum += wide * high;
    }
    return sum;
}

/* Draws a glyph: doubled until it has at least twice the height, then shrunk. One of the original
 * height is not touched. */
static unsigned char *draw_glyph(font *f, int glyph)
{
    const int height = f->height;
    bits b = original(f, glyph);
    while (height != FONT_LEAST && b.height < 2 * height && b.height < FONT_MOST)
        b = doubled(&b);
    const int width = height / 2, whole = b.height * b.height;
    unsigned char *to = tool_alloc((size_t)height * (size_t)width, 1);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            to[y * width + x] = (unsigned char)(covered(&b, height, x, y) * 255 / whole);
    return to;
}

static void put_glyph(const canvas *c, font *f, int left, int top, int glyph, rgb ink)
{
    if (!f->glyph[glyph])
        f->glyph[glyph] = draw_glyph(f, glyph);
    const int x0 = oc_max(0, -left), x1 = oc_min(f->width, c->width - left);
    const int y0 = oc_max(0, -top), y1 = oc_min(f->height, c->height - top);
    for (int y = y0; y < y1; y++) {
        const unsigned char *from = f->glyph[glyph] + y * f->width;
        for (int x = x0; x < x1; x++)
            if (from[x]) /* 255 becomes CANVAS_OPAQUE */
                canvas_dot(c, left + x, top + y, ink, from[x] + (unsigned)(from[x] >> 7));
    }
}

void font_write(const canvas *c, font *f, int x, int y, const char *text, size_t size, rgb ink)
{
    if (y >= c->height || y + f->height <= 0)
        return;
    for (size_t at = 0; at < size && x < c->width;) {
        const int glyph = next_glyph(text, size, &at);
        if (glyph == NO_GLYPH)
            continue;
        if (x + f->width > 0)
            put_glyph(c, f, x, y, glyph, ink);
        x += f->width;
    }
}
