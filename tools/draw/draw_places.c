/* SPDX-License-Identifier: Apache-2.0
 * draw_places.c - the places of a plate at its frame, in their order, and what is in their way. */
#include "draw/draw_places.h"

#include "base/int.h"

/* Above the frame, inside it at the top, below it, inside at the bottom: first from its left end
 * on, then up to its right end. Then right of it, and left of it. */
enum { ROWS = 4, RIGHT = 2 * ROWS, LEFT, PLACES };

static drawing_box place_of(const draw_places *p, const draw_plate *q, int i)
{
    const drawing_box *b = &q->at;
    const int tops[ROWS] = {b->y0 - q->half - q->height, b->y0 - q->half, b->y1 + q->half,
                            b->y1 + q->half - q->height};
    const int left = i < ROWS     ? b->x0 - q->half
                     : i < RIGHT  ? b->x1 + q->half - q->width
                     : i == RIGHT ? b->x1 + q->half
                                  : b->x0 - q->half - q->width;
    const int x = oc_min(oc_max(left, 0), oc_max(p->width - q->width, 0));
    const int y = i < RIGHT ? tops[i % ROWS] : b->y0 - q->half;
    return (drawing_box){x, y, x + q->width, y + q->height};
}

static bool is_inside(const draw_places *p, const drawing_box *place)
{
    return place->y0 >= 0 && place->y1 <= p->height;
}

/* Returns how many pixels two boxes share. */
static int64_t shared(const drawing_box *a, const drawing_box *b)
{
    const int width = oc_min(a->x1, b->x1) - oc_max(a->x0, b->x0);
    const int height = oc_min(a->y1, b->y1) - oc_max(a->y0, b->y0);
    return width > 0 && height > 0 ? (int64_t)width * height : 0;
}

static bool hides_plate(const draw_places *p, const drawing_box *place)
{
    for (int i = 0; i < p->n_plates; i++)
        if (shared(place, &p->plate[i]))
            return true;
    return false;
}

static int64_t pixels(const drawing_box *b)
{
    return (int64_t)(b->x1 - b->x0) * (b->y1 - b->y0);
}

/* Of a frame that is not much higher than the plate, such as a line of text, the plate hides what
 * it covers; of another one, a part. */
static bool hides_frame(const draw_places *p, const drawing_box *place)
{
    for (int i = 0; i < p->n; i++) {
        const drawing_box *f = &p->frame[i];
        const bool is_low = f->y1 - f->y0 < 3 * (place->y1 - place->y0);
        const int64_t bound = is_low ? oc_min(pixels(f), pixels(place)) : pixels(f);
        if (8 * shared(place, f) > bound)
            return true;
    }
    return false;
}

bool draw_places_clear(const draw_places *p, const draw_plate *plate, drawing_box *place)
{
    for (int i = 0; i < PLACES; i++) {
        *place = place_of(p, plate, i);
        if (is_inside(p, place) && !hides_plate(p, place) && !hides_frame(p, place))
            return true;
    }
    return false;
}

drawing_box draw_places_any(const draw_places *p, const draw_plate *plate)
{
    drawing_box first = {0, 0, 0, 0};
    for (int i = 0; i < ROWS; i++) {
        const drawing_box place = place_of(p, plate, i);
        if (is_inside(p, &place) && !hides_plate(p, &place))
            return place;
        if (is_inside(p, &place) && first.x1 == 0)
            first = place;
    }
    const drawing_box at_top = place_of(p, plate, 0);
    return first.x1 ? first : (drawing_box){at_top.x0, 0, at_top.x1, plate->height};
}
