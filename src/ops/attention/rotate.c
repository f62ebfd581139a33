/* SPDX-License-Identifier: Apache-2.0
 * rotate.c - rotation of the pairs of elements of a head. */
#include "ops/attention/rotate.h"

void oc_rotate(const oc_work *w, float *y, const float *x, const float *cos, const float *sin,
               int64_t half, bool interleaved)
{
    const int64_t step = interleaved ? 2 : 1, second = interleaved ? 1 : half;
    OC_LOOP (w, k, half, 1024) {
        const float a = x[k * step], b = x[k * step + second];
        y[k * step] = cos[k] * a - sin[k] * b;
        y[k * step + second] = sin[k] * a + cos[k] * b;
    }
}
