/* SPDX-License-Identifier: Apache-2.0
 * conv_transpose_part.h - which taps reach which positions of a transposed convolution?
 *
 * On each axis, the positions with one remainder of position + pad divided by stride have the same
 * taps: part of the result, which a convolution of stride 1 makes by those taps, the last one first
 * (conv_transpose.h). */
#ifndef OC_KERNELS_CONV_CONV_TRANSPOSE_PART_H
#define OC_KERNELS_CONV_CONV_TRANSPOSE_PART_H

#include "kernels/common/sliding_window.h"

typedef struct oc_transpose_part {
    int64_t first, step, taps; /* every step-th tap, from tap `first` on */
    int64_t at, n;             /* n results: position `at`, and every stride-th from there on */
    int64_t pad, dilation;     /* of the convolution that makes them */
} oc_transpose_part;

/* How many parts have taps; where these are fewer than the stride, some positions have none. */
int64_t oc_transpose_parts(const oc_window *w, int axis);
/* Has every position a tap, where the input is large enough? */
bool oc_transpose_reaches_all(const oc_window *w);
/* Part i; of an axis below 0, which has one position, the only one. */
oc_transpose_part oc_transpose_part_of(const oc_window *w, int axis, int64_t i);

#endif
