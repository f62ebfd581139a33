/* SPDX-License-Identifier: Apache-2.0
 * draw_grid.c - the way from the photograph's pixels to cells by the fit, axis by axis. */
#include "draw/draw_grid.h"

#include "common/data.h"
#include "answer/grid_axis.h"

#include <math.h>

/* Finds the places of n pixels along one axis. */
static void find_places(draw_between *to, int n, double scale, double offset, int input, int cells)
{
    for (int i = n - 1; i >= 0; i--) {
        const grid_place at = grid_place_of(i, scale, offset, input, cells);
        to[i].first = at.first;
        to[i].second = oc_min(at.first + 1, cells - 1);
        to[i].end = i + 1 < n && to[i + 1].first == at.first ? to[i + 1].end : i + 1;
        to[i].part = at.part;
    }
}

void draw_grid_open(draw_grid *g, const answer *a, const char *where, oc_error *e)
{
    *g = (draw_grid){.width = a->grid_width, .height = a->grid_height};
    if (g->width < 1 || g->height < 1 || a->input_width < 1 || a->input_height < 1) {
        tool_fail(
            e, OC_SHAPE,
            "%s: a map of %d x %d cells over an input of %d x %d pixels, expected at least one "
            "of each",
            where, g->width, g->height, a->input_width, a->input_height);
        return;
    }
    g->column = data_alloc((size_t)a->width * sizeof *g->column, where, e);
    g->row = data_alloc((size_t)a->height * sizeof *g->row, where, e);
    g->line = data_alloc((size_t)g->width * sizeof *g->line, where, e);
    if (e->code != OC_OK)
        return;
    find_places(g->column, a->width, a->fit[0], a->fit[2], a->input_width, g->width);
    find_places(g->row, a->height, a->fit[1], a->fit[3], a->input_height, g->height);
}

void draw_grid_close(draw_grid *g)
{
    data_free(g->column);
    data_free(g->row);
    data_free(g->line);
    *g = (draw_grid){0};
}

void draw_grid_line(const draw_grid *g, const float *cells, int y, int first, int last)
{
    const draw_between at = g->row[y];
    const float *upper = cells + (size_t)at.first * (size_t)g->width;
    const float *lower = cells + (size_t)at.second * (size_t)g->width;
    for (int i = first; i <= last; i++)
        g->line[i] = upper[i] + (lower[i] - upper[i]) * at.part;
}

/* Finds the cells that n pixels of one axis use. */
static void find_used(const draw_between *at, int n, int *first, int *last)
{
    *first = INT32_MAX;
    *last = 0;
    for (int i = 0; i < n; i++) {
        *first = oc_min(*first, draw_nearest(at[i]));
        *last = oc_max(*last, draw_nearest(at[i]));
    }
}

void draw_grid_used(const draw_grid *g, const answer *a, int *x0, int *y0, int *x1, int *y1)
{
    find_used(g->column, a->width, x0, x1);
    find_used(g->row, a->height, y0, y1);
}

bool draw_grid_range(const draw_grid *g, const answer *a, const float *cells, float *least,
                     float *greatest)
{
    int x0, x1, y0, y1;
    draw_grid_used(g, a, &x0, &y0, &x1, &y1);
    *least = INFINITY;
    *greatest = -INFINITY;
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            const float v = cells[(size_t)y * (size_t)g->width + (size_t)x];
            *least = isfinite(v) && v < *least ? v : *least;
            *greatest = isfinite(v) && v > *greatest ? v : *greatest;
        }
    return *least <= *greatest;
}
