/* SPDX-License-Identifier: Apache-2.0
 * draw_text.c - what was read and how sure it is, in lines below the photograph. */
#include "draw/drawing.h"

#include "base/int.h"

enum { MOST_LINES = 100 };

/* A text that is taken apart line by line. */
typedef struct lines {
    const char *at;
    int columns; /* of a line */
} lines;

char *drawing_read(const answer *a)
{
    float score;
    if (!a->text || !*a->text)
        return NULL;
    return answer_text_score(a, &score) ? tool_format("%s  %.2f", a->text, (double)score)
                                        : tool_format("%s", a->text);
}

static bool has_text_below(const drawing *d)
{
    const bool at_box = d->a->n == 1 && (d->a->box || d->a->corner) && d->o.parts & DRAW_LABELS;
    return d->read && d->o.parts & DRAW_TEXT && !at_box;
}

/* Takes the next line: up to a line end, or what fits, up to a space where there is one. Returns
 * its size in bytes; the line begins at *line. */
static size_t take_line(lines *l, const char **line)
{
    const char *begin = l->at;
    const size_t n = strcspn(begin, "\n");
    size_t fits = 0;
    const bool whole = font_columns(begin, n, l->columns, &fits) <= l->columns;
    size_t size = whole ? n : fits;
    for (size_t i = size; !whole && i > 0; i--)
        if (begin[i] == ' ') {
            size = i;
            break;
        }
    l->at = begin + size;
    l->at += (whole && *l->at == '\n') || (!whole && *l->at == ' ');
    *line = begin;
    return size;
}

static lines begin_lines(const drawing *d, int width)
{
    return (lines){d->read, oc_max((width - d->font.height) / d->font.width, 1)};
}

int draw_text_height(const drawing *d, int width)
{
    if (!has_text_below(d))
        return 0;
    lines l = begin_lines(d, width);
    const char *line;
    int n = 0;
    for (; *l.at && n < MOST_LINES; n++)
        take_line(&l, &line);
    return n * d->font.height + d->font.height / 2;
}

void draw_text(drawing *d)
{
    if (d->below.height == 0)
        return;
    lines l = begin_lines(d, d->below.width);
    for (int y = d->font.height / 4; *l.at && y < d->below.height; y += d->font.height) {
        const char *line;
        const size_t size = take_line(&l, &line);
        font_write(&d->below, &d->font, d->font.height / 2, y, line, size, palette_black);
    }
}
