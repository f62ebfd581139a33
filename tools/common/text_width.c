/* SPDX-License-Identifier: Apache-2.0
 * text_width.c - which characters take two columns of a terminal, and which none? */
#include "common/text_width.h"

#include "base/utf8.h"

#include <string.h>

/* Unicode's East Asian Width: Wide and Fullwidth, joined over characters that are not assigned. */
static const unsigned wide[][2] = {
    {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},
    {0x4e00, 0xa4cf},   {0xa960, 0xa97c},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
    {0xfe30, 0xfe6b},   {0xff01, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
    {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};
/* Accents that combine, marks without a width, and selectors of variants. */
static const unsigned none[][2] = {
    {0x300, 0x36f}, {0x200b, 0x200f}, {0x20d0, 0x20f0}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff},
};

unsigned text_code(const unsigned char *p, size_t n)
{
    static const unsigned char mask[] = {0x7f, 0x7f, 0x1f, 0x0f, 0x07};
    unsigned code = p[0] & mask[n];
    for (size_t i = 1; i < n; i++)
        code = code << 6 | (p[i] & 0x3f);
    return code;
}

static int is_in(unsigned code, const unsigned (*ranges)[2], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (code >= ranges[i][0] && code <= ranges[i][1])
            return 1;
    return 0;
}

int text_width_of(const unsigned char *p, size_t n)
{
    const unsigned code = text_code(p, n);
    return is_in(code, none, sizeof none / sizeof *none)
               ? 0
               : 1 + is_in(code, wide, sizeof wide / sizeof *wide);
}

int text_width(const char *text)
{
    int columns = 0;
    for (size_t left = strlen(text), n; left; text += n, left -= n) {
        n = oc_utf8_shown((const unsigned char *)text, left);
        columns += n ? text_width_of((const unsigned char *)text, n) : 4;
        n = n ? n : 1;
    }
    return columns;
}
