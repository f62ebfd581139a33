/* SPDX-License-Identifier: Apache-2.0
 * taps_types.h - the pairs of types that taps.inc is included for, of coordinates and of
 * weights, as elements of element.h. */
#pragma once

#include "kernels/common/element.h"

#define OC_SUM_f32_f32 f32
#define OC_SUM_f64_f32 f32
#define OC_SUM_f64_f64 f64

/* The type of coordinates, and its functions. */
#define COORD OC_PASTE(OC_COORD, ELEMENT)
#define FMOD  OC_PASTE(OC_FMOD, ELEMENT)
#define RINT  OC_PASTE(OC_RINT, ELEMENT)

#define OC_COORD_f32_f32 float
#define OC_COORD_f64_f32 double
#define OC_COORD_f64_f64 double
#define OC_FMOD_f32_f32  fmodf
#define OC_FMOD_f64_f32  fmod
#define OC_FMOD_f64_f64  fmod
#define OC_RINT_f32_f32  rintf
#define OC_RINT_f64_f32  rint
#define OC_RINT_f64_f64  rint
