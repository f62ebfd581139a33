/* SPDX-License-Identifier: Apache-2.0
 * suppress.h - which boxes stay when each suppresses the later ones that overlap it too much?
 *
 * The overlap of two boxes is the area that they share divided by the area that they cover, in
 * float. A box whose area is not positive suppresses none and is not suppressed. */
#pragma once

#include "base/work.h"

#include <stddef.h>

typedef struct oc_box {
    float left, top, right, bottom, area;
} oc_box;

/* Reads n boxes that are given as (y, x, y, x) of two opposite corners, or with center as (x, y,
 * width, height) around a centre. */
void oc_boxes_read(oc_box *to, const float *from, int64_t n, bool center, const oc_work *w);

typedef struct oc_suppress {
    const oc_box *box;
    const int32_t *order; /* numbers of the n boxes, in the order in which they are looked at */
    int64_t n, most;      /* at most `most` boxes stay */
    float threshold;      /* the greatest overlap that does not suppress, in [0, 1] */
    int32_t *stay;        /* room for the numbers of all boxes that can stay */
    void *scratch; /* oc_suppress_scratch(most) bytes for each task of the work; aligned to 16 */
    const oc_work *work;
} oc_suppress;

/* Returns the bytes of scratch for one task, a multiple of 64. most is at most 2^29. */
uint64_t oc_suppress_scratch(int64_t most);

/* Returns how many boxes stay. The time is about proportional to n, however many stay, unless
 * boxes are so small, or so far apart for their size, that float has no cells for them. */
int64_t oc_suppress_run(const oc_suppress *s);
