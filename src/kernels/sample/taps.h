/* SPDX-License-Identifier: Apache-2.0
 * taps.h - which pixels, with which weights, make the value at a position?
 *
 * A tap is a pixel of a plane and a weight. A position of rank r has
 *
 *     nearest 1        linear 2^r        cubic 4^r        taps,
 *
 * the products of 1, 2 or 4 taps along each axis. They do not depend on the channel, so GridSample
 * makes them once for a tile of positions and applies them to every channel while they are still in
 * the first cache: a tile has at most OC_ROWS rows of taps.
 *
 *     positions (x, y)    1 unnormalise        ((x + 1) * n - 1) / 2   or   (x + 1) / 2 * (n - 1)
 *       of the tile       2 pad                range check; clamp, or fold back at the borders
 *                         3 taps of each axis  index and weight; index -1: there is no pixel
 *                         4 rows               product over all axes but the innermost
 *                         5 windows            the taps of a row lie in 1, 2 or 4 adjacent pixels
 *
 * The taps of one row (all axes but the innermost are settled) lie within a window as wide as there
 * are taps, so that one load brings them all:
 *
 *     base[row][i]    offset of the window's first pixel         pixel of a tap = base + shift
 *     shift[col][i]   the pixel of tap col within the window
 *     absent[row][i]  0, or OC_NO_PIXEL: there is no such row (base is then 0)
 *     row_weight[row][i] * col_weight[col][i]                    weight of a tap
 *
 * Linear taps are in the order of the pixels: shift[col] is col, or OC_NO_PIXEL where the image has
 * no such column. The taps of a missing row or column are skipped. They are not pixels of weight
 * zero, since zero times NaN is NaN. Ranges are checked in floating point, before a coordinate
 * becomes an integer:
 *
 *     zeros        positions past the reach of every pixel, Inf too, have no taps at all; a NaN
 *                  has one tap of weight NaN (nearest: absent OC_NAN_PIXEL)
 *     border       clamped; NaN is pixel coordinate 0
 *     reflection   folded as often as needed; NaN and Inf are pixel coordinate 0
 *
 * linear and nearest pad the position; cubic (A = -0.75) pads each tap's index, as PyTorch does.
 * nearest takes the even one of two equally near pixels.
 *
 * Most tiles lie well inside the image. There nothing is checked, padded or missing (`all`), and a
 * short cut makes the same taps in a third of the steps. */
#ifndef OC_KERNELS_SAMPLE_TAPS_H
#define OC_KERNELS_SAMPLE_TAPS_H

#include <ocellus.h>

#include "kernels/common/variant.h"

enum {
    OC_ROWS = 2048,    /* most rows of a tile: positions * rows of each */
    OC_TILE = 512,     /* most positions of a tile */
    OC_TILE_XY = 2048, /* most coordinates of a tile: positions * rank */
    OC_LANES = 16,     /* positions that variants take at a time */
    OC_NO_PIXEL = -1,
    OC_NAN_PIXEL = -2 /* nearest only */
};

/* Most pixels of one plane, so that offsets and twice folded coordinates fit in int32_t. */
#define OC_PLANE_MAX (INT64_C(1) << 29)

typedef enum oc_grid_mode { OC_GRID_LINEAR, OC_GRID_NEAREST, OC_GRID_CUBIC } oc_grid_mode;
typedef enum oc_grid_padding { OC_PAD_ZEROS, OC_PAD_BORDER, OC_PAD_REFLECTION } oc_grid_padding;

typedef struct oc_sampler {
    int rank;               /* spatial axes */
    int32_t n[OC_MAX_RANK]; /* pixels along each, outermost first; all > 0 */
    oc_grid_mode mode;
    oc_grid_padding padding;
    bool align;  /* align_corners */
    bool pixels; /* coordinates count pixels: 0 is the first one's centre; only with zeros */
} oc_sampler;

/* base[row * stride + i], absent the same; row_weight the same;
 * shift[col * stride + i], col_weight the same. */
typedef struct oc_taps {
    int n;         /* positions */
    int rows;      /* rows of taps of each */
    int cols;      /* taps of a row: 1, 2 or 4 */
    int stride;    /* >= n */
    bool whole;    /* base + 0 .. cols-1 are pixels, in rows that are absent too */
    bool all;      /* every tap is a pixel: absent is 0 and shift[col] is col, everywhere */
    int run;       /* results of so many positions follow each other in memory; */
    int64_t pitch; /* the next run begins pitch elements after this one; set by the walk */
    /* Vectors may be read past the last position: OC_LANES more of base are pixels of the plane. */
    int32_t base[OC_ROWS + OC_LANES];
    int32_t absent[OC_ROWS + OC_LANES];
    int32_t shift[4 * OC_TILE + OC_LANES];
    union {
        float f32[OC_ROWS + OC_LANES];
        double f64[OC_ROWS + OC_LANES];
    } row_weight;
    union {
        float f32[4 * OC_TILE + OC_LANES];
        double f64[4 * OC_TILE + OC_LANES];
    } col_weight;
} oc_taps;

/* Taps of one position; 0 when a tile could not hold even one position. */
int oc_sampler_taps(const oc_sampler *s);
/* Positions of one tile, 1 .. OC_TILE. */
int oc_sampler_tile(const oc_sampler *s);

/* Makes the taps of n <= oc_sampler_tile(s) positions, each with rank coordinates, innermost axis
 * first. The name has the type of the coordinates (and of all arithmetic on them), then that of the
 * weights. nearest leaves shifts and weights unset. */
typedef void oc_taps_fn(oc_taps *t, const oc_sampler *s, const void *xy, int n);

typedef struct oc_taps_variant {
    const char *isa;
    unsigned need;
    oc_taps_fn *f32_f32, *f64_f32, *f64_f64;
} oc_taps_variant;

extern const oc_taps_variant *const oc_taps_variants[]; /* best first, the last is scalar */

/* Are coordinates double, and weights? Double weights need double coordinates. */
oc_taps_fn *oc_taps_pick(bool coordinates_f64, bool weights_f64, unsigned cpu);

#endif
