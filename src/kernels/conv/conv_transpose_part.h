/* SPDX-License-Identifier: Apache-2.0
 * conv_transpose_part.h - which taps reach which positions of a transposed convolution?
 *
 * On each axis, the positions with one remainder of (position + pad) / stride use the same taps.
 * They are a part of the result. A convolution of stride 1 makes it by those taps, the last one
 * first (conv_transpose.h). */
#pragma once

#include "kernels/common/sliding_window.h"

typedef struct oc_transpose_part {
    int64_t first, step, taps; /* `taps` taps: every step-th one, from tap `first` on */
    int64_t at, n;             /* n results: position `at`, and every stride-th one from there on */
    int64_t pad, dilation;     /* of the convolution that makes the part */
} oc_transpose_part;

/* Returns how many parts have taps. When these are fewer than the stride, some positions have no
 * tap. */
int64_t oc_transpose_parts(const oc_window *w, int axis);
/* Does every position have a tap, if the input is large enough? */
bool oc_transpose_reaches_all(const oc_window *w);
/* Returns part i. An axis below 0, which has one position, has one part. */
oc_transpose_part oc_transpose_part_of(const oc_window *w, int axis, int64_t i);
