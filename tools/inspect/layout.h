/* SPDX-License-Identifier: Apache-2.0
 * layout.h - places boxes in layers, so that lines go down, cross seldom and bend little. */
#pragma once

#include <stdbool.h>

enum { LAYOUT_GAP = 28 }; /* pixels between neighbours of a layer */

typedef struct layout_line {
    int from, to; /* numbers of boxes; from < to */
    int bend;     /* its first bend; -1: the line is straight */
    int n_bend;   /* number of bends, one in each layer that the line passes */
} layout_line;

/* The caller sets the counts, the widths and the ends of lines. */
typedef struct layout {
    int n, n_line;
    double *width;
    layout_line *line;
    double *x; /* middles of the boxes, then of the bends */
    int *layer;
    int n_all; /* number of boxes and bends */
    double right;
    int n_layer;
} layout;

/* Takes time almost proportional to the number of boxes and lines. Lines that pass many layers
 * have no bends if that would be many more than there are boxes. */
void layout_make(layout *l);
void layout_free(layout *l); /* frees also what the caller allocated */
