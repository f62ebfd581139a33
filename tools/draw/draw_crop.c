/* SPDX-License-Identifier: Apache-2.0
 * draw_crop.c - cuts one object out of a photograph. */
#include "draw/draw_answer.h"
#include "draw/drawing.h"

#include "base/int.h"
#include "common/data.h"

#include <math.h>

/* Two axes of a turned box, from its corner at the upper left. */
typedef struct turned {
    double x, y;
    double right[2], down[2];
} turned;

static size_t at_pixel(const image *m, int x, int y)
{
    return ((size_t)y * (size_t)m->width + (size_t)x) * (size_t)m->channels;
}

static void begin_crop(image *out, const image *m, int width, int height, const char *where,
                       oc_error *e)
{
    *out = *m;
    out->width = width;
    out->height = height;
    out->turn = 0;
    out->note[0] = 0;
    out->sample = NULL;
    image_alloc(out, SIZE_MAX, where, e);
}

static void crop_box(const image *m, const drawing_box *b, image *out, const char *where,
                     oc_error *e)
{
    begin_crop(out, m, b->x1 - b->x0, b->y1 - b->y0, where, e);
    for (int y = 0; y < out->height && e->code == OC_OK; y++)
        memcpy(out->sample + at_pixel(out, 0, y), m->sample + at_pixel(m, b->x0, b->y0 + y),
               (size_t)out->width * (size_t)out->channels * sizeof *out->sample);
}

/* ---- turned boxes ---- */

/* Chooses, of the four corners, the one from which the sides turn the least to be upright, and goes
 * around so that the picture is not mirrored. */
static turned find_turned(const float *p)
{
    turned best = {0};
    double most = -INFINITY;
    const double area = ((double)p[2] - p[0]) * ((double)p[5] - p[1]) -
                        ((double)p[3] - p[1]) * ((double)p[4] - p[0]);
    const int step = area >= 0 ? 1 : 3; /* clockwise, as y goes down */
    for (int i = 0; i < 4; i++) {
        const float *from = p + 2 * i, *right = p + 2 * ((i + step) % 4),
                    *down = p + 2 * ((i + 4 - step) % 4);
        const turned t = {from[0],
                          from[1],
                          {(double)right[0] - from[0], (double)right[1] - from[1]},
                          {(double)down[0] - from[0], (double)down[1] - from[1]}};
        /* the cosines of both angles, weighted by the lengths of the sides */
        const double upright = t.right[0] + t.down[1];
        if (upright > most) {
            most = upright;
            best = t;
        }
    }
    return best;
}

/* Returns the length of a side in whole pixels; no part of the photograph is longer than `most`. */
static int side_pixels(const double side[2], int most)
{
    const double length = floor(sqrt(side[0] * side[0] + side[1] * side[1]) + 0.5);
    return length >= 1 ? (length < most ? (int)length : most) : 1;
}

/* Writes the pixel of m at (x, y), between its pixels linear; beyond the edges they repeat. */
static void sample_pixel(const image *m, double x, double y, uint16_t *to)
{
    const double inside_x = x > 0.5 ? (x < m->width - 0.5 ? x - 0.5 : m->width - 1) : 0;
    const double inside_y = y > 0.5 ? (y < m->height - 0.5 ? y - 0.5 : m->height - 1) : 0;
    const int x0 = (int)inside_x, y0 = (int)inside_y;
    const int x1 = oc_min(x0 + 1, m->width - 1), y1 = oc_min(y0 + 1, m->height - 1);
    const double u = inside_x - x0, v = inside_y - y0;
    for (int c = 0; c < m->channels; c++) {
        const double a = m->sample[at_pixel(m, x0, y0) + (size_t)c];
        const double b = m->sample[at_pixel(m, x1, y0) + (size_t)c];
        const double p = m->sample[at_pixel(m, x0, y1) + (size_t)c];
        const double q = m->sample[at_pixel(m, x1, y1) + (size_t)c];
        const double upper = a + (b - a) * u, lower = p + (q - p) * u;
        to[c] = (uint16_t)floor(upper + (lower - upper) * v + 0.5);
    }
}

static void crop_turned(const image *m, const turned *t, image *out, const char *where, oc_error *e)
{
    const double w = m->width, h = m->height;
    const int diagonal = (int)sqrt(w * w + h * h) + 1;
    begin_crop(out, m, side_pixels(t->right, diagonal), side_pixels(t->down, diagonal), where, e);
    for (int y = 0; y < out->height && e->code == OC_OK; y++) {
        const double v = (y + 0.5) / out->height;
        for (int x = 0; x < out->width; x++) {
            const double u = (x + 0.5) / out->width;
            sample_pixel(m, t->x + u * t->right[0] + v * t->down[0],
                         t->y + u * t->right[1] + v * t->down[1],
                         out->sample + at_pixel(out, x, y));
        }
    }
}

/* Does the frame around the corners touch the photograph? False for a NaN. */
static bool is_on(const image *m, const float *p)
{
    float least[2] = {INFINITY, INFINITY}, greatest[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 8; i++) {
        if (!isfinite(p[i]))
            return false;
        least[i % 2] = fminf(least[i % 2], p[i]);
        greatest[i % 2] = fmaxf(greatest[i % 2], p[i]);
    }
    return least[0] < (float)m->width && least[1] < (float)m->height && greatest[0] > 0 &&
           greatest[1] > 0;
}

void draw_crop(const image *m, const answer *a, int k, image *out, const char *where, oc_error *e)
{
    drawing_box b;
    *out = (image){0};
    if (m->width != a->width || m->height != a->height) {
        tool_fail(e, OC_SHAPE, "%s: an answer for %d x %d pixels, but the picture has %d x %d",
                  where, a->width, a->height, m->width, m->height);
    } else if (a->corner) {
        const float *p = a->corner + 8 * (size_t)k;
        const turned t = find_turned(p);
        if (is_on(m, p))
            crop_turned(m, &t, out, where, e);
    } else if (drawing_frame(a, k, &b)) {
        crop_box(m, &b, out, where, e);
    }
    if (e->code != OC_OK)
        image_free(out);
}
