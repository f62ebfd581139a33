/* SPDX-License-Identifier: Apache-2.0
 * taps.c - the scalar taps of a tile, and the table of variants. */
#include "kernels/sample/taps.h"

#include <string.h>

#include "kernels/common/precondition.h"
#include "base/int.h"
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
