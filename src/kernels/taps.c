/* SPDX-License-Identifier: Apache-2.0
 * taps.c - the scalar variant of the taps of a tile. */
#include "kernels/taps.h"

#include <math.h>

/* Taps along one axis. */
static int axis_taps(oc_grid_mode mode)
{
    return mode == OC_GRID_NEAREST ? 1 : mode == OC_GRID_LINEAR ? 2 : 4;
}

static inline int32_t pixel(int64_t p, int32_t n)
{
    return p >= 0 && p < n ? (int32_t)p : OC_NO_PIXEL;
}

/* A padded coordinate is inside; only its type's rounding can take it past the last pixel. */
static inline int32_t inside(int32_t p, const oc_sampler *s, int axis)
{
    return s->padding != OC_PAD_ZEROS && p >= s->n[axis] ? s->n[axis] - 1 : p;
}

/* The pixel that stands for p, which may lie one period or so outside. */
static int32_t padded_pixel(const oc_sampler *s, int axis, int64_t p)
{
    const int32_t n = s->n[axis];
    if (s->padding == OC_PAD_ZEROS || (p >= 0 && p < n))
        return pixel(p, n);
    if (s->padding == OC_PAD_BORDER)
        return p < 0 ? 0 : n - 1;
    const int64_t period = 2 * ((int64_t)n - s->align);
    if (period == 0)
        return 0;
    const int64_t q = (p % period + period) % period;
    return (int32_t)(q < n ? q : period - !s->align - q);
}

#define COORD   float
#define REAL    float
#define FMOD    fmodf
#define WEIGHT  f32
#define NAME(x) x##_f32_f32
#include "kernels/taps.inc"

#define COORD   double
#define REAL    float
#define FMOD    fmod
#define WEIGHT  f32
#define NAME(x) x##_f64_f32
#include "kernels/taps.inc"

#define COORD   double
#define REAL    double
#define FMOD    fmod
#define WEIGHT  f64
#define NAME(x) x##_f64_f64
#include "kernels/taps.inc"

#define OC_VARIANT(isa) extern const oc_taps_variant oc_taps_##isa;
#include "kernels/taps.def"
#undef OC_VARIANT

const oc_taps_variant oc_taps_scalar = {"scalar", 0, taps_f32_f32, taps_f64_f32, taps_f64_f64};

const oc_taps_variant *const oc_taps_variants[] = {
#define OC_VARIANT(isa) &oc_taps_##isa,
#include "kernels/taps.def"
#undef OC_VARIANT
};

int oc_sampler_taps(const oc_sampler *s)
{
    int taps = 1;
    for (int a = 0; a < s->rank; a++) {
        taps *= axis_taps(s->mode);
        if (taps > OC_TAPS)
            return 0;
    }
    return taps;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

int oc_sampler_tile(const oc_sampler *s)
{
    const int taps = oc_sampler_taps(s);
    return taps ? least(OC_TAPS / taps, least(OC_TILE_XY / s->rank, OC_TILE)) : 1;
}
