/* SPDX-License-Identifier: Apache-2.0
 * plain_simd.c - the loops of plain.h, which compilers vectorise. */
#include "kernels/elementwise/plain.h"

#include "kernels/elementwise/row.h"
#include "kernels/simd/simd.h"

#include <math.h>
#include <string.h>

#define ONE(name, formula) OC_ROW1(name##_row, float, float, formula)
OC_PLAIN_ONE(ONE)

#define TWO(name, formula) OC_ROW2(name##_row, float, float, formula)
OC_PLAIN_TWO(TWO)

#define FACTOR(name) (float)((const oc_factors *)ctx)->name
#define FACTORS(name, formula)                                                                     \
    OC_ROW(name##_row)                                                                             \
    {                                                                                              \
        const float *p = x_[0], a = FACTOR(a), b = FACTOR(b);                                      \
        float *y = y_;                                                                             \
        (void)step, (void)a, (void)b;                                                              \
        OC_EACH1(float, float, p[i], formula)                                                      \
    }
OC_PLAIN_FACTORS(FACTORS)

#define CLIP(name, formula)                                                                        \
    OC_ROW(name##_row)                                                                             \
    {                                                                                              \
        const float *p = x_[0], low = *(const float *)x_[1], high = *(const float *)x_[2];         \
        float *y = y_;                                                                             \
        (void)step, (void)ctx;                                                                     \
        OC_EACH1(float, float, p[i], formula)                                                      \
    }
OC_PLAIN_CLIP(CLIP)

static void scale_channels(float *y, const float *x, const oc_channel_factors *f, int64_t n)
{
    enum { CHANNELS = OC_SCALE_CHANNELS };
    float center[CHANNELS], factor[CHANNELS], bias[CHANNELS], v[CHANNELS];
    memcpy(center, f->center, sizeof center);
    memcpy(factor, f->factor, sizeof factor);
    memcpy(bias, f->bias, sizeof bias);
    for (int64_t i = 0; i < n; i++, x += CHANNELS, y += CHANNELS) {
        for (int c = 0; c < CHANNELS; c++)
            v[c] = (x[c] - center[c]) * factor[c] + bias[c];
        memcpy(y, v, sizeof v);
    }
}

#define VARIANT(name, formula) OC_ISA_VARIANT(oc_plain, oc_plain_##name, name##_row)
OC_PLAIN_ALL(VARIANT)
OC_ISA_VARIANT(oc_scale, oc_scale_channels, scale_channels)
