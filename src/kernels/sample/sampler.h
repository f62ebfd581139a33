/* SPDX-License-Identifier: Apache-2.0
 * sampler.h - how is a plane read between its pixels, and how many positions does a tile have? */
#pragma once

#include <ocellus.h>

#include <stdbool.h>
#include <stdint.h>

enum {
    OC_ROWS = 2048,    /* most rows of a tile: positions * rows of each */
    OC_TILE = 512,     /* most positions of a tile */
    OC_TILE_XY = 2048, /* most coordinates of a tile: positions * rank */
    OC_LANES = 16,     /* positions that variants take at a time */
    OC_NO_PIXEL = -1,
    OC_NAN_PIXEL = -2 /* for nearest only */
};

/* Most pixels of one plane, so that offsets and coordinates that are folded twice fit in
 * int32_t. */
#define OC_PLANE_MAX (INT64_C(1) << 29)

typedef enum oc_grid_mode { OC_GRID_LINEAR, OC_GRID_NEAREST, OC_GRID_CUBIC } oc_grid_mode;
typedef enum oc_grid_padding { OC_PAD_ZEROS, OC_PAD_BORDER, OC_PAD_REFLECTION } oc_grid_padding;

typedef struct oc_sampler {
    int rank;               /* number of spatial axes */
    int32_t n[OC_MAX_RANK]; /* pixels along each axis, outermost first; all > 0 */
    oc_grid_mode mode;
    oc_grid_padding padding;
    bool align; /* the attribute align_corners */
    /* true: coordinates count pixels, and 0 is the centre of the first; needs zero padding */
    bool pixels;
} oc_sampler;

/* Returns the taps along one axis. */
static inline int oc_sampler_axis_taps(oc_grid_mode mode)
{
    return mode == OC_GRID_NEAREST ? 1 : mode == OC_GRID_LINEAR ? 2 : 4;
}

/* Returns the taps of one position; 0 when a tile could not hold even one position. */
int oc_sampler_taps(const oc_sampler *s);
/* Returns the positions of one tile, 1 to OC_TILE. */
int oc_sampler_tile(const oc_sampler *s);

/* Is it a sampler of a plane that is not too large, with a tile that holds a position? */
static inline bool oc_sampler_is_sound(const oc_sampler *s)
{
    int64_t plane = 1;
    for (int a = 0; a < s->rank; a++) {
        if (s->n[a] < 1)
            return false;
        plane *= s->n[a];
        if (plane > OC_PLANE_MAX)
            return false;
    }
    return s->rank >= 1 && s->rank <= OC_MAX_RANK && oc_sampler_taps(s) > 0;
}
