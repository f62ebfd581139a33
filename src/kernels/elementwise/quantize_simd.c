/* SPDX-License-Identifier: Apache-2.0
 * quantize_simd.c - the loops of quantize.h, which compilers vectorise. */
#include "kernels/elementwise/quantize.h"

#include <math.h>
#include <string.h>

#include "kernels/simd/simd.h"

/* Turns a quotient into a code. It is limited, so that the sum with 1.5 * 2^23, whose neighbours
 * are whole numbers, rounds it half to even. low and high have the zero subtracted. */
static inline int32_t code_of(float v, float low, float high, float zero)
{
    const float whole = 0x1.8p23F, number = v == v ? v : 0;
    const float raised = number > low ? number : low;
    return (int32_t)((raised < high ? raised : high) + whole - whole + zero);
}

/* Loops for a scale and a zero for each element, and for one of all elements. */
#define EACH_ITS_OWN(name, T)                                                                      \
    static void name(T *restrict y, const float *restrict x, const oc_codes *c, int64_t n)         \
    {                                                                                              \
        const float *restrict scale = c->scale, *restrict zero = c->zero;                          \
        const float low = c->low, high = c->high;                                                  \
        for (int64_t i = 0; i < n; i++)                                                            \
            y[i] = (T)code_of(x[i] / scale[i], low - zero[i], high - zero[i], zero[i]);            \
    }
#define ALL_THE_SAME(name, T)                                                                      \
    static void name(T *restrict y, const float *restrict x, const oc_codes *c, int64_t n)         \
    {                                                                                              \
        const float s = c->scale[0], z = c->zero[0], low = c->low, high = c->high;                 \
        for (int64_t i = 0; i < n; i++)                                                            \
            y[i] = (T)code_of(x[i] / s, low - z, high - z, z);                                     \
    }
#define TO_CODES(name, T)                                                                          \
    EACH_ITS_OWN(name##_own, T)                                                                    \
    ALL_THE_SAME(name##_same, T)                                                                   \
    static void name(T *y, const float *x, const oc_codes *c, int64_t n)                           \
    {                                                                                              \
        (c->step ? name##_own : name##_same)(y, x, c, n);                                          \
    }
TO_CODES(to_8_divided, uint8_t)
TO_CODES(to_16, uint16_t)

/* codes that are made by a factor, and made again by division if one is doubtful */
enum { BLOCK = 512 };

static inline int32_t bits_of(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* As to_8 for numbers of one scale, but multiplies by its reciprocal. A product is off by at
 * most 2 units in the last place from the rounded quotient, 2^-15 for all products that are not
 * limited. Returns false, and the codes may be wrong, if one is so near a half that this could
 * matter, or is NaN, whose bits are above all others. The last 8 bits of a code plus 1.5 * 2^23
 * are those of the code. */
static bool to_8_by_factor(uint8_t *restrict y, const float *restrict x, float factor,
                           const oc_codes *c, int64_t count)
{
    const float whole = 0x1.8p23F + c->zero[0];
    const float low = c->low - c->zero[0], high = c->high - c->zero[0];
    int32_t most = 0;
    for (int64_t i = 0; i < count; i++) {
        const float v = x[i] * factor, raised = v < low ? low : v;
        const float number = raised > high ? high : raised, code = number + whole;
        const int32_t off = bits_of(number - (code - whole)) & INT32_MAX;
        most = off > most ? off : most;
        y[i] = (uint8_t)bits_of(code);
    }
    return most < bits_of(0.5F - 0x1p-14F);
}

/* Multiplies by the reciprocal where it can, because divisions take longer than all else. */
static void to_8(uint8_t *y, const float *x, const oc_codes *c, int64_t n)
{
    const float factor = 1 / c->scale[0];
    if (c->step || !isnormal(c->scale[0]) || !isnormal(factor)) {
        to_8_divided(y, x, c, n);
        return;
    }
    for (int64_t i = 0; i < n; i += BLOCK) {
        const int64_t count = n - i < BLOCK ? n - i : BLOCK;
        if (!to_8_by_factor(y + i, x + i, factor, c, count))
            to_8_divided(y + i, x + i, c, count);
    }
}

OP(float, sum_of, (int32_t x, int32_t bias), (float)(int32_t)((uint32_t)x + (uint32_t)bias))

static void of_sums(uint8_t *restrict y, const int32_t *restrict x, int32_t bias, const oc_codes *c,
                    int64_t n)
{
    const float *restrict scale = c->scale;
    const float s = scale[0], z = c->zero[0], low = c->low - z, high = c->high - z;
    if (c->step) {
        for (int64_t i = 0; i < n; i++)
            y[i] = (uint8_t)code_of(sum_of(x[i], bias) * scale[i], low, high, z);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        y[i] = (uint8_t)code_of(sum_of(x[i], bias) * s, low, high, z);
}

static void from_whole(float *restrict y, const int32_t *restrict x, const float *restrict scale,
                       int64_t step, int64_t n)
{
    if (step) {
        for (int64_t i = 0; i < n; i++)
            y[i] = (float)(x[i] * (double)scale[i]);
        return;
    }
    const double s = (double)scale[0];
    for (int64_t i = 0; i < n; i++)
        y[i] = (float)(x[i] * s);
}

static void from_codes(float *y, const float *x, const oc_codes *c, int64_t n)
{
    const float *restrict scale = c->scale, *restrict zero = c->zero;
    if (c->step) {
        for (int64_t i = 0; i < n; i++)
            y[i] = (x[i] - zero[i]) * scale[i];
        return;
    }
    const float s = scale[0], z = zero[0];
    for (int64_t i = 0; i < n; i++)
        y[i] = (x[i] - z) * s;
}

static void from_8(float *restrict y, const uint8_t *restrict x, uint8_t flip, float zero,
                   float scale, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = ((float)(x[i] ^ flip) - zero) * scale;
}

OP(float, lesser, (float a, float b), a < b ? a : b)
OP(float, greater, (float a, float b), a > b ? a : b)

/* Takes four numbers of each lane at a time. */
static void range_of(const float *restrict x, int64_t n, float *low, float *high)
{
    enum { LANES = 16 };
    float least[LANES], most[LANES];
    int32_t odd[LANES] = {0}, any = 0;
    int64_t i = 0;
    for (int k = 0; k < LANES; k++) {
        least[k] = *low;
        most[k] = *high;
    }
    for (; i + 4 * LANES <= n; i += 4 * LANES)
        for (int k = 0; k < LANES; k++) {
            const float a = x[i + k], b = x[i + k + LANES];
            const float c = x[i + k + 2 * LANES], d = x[i + k + 3 * LANES];
            least[k] = lesser(least[k], lesser(lesser(a, b), lesser(c, d)));
            most[k] = greater(most[k], greater(greater(a, b), greater(c, d)));
            odd[k] |= (a != a) | (b != b) | (c != c) | (d != d);
        }
    for (; i < n; i++) {
        least[0] = lesser(least[0], x[i]);
        most[0] = greater(most[0], x[i]);
        odd[0] |= x[i] != x[i];
    }
    for (int k = 0; k < LANES; k++) {
        *low = lesser(*low, least[k]);
        *high = greater(*high, most[k]);
        any |= odd[k];
    }
    if (any)
        *low = *high = NAN;
}

OC_ISA_VARIANT(oc_quantize_variant, oc_quantize_variants, to_8, to_16, of_sums, from_codes, from_8,
               from_whole, range_of)
