/* SPDX-License-Identifier: Apache-2.0
 * taps.c - the scalar taps of a tile, the table of variants, and the tile's size. */
#include "kernels/sample/taps.h"

#include "kernels/sample/taps_axis.h"
#include "kernels/sample/taps_types.h"
#include "kernels/simd/simd.h"

#define ELEMENT f32_f32
#include "kernels/sample/taps.inc"

#define ELEMENT f64_f32
#include "kernels/sample/taps.inc"

#define ELEMENT f64_f64
#include "kernels/sample/taps.inc"

OC_ISA_VARIANT(oc_taps_variant, oc_taps_variants, taps_f32_f32, taps_f64_f32, taps_f64_f64)
OC_VARIANTS(oc_taps_variant, oc_taps_variants)

oc_taps_fn *oc_taps_pick(bool coordinates_f64, bool weights_f64, unsigned cpu)
{
    const oc_taps_variant *f32_f32, *f64_f32, *f64_f64;
    OC_VARIANT_PICK(f32_f32, oc_taps_variants, f32_f32, cpu);
    OC_VARIANT_PICK(f64_f32, oc_taps_variants, f64_f32, cpu);
    OC_VARIANT_PICK(f64_f64, oc_taps_variants, f64_f64, cpu);
    return weights_f64 ? f64_f64->f64_f64 : coordinates_f64 ? f64_f32->f64_f32 : f32_f32->f32_f32;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Rows of taps of one position; more than OC_ROWS when a tile has no room for them. */
static int rows_of(const oc_sampler *s)
{
    int rows = 1;
    for (int a = 0; a < s->rank - 1 && rows <= OC_ROWS; a++)
        rows *= axis_taps(s->mode);
    return rows;
}

int oc_sampler_taps(const oc_sampler *s)
{
    const int rows = rows_of(s);
    return rows > OC_ROWS ? 0 : rows * axis_taps(s->mode);
}

int oc_sampler_tile(const oc_sampler *s)
{
    const int rows = least(rows_of(s), OC_ROWS);
    return least(OC_ROWS / rows, least(OC_TILE_XY / s->rank, OC_TILE));
}
