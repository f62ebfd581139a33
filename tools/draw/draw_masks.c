/* SPDX-License-Identifier: Apache-2.0
 * draw_masks.c - the area of each object: where its mask, between cells linear, is at least a half.
 */
#include "draw/draw_grid.h"
#include "draw/drawing.h"

#include "base/int.h"
#include "base/sort.h"
#include "common/data.h"
#include "common/signals.h"

enum { WORD = 64, AREA_OPACITY = 110, HEAT_OPACITY = 190 };

/* The pixels of a box that belong to an object: a bit for each, pixel x of a row in bit x % WORD
 * of word x / WORD. */
typedef struct area {
    int width, height;
    int words;        /* of a row */
    uint64_t *inside; /* height rows */
    uint64_t *core;   /* the pixels that are far from the border */
} area;

static uint64_t *row_of(const area *m, uint64_t *bits, int y)
{
    return bits + (size_t)y * (size_t)m->words;
}

/* ---- the area ---- */

static void set_bits(uint64_t *row, int from, int to)
{
    for (int i = from / WORD; i * WORD < to; i++) {
        const int low = oc_max(from - i * WORD, 0), high = oc_min(to - i * WORD, WORD);
        row[i] |= (~UINT64_C(0) >> (WORD - (high - low))) << low;
    }
}

/* Sets the bits of one row. Pixels between two cells that are both inside, or both outside, need
 * not be computed. */
static void find_row(const draw_grid *g, const drawing_box *b, uint64_t *row)
{
    for (int x = b->x0, end; x < b->x1; x = end) {
        const draw_between *at = &g->column[x];
        end = oc_min(at->end, b->x1);
        const bool from = g->line[at->first] >= 0.5F, to = g->line[at->second] >= 0.5F;
        if (from && to)
            set_bits(row, x - b->x0, end - b->x0);
        for (int i = x; from != to && i < end; i++)
            if (draw_grid_at(g, g->column[i]) >= 0.5F)
                row[(i - b->x0) / WORD] |= UINT64_C(1) << (i - b->x0) % WORD;
    }
}

/* Finds the cells between which the columns of a box lie. */
static void find_cells(const draw_grid *g, const drawing_box *b, int *first, int *last)
{
    const draw_between *left = &g->column[b->x0], *right = &g->column[b->x1 - 1];
    *first = oc_min(left->first, right->first);
    *last = oc_max(left->second, right->second);
}

static void find_area(area *m, const draw_grid *g, const drawing_box *b, const float *cells)
{
    int first, last;
    find_cells(g, b, &first, &last);
    memset(m->inside, 0, (size_t)m->words * (size_t)m->height * sizeof *m->inside);
    for (int y = b->y0; y < b->y1; y++) {
        draw_grid_line(g, cells, y, first, last);
        find_row(g, b, row_of(m, m->inside, y - b->y0));
    }
}

/* ---- its outline ---- */

/* Takes from a row the pixels whose left or right neighbour is not in it. */
static void shrink_row(uint64_t *row, int words)
{
    uint64_t before = 0; /* the word to the left, as it was */
    for (int i = 0; i < words; i++) {
        const uint64_t word = row[i], after = i + 1 < words ? row[i + 1] : 0;
        row[i] = word & (word << 1 | before >> (WORD - 1)) & (word >> 1 | after << (WORD - 1));
        before = word;
    }
}

/* Finds the pixels that have `depth` pixels of the area to each side. */
static void find_core(area *m, int depth)
{
    for (int y = 0; y < m->height; y++) {
        uint64_t *core = row_of(m, m->core, y);
        for (int i = 0; i < m->words; i++) {
            core[i] = row_of(m, m->inside, y)[i];
            for (int d = -depth; d <= depth && core[i]; d++)
                core[i] &= y + d >= 0 && y + d < m->height ? row_of(m, m->inside, y + d)[i] : 0;
        }
        for (int k = 0; k < depth; k++)
            shrink_row(core, m->words);
    }
}

/* Colours the pixels of one row that are set in `with` and not in `without`, which may be NULL.
 * Runs of pixels are coloured at once; words without the end of a run are passed at once. */
static void colour_row(const area *m, const canvas *c, const drawing_box *b, int y,
                       const uint64_t *with, const uint64_t *without, rgb colour, unsigned opacity)
{
    int begin = -1; /* of a run; -1: none has begun */
    for (int i = 0; i < m->words; i++) {
        const uint64_t word = without ? with[i] & ~without[i] : with[i];
        const uint64_t usual = begin < 0 ? 0 : ~UINT64_C(0);
        for (int k = 0; word != usual && k < WORD; k++) {
            const bool set = word >> k & 1;
            if (set == (begin >= 0))
                continue;
            if (!set)
                canvas_row(c, y, b->x0 + begin, b->x0 + i * WORD + k, colour, opacity);
            begin = set ? i * WORD + k : -1;
        }
    }
    if (begin >= 0)
        canvas_row(c, y, b->x0 + begin, b->x1, colour, opacity);
}

