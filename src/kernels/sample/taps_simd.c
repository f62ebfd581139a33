/* SPDX-License-Identifier: Apache-2.0
 * taps_simd.c - makes the taps of a tile in loops that compilers vectorise.
 *
 * Positions in double for a float image are rare: the scalar variant computes them. */
#include "kernels/sample/taps.h"

#include <string.h>

#include "kernels/common/precondition.h"
#include "kernels/sample/taps_axis.h"
#include "kernels/sample/taps_types.h"
#include "kernels/simd/simd.h"

#define ELEMENT f32_f32
#include "kernels/sample/taps.inc"
#define ELEMENT f64_f64
#include "kernels/sample/taps.inc"

/* Doubles are rare, and in vectors of 32 bytes nearly as fast as in longer ones, which would
 * take 12 KB. */
OC_ISA_VARIANT(oc_taps_variant, oc_taps_variants, taps_f32_f32, NULL,
               f32v_N == 16 ? NULL : taps_f64_f64)
