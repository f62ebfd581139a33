/* SPDX-License-Identifier: Apache-2.0
 * draw_boxes.c - the box around each object, and where it lies on the photograph. */
#include "draw/drawing.h"

#include "base/int.h"

#include <math.h>

/* Returns x as a whole number from 0 to most; NaN is 0. */
static int within(double x, int most)
{
    return x > 0 ? (x < most ? (int)x : most) : 0;
}

/* Finds the corners of the frame around corners or box. Returns false for a coordinate that is no
 * finite number. */
static bool find_extent(const answer *a, int k, double extent[4])
{
    if (!a->corner || a->box) {
        for (int i = 0; i < 4; i++)
            extent[i] = a->box[4 * (size_t)k + (size_t)i];
    } else {
        const float *p = a->corner + 8 * (size_t)k;
        extent[0] = extent[2] = p[0];
        extent[1] = extent[3] = p[1];
        for (int i = 2; i < 8; i++) {
            extent[i % 2] = p[i] < extent[i % 2] ? p[i] : extent[i % 2];
            extent[i % 2 + 2] = p[i] > extent[i % 2 + 2] ? p[i] : extent[i % 2 + 2];
        }
    }
    return isfinite(extent[0]) && isfinite(extent[1]) && isfinite(extent[2]) && isfinite(extent[3]);
}

bool drawing_frame(const answer *a, int k, drawing_box *b)
{
    *b = (drawing_box){0, 0, a->width, a->height};
    if (!a->box && !a->corner)
        return a->width > 0 && a->height > 0;
    double at[4];
    if (!find_extent(a, k, at))
        return false;
    b->x0 = within(floor(at[0] + 0.5), a->width);
    b->y0 = within(floor(at[1] + 0.5), a->height);
    b->x1 = within(floor(at[2] + 0.5), a->width);
    b->y1 = within(floor(at[3] + 0.5), a->height);
    return b->x0 < b->x1 && b->y0 < b->y1;
}

/* Finds how far the points of object k that are shown reach. Returns false when none is. */
static bool find_reach(const drawing *d, int k, double reach[4])
{
    bool any = false;
    for (int i = 0; d->a->point && i < d->a->n_points; i++) {
        const float *p = d->a->point + 3 * ((size_t)k * (size_t)d->a->n_points + (size_t)i);
        if (!(p[2] >= d->o.least_confidence) || !isfinite(p[0]) || !isfinite(p[1]))
            continue;
        for (int c = 0; c < 2; c++) {
            reach[c] = any ? fmin(reach[c], p[c]) : p[c];
            reach[c + 2] = any ? fmax(reach[c + 2], p[c]) : p[c];
        }
        any = true;
    }
    return any;
}

int drawing_side(const drawing *d, int k)
{
    double reach[4];
    drawing_box b = {0, 0, d->a->width, d->a->height};
    if ((d->a->box || d->a->corner) && drawing_frame(d->a, k, &b))
        return oc_max(b.x1 - b.x0, b.y1 - b.y0);
    if (find_reach(d, k, reach))
        return within(fmax(reach[2] - reach[0], reach[3] - reach[1]), b.x1 + b.y1);
    return oc_max(b.x1, b.y1);
}

int drawing_line(const drawing *d, int k)
{
    return d->fits_line ? oc_min(d->o.line, oc_max(drawing_side(d, k) / 24, 1)) : d->o.line;
}

/* Draws the four sides between the corners. */
static void draw_turned(drawing *d, int k)
{
    const float *p = d->a->corner + 8 * (size_t)k;
    for (int i = 0; i < 4; i++) {
        const float *from = p + 2 * i, *to = p + 2 * ((i + 1) % 4);
        canvas_line(&d->photo, from[0], from[1], to[0], to[1], drawing_line(d, k),
                    drawing_colour(d, k));
    }
}

/* The middle of the line lies on the sides of the box, but all of it on the photograph. */
static void draw_box(drawing *d, int k)
{
    drawing_box b;
    if (!drawing_frame(d->a, k, &b))
        return;
    const int line = drawing_line(d, k), half = line / 2;
    canvas_frame(&d->photo, oc_max(b.x0 - half, 0), oc_max(b.y0 - half, 0),
                 oc_min(b.x1 + half, d->photo.width), oc_min(b.y1 + half, d->photo.height), line,
                 drawing_colour(d, k));
}

void draw_boxes(drawing *d)
{
    for (int i = d->n - 1; i >= 0 && d->o.parts & DRAW_BOXES; i--)
        if (d->a->corner)
            draw_turned(d, d->best[i]);
        else if (d->a->box)
            draw_box(d, d->best[i]);
}
