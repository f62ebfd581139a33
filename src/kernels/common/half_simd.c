/* SPDX-License-Identifier: Apache-2.0
 * half_simd.c - float16 and bfloat16, widened and narrowed a register at a time. */
#include "kernels/common/half.h"

#include "kernels/common/half_limits.h"
#include "kernels/simd/simd.h"

#include <string.h>

typedef f32v load_fn(const uint16_t *p);
typedef void store_fn(uint16_t *p, f32v v);

/* The last few numbers are copied to a full register in local memory. */
OC_INLINE void widen(float *to, const uint16_t *from, int64_t n, load_fn *load)
{
    uint16_t few[f32v_N] = {0};
    float out[f32v_N];
    for (; n >= f32v_N; n -= f32v_N, to += f32v_N, from += f32v_N)
        f32v_store(to, load(from));
    for (int i = 0; i < n; i++)
        few[i] = from[i];
    if (n)
        f32v_store(out, load(few));
    for (int i = 0; i < n; i++)
        to[i] = out[i];
}

OC_INLINE void narrow(uint16_t *to, const float *from, int64_t n, store_fn *store)
{
    float few[f32v_N] = {0};
    uint16_t out[f32v_N];
    for (; n >= f32v_N; n -= f32v_N, to += f32v_N, from += f32v_N)
        store(to, f32v_load(from));
    for (int i = 0; i < n; i++)
        few[i] = from[i];
    if (n)
        store(out, f32v_load(few));
    for (int i = 0; i < n; i++)
        to[i] = out[i];
}

OC_INLINE void round_to(float *x, int64_t n, load_fn *load, store_fn *store)
{
    uint16_t half[f32v_N];
    float few[f32v_N] = {0};
    for (; n >= f32v_N; n -= f32v_N, x += f32v_N) {
        store(half, f32v_load(x));
        f32v_store(x, load(half));
    }
    for (int i = 0; i < n; i++)
        few[i] = x[i];
    if (n) {
        store(half, f32v_load(few));
        f32v_store(few, load(half));
    }
    for (int i = 0; i < n; i++)
        x[i] = few[i];
}

static void widen_f16(float *to, const uint16_t *from, int64_t n)
{
    widen(to, from, n, f32v_load_f16);
}

static void widen_bf16(float *to, const uint16_t *from, int64_t n)
{
    widen(to, from, n, f32v_load_bf16);
}

static void narrow_f16(uint16_t *to, const float *from, int64_t n)
{
    narrow(to, from, n, f32v_store_f16);
}

static void narrow_bf16(uint16_t *to, const float *from, int64_t n)
{
    narrow(to, from, n, f32v_store_bf16);
}

static void round_f16(float *x, int64_t n)
{
    round_to(x, n, f32v_load_f16, f32v_store_f16);
}

static void round_bf16(float *x, int64_t n)
{
    round_to(x, n, f32v_load_bf16, f32v_store_bf16);
}

static void limit(float *y, const float *x, int64_t n, const oc_half_bounds *l)
{
    const oc_half_limits b = oc_half_limits_of(l);
    float few[f32v_N] = {0};
    for (; n >= f32v_N; n -= f32v_N, x += f32v_N, y += f32v_N)
        f32v_store(y, oc_half_limited(f32v_load(x), &b));
    if (n == 0)
        return;
    for (int i = 0; i < n; i++)
        few[i] = x[i];
    f32v_store(few, oc_half_limited(f32v_load(few), &b));
    for (int i = 0; i < n; i++)
        y[i] = few[i];
}

OC_INLINE void narrow_limited(uint16_t *to, const float *from, int64_t n, const oc_half_bounds *l,
                              store_fn *store)
{
    if (!l) {
        narrow(to, from, n, store);
        return;
    }
    if (l->instead) {
        l->instead(to, from, n, l);
        return;
    }
    const oc_half_limits b = oc_half_limits_of(l);
    float few[f32v_N];
    for (; n >= f32v_N; n -= f32v_N, to += f32v_N, from += f32v_N)
        store(to, oc_half_limited(f32v_load(from), &b));
    if (n > 0) {
        limit(few, from, n, l);
        narrow(to, few, n, store);
    }
}

OC_INLINE void add_limited(uint16_t *to, const float *from, int64_t n, const oc_half_bounds *l,
                           load_fn *load, store_fn *store)
{
    const oc_half_limits b = oc_half_limits_of(l);
    const uint16_t *other = l->other + (to - l->first);
    uint16_t half[f32v_N], few[f32v_N] = {0};
    float rest[f32v_N] = {0};
    for (; n >= f32v_N; n -= f32v_N, to += f32v_N, from += f32v_N, other += f32v_N) {
        store(half, f32v_load(from));
        store(to, oc_half_limited(load(half) + load(other), &b));
    }
    if (n == 0)
        return;
    memcpy(rest, from, (size_t)n * sizeof *rest);
    memcpy(few, other, (size_t)n * sizeof *few);
    store(half, f32v_load(rest));
    store(half, oc_half_limited(load(half) + load(few), &b));
    memcpy(to, half, (size_t)n * sizeof *to);
}

static void narrow_limited_f16(uint16_t *to, const float *from, int64_t n, const oc_half_bounds *b)
{
    narrow_limited(to, from, n, b, f32v_store_f16);
}

static void narrow_limited_bf16(uint16_t *to, const float *from, int64_t n, const oc_half_bounds *b)
{
    narrow_limited(to, from, n, b, f32v_store_bf16);
}

static void add_limited_f16(uint16_t *to, const float *from, int64_t n, const oc_half_bounds *b)
{
    add_limited(to, from, n, b, f32v_load_f16, f32v_store_f16);
}

static void add_limited_bf16(uint16_t *to, const float *from, int64_t n, const oc_half_bounds *b)
{
    add_limited(to, from, n, b, f32v_load_bf16, f32v_store_bf16);
}

OC_INLINE void scale(uint16_t *to, const uint16_t *x, const float factor[16], int64_t n,
                     load_fn *load, store_fn *store)
{
    enum { PARTS = 16 / f32v_N };
    f32v f[PARTS];
    UNROLL (k, PARTS)
        f[k] = f32v_load(factor + k * f32v_N);
    for (int64_t i = 0; i < n; i += 16)
        UNROLL (k, PARTS)
            store(to + i + k * f32v_N, load(x + i + k * f32v_N) * f[k]);
}

static void scale_f16(uint16_t *to, const uint16_t *x, const float factor[16], int64_t n)
{
    scale(to, x, factor, n, f32v_load_f16, f32v_store_f16);
}

static void scale_bf16(uint16_t *to, const uint16_t *x, const float factor[16], int64_t n)
{
    scale(to, x, factor, n, f32v_load_bf16, f32v_store_bf16);
}

OC_ISA_VARIANT(oc_half_variant, oc_f16_variants, widen_f16, narrow_f16, round_f16, limit,
               narrow_limited_f16, add_limited_f16, scale_f16)
OC_ISA_VARIANT(oc_half_variant, oc_bf16_variants, widen_bf16, narrow_bf16, round_bf16, limit,
               narrow_limited_bf16, add_limited_bf16, scale_bf16)
