/* SPDX-License-Identifier: Apache-2.0
 * int.h - the lesser and the greater of two integers, and quotients rounded up. */
#pragma once

#define OC_INT_FUNCTIONS(name, T)                                                                  \
    OC_INT_FUNCTION_OF(oc_min_##name, T, a < b ? a : b)                                            \
    OC_INT_FUNCTION_OF(oc_max_##name, T, a > b ? a : b)                                            \
    OC_INT_FUNCTION_OF(oc_div_up_##name, T, (a + b - 1) / b)
#define OC_INT_FUNCTION_OF(name, T, expr)                                                          \
    static inline T name(T a, T b)                                                                 \
    {                                                                                              \
        return expr;                                                                               \
    }
OC_INT_FUNCTIONS(int, int)
OC_INT_FUNCTIONS(unsigned, unsigned)
OC_INT_FUNCTIONS(long, long)
OC_INT_FUNCTIONS(unsigned_long, unsigned long)
OC_INT_FUNCTIONS(long_long, long long)
OC_INT_FUNCTIONS(unsigned_long_long, unsigned long long)
#undef OC_INT_FUNCTIONS
#undef OC_INT_FUNCTION_OF

/* Chooses the function of that name for the type of a + b. */
#define OC_INT_FUNCTION(name, a, b)                                                                \
    _Generic((a) + (b), int                                                                        \
             : oc_##name##_int, unsigned                                                           \
             : oc_##name##_unsigned, long                                                          \
             : oc_##name##_long, unsigned long                                                     \
             : oc_##name##_unsigned_long, long long                                                \
             : oc_##name##_long_long, unsigned long long                                           \
             : oc_##name##_unsigned_long_long)

/* These macros evaluate each argument once. Arguments of different types are converted as C's
 * operators convert them. */
#define oc_min(a, b)     OC_INT_FUNCTION(min, a, b)(a, b)
#define oc_max(a, b)     OC_INT_FUNCTION(max, a, b)(a, b)
/* Returns the number of pieces of size `by` that n fills, rounded up: n >= 0 and by > 0, and n +
 * by must not overflow. */
#define oc_div_up(n, by) OC_INT_FUNCTION(div_up, n, by)(n, by)
