/* SPDX-License-Identifier: Apache-2.0
 * integers_simd.c - the loops of integers.h, which compilers vectorise. */
#include "kernels/elementwise/integers.h"

#include "kernels/elementwise/row.h"
#include "kernels/simd/simd.h"

#include <string.h>

#define ORDERED(name, T, R, expr)                                                                  \
    OC_ROW(name)                                                                                   \
    {                                                                                              \
        const oc_order order = *(const oc_order *)ctx;                                             \
        const T *p = x_[0], *q = x_[1], mask = (T)order.mask;                                      \
        R *y = y_;                                                                                 \
        OC_EACH_PAIR(T, R, expr)                                                                   \
    }

/* In reverse order a <= b, which is not a > b. */
#define BEFORE(name, T) ORDERED(name, T, uint8_t, ((a ^ mask) < (b ^ mask)) ^ order.reverse)
BEFORE(before_8, uint8_t)
BEFORE(before_16, int16_t)
BEFORE(before_32, int32_t)

#define GREATER(a, b) ((a) > (b) ? (a) : (b))
#define LAST(name, T) ORDERED(name, T, T, mask ^ GREATER(a ^ mask, b ^ mask))
LAST(last_8, uint8_t)
LAST(last_16, int16_t)
LAST(last_32, int32_t)
LAST(last_64, int64_t)

typedef uint64_t word_fn(uint64_t a, uint64_t b);

OC_INLINE uint64_t load(const uint8_t *x)
{
    uint64_t w;
    memcpy(&w, x, sizeof w);
    return w;
}

/* b is NULL if it is repeated; then the 8 bytes of w repeat it, from any byte on. */
OC_INLINE void combine(word_fn *f, uint8_t *y, const uint8_t *a, const uint8_t *b, uint64_t w,
                       int64_t bytes)
{
    int64_t i = 0;
    for (; b && i + 8 <= bytes; i += 8) {
        const uint64_t r = f(load(a + i), load(b + i));
        memcpy(y + i, &r, sizeof r);
    }
    for (; i + 8 <= bytes; i += 8) {
        const uint64_t r = f(load(a + i), w);
        memcpy(y + i, &r, sizeof r);
    }
    for (int k = 0; k < 7 && i < bytes; k++, i++)
        y[i] = (uint8_t)f(a[i], b ? b[i] : w >> 8 * k);
}

static uint64_t repeated(const uint8_t *x, size_t size)
{
    uint16_t half;
    uint32_t whole;
    switch (size) {
    case 1:
        return *x * (UINT64_MAX / UINT8_MAX);
    case 2:
        memcpy(&half, x, sizeof half);
        return half * (UINT64_MAX / UINT16_MAX);
    case 4:
        memcpy(&whole, x, sizeof whole);
        return whole * (UINT64_MAX / UINT32_MAX);
    default:
        return load(x);
    }
}

/* When both operands are repeated, the result repeats one element. */
OC_INLINE void combine_row(word_fn *f, uint8_t *y, const void *const x[], const int64_t step[],
                           int64_t n, size_t size)
{
    const bool both = step[0] && step[1], none = !step[0] && !step[1];
    const uint8_t *a = x[!step[0]], *b = x[!!step[0]];
    const int64_t bytes = n * (int64_t)size;
    combine(f, y, a, both ? b : NULL, both ? 0 : repeated(b, size), none ? (int64_t)size : bytes);
    for (int64_t i = (int64_t)size; none && i < bytes; i++)
        y[i] = y[i - (int64_t)size];
}

static uint64_t and_words(uint64_t a, uint64_t b)
{
    return a & b;
}

static uint64_t or_words(uint64_t a, uint64_t b)
{
    return a | b;
}

static uint64_t exor_words(uint64_t a, uint64_t b)
{
    return a ^ b;
}

#define BITS(name)                                                                                 \
    OC_ROW(name##_row)                                                                             \
    {                                                                                              \
        combine_row(name##_words, y_, x_, step, n, *(const size_t *)ctx);                          \
    }
BITS(and)
BITS(or)
BITS(exor)

OC_ISA_VARIANT(oc_integers, oc_integers_variants, {before_8, before_16, before_32},
               {last_8, last_16, last_32, last_64}, and_row, or_row, exor_row)
