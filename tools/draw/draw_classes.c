/* SPDX-License-Identifier: Apache-2.0
 * draw_classes.c - which class does each place belong to, and which colour is which class? */
#include "draw/draw_grid.h"
#include "draw/drawing.h"

#include "base/int.h"
#include "base/sort.h"
#include "common/data.h"
#include "common/signals.h"

/* Classes of other numbers are drawn, but not listed. */
enum { LISTED = 4096, CLASS_OPACITY = 128, PANEL_OPACITY = 190 };

/* How many pixels each class covers. */
typedef struct tally {
    int64_t label, pixels;
} tally;

/* ---- names ---- */

static bool begins_with(const char *text, size_t size, const char *word)
{
    const size_t n = strlen(word);
    for (size_t i = 0; i < n; i++)
        if (i >= size || (text[i] | 0x20) != word[i]) /* capitals as small letters */
            return false;
    return true;
}

/* Class 0 of many data sets is the ground that none of their classes covers. */
static bool has_background(const drawing *d)
{
    size_t size = 0;
    const char *name = d->o.name ? d->o.name(d->o.names, 0, &size) : NULL;
    while (name && size && *name == '_') {
        name++;
        size--;
    }
    return name && begins_with(name, size, "background");
}

/* ---- areas ---- */

/* Calls for the runs of pixels of one class in row y. */
typedef void each_run(void *ctx, int64_t label, int y, int x0, int x1);

/* The labels of a cell and of the eight around it; at the ends of the grid cells stand for their
 * neighbours. */
enum { AROUND = 9 };

/* What a row of pixels needs of the grid. */
typedef struct cell_row {
    const int64_t *label[3]; /* the row of cells that is nearest, between those above and below */
    float weight[3];
} cell_row;

/* Sets how much a cell and its two neighbours count for a pixel, by the quadratic B-spline: borders
 * become smooth, and a single cell stays. Returns the cell. */
static int weigh(draw_between at, float weight[3])
{
    const int cell = draw_nearest(at);
    const float f = cell == at.first ? at.part : at.part - 1;
    weight[0] = (0.5F - f) * (0.5F - f) / 2;
    weight[1] = 0.75F - f * f;
    weight[2] = (0.5F + f) * (0.5F + f) / 2;
    return cell;
}

static void find_around(const cell_row *row, int cell, int width, int64_t of[AROUND])
{
    const int column[] = {oc_max(cell - 1, 0), cell, oc_min(cell + 1, width - 1)};
    for (int i = 0; i < AROUND; i++)
        of[i] = row->label[i / 3][column[i % 3]];
}

static bool are_equal(const int64_t of[AROUND])
{
    int n = 1;
    while (n < AROUND && of[n] == of[0])
        n++;
    return n == AROUND;
}

/* Returns the label that has the most weight; of equal ones the first. */
static int64_t choose(const int64_t of[AROUND], const cell_row *row, const float across[3])
{
    float most = -1;
    int64_t best = 0;
    for (int i = 0; i < AROUND; i++) {
        float sum = 0;
        for (int j = 0; j < AROUND; j++)
            sum += of[j] == of[i] ? row->weight[j / 3] * across[j % 3] : 0;
        if (sum > most) {
            most = sum;
            best = of[i];
        }
    }
    return best;
}

static cell_row row_of(const answer *a, const draw_grid *g, int y)
{
    cell_row row;
    const int cell = weigh(g->row[y], row.weight);
    for (int i = 0; i < 3; i++) {
        const int at = oc_min(oc_max(cell + i - 1, 0), g->height - 1);
        row.label[i] = a->cls + (size_t)at * (size_t)g->width;
    }
    return row;
}

static void walk_row(const answer *a, const draw_grid *g, int y, each_run *each, void *ctx)
{
    const cell_row row = row_of(a, g, y);
    int64_t label = 0, of[AROUND];
    int begin = 0, before = -1;
    bool same = false;
    for (int x = 0; x < a->width; x++) {
        float across[3];
        const int cell = draw_nearest(g->column[x]);
        if (cell == before && same)
            continue;
        if (cell != before) {
            find_around(&row, cell, g->width, of);
            same = are_equal(of);
            before = cell;
        }
        weigh(g->column[x], across);
        const int64_t next = same ? of[0] : choose(of, &row, across);
        if (next == label)
            continue;
        if (x > begin)
            each(ctx, label, y, begin, x);
        label = next;
        begin = x;
    }
    each(ctx, label, y, begin, a->width);
}

