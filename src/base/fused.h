/* SPDX-License-Identifier: Apache-2.0
 * fused.h - a * b + c of floats, rounded once, as IEEE 754's fusedMultiplyAdd, where neither the
 * processor nor the C library may be asked: the library's function is slow on processors without
 * such an instruction, and wrong for subnormal results in some libraries. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The compiler may use a fused instruction of the processor. */
#if defined(__FMA__) || defined(__aarch64__) || defined(__ARM_FEATURE_FMA) ||                      \
    defined(__riscv_flen) || defined(__VSX__) || defined(__FP_FAST_FMAF)
#define OC_HAS_FMA
#endif

/* Moves s, which is rounded, by its last place towards the exact sum of p and c where that makes it
 * odd: rounded a second time, to fewer bits, it then gives what one rounding would (Boldo and
 * Melquiond, Emulation of FMA and correctly rounded sums, 2008). */
static inline double oc_rounded_to_odd(double p, double c, double s)
{
    const double part = s - p, error = (p - (s - part)) + (c - part);
    int64_t bits;
    memcpy(&bits, &s, sizeof bits);
    if (error != 0 && !(bits & 1) && error - error == 0)
        bits += (error > 0) == (s > 0) ? 1 : -1;
    memcpy(&s, &bits, sizeof s);
    return s;
}

static inline float oc_fma_f32(float a, float b, float c)
{
#ifdef OC_HAS_FMA
    return fmaf(a, b, c);
#else
    const double p = (double)a * (double)b, s = p + (double)c; /* p is exact */
    return (float)oc_rounded_to_odd(p, (double)c, s);
#endif
}
