/* SPDX-License-Identifier: Apache-2.0
 * nchw16c_neon.c - planes to lanes and back by transposing squares of 4 x 4 floats or 2 x 2 doubles
 * in registers. */
#include "kernels/layout/nchw16c.h"
#include "kernels/common/neon.inc"

#define VEC_float   float32x4_t
#define VEC_double  float64x2_t
#define SIDE_float  4
#define SIDE_double 2

#define transpose_float  neon_transpose_f32
#define transpose_double neon_transpose_f64

static inline float32x4_t get_float(const void *line)
{
    return vld1q_f32(line);
}

static inline float64x2_t get_double(const void *line)
{
    return vld1q_f64(line);
}

static inline void put_float(void *line, float32x4_t v)
{
    vst1q_f32(line, v);
}

static inline void put_double(void *line, float64x2_t v)
{
    vst1q_f64(line, v);
}

/* What the processor fetches by itself must do. */
static inline void fetch(const void *p)
{
    (void)p;
}

static inline void put_u8(uint8_t *p, float32x4_t v)
{
    const uint32_t four = neon_to_u8(v);
    memcpy(p, &four, sizeof four);
}

#define ISA  neon
#define NEED OC_CPU_NEON

#define TYPE        F32
#define T           float
#define REAL        float
#define LOAD(p)     vld1q_f32(p)
#define STORE(p, v) vst1q_f32(p, v)
#include "kernels/layout/nchw16c_square.inc"

#define TYPE        F64
#define T           double
#define REAL        double
#define LOAD(p)     vld1q_f64(p)
#define STORE(p, v) vst1q_f64(p, v)
#include "kernels/layout/nchw16c_square.inc"

#define TYPE        F16
#define T           uint16_t
#define REAL        float
#define LOAD(p)     neon_of_f16(vld1_u16(p))
#define STORE(p, v) vst1_u16(p, neon_to_f16(v))
#include "kernels/layout/nchw16c_square.inc"

#define TYPE        BF16
#define T           uint16_t
#define REAL        float
#define LOAD(p)     neon_of_bf16(vld1_u16(p))
#define STORE(p, v) vst1_u16(p, neon_to_bf16(v))
#include "kernels/layout/nchw16c_square.inc"

#define TYPE        U8
#define T           uint8_t
#define REAL        float
#define LOAD(p)     neon_of_u8(p)
#define STORE(p, v) put_u8(p, v)
#include "kernels/layout/nchw16c_square.inc"
