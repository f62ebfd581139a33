/* SPDX-License-Identifier: Apache-2.0
 * windows.h - loads a few neighbouring elements at each of many places.
 *
 * A window is a run of 2 or 4 elements at p + o[i]. Loading the windows of all elements i of a
 * register gives a register for each place in a window: its element i comes from window i.
 *
 *     f32v_load2(v, p, o)  f32v_load4(v, p, o)     and f64v_...; v[k] has places k
 *     f32v_load2_f16(v, p, o)  ...                 from float16, bfloat16 or uint8
 *
 * No o[i] is negative. There is no scalar form. */
#pragma once

#include "kernels/simd/simd.h"

#include <string.h>

/* clang-format off */
#define OC_WINDOWS_(isa) OC_QUOTED(kernels/simd/windows_##isa.h)
#define OC_WINDOWS(isa)  OC_WINDOWS_(isa)
#include OC_WINDOWS(OC_ISA)
/* clang-format on */

static inline void f64v_load4(f64v *v, const double *p, const int32_t *o)
{
    f64v_load2(v, p, o);
    f64v_load2(v + 2, p + 2, o);
}

#define f32v_load2_f32 f32v_load2
#define f32v_load4_f32 f32v_load4
#define f64v_load2_f64 f64v_load2
#define f64v_load4_f64 f64v_load4

static inline void f32v_load2_f16(f32v *v, const uint16_t *p, const int32_t *o)
{
    split_f16(v, fours(p, o, sizeof *p));
}

static inline void f32v_load2_bf16(f32v *v, const uint16_t *p, const int32_t *o)
{
    split_bf16(v, fours(p, o, sizeof *p));
}
