/* SPDX-License-Identifier: Apache-2.0
 * resize_sum.c - the scalar variant of Resize's sums, and the table of variants.
 *
 * Variants for instruction sets have only what pictures need: sums of float, double and uint8.
 * None of them picks: their gathers are slower than a load for each element. */
#include "kernels/resize/resize_sum.inc"

#define WIDEN(name, T, REAL)                                                                       \
    static void widen_##name(void *y_, const void *x_, int64_t n)                                  \
    {                                                                                              \
        REAL *restrict y = y_;                                                                     \
        const T *x = x_;                                                                           \
        for (int64_t i = 0; i < n; i++)                                                            \
            y[i] = (REAL)x[i];                                                                     \
    }
WIDEN(i8, int8_t, float)
WIDEN(i16, int16_t, float)
WIDEN(u16, uint16_t, float)
WIDEN(i32, int32_t, double)
WIDEN(u32, uint32_t, double)
WIDEN(i64, int64_t, double)
WIDEN(u64, uint64_t, double)

#define SMALL(name, T, low, high)                                                                  \
    static void finish_##name(void *y_, const void *sums, int64_t n)                               \
    {                                                                                              \
        T *restrict y = y_;                                                                        \
        const float *s = sums;                                                                     \
        for (int64_t i = 0; i < n; i++)                                                            \
            y[i] = (T)nearest(s[i], low, high);                                                    \
    }
SMALL(i8, int8_t, -128.0f, 127.0f)
SMALL(i16, int16_t, -32768.0f, 32767.0f)
SMALL(u16, uint16_t, 0.0f, 65535.0f)

/* Rounds to the nearest whole number, ties to even; numbers of 2^52 and more are whole. */
static inline double whole(double x)
{
    const double big = x < 0 ? -0x1p52 : 0x1p52, rounded = (x + big) - big;
    return x > -0x1p52 && x < 0x1p52 ? rounded : x;
}

#define LARGE(name, T)                                                                             \
    static void finish_##name(void *y_, const void *sums, int64_t n)                               \
    {                                                                                              \
        T *restrict y = y_;                                                                        \
        const double *s = sums;                                                                    \
        for (int64_t i = 0; i < n; i++)                                                            \
            y[i] = oc_to_##name(whole(s[i]));                                                      \
    }
LARGE(i32, int32_t)
LARGE(u32, uint32_t)
LARGE(i64, int64_t)
LARGE(u64, uint64_t)

typedef struct two_words {
    uint64_t a, b;
} two_words;

#define PICK(name, T)                                                                              \
    static void name(void *y_, const void *x_, const int64_t *index, int64_t n)                    \
    {                                                                                              \
        char *restrict y = y_;                                                                     \
        const char *x = x_;                                                                        \
        for (int64_t i = 0; i < n; i++)                                                            \
            memcpy(y + (size_t)i * sizeof(T), x + (size_t)index[i] * sizeof(T), sizeof(T));        \
    }
PICK(pick_1, uint8_t)
PICK(pick_2, uint16_t)
PICK(pick_4, uint32_t)
PICK(pick_8, uint64_t)
PICK(pick_16, two_words)

OC_ISA_VARIANT(oc_resize_variant, oc_resize_variants, RESIZE,
               .widen = {[OC_I8] = widen_i8,
                         [OC_I16] = widen_i16,
                         [OC_U16] = widen_u16,
                         [OC_I32] = widen_i32,
                         [OC_U32] = widen_u32,
                         [OC_I64] = widen_i64,
                         [OC_U64] = widen_u64},
               .finish = {[OC_I8] = finish_i8,
                          [OC_U8] = finish_u8,
                          [OC_I16] = finish_i16,
                          [OC_U16] = finish_u16,
                          [OC_I32] = finish_i32,
                          [OC_U32] = finish_u32,
                          [OC_I64] = finish_i64,
                          [OC_U64] = finish_u64},
               .pick = {pick_1, pick_2, pick_4, pick_8, pick_16})
OC_VARIANTS(oc_resize_variant, oc_resize_variants)
