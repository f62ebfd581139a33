/* SPDX-License-Identifier: Apache-2.0
 * layout.h - places boxes in layers, so that lines go down, cross seldom and bend little. */
#ifndef TOOLS_INSPECT_LAYOUT_H
#define TOOLS_INSPECT_LAYOUT_H

#include <stdbool.h>

enum { LAYOUT_GAP = 28 }; /* between neighbours of a layer */

typedef struct layout_line {
    int from, to; /* boxes, from < to */
    int bend;     /* its first bend; -1: it goes straight */
    int n_bend;   /* one in each layer that it passes */
} layout_line;

/* The caller sets the counts, the widths and the ends of lines. */
typedef struct layout {
    int n, n_line;
    double *width;
    layout_line *line;
    double *x; /* of the middles of the boxes, then of the bends */
    int *layer;
    int n_all; /* boxes and bends */
    double right;
    int n_layer;
} layout;

/* Takes time that grows as boxes and lines do, but for a logarithm. Lines that pass many layers
 * have no bends where those would be many more than the boxes. */
void layout_make(layout *l);
void layout_free(layout *l); /* also what the caller allocated */

#endif
