/* SPDX-License-Identifier: Apache-2.0
 * convs.h - what the checks of convolutions and pools share: windows, layouts. */
#pragma once

#include "base/element_type.h"
#include "kernels/common/half.h"
#include "kernels/layout/nchw16c.h"
#include "kernels/common/sliding_window.h"
#include "numbers.h"

#include <string.h>

/* The pixel's number under tap k of the window at position p, or -1 in the padding. */
static inline int64_t pixel_at(const oc_window *g, int64_t p, int64_t k)
{
    int64_t at = 0, step = 1;
    for (int a = g->axes - 1; a >= 0; a--) {
        const int64_t i =
            p % g->out[a] * g->stride[a] + k % g->kernel[a] * g->dilation[a] - g->pad[a];
        if (i < 0 || i >= g->in[a])
            return -1;
        at += i * step;
        step *= g->in[a];
        p /= g->out[a];
        k /= g->kernel[a];
    }
    return at;
}

static inline int64_t product_of(const int64_t n[], int axes)
{
    int64_t all = 1;
    for (int a = 0; a < axes; a++)
        all *= n[a];
    return all;
}

/* As many positions along axis a as pads and `behind` elements more leave room for; 1 at least. */
static inline int64_t positions_along(const oc_window *g, int a, int64_t behind)
{
    const int64_t span = (g->kernel[a] - 1) * g->dilation[a] + 1;
    const int64_t room = g->in[a] + g->pad[a] + g->pad_end[a] + behind - span;
    return room < 0 ? 1 : room / g->stride[a] + 1;
}

/* The window of a layer over size x size pixels, as networks have it: pads keep the size, or a
 * stride's part of it. */
static inline oc_window square_window(int64_t size, int64_t kernel, int64_t stride)
{
    oc_window g = {.axes = 2};
    for (int a = 0; a < 2; a++) {
        g.in[a] = size;
        g.out[a] = size / stride;
        g.kernel[a] = kernel;
        g.stride[a] = stride;
        g.dilation[a] = 1;
        g.pad[a] = kernel / 2;
    }
    return g;
}

/* Where element i of a value in NCHW lies in NCHW16c. */
static inline int64_t in_nchw16c(int64_t i, int64_t channels, int64_t pixels)
{
    const int64_t image = i / pixels / channels, channel = i / pixels % channels;
    const int64_t block = image * oc_channel_blocks(channels) + channel / OC_BLOCK_CHANNELS;
    return (block * pixels + i % pixels) * OC_BLOCK_CHANNELS + channel % OC_BLOCK_CHANNELS;
}

/* Fills a value in NCHW16c, of `most` elements, from one in NCHW. Places without a channel are NaN:
 * nobody may use them. */
static inline void fill_nchw16c(float *nchw16c, size_t most, const float *nchw, int64_t images,
                                int64_t channels, int64_t pixels)
{
    memset(nchw16c, 0xff, most * sizeof *nchw16c);
    for (int64_t i = 0; i < images * channels * pixels; i++)
        nchw16c[in_nchw16c(i, channels, pixels)] = nchw[i];
}

/* A float, or a half number that is one of these floats. */
static inline oc_type random_float_type(suite_random *r)
{
    static const oc_type types[] = {OC_F32, OC_F16, OC_BF16};
    return types[suite_below(r, 3)];
}

/* Rounds n numbers to such as are of a half type, and stores those. Anything else stays. */
static inline void round_to(oc_type type, float *numbers, uint16_t *half, int64_t n)
{
    if (!oc_type_is_half(type))
        return;
    const oc_half_variant *v = oc_half_pick(type, oc_cpu_detect());
    v->narrow(half, numbers, n);
    v->widen(numbers, half, n);
}

/* So small that sums of products are seldom beyond what float16 can hold. */
static inline void scale_for(oc_type type, float *numbers, int64_t n, float scale)
{
    for (int64_t i = 0; i < n && type == OC_F16; i++)
        numbers[i] *= scale;
}
