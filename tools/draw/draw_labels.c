/* SPDX-License-Identifier: Apache-2.0
 * draw_labels.c - the plate with name and score of each object. */
#include "draw/draw_places.h"

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

/* Writes name and score of object k, or the score alone, and returns the size of the text: 0 for
 * neither. */
static size_t caption(const drawing *d, int k, bool has_name, char text[DRAWING_NAME])
{
    size_t n = d->a->label && has_name ? drawing_name(d, d->a->label[k], text) : 0;
    if (!d->a->score)
        return n;
    const double score = d->a->score[k];
    const char *format = isnan(score) ? "%sNaN" : fabs(score) < 1000 ? "%s%.2f" : "%s%.3g";
    return n + (size_t)snprintf(text + n, DRAWING_NAME - n, format, n ? " " : "", score);
}

/* ---- plates ---- */

/* What stands on the plate of object k. */
typedef struct label {
    font *font;
    int k;
    bool has_name;
    const char *read; /* NULL: the text is the caption */
    char caption[DRAWING_NAME];
    size_t size; /* of the text */
} label;

static const char *text_of(const label *l)
{
    return l->read ? l->read : l->caption;
}

static int plate_width(const label *l)
{
    return font_columns(text_of(l), l->size, -1, NULL) * l->font->width + l->font->height / 2;
}

static int plate_height(const label *l)
{
    return l->font->height + l->font->height / 8;
}

/* Draws a plate with its upper left corner at (x, y), and the text on it. */
static void draw_plate_at(const drawing *d, const label *l, int x, int y)
{
    const rgb colour = drawing_colour(d, l->k);
    canvas_fill(&d->photo, x, y, x + plate_width(l), y + plate_height(l), colour, CANVAS_OPAQUE);
    font_write(&d->photo, l->font, x + l->font->height / 4, y + l->font->height / 16, text_of(l),
               l->size, palette_ink(colour));
}

/* Sets the text of a label: the caption or, of a single object, what was read. */
static void write_label(const drawing *d, label *l)
{
    const bool reads = d->read && d->a->n == 1 && d->o.parts & DRAW_TEXT;
    l->read = reads ? d->read : NULL;
    l->size = reads ? strlen(d->read) : caption(d, l->k, l->has_name, l->caption);
}

/* ---- places ---- */

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

/* How a plate may look, the best first. */
enum { PLATE_USUAL, PLATE_SMALL, PLATE_SCORE, PLATES };

static label label_of(drawing *d, int k, int kind)
{
    label l = {.font = kind == PLATE_USUAL ? &d->font : &d->small,
               .k = k,
               .has_name = kind != PLATE_SCORE};
    write_label(d, &l);
    return l;
}

/* Finds a place for the plate of object k, and its kind. One that is large for its object is small
 * or the score alone, and is left out where it would cover objects. */
static drawing_box find_place(drawing *d, const draw_places *p, int k, int *kind)
{
    drawing_box place = {0, 0, 0, 0};
    const drawing_box frame = p->frame[p->n_plates];
    const int half = drawing_line(d, k) / 2;
    for (*kind = PLATE_USUAL; *kind < PLATES && frame.x1; ++*kind) {
        label l = label_of(d, k, *kind);
        const int width = plate_width(&l), height = plate_height(&l);
        const bool is_large =
            2 * width > 3 * (frame.x1 - frame.x0) || 2 * height > frame.y1 - frame.y0;
        const draw_plate plate = {d->a->corner ? find_top(d, k, frame, width) : frame, half, width,
                                  height};
        if (l.size == 0)
            break;
        if (is_large && *kind == PLATE_USUAL && d->small.height < d->font.height)
            continue;
        if (draw_places_clear(p, &plate, &place))
            return place;
        if (!is_large)
            return draw_places_any(p, &plate);
    }
    return (drawing_box){0, 0, 0, 0};
}

/* Places go to the best object first; the best is drawn last, on top. */
static void label_boxes(drawing *d)
{
    const size_t n = (size_t)d->n;
    draw_places p = {.width = d->photo.width, .height = d->photo.height, .n = d->n};
    int *kind = tool_alloc(n, sizeof *kind);
    p.frame = tool_alloc(n, sizeof *p.frame);
    p.plate = tool_alloc(n, sizeof *p.plate);
    for (int i = 0; i < d->n; i++)
        if (!drawing_frame(d->a, d->best[i], &p.frame[i]))
            p.frame[i] = (drawing_box){0, 0, 0, 0};
    for (; p.n_plates < d->n; p.n_plates++)
        p.plate[p.n_plates] = find_place(d, &p, d->best[p.n_plates], &kind[p.n_plates]);
    for (int i = d->n - 1; i >= 0; i--)
        if (p.plate[i].x1) {
            label l = label_of(d, d->best[i], kind[i]);
            draw_plate_at(d, &l, p.plate[i].x0, p.plate[i].y0);
        }
    free(kind);
    free(p.frame);
    free(p.plate);
}

/* Objects without a place, such as the classes of a picture: one below the other. */
static void list_objects(drawing *d)
{
    const int pad = d->font.height / 2;
    int y = pad;
    for (int i = 0; i < d->n; i++) {
        label l = label_of(d, d->best[i], PLATE_USUAL);
        if (y + plate_height(&l) > d->photo.height && i > 0)
            break;
        draw_plate_at(d, &l, pad, y);
        y += plate_height(&l);
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
