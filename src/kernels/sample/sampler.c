/* SPDX-License-Identifier: Apache-2.0
 * sampler.c - counts taps, and the positions for which a tile has room. */
#include "kernels/sample/sampler.h"

#include "base/int.h"

/* Returns the rows of taps of one position; more than OC_ROWS when a tile has no room for them. */
static int rows_of(const oc_sampler *s)
{
    int rows = 1;
    for (int a = 0; a < s->rank - 1 && rows <= OC_ROWS; a++)
        rows *= oc_sampler_axis_taps(s->mode);
    return rows;
}

int oc_sampler_taps(const oc_sampler *s)
{
    const int rows = rows_of(s);
    return rows > OC_ROWS ? 0 : rows * oc_sampler_axis_taps(s->mode);
}

int oc_sampler_tile(const oc_sampler *s)
{
    const int rows = oc_min(rows_of(s), OC_ROWS);
    return oc_min(OC_ROWS / rows, oc_min(OC_TILE_XY / s->rank, OC_TILE));
}
