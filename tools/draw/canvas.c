/* SPDX-License-Identifier: Apache-2.0
 * canvas.c - rectangles, and lines with smooth edges. */
#include "draw/canvas.h"

#include "base/int.h"

#include <math.h>
#include <stdbool.h>

/* ---- rectangles ---- */

enum { BLOCK = 24 }; /* samples of eight pixels */

/* Colours n samples whose first is that of a red; the compiler makes vectors of whole blocks. */
static void mix_samples(uint16_t *at, size_t n, rgb colour, unsigned opacity)
{
    const uint16_t left = (uint16_t)(CANVAS_OPAQUE - opacity);
    const unsigned char part[] = {colour.r, colour.g, colour.b};
    uint16_t add[BLOCK];
    for (int i = 0; i < BLOCK; i++)
        add[i] = (uint16_t)(part[i % 3] * opacity + 128);
    for (; n >= BLOCK; n -= BLOCK, at += BLOCK)
        for (int i = 0; i < BLOCK; i++)
            at[i] = (uint16_t)((uint16_t)(at[i] * left + add[i]) >> 8);
    for (size_t i = 0; i < n; i++)
        at[i] = (uint16_t)((uint16_t)(at[i] * left + add[i]) >> 8);
}

void canvas_row(const canvas *c, int y, int x0, int x1, rgb colour, unsigned opacity)
{
    x0 = oc_max(x0, 0);
    x1 = oc_min(x1, c->width);
    if (y < 0 || y >= c->height || x0 >= x1)
        return;
    if (3 * (x1 - x0) >= BLOCK)
        mix_samples(c->sample + (size_t)y * c->stride + 3 * (size_t)x0, 3 * (size_t)(x1 - x0),
                    colour, opacity);
    else
        for (int x = x0; x < x1; x++)
            canvas_dot(c, x, y, colour, opacity);
}

void canvas_fill(const canvas *c, int x0, int y0, int x1, int y1, rgb colour, unsigned opacity)
{
    y1 = oc_min(y1, c->height);
    for (int y = oc_max(y0, 0); y < y1; y++)
        canvas_row(c, y, x0, x1, colour, opacity);
}

void canvas_frame(const canvas *c, int x0, int y0, int x1, int y1, int width, rgb colour)
{
    const int w = oc_min(width, oc_min(x1 - x0, y1 - y0));
    canvas_fill(c, x0, y0, x1, y0 + w, colour, CANVAS_OPAQUE);
    canvas_fill(c, x0, y1 - w, x1, y1, colour, CANVAS_OPAQUE);
    canvas_fill(c, x0, y0 + w, x0 + w, y1 - w, colour, CANVAS_OPAQUE);
    canvas_fill(c, x1 - w, y0 + w, x1, y1 - w, colour, CANVAS_OPAQUE);
}

/* ---- lines ---- */

typedef struct segment {
    double x0, y0, x1, y1;
    double radius; /* half the width */
} segment;

/* Cuts a segment to where one coordinate lies between least and greatest. At the ends of the
 * segment this coordinate is *a and *b, and the other one is *u and *v. Returns false when nothing
 * is left. */
static bool cut(double *a, double *b, double *u, double *v, double least, double greatest)
{
    if ((*a < least && *b < least) || (*a > greatest && *b > greatest))
        return false;
    const double from = *a, to = *b, side = *u, slope = (*v - *u) / (to - from);
    const double first = fmin(fmax(from, least), greatest), last = fmin(fmax(to, least), greatest);
    if (first != from) {
        *a = first;
        *u = side + (first - from) * slope;
    }
    if (last != to) {
        *b = last;
        *v = side + (last - from) * slope;
    }
    return true;
}

/* Returns how far the centre of a pixel is from the segment. */
static double distance(const segment *s, double x, double y)
{
    const double dx = s->x1 - s->x0, dy = s->y1 - s->y0, length = dx * dx + dy * dy;
    const double along = (x - s->x0) * dx + (y - s->y0) * dy;
    const double part = !(along > 0) ? 0 : along >= length ? 1 : along / length;
    const double ax = x - s->x0 - part * dx, ay = y - s->y0 - part * dy;
    return sqrt(ax * ax + ay * ay);
}

/* Finds the pixels *first to *end - 1 of row y that the segment may touch. */
static void find_pixels(const segment *s, const canvas *c, int y, int *first, int *end)
{
    const double reach = s->radius + 1, dx = s->x1 - s->x0, dy = s->y1 - s->y0;
    double least = fmin(s->x0, s->x1) - reach, greatest = fmax(s->x0, s->x1) + reach;
    if (fabs(dy) > 1e-3) { /* where the row crosses the band around the segment */
        const double centre = s->x0 + (y + 0.5 - s->y0) * dx / dy;
        const double half = reach * sqrt(dx * dx + dy * dy) / fabs(dy);
        least = fmax(least, centre - half);
        greatest = fmin(greatest, centre + half);
    }
    *first = (int)fmin(fmax(floor(least), 0), c->width);
    *end = (int)fmin(fmax(floor(greatest) + 1, 0), c->width);
}

void canvas_line(const canvas *c, double x0, double y0, double x1, double y1, double width,
                 rgb colour)
{
    segment s = {x0, y0, x1, y1, width / 2};
    const double reach = s.radius + 1;
    if (!isfinite(x0) || !isfinite(y0) || !isfinite(x1) || !isfinite(y1) || !isfinite(width) ||
        !cut(&s.x0, &s.x1, &s.y0, &s.y1, -reach, c->width + reach) ||
        !cut(&s.y0, &s.y1, &s.x0, &s.x1, -reach, c->height + reach))
        return;
    const int top = (int)fmax(floor(fmin(s.y0, s.y1) - reach), 0);
    const int bottom = (int)fmin(floor(fmax(s.y0, s.y1) + reach) + 1, c->height);
    for (int y = top; y < bottom; y++) {
        int first, end;
        find_pixels(&s, c, y, &first, &end);
        for (int x = first; x < end; x++) {
            const double covered = s.radius + 0.5 - distance(&s, x + 0.5, y + 0.5);
            if (covered > 0)
                canvas_dot(c, x, y, colour,
                           (unsigned)((covered < 1 ? covered : 1) * CANVAS_OPAQUE));
        }
    }
}
