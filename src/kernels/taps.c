/* SPDX-License-Identifier: Apache-2.0
 * taps.c - the scalar variant of the taps of a tile, and the tile's size. */
#include "kernels/taps.h"

#include "kernels/taps_axis.h"

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
