/* SPDX-License-Identifier: Apache-2.0
 * family_conv.h - what a convolution computes, for those of floats and those of codes. */
#pragma once

#include "window.h"

typedef struct conv {
    window w;
    int64_t batch, groups, in, out; /* channels of a group */
    const net_tensor *x, *weights, *bias;
    net_tensor *y;
} conv;

/* Draws the geometry for x; false: too much work, or nothing fits. */
bool conv_draw(net *n, conv *c, const net_tensor *x, window_wish wish);
/* The dims of the weights and of y, all of rank c->w.axes + 2. */
void conv_dims(const conv *c, bool transposed, int64_t weights[5], int64_t y[5]);
/* Computes y, whose bounds take the sum of products, and the rounding to its type, into account. */
void conv_compute(const net *n, const conv *c);
