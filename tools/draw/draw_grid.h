/* SPDX-License-Identifier: Apache-2.0
 * draw_grid.h - which cell of a network's grid does a pixel of the photograph lie in? */
#pragma once

#include "answer/answer.h"

#include <ocellus.h>

#include <stdbool.h>

/* Where the centre of a pixel lies between the centres of two cells. */
typedef struct draw_between {
    int first, second; /* cells; equal at the ends of the grid */
    int end;           /* the next pixel whose first cell is another one */
    float part;        /* of the second cell, 0 to 1 */
} draw_between;

/* The places of all columns and rows of the photograph. */
typedef struct draw_grid {
    int width, height; /* of the grid, in cells */
    draw_between *column, *row;
    float *line; /* room for a row of cells */
} draw_grid;

/* Close with draw_grid_close, also after an error. Fails with OC_SHAPE when the grid has no cells.
 */
void draw_grid_open(draw_grid *g, const answer *a, const char *where, oc_error *e);
void draw_grid_close(draw_grid *g);
/* The cell whose centre is nearest. */
static inline int draw_nearest(draw_between b)
{
    return b.part < 0.5F ? b.first : b.second;
}
/* Computes the values of the cells first to last at the height of row y of the photograph. */
void draw_grid_line(const draw_grid *g, const float *cells, int y, int first, int last);
/* Then the value at a column between these cells is this. */
static inline float draw_grid_at(const draw_grid *g, draw_between b)
{
    const float from = g->line[b.first];
    return from + (g->line[b.second] - from) * b.part;
}

/* Finds the first and the last column and row of the cells that the photograph covers. */
void draw_grid_used(const draw_grid *g, const answer *a, int *x0, int *y0, int *x1, int *y1);
/* Finds the least and the greatest of the finite values of those cells that the photograph covers.
 * Returns false when there is none. */
bool draw_grid_range(const draw_grid *g, const answer *a, const float *cells, float *least,
                     float *greatest);
