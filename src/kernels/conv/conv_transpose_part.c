/* SPDX-License-Identifier: Apache-2.0
 * conv_transpose_part.c - finds the taps of a part, and where its results lie. */
#include "kernels/conv/conv_transpose_part.h"

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Returns the step between taps that have one remainder. */
static int64_t tap_step(const oc_window *w, int axis)
{
    return w->stride[axis] / common_divisor(w->stride[axis], w->dilation[axis]);
}

int64_t oc_transpose_parts(const oc_window *w, int axis)
{
    return axis < 0 ? 1 : oc_min(tap_step(w, axis), w->kernel[axis]);
}

/* Returns the position of the first result that tap `tap`, and the taps of its remainder,
 * contribute to. */
static int64_t first_position(const oc_window *w, int axis, int64_t tap)
{
    const int64_t rest = (tap * w->dilation[axis] - w->pad[axis]) % w->stride[axis];
    return rest < 0 ? rest + w->stride[axis] : rest;
}

oc_transpose_part oc_transpose_part_of(const oc_window *w, int axis, int64_t i)
{
    if (axis < 0)
        return (oc_transpose_part){.step = 1, .taps = 1, .n = 1, .dilation = 1};
    const int64_t stride = w->stride[axis], step = tap_step(w, axis);
    oc_transpose_part p = {.first = i,
                           .step = step,
                           .taps = (w->kernel[axis] - i + step - 1) / step,
                           .dilation = w->dilation[axis] * step / stride};
    p.at = first_position(w, axis, i);
    p.n = p.at < w->out[axis] ? (w->out[axis] - 1 - p.at) / stride + 1 : 0;
    /* The first result lies over pixel (at + pad - i * dilation) / stride for its first tap. */
    p.pad = (p.taps - 1) * p.dilation - (p.at + w->pad[axis] - i * w->dilation[axis]) / stride;
    return p;
}

bool oc_transpose_reaches_all(const oc_window *w)
{
    for (int a = 0; a < w->axes; a++)
        if (oc_transpose_parts(w, a) < w->stride[a])
            return false;
    return true;
}
