/* SPDX-License-Identifier: Apache-2.0
 * grid_axis.c - the way from a pixel of the photograph by the fit to the network's input, and from
 * there to the cells of a grid over it. */
#include "answer/grid_axis.h"

#include "common/data.h"

static grid_axis axis_of(int n, double scale, double offset, int input, int cells, oc_error *e)
{
    grid_axis x = {.n = n, .cells = cells};
    if (cells < 1 || input < 1 || n < 0 || !(scale > 0))
        tool_fail(e, OC_SHAPE,
                  "a grid of %d cells over %d pixels at scale %g, expected more than none", cells,
                  input, scale);
    x.at = data_alloc(((size_t)(n > 0 ? n : 0) + 1) * sizeof *x.at, "grid", e);
    for (int i = 0; x.at && i < n; i++)
        x.at[i] = grid_place_of(i, scale, offset, input, cells);
    return x;
}

grid_axis grid_columns(const answer *a, oc_error *e)
{
    return axis_of(a->width, a->fit[0], a->fit[2], a->input_width, a->grid_width, e);
}

grid_axis grid_rows(const answer *a, oc_error *e)
{
    return axis_of(a->height, a->fit[1], a->fit[3], a->input_height, a->grid_height, e);
}

void grid_axis_free(grid_axis *x)
{
    data_free(x->at);
    *x = (grid_axis){0};
}
