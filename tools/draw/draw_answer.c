/* SPDX-License-Identifier: Apache-2.0
 * draw_answer.c - makes room in the picture, and draws the parts of an answer in their order. */
#include "draw/draw_answer.h"

#include "draw/drawing.h"

#include "base/int.h"
#include "base/sort.h"
#include "common/data.h"
#include "common/limits.h"

#include <math.h>

/* ---- what the parts share ---- */

rgb drawing_class_colour(int64_t label)
{
    return palette_colour(label);
}

rgb drawing_colour(const drawing *d, int k)
{
    const rgb c = palette_colour(d->o.by_object || !d->a->label ? k : d->a->label[k]);
    return d->shade ? palette_shade(c, d->shade[k]) : c;
}

/* Completes the options; the sizes suit a picture that is looked at as a whole. */
static draw_options complete(const draw_options *given, const answer *a)
{
    draw_options o = given ? *given : (draw_options){0};
    const int size = (a->width + a->height) / 2;
    o.where = o.where ? o.where : "picture";
    o.parts = o.parts ? o.parts : DRAW_ALL;
    o.line = oc_min(o.line > 0 ? o.line : oc_max((size + 200) / 400, size < 200 ? 1 : 2), 100);
    o.letters = o.letters > 0 ? o.letters : size / 46;
    o.least_confidence = o.least_confidence > 0 ? o.least_confidence : 0.5;
    return o;
}

/* The greater score comes first; NaN comes last. */
static int compare_scores(const void *ctx, const void *a, const void *b)
{
    const float *score = ctx;
    const float x = score[*(const int *)a], y = score[*(const int *)b];
    if (isnan(x) || isnan(y))
        return isnan(x) - isnan(y);
    return x > y ? -1 : x < y;
}

/* Returns the numbers of all objects, the best first. Free with data_free. */
static int *rank(const answer *a, const char *where, oc_error *e)
{
    const size_t n = (size_t)oc_max(a->n, 0);
    int *best = data_alloc((2 * n + 1) * sizeof *best, where, e);
    for (size_t i = 0; best && i < n; i++)
        best[i] = (int)i;
    if (best && a->score)
        oc_sort(best, best + n, n, sizeof *best, compare_scores, a->score);
    return best;
}

/* Returns the shades of objects with masks: the best object of a label has the label's colour, and
 * each further one the next shade. NULL: there are no masks, or objects have colours of their own.
 * Free with data_free. */
static int *find_shades(const drawing *d, oc_error *e)
{
    const answer *a = d->a;
    if (!a->mask || !a->label || d->o.by_object || d->n == 0 || e->code != OC_OK)
        return NULL;
    int *shade = data_alloc((size_t)a->n * sizeof *shade, d->o.where, e);
    for (int i = 0; shade && i < d->n; i++) {
        int before = 0;
        for (int j = 0; j < i; j++)
            before += a->label[d->best[j]] == a->label[d->best[i]];
        shade[d->best[i]] = before;
    }
    return shade;
}

/* ---- the picture ---- */

/* Writes the pixels of row y as 8-bit RGB. `to` may be the row itself if it has three channels. */
static void convert_row(const image *m, int y, uint16_t *to)
{
    const int n = m->channels;
    const uint16_t *at = m->sample + (size_t)y * (size_t)m->width * (size_t)n;
    const unsigned white = (unsigned)m->white, divisor = white == 255 ? 1 : 257;
    for (int x = 0; x < m->width; x++, at += n, to += 3) {
        const unsigned alpha = n % 2 == 0 ? at[n - 1] : white;
        for (int c = 0; c < 3; c++) {
            const unsigned sample = at[n >= 3 ? c : 0];
            const uint64_t laid = (uint64_t)sample * alpha + (uint64_t)white * (white - alpha);
            to[c] = (uint16_t)(((laid + white / 2) / white + divisor / 2) / divisor);
        }
    }
}

static bool is_rgb(const image *m)
{
    return m->channels == 3 && m->white == 255;
}

/* Makes m an 8-bit RGB picture of that size, with the photograph in its upper left corner and white
 * around it. */
static void enlarge(image *m, int width, int height, const char *where, oc_error *e)
{
    if (is_rgb(m) && width == m->width && height == m->height)
        return;
    image to = *m;
    to.width = width;
    to.height = height;
    to.channels = 3;
    to.white = 255;
    to.sample = NULL;
    image_alloc(&to, SIZE_MAX, where, e);
    if (e->code != OC_OK)
        return;
    for (int y = 0; y < height; y++) {
        uint16_t *row = to.sample + (size_t)y * 3 * (size_t)width;
        const size_t kept = y < m->height ? 3 * (size_t)m->width : 0;
        if (kept && is_rgb(m))
            memcpy(row, m->sample + (size_t)y * kept, kept * sizeof *row);
        else if (kept)
            convert_row(m, y, row);
        for (size_t i = kept; i < 3 * (size_t)width; i++)
            row[i] = 255;
    }
    data_free(m->sample);
    *m = to;
}

/* Enlarges the picture by what is drawn beside and below it, and finds the canvases. */
static void make_room(drawing *d, image *m, oc_error *e)
{
    const int width = m->width, height = m->height;
    const bool has_map =
        (d->a->flow && d->o.parts & DRAW_FLOW) || (d->a->depth && d->o.parts & DRAW_DEPTH);
    const bool beside = has_map && d->o.place == DRAW_BESIDE;
    const int all = oc_max(width * (beside ? 2 : 1),
                           d->read && d->o.parts & DRAW_TEXT ? 10 * d->font.height : 0);
    const int below = draw_text_height(d, all);
    enlarge(m, below || beside ? all : width, height + below, d->o.where, e);
    if (e->code != OC_OK)
        return;
    const size_t stride = 3 * (size_t)m->width;
    d->photo = (canvas){m->sample, width, height, stride};
    d->beside = (canvas){m->sample + 3 * (size_t)width, beside ? width : 0, height, stride};
    d->below = (canvas){m->sample + (size_t)height * stride, m->width, below, stride};
}

static void check_size(const image *m, const answer *a, const char *where, oc_error *e)
{
    if (m->width != a->width || m->height != a->height)
        tool_fail(e, OC_SHAPE, "%s: an answer for %d x %d pixels, but the picture has %d x %d",
                  where, a->width, a->height, m->width, m->height);
}

void draw_answer(image *m, const answer *a, const draw_options *o, oc_error *e)
{
    drawing d = {.a = a, .o = complete(o, a), .n = oc_min(oc_max(a->n, 0), (int)DRAW_OBJECTS)};
    check_size(m, a, d.o.where, e);
    int *best = rank(a, d.o.where, e);
    if (e->code == OC_OK) {
        d.best = best;
        d.read = drawing_read(a);
        d.shade = find_shades(&d, e);
        d.fits_line = !o || o->line <= 0;
        font_open(&d.font, d.o.letters);
        font_open(&d.small, o && o->letters > 0 ? d.o.letters : d.o.letters / 2);
        make_room(&d, m, e);
        draw_classes(&d, e);
        draw_flow(&d, e);
        draw_depth(&d, e);
        draw_masks(&d, e);
    }
    if (e->code == OC_OK) {
        draw_boxes(&d);
        draw_points(&d);
        draw_labels(&d);
        draw_legend(&d, e);
        draw_text(&d);
    }
    font_close(&d.font);
    font_close(&d.small);
    free(d.read);
    data_free(d.shade);
    data_free(best);
}