static void draw_area(const area *m, const canvas *c, const drawing_box *b, rgb colour)
{
    for (int y = 0; y < m->height; y++) {
        const uint64_t *inside = row_of(m, m->inside, y), *core = row_of(m, m->core, y);
        colour_row(m, c, b, b->y0 + y, core, NULL, colour, AREA_OPACITY);
        colour_row(m, c, b, b->y0 + y, inside, core, colour, CANVAS_OPAQUE);
    }
}

/* ---- probabilities ---- */

static void draw_heat(const canvas *c, const draw_grid *g, const drawing_box *b, const float *cells)
{
    rgb level[PALETTE_LEVELS];
    int first, last;
    palette_levels(level);
    find_cells(g, b, &first, &last);
    for (int y = b->y0; y < b->y1; y++) {
        draw_grid_line(g, cells, y, first, last);
        for (int x = b->x0; x < b->x1; x++) {
            const float p = draw_grid_at(g, g->column[x]);
            const float inside = p > 0 ? (p < 1 ? p : 1) : 0; /* NaN is 0 */
            canvas_dot(c, x, y, level[(int)(inside * (PALETTE_LEVELS - 1))],
                       (unsigned)(inside * HEAT_OPACITY));
        }
    }
}

/* ---- all objects ---- */

/* An object whose mask is to be drawn, and the pixels of its frame. */
typedef struct framed {
    int k;
    int64_t pixels;
} framed;

static int compare_pixels(OC_UNUSED const void *ctx, const void *a, const void *b)
{
    const int64_t x = ((const framed *)a)->pixels, y = ((const framed *)b)->pixels;
    return x > y ? -1 : x < y;
}

/* Puts the objects into the order in which they are drawn: the largest first, so that it covers no
 * smaller one, and of two that are as large that of the lesser score. Free with data_free. */
static framed *sort_frames(const drawing *d, oc_error *e)
{
    framed *f = data_alloc(2 * (size_t)d->n * sizeof *f, d->o.where, e);
    if (!f)
        return NULL;
    for (int i = 0; i < d->n; i++) {
        const int k = d->best[d->n - 1 - i];
        drawing_box b;
        const bool is_seen = drawing_frame(d->a, k, &b);
        f[i] = (framed){k, is_seen ? (int64_t)(b.x1 - b.x0) * (b.y1 - b.y0) : 0};
    }
    oc_sort(f, f + d->n, (size_t)d->n, sizeof *f, compare_pixels, NULL);
    return f;
}

static void draw_mask(drawing *d, area *m, const draw_grid *g, int k)
{
    const float *cells = d->a->mask + (size_t)k * (size_t)g->width * (size_t)g->height;
    drawing_box b;
    if (!drawing_frame(d->a, k, &b))
        return;
    if (d->o.parts & DRAW_HEAT) {
        draw_heat(&d->photo, g, &b, cells);
        return;
    }
    m->width = b.x1 - b.x0;
    m->height = b.y1 - b.y0;
    m->words = oc_div_up(m->width, (int)WORD);
    find_area(m, g, &b, cells);
    find_core(m, (drawing_line(d, k) + 1) / 2);
    draw_area(m, &d->photo, &b, drawing_colour(d, k));
}

void draw_masks(drawing *d, oc_error *e)
{
    if (!d->a->mask || d->n == 0 || !(d->o.parts & (DRAW_MASKS | DRAW_HEAT)))
        return;
    const size_t words = (size_t)oc_div_up(d->photo.width, (int)WORD) * (size_t)d->photo.height;
    draw_grid g;
    area m = {0};
    draw_grid_open(&g, d->a, d->o.where, e);
    m.inside = data_alloc(words * sizeof *m.inside, d->o.where, e);
    m.core = data_alloc(words * sizeof *m.core, d->o.where, e);
    framed *f = sort_frames(d, e);
    for (int i = 0; i < d->n && e->code == OC_OK; i++) {
        draw_mask(d, &m, &g, f[i].k);
        if (signals_cancelled(NULL))
            tool_fail(e, OC_CANCELLED, "%s: cancelled", d->o.where);
    }
    data_free(f);
    data_free(m.inside);
    data_free(m.core);
    draw_grid_close(&g);
}
