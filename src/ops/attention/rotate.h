/* SPDX-License-Identifier: Apache-2.0
 * rotate.h - rotation of the pairs of elements of a head. */
#pragma once

#include "base/work.h"

/* Each of `half` pairs (a, b) of x becomes (cos a - sin b, sin a + cos b), each product rounded, in
 * y, which may be x. If interleaved, the elements of a pair are neighbours; else pair k is element
 * k of the first half and element k of the second. */
void oc_rotate(const oc_work *w, float *y, const float *x, const float *cos, const float *sin,
               int64_t half, bool interleaved);
