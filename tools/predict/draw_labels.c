/* SPDX-License-Identifier: Apache-2.0
 * draw_labels.c - the plate with name and score of each object, and where there is room for it. */
#include "predict/drawing.h"

#include "base/int.h"

#include <math.h>

enum { NAME_COLUMNS = 40, NAME_BYTES = 4 * NAME_COLUMNS };

/* ---- texts ---- */

size_t drawing_name(const drawing *d, int64_t label, char text[DRAWING_NAME])
{
    size_t size = 0, fits = 0;
    const char *name = d->o.name ? d->o.name(d->o.names, label, &size) : NULL;
    if (!name)
        return (size_t)snprintf(text, DRAWING_NAME, "%" PRId64, label);
    size_t readable = oc_min(size, (size_t)NAME_BYTES);
    while (readable > 0 && readable < size && (name[readable] & 0xc0) == 0x80)
        readable--; /* no part of a character */
    const bool whole =
        font_columns(name, readable, NAME_COLUMNS, &fits) <= NAME_COLUMNS && readable == size;
    memcpy(text, name, fits);
    if (whole)
        return fits;
    memcpy(text + fits, "\xe2\x80\xa6", 3); /* three points */
    return fits + 3;
}

size_t drawing_caption(const drawing *d, int k, char text[DRAWING_NAME])
{
    size_t n = d->a->label ? drawing_name(d, d->a->label[k], text) : 0;
    if (!d->a->score)
        return n;
    const double score = d->a->score[k];
    const char *format = isnan(score) ? "%sNaN" : fabs(score) < 1000 ? "%s%.2f" : "%s%.3g";
    return n + (size_t)snprintf(text + n, DRAWING_NAME - n, format, n ? " " : "", score);
}

/* ---- plates ---- */

void drawing_plate_size(const drawing *d, const char *text, size_t n, int *width, int *height)
{
    *width = font_columns(text, n, -1, NULL) * d->font.width + d->font.height / 2;
    *height = d->font.height + d->font.height / 8;
}

void drawing_plate(drawing *d, const canvas *to, int x, int y, const char *text, size_t n,
                   rgb colour)
{
    int width, height;
    drawing_plate_size(d, text, n, &width, &height);
    canvas_fill(to, x, y, x + width, y + height, colour, CANVAS_OPAQUE);
    font_write(to, &d->font, x + d->font.height / 4, y + d->font.height / 16, text, n,
               palette_ink(colour));
}

/* ---- places ---- */

static bool overlap(const drawing_box *a, const drawing_box *b)
{
    return a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1;
}

static bool is_free(const drawing_box *place, const drawing_box *taken, int n)
{
    for (int i = 0; i < n; i++)
        if (overlap(place, &taken[i]))
            return false;
    return true;
}

/* Is the edge between two corners so nearly level that its box looks upright? */
static bool is_level(const float *p, const float *q)
{
    return 4 * fabsf(p[1] - q[1]) < fabsf(p[0] - q[0]);
}

/* Returns where the plate is tied to a turned box: above its highest corner, or from the left end
 * of a nearly level edge on. Corners outside the photograph do not count. */
static drawing_box find_top(const drawing *d, int k, drawing_box frame, int width)
{
    const float *p = d->a->corner + 8 * (size_t)k, *top = NULL;
    for (int i = 0; i < 4; i++)
        if (p[2 * i] >= 0 && p[2 * i] <= (float)d->photo.width && !(top && p[2 * i + 1] >= top[1]))
            top = p + 2 * i;
    if (!top)
        return frame;
    frame.x0 = (int)top[0] - width / 2 + d->o.line / 2;
    const int at = (int)(top - p) / 2;
    for (int side = 1; side <= 3; side += 2) {
        const float *q = p + 2 * ((at + side) % 4);
        if (is_level(top, q))
            frame.x0 = (int)fmaxf(fminf(top[0], q[0]), 0);
    }
    return frame;
}

/* Finds a place for a plate of that size at a box: above it, else inside at the top, below it, or
 * inside at the bottom, where no other plate is; else the first of these on the photograph. */
static drawing_box find_place(const drawing *d, const drawing_box *b, int width, int height,
                              const drawing_box *taken, int n_taken)
{
    const int half = d->o.line / 2, most = oc_max(d->photo.width - width, 0);
    const int x = oc_min(oc_max(b->x0 - half, 0), most);
    const int tops[] = {b->y0 - half - height, b->y0 - half, b->y1 + half, b->y1 + half - height};
    drawing_box first = {0, 0, 0, 0};
    for (int i = 0; i < 4; i++) {
        const drawing_box place = {x, tops[i], x + width, tops[i] + height};
        if (place.y0 < 0 || place.y1 > d->photo.height)
            continue;
        if (is_free(&place, taken, n_taken))
            return place;
        if (first.x1 == 0)
            first = place;
    }
    return first.x1 ? first : (drawing_box){x, 0, x + width, height};
}

/* Returns the text of object k's plate: its caption or, of a single object, what was read. */
static const char *plate_text(const drawing *d, int k, char text[DRAWING_NAME], size_t *size)
{
    if (d->read && d->a->n == 1 && d->o.parts & DRAW_TEXT) {
        *size = strlen(d->read);
        return d->read;
    }
    *size = drawing_caption(d, k, text);
    return text;
}

/* Places go to the best object first; the best is drawn last, on top. */
static void label_boxes(drawing *d)
{
    drawing_box *place = tool_alloc((size_t)d->n, sizeof *place);
    char text[DRAWING_NAME];
    size_t size;
    for (int i = 0; i < d->n; i++) {
        const int k = d->best[i];
        drawing_box b;
        int width, height;
        if (!drawing_frame(d->a, k, &b))
            continue; /* place[i] is empty */
        const char *shown = plate_text(d, k, text, &size);
        drawing_plate_size(d, shown, size, &width, &height);
        b = d->a->corner ? find_top(d, k, b, width) : b;
        if (size)
            place[i] = find_place(d, &b, width, height, place, i);
    }
    for (int i = d->n - 1; i >= 0; i--) {
        const char *shown = plate_text(d, d->best[i], text, &size);
        if (place[i].x1)
            drawing_plate(d, &d->photo, place[i].x0, place[i].y0, shown, size,
                          drawing_colour(d, d->best[i]));
    }
    free(place);
}

/* Objects without a place, such as the classes of a picture: one below the other. */
static void list_objects(drawing *d)
{
    const int pad = d->font.height / 2;
    int y = pad, width, height;
    char text[DRAWING_NAME];
    for (int i = 0; i < d->n; i++) {
        const size_t size = drawing_caption(d, d->best[i], text);
        drawing_plate_size(d, text, size, &width, &height);
        if (y + height > d->photo.height && i > 0)
            break;
        drawing_plate(d, &d->photo, pad, y, text, size, drawing_colour(d, d->best[i]));
        y += height;
    }
}

void draw_labels(drawing *d)
{
    if (!(d->o.parts & DRAW_LABELS) || d->n == 0)
        return;
    if (d->a->box || d->a->corner)
        label_boxes(d);
    else if (!d->a->mask && !d->a->point && !d->a->text)
        list_objects(d);
}
