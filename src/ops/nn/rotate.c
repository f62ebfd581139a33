/* SPDX-License-Identifier: Apache-2.0
 * rotate.c - rotation of the pairs of elements of a head. */
#include "ops/nn/rotate.h"

#include "base/threads.h"

void oc_rotate(oc_pace *pace, float *y, const float *x, const float *cos, const float *sin,
               int64_t half, bool interleaved)
{
    const int64_t step = interleaved ? 2 : 1, second = interleaved ? 1 : half;
    oc_strip s = {0, 0};
    while (oc_strip_next(&s, half, pace, 2 * OC_ELEMENT))
        for (int64_t k = s.first; k < s.end; k++) {
            const float a = x[k * step], b = x[k * step + second];
            y[k * step] = cos[k] * a - sin[k] * b;
            y[k * step + second] = sin[k] * a + cos[k] * b;
        }
}
