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
#pragma once

#include "kernels/common/variant.h"
#include "kernels/sample/sampler.h"

/* The taps of a tile. base[row * stride + i], absent and row_weight are for row `row` of
 * position i; shift[col * stride + i] and col_weight for column `col`. */
typedef struct oc_taps {
    int n;      /* number of positions */
    int rows;   /* rows of taps of each position */
    int cols;   /* taps of a row: 1, 2 or 4 */
    int stride; /* at least n */
    bool whole; /* true: base + 0 to base + cols-1 are pixels, also in absent rows */
    bool all;   /* true: every tap is a pixel: all absent are 0, and all shift[col] are col */
    int run;    /* how many results follow each other in memory */
    /* a run of results begins pitch elements after the one before; set by the walk */
    int64_t pitch;
    /* Vectors may be read past the last position: OC_LANES more entries of base are pixels of
     * the plane. */
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

/* Are the sizes of t, and the offset of every tap, as this header states them? */
static inline bool oc_taps_are_sound(const oc_taps *t)
{
    bool good = t->run >= 1 && t->n % t->run == 0 && (t->pitch >= t->run || t->n == t->run);
    good = good && t->n <= t->stride && t->rows >= 1 && t->rows * t->stride <= OC_ROWS;
    good = good && (t->cols == 1 || t->cols == 2 || t->cols == 4);
    for (int j = 0; j < t->rows && good; j++)
        for (int i = j * t->stride; i < j * t->stride + t->n; i++)
            good = good && (t->absent[i] ? !t->all && t->base[i] == 0 : t->base[i] >= 0);
    for (int k = 0; k < t->cols && t->cols > 1 && good; k++)
        for (int i = k * t->stride; i < k * t->stride + t->n; i++)
            good = good && (t->all ? t->shift[i] == k
                                   : t->shift[i] >= OC_NO_PIXEL && t->shift[i] < t->cols);
    return good;
}

/* Makes the taps of n <= oc_sampler_tile(s) positions, each with rank coordinates, innermost
 * axis first. The function's name has the type of the coordinates (and of all arithmetic on
 * them), then that of the weights. nearest leaves shifts and weights unset. */
typedef void oc_taps_fn(oc_taps *t, const oc_sampler *s, const void *xy, int n);

typedef struct oc_taps_variant {
    const char *isa;
    unsigned need;
    oc_taps_fn *f32_f32, *f64_f32, *f64_f64;
} oc_taps_variant;

extern const oc_taps_variant *const oc_taps_variants[]; /* best first, the last is scalar */

/* Do coordinates and weights have type double? Double weights need double coordinates. */
oc_taps_fn *oc_taps_pick(bool coordinates_f64, bool weights_f64, unsigned cpu);
