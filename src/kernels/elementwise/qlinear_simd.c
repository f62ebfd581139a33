/* SPDX-License-Identifier: Apache-2.0
 * qlinear_simd.c - the loops of qlinear.h, 64 codes at a time. */
#include "kernels/elementwise/qlinear.h"

#include <string.h>

#include "kernels/simd/int8.h"

enum { CODES = 64, LINE = 16 };

OC_INLINE f32x16 numbers(const uint8_t *code, const oc_qlinear_operand *x)
{
    const f32x16 from_zero = f32x16_sub(f32x16_load_u8(code, x->flip), f32x16_splat(x->zero));
    return f32x16_mul(from_zero, f32x16_splat(x->scale));
}

OC_INLINE void combine(uint8_t *y, const uint8_t *a, const uint8_t *b, const oc_qlinear *q,
                       const bool mul)
{
    /* subtracted when bytes are stored, for unsigned bytes */
    const int sign = q->low < 0 ? INT8_MIN : 0;
    i32x16 whole[4];
    UNROLL (r, 4) {
        const f32x16 left = numbers(a + r * LINE, &q->x[0]),
                     right = numbers(b + r * LINE, &q->x[1]);
        const f32x16 number = mul ? f32x16_mul(left, right) : f32x16_add(left, right);
        whole[r] = i32x16_round(f32x16_div(number, f32x16_splat(q->scale)));
    }
    u8x64_store(y, LINE, i32x64_limit(whole, 4, q->zero - sign, q->low - sign, q->high - sign), 4,
                (uint8_t)sign);
}

OC_INLINE void combine_all(uint8_t *y, const uint8_t *a, const uint8_t *b, const oc_qlinear *q,
                           int64_t n, const bool mul)
{
    int64_t i = 0;
    for (; i + CODES <= n; i += CODES)
        combine(y + i, a + i, b + i, q, mul);
    if (i < n) {
        uint8_t room[3][CODES] = {{0}};
        memcpy(room[0], a + i, (size_t)(n - i));
        memcpy(room[1], b + i, (size_t)(n - i));
        combine(room[2], room[0], room[1], q, mul);
        memcpy(y + i, room[2], (size_t)(n - i));
    }
}

static void add(uint8_t *y, const uint8_t *a, const uint8_t *b, const oc_qlinear *q, int64_t n)
{
    combine_all(y, a, b, q, n, false);
}

static void mul(uint8_t *y, const uint8_t *a, const uint8_t *b, const oc_qlinear *q, int64_t n)
{
    combine_all(y, a, b, q, n, true);
}

OC_ISA_VARIANT(oc_qlinear_variant, oc_qlinear_variants, add, mul)
