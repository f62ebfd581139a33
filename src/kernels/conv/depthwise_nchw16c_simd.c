/* SPDX-License-Identifier: Apache-2.0
 * depthwise_nchw16c_simd.c - the rows of depthwise_nchw16c.h.
 *
 * Their sizes are arguments that are constants where a function is called, so that sums and
 * weights are registers. */
#include "kernels/conv/depthwise_nchw16c.h"

#include "kernels/common/half_limits.h"
#include "kernels/simd/chains.h"

/* Most positions of a tile. Images are often 7 wide, or a multiple of 7. */
enum { MANY = OC_SIMD_REGISTERS > 1 ? 7 : 1, SOME = OC_SIMD_REGISTERS > 1 ? 4 : 1, TAPS = 7 };

/* A loop over the pixels under a tile, at most (MANY - 1) * 2 + 5. */
#define UNROLL_PIXELS(i, n) _Pragma("GCC unroll 20") for (int i = 0; i < (n); i++)

/* Returns a bit for each of n pixels from number `from` on: 1 if it lies in a row of `width`
 * pixels. */
OC_INLINE uint32_t bits_inside(int64_t from, int n, int64_t width)
{
    const uint32_t all = (UINT32_C(1) << n) - 1;
    const uint32_t begun = from >= 0 ? all : -from >= n ? 0 : all << -from;
    const int64_t left = width - from;
    const uint32_t ended = left >= n ? all : left <= 0 ? 0 : (UINT32_C(1) << left) - 1;
    return all & begun & ended;
}

OC_INLINE void finish_sums(f32v sum[MANY], const oc_tile_finish *f, int64_t channel, const int many)
{
    if (f->factor) {
        const f32v center = f32v_load(f->center + channel), factor = f32v_load(f->factor + channel),
                   offset = f32v_load(f->offset + channel);
        UNROLL (i, many)
            sum[i] = (sum[i] - center) * factor + offset;
    }
    if (f->least > -INFINITY)
        UNROLL (i, many)
            sum[i] = f32v_max(f32v_splat(f->least), sum[i]);
    if (f->greatest < INFINITY)
        UNROLL (i, many)
            sum[i] = f32v_min(f32v_splat(f->greatest), sum[i]);
}

/* Returns the address of element number i. */
OC_INLINE const void *element(const void *x, int64_t i, const bool f16)
{
    return (const char *)x + i * (int64_t)(f16 ? sizeof(uint16_t) : sizeof(float));
}

OC_INLINE f32v load(const void *p, const bool f16)
{
    return f16 ? f32v_load_f16(p) : f32v_load(p);
}

/* Computes some channels of `many` positions from number `at` on. */
OC_INLINE void some_channels(const oc_depthwise_row *r, int64_t at, int channel, uint32_t inside,
                             const int many, const int taps, const int stride, const bool f16)
{
    const int pixels = (many - 1) * stride + taps;
    const void *x = element(r->x, (r->from + at * stride) * OC_BLOCK_CHANNELS + channel, f16);
    const float *w = r->w + channel;
    f32v sum[MANY], weight[TAPS];
    UNROLL (i, many)
        sum[i] = f32v_zero();
    for (int64_t row = 0; row < r->rows; row++, w += taps * OC_BLOCK_CHANNELS) {
        UNROLL (k, taps)
            weight[k] = f32v_load(w + k * OC_BLOCK_CHANNELS);
        UNROLL_PIXELS(j, pixels)
        if (inside >> j & 1) {
            const void *p = element(x, j * OC_BLOCK_CHANNELS, f16);
            const f32v pixel = f32v_kept(load(p, f16));
            UNROLL (i, many)
                if (j >= i * stride && j - i * stride < taps)
                    sum[i] = f32v_fma(pixel, weight[j - i * stride], sum[i]);
        }
        x = element(x, r->pitch, f16);
    }
    if (r->b) {
        const f32v b = f32v_load(r->b + channel);
        UNROLL (i, many)
            sum[i] = sum[i] + b;
    }
    if (OC_TILE_FINISHES && !f16 && r->finish)
        finish_sums(sum, r->finish, r->out_channel + channel, many);
    const int64_t to = at * OC_BLOCK_CHANNELS + channel;
    if (f16 && r->bounds) {
        const oc_half_limits limits = oc_half_limits_of(r->bounds);
        UNROLL (i, many)
            sum[i] = oc_half_limited(sum[i], &limits);
    }
    if (f16 && r->rounds) {
        UNROLL (i, many)
            f32v_store_f16((uint16_t *)r->y + to + i * OC_BLOCK_CHANNELS, sum[i]);
    } else {
        UNROLL (i, many)
            f32v_store((float *)r->y + to + i * OC_BLOCK_CHANNELS, sum[i]);
    }
}

OC_INLINE void tile(const oc_depthwise_row *r, int64_t at, const int many, const int taps,
                    const int stride, const bool f16)
{
    const uint32_t inside =
        bits_inside(r->from + at * stride, (many - 1) * stride + taps, r->width);
    for (int channel = 0; channel < OC_BLOCK_CHANNELS; channel += f32v_N)
        some_channels(r, at, channel, inside, many, taps, stride, f16);
}

#ifdef OC_SIMD_CHAINS
#include "kernels/conv/depthwise_chains.inc"
#endif

/* Positions that whole tiles leave over are computed by a tile that begins earlier and writes a
 * few results a second time. */
OC_INLINE void row(const oc_depthwise_row *r, const int taps, const int stride, const bool f16)
{
#ifdef OC_SIMD_CHAINS
    if (!f16) {
        row_by_chains(r, taps, stride);
        return;
    }
#endif
    const int64_t n = r->positions;
    for (int64_t i = 0, many; i < n; i += many) {
        many = n >= MANY && (f16 || n - i > SOME) ? MANY : n >= SOME && !f16 ? SOME : 1;
        i = i + many <= n ? i : n - many;
        if (many == MANY)
            tile(r, i, MANY, taps, stride, f16);
        else if (many == SOME && !f16)
            tile(r, i, SOME, taps, stride, f16);
        else
            tile(r, i, 1, taps, stride, f16);
    }
}

/* clang-format off */
#define ROW(taps, stride)                                                                          \
    static void row_##taps##_##stride(const oc_depthwise_row *r) { row(r, taps, stride, false); }
ROW(3, 1) ROW(3, 2) ROW(5, 1) ROW(5, 2) ROW(7, 1)

#define F16_ROW(taps, stride)                                                                     \
    static void f16_##taps##_##stride(const oc_depthwise_row *r) { row(r, taps, stride, true); }
F16_ROW(3, 1) F16_ROW(3, 2) F16_ROW(5, 1) F16_ROW(5, 2)

#define LINES(name) (int)f32v_N == OC_BLOCK_CHANNELS ? name : NULL
    /* clang-format on */

    OC_ISA_VARIANT(oc_depthwise_nchw16c_variant, oc_depthwise_nchw16c_variants,
                   {{row_3_1, row_3_2}, {row_5_1, row_5_2}, {row_7_1}},
                   {{LINES(f16_3_1), LINES(f16_3_2)}, {LINES(f16_5_1), LINES(f16_5_2)}})
