/* SPDX-License-Identifier: Apache-2.0
 * font.h - writes text in UTF-8 on a canvas, by the bitmap font Spleen or a multiple of it.
 *
 * All characters are half as wide as they are high. Their height is a multiple of the font's, so
 * that stems begin and end between two pixels. The font has Latin, Greek and Cyrillic letters.
 * A small mark stands for a character that it lacks, for a control character, and for a byte that
 * is not part of a character; accents that are characters of their own (U+0300 to U+036F), and
 * characters without a width, are left out. */
#pragma once

#include "common/tool.h"
#include "draw/canvas.h"

enum { FONT_LEAST = 16, FONT_MOST = 128 };

/* The characters of one height, each drawn once, when it is first used. */
typedef struct font {
    int height, width;     /* of a character, in pixels */
    unsigned char *rows;   /* of the characters of FONT_LEAST, a byte a row; NULL: not used yet */
    unsigned char **glyph; /* NULL: not used yet; else how much each pixel is covered, 0 to 255 */
} font;

/* The height becomes the nearest multiple of FONT_LEAST, at most FONT_MOST. Close with
 * font_close. */
void font_open(font *f, int height);
void font_close(font *f);

/* Returns how many characters wide the text is; with most >= 0, how many of its bytes fit into that
 * many characters is set in *fits. */
int font_columns(const char *text, size_t size, int most, size_t *fits);
/* Is there a character for which the mark stands? */
bool font_lacks(const char *text, size_t size);
/* Writes the text, with its left and upper end at (x, y). */
void font_write(const canvas *c, font *f, int x, int y, const char *text, size_t size, rgb ink);

/* Returns the font's name, copyright and licence, which whoever passes the command on must keep. */
const char *font_licence(void);