/* Calls for all pixels of the photograph. */
static void walk(const drawing *d, each_run *each, void *ctx, oc_error *e)
{
    draw_grid g;
    draw_grid_open(&g, d->a, d->o.where, e);
    for (int y = 0; y < d->a->height && e->code == OC_OK; y++) {
        walk_row(d->a, &g, y, each, ctx);
        if (signals_cancelled(NULL))
            tool_fail(e, OC_CANCELLED, "%s: cancelled", d->o.where);
    }
    draw_grid_close(&g);
}

typedef struct painter {
    const canvas *to;
    bool skip_background;
} painter;

static void paint(void *ctx, int64_t label, int y, int x0, int x1)
{
    const painter *p = ctx;
    if (label > 0 || (label == 0 && !p->skip_background))
        canvas_row(p->to, y, x0, x1, drawing_class_colour(label), CLASS_OPACITY);
}

void draw_classes(drawing *d, oc_error *e)
{
    if (!d->a->cls || !(d->o.parts & DRAW_CLASSES) || e->code != OC_OK)
        return;
    painter p = {&d->photo, has_background(d)};
    walk(d, paint, &p, e);
}

/* ---- the legend ---- */

static void count(void *ctx, int64_t label, OC_UNUSED int y, int x0, int x1)
{
    tally *of = ctx;
    if (label >= 0 && label < LISTED)
        of[label].pixels += x1 - x0;
}

static int compare_pixels(OC_UNUSED const void *ctx, const void *a, const void *b)
{
    const int64_t x = ((const tally *)a)->pixels, y = ((const tally *)b)->pixels;
    return x > y ? -1 : x < y;
}

/* Draws the first n classes: a panel, and in each of its rows a sample of the colour and a name. */
static void draw_panel(drawing *d, const tally *of, int n)
{
    const int pad = d->font.height / 2, high = d->font.height + pad / 2, edge = d->font.height;
    char text[DRAWING_NAME];
    int columns = 0;
    for (int i = 0; i < n; i++)
        columns = oc_max(columns, font_columns(text, drawing_name(d, of[i].label, text), -1, NULL));
    canvas_fill(&d->photo, pad, pad, pad + edge + 3 * pad + columns * d->font.width,
                pad + n * high + pad, palette_black, PANEL_OPACITY);
    for (int i = 0; i < n; i++) {
        const int x = 2 * pad, y = pad + pad / 2 + pad / 4 + i * high;
        const size_t size = drawing_name(d, of[i].label, text);
        canvas_fill(&d->photo, x, y, x + edge, y + edge, drawing_class_colour(of[i].label),
                    CANVAS_OPAQUE);
        canvas_frame(&d->photo, x, y, x + edge, y + edge, 1, palette_white);
        font_write(&d->photo, &d->font, x + edge + pad, y, text, size, palette_white);
    }
}

/* Lists the classes that cover the most; those that there is no room for are left out. */
void draw_legend(drawing *d, oc_error *e)
{
    if (!d->a->cls || !(d->o.parts & DRAW_LEGEND) || e->code != OC_OK)
        return;
    tally *of = tool_alloc(2 * LISTED, sizeof *of);
    for (int i = 0; i < LISTED; i++)
        of[i].label = i;
    walk(d, count, of, e);
    if (has_background(d))
        of[0].pixels = 0;
    oc_sort(of, of + LISTED, LISTED, sizeof *of, compare_pixels, NULL);
    const int high = d->font.height + d->font.height / 4;
    const int room = (d->photo.height - 2 * d->font.height) / high;
    int n = 0;
    while (n < LISTED && n < room && of[n].pixels > 0)
        n++;
    if (n > 0 && e->code == OC_OK)
        draw_panel(d, of, n);
    free(of);
}
