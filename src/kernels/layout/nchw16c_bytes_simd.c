/* SPDX-License-Identifier: Apache-2.0
 * nchw16c_bytes_simd.c - squares of 16 by 16 bytes, transposed in registers: four rounds, each of
 * which lays the bytes of the first eight registers between those of the last eight. */
#include "kernels/layout/nchw16c_bytes.h"

#include <string.h>

#include "kernels/simd/simd.h"

enum { SIDE = OC_BLOCK_CHANNELS };

typedef uint8_t u8x16 __attribute__((vector_size(SIDE)));

OC_INLINE void transpose(u8x16 r[SIDE])
{
    for (int round = 0; round < 4; round++) {
        u8x16 t[SIDE];
        OC_UNROLL for (int i = 0; i < SIDE / 2; i++)
        {
            const u8x16 a = r[i], b = r[i + SIDE / 2];
            t[2 * i] = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6,
                                               22, 7, 23);
            t[2 * i + 1] = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13,
                                                   29, 14, 30, 15, 31);
        }
        memcpy(r, t, sizeof t);
    }
}

/* n < 16 pixels of 16 channels in another way: by way of a square of their own. */
OC_INLINE void in_square(uint8_t *to, const uint8_t *from, int64_t stride, int channels, int64_t n)
{
    u8x16 r[SIDE];
    memset(r, 0, sizeof r);
    OC_UNROLL for (int c = 0; c < SIDE; c++) if (c < channels)
        memcpy(&r[c], from + c * stride, n < SIDE ? (size_t)n : SIDE);
    transpose(r);
    memcpy(to, r, n < SIDE ? (size_t)n * SIDE : sizeof r);
}

OC_INLINE void out_square(uint8_t *to, int64_t stride, const uint8_t *from, int channels, int64_t n)
{
    u8x16 r[SIDE];
    memcpy(r, from, n < SIDE ? (size_t)n * SIDE : sizeof r);
    transpose(r);
    OC_UNROLL for (int c = 0; c < SIDE; c++) if (c < channels)
        memcpy(to + c * stride, &r[c], n < SIDE ? (size_t)n : SIDE);
}

static void in(void *block, const void *planes, int64_t stride, int channels, int64_t n)
{
    int64_t i = 0;
    for (; channels == SIDE && i + SIDE <= n; i += SIDE)
        in_square((uint8_t *)block + i * SIDE, (const uint8_t *)planes + i, stride, SIDE, SIDE);
    for (; i < n; i += SIDE)
        in_square((uint8_t *)block + i * SIDE, (const uint8_t *)planes + i, stride, channels,
                  n - i);
}

static void out(void *planes, int64_t stride, const void *block, int channels, int64_t n)
{
    int64_t i = 0;
    for (; channels == SIDE && i + SIDE <= n; i += SIDE)
        out_square((uint8_t *)planes + i, stride, (const uint8_t *)block + i * SIDE, SIDE, SIDE);
    for (; i < n; i += SIDE)
        out_square((uint8_t *)planes + i, stride, (const uint8_t *)block + i * SIDE, channels,
                   n - i);
}

OC_ISA_VARIANT(oc_nchw16c_bytes_variant, oc_nchw16c_bytes_variants, in, out)
