/* SPDX-License-Identifier: Apache-2.0
 * half_simd.c - widens and narrows float16 and bfloat16 a register at a time. */
#include "kernels/common/half.h"

#include "kernels/common/element.h"
#include "kernels/common/half_limits.h"
#include "kernels/simd/simd.h"

#include <string.h>

typedef f32v load_fn(const uint16_t *p);
typedef void store_fn(uint16_t *p, f32v v);

/* Elements that do not fill a register are converted together with elements before them a second
 * time. When there are fewer elements than a register holds, they are copied to a full one in
 * local memory, for which the function calls itself. */
OC_INLINE void widen(float *to, const uint16_t *from, int64_t n, load_fn *load, oc_widen_fn *itself)
{
    const int64_t last = n - f32v_N;
    if (last < 0) {
        uint16_t few[f32v_N] = {0};
        float out[f32v_N];
        memcpy(few, from, (size_t)n * sizeof *few);
        itself(out, few, f32v_N);
        memcpy(to, out, (size_t)n * sizeof *out);
        return;
    }
    for (int64_t i = 0; i < last; i += f32v_N)
        f32v_store(to + i, load(from + i));
    f32v_store(to + last, load(from + last));
}

OC_INLINE void narrow(uint16_t *to, const float *from, int64_t n, store_fn *store,
                      oc_narrow_fn *itself)
{
    const int64_t last = n - f32v_N;
    if (last < 0) {
        float few[f32v_N] = {0};
        uint16_t out[f32v_N];
        memcpy(few, from, (size_t)n * sizeof *few);
        itself(out, few, f32v_N);
        memcpy(to, out, (size_t)n * sizeof *out);
        return;
    }
    for (int64_t i = 0; i < last; i += f32v_N)
        store(to + i, f32v_load(from + i));
    store(to + last, f32v_load(from + last));
}

OC_INLINE f32v rounded(f32v x, load_fn *load, store_fn *store)
{
    uint16_t half[f32v_N];
    store(half, x);
    return load(half);
}

OC_INLINE void round_to(float *x, int64_t n, load_fn *load, store_fn *store,
                        oc_round_half_fn *itself)
{
    const int64_t last = n - f32v_N;
    if (last < 0) {
        float few[f32v_N] = {0};
        memcpy(few, x, (size_t)n * sizeof *few);
        itself(few, f32v_N);
        memcpy(x, few, (size_t)n * sizeof *few);
        return;
    }
    const f32v end = f32v_load(x + last); /* read before these elements are rounded in place */
    for (int64_t i = 0; i < last; i += f32v_N)
        f32v_store(x + i, rounded(f32v_load(x + i), load, store));
    f32v_store(x + last, rounded(end, load, store));
}

static void limit(float *y, const float *x, int64_t n, const oc_half_bounds *l)
{
    const int64_t last = n - f32v_N;
    if (last < 0) {
        float few[f32v_N] = {0};
        memcpy(few, x, (size_t)n * sizeof *few);
        limit(few, few, f32v_N, l);
        memcpy(y, few, (size_t)n * sizeof *few);
        return;
    }
    const oc_half_limits b = oc_half_limits_of(l);
    const f32v end = f32v_load(x + last);
    for (int64_t i = 0; i < last; i += f32v_N)
        f32v_store(y + i, oc_half_limited(f32v_load(x + i), &b));
    f32v_store(y + last, oc_half_limited(end, &b));
}

OC_INLINE void narrow_limited(uint16_t *to, const float *from, int64_t n, const oc_half_bounds *l,
                              oc_narrow_fn *plain, store_fn *store)
{
    if (!l) {
        plain(to, from, n);
        return;
    }
    if (l->instead) {
        l->instead(to, from, n, l);
        return;
    }
    const int64_t last = n - f32v_N;
    if (last < 0) {
        float few[f32v_N];
        limit(few, from, n, l);
        plain(to, few, n);
        return;
    }
    const oc_half_limits b = oc_half_limits_of(l);
    for (int64_t i = 0; i < last; i += f32v_N)
        store(to + i, oc_half_limited(f32v_load(from + i), &b));
    store(to + last, oc_half_limited(f32v_load(from + last), &b));
}

OC_INLINE void add_limited(uint16_t *to, const float *from, int64_t n, const oc_half_bounds *l,
                           load_fn *load, store_fn *store)
{
    const oc_half_limits b = oc_half_limits_of(l);
    const uint16_t *other = l->other + (to - l->first);
    uint16_t half[f32v_N];
    for (int64_t i = 0; i < n; i += f32v_N) {
        store(half, f32v_load(from + i));
        store(to + i, oc_half_limited(load(half) + load(other + i), &b));
    }
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

#define ELEMENT f16
#include "kernels/common/half_simd.inc"
#define ELEMENT bf16
#include "kernels/common/half_simd.inc"

OC_ISA_VARIANT(oc_half_variant, oc_f16_variants, widen_f16, narrow_f16, round_f16, limit,
               narrow_limited_f16, add_limited_f16, scale_f16)
OC_ISA_VARIANT(oc_half_variant, oc_bf16_variants, widen_bf16, narrow_bf16, round_bf16, limit,
               narrow_limited_bf16, add_limited_bf16, scale_bf16)
