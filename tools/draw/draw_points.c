/* SPDX-License-Identifier: Apache-2.0
 * draw_points.c - points of objects, and the lines that the number of points tells. */
#include "draw/drawing.h"

#include "base/int.h"

#include <math.h>

/* Colours of the palette that are told apart, and from skin. */
enum { ORANGE = 0, SKY = 2, GREEN = 8, YELLOW = 9, VERMILION = 12 };

/* A line between two points, and the colour of the palette for it and for its second point. */
typedef struct bone {
    unsigned char from, to, colour;
} bone;

enum { LEFT = ORANGE, RIGHT = SKY, MIDDLE = GREEN };

/* COCO's persons: nose, eyes, ears, shoulders, elbows, wrists, hips, knees, ankles; of each pair
 * the left one first. */
static const bone person[] = {
    {5, 6, MIDDLE}, {11, 12, MIDDLE}, {5, 11, LEFT},   {6, 12, RIGHT}, {11, 13, LEFT},
    {13, 15, LEFT}, {12, 14, RIGHT},  {14, 16, RIGHT}, {5, 7, LEFT},   {7, 9, LEFT},
    {6, 8, RIGHT},  {8, 10, RIGHT},   {2, 0, MIDDLE},  {1, 2, MIDDLE}, {0, 1, MIDDLE},
    {1, 3, LEFT},   {2, 4, RIGHT},    {3, 5, LEFT},    {4, 6, RIGHT},
};
/* Hands: the wrist, and four points of each finger from the thumb on, from the palm to the tip. */
static const bone hand[] = {
    {0, 1, ORANGE},      {1, 2, ORANGE},      {2, 3, ORANGE},      {3, 4, ORANGE},
    {0, 5, SKY},         {5, 6, SKY},         {6, 7, SKY},         {7, 8, SKY},
    {5, 9, GREEN},       {9, 10, GREEN},      {10, 11, GREEN},     {11, 12, GREEN},
    {9, 13, YELLOW},     {13, 14, YELLOW},    {14, 15, YELLOW},    {15, 16, YELLOW},
    {0, 17, VERMILION},  {13, 17, VERMILION}, {17, 18, VERMILION}, {18, 19, VERMILION},
    {19, 20, VERMILION},
};
/* Faces: two eyes, the nose, two corners of the mouth. */
static const bone face[] = {
    {0, 2, ORANGE}, {1, 2, SKY}, {3, 4, YELLOW}, {2, 3, YELLOW}, {2, 4, YELLOW},
};

static const struct skeleton {
    int n_points, n_bones;
    const bone *bone;
} skeletons[] = {
    {17, sizeof person / sizeof *person, person},
    {21, sizeof hand / sizeof *hand, hand},
    {5, sizeof face / sizeof *face, face},
};

static const struct skeleton *find_skeleton(int n_points)
{
    for (size_t i = 0; i < sizeof skeletons / sizeof *skeletons; i++)
        if (skeletons[i].n_points == n_points)
            return &skeletons[i];
    return NULL;
}

static const float *point_of(const drawing *d, int k, int i)
{
    return d->a->point + 3 * ((size_t)k * (size_t)d->a->n_points + (size_t)i);
}

static bool is_shown(const drawing *d, const float *p)
{
    return p[2] >= d->o.least_confidence;
}

static void draw_bones(drawing *d, const struct skeleton *s, int k)
{
    const double line = d->fits_line ? fmin(d->o.line, drawing_side(d, k) / 32.0) : d->o.line;
    for (int i = 0; i < s->n_bones; i++) {
        const float *from = point_of(d, k, s->bone[i].from), *to = point_of(d, k, s->bone[i].to);
        if (is_shown(d, from) && is_shown(d, to))
            canvas_line(&d->photo, from[0], from[1], to[0], to[1], line,
                        palette_colour(s->bone[i].colour));
    }
}

/* The colour of a point is that of the last line that ends there. */
static rgb point_colour(const drawing *d, const struct skeleton *s, int k, int i)
{
    for (int b = s ? s->n_bones - 1 : -1; b >= 0; b--)
        if (s->bone[b].to == i)
            return palette_colour(s->bone[b].colour);
    return drawing_colour(d, k);
}

/* Draws discs with a white edge, which shows on a line of their colour. */
static void draw_discs(drawing *d, const struct skeleton *s, int k)
{
    const double usual = 2 * d->o.line + 1;
    const double size = d->fits_line ? fmin(usual, fmax(drawing_side(d, k) / 14.0, 2)) : usual;
    const double edge = fmin(oc_max(2, d->o.line), size / 2);
    for (int i = 0; i < d->a->n_points; i++) {
        const float *p = point_of(d, k, i);
        if (!is_shown(d, p))
            continue;
        canvas_line(&d->photo, p[0], p[1], p[0], p[1], size + edge, palette_white);
        canvas_line(&d->photo, p[0], p[1], p[0], p[1], size, point_colour(d, s, k, i));
    }
}

void draw_points(drawing *d)
{
    if (!d->a->point || !(d->o.parts & DRAW_POINTS))
        return;
    const struct skeleton *s = find_skeleton(d->a->n_points);
    for (int i = d->n - 1; i >= 0; i--) {
        if (s)
            draw_bones(d, s, d->best[i]);
        draw_discs(d, s, d->best[i]);
    }
}
