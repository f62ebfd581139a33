/* SPDX-License-Identifier: Apache-2.0
 * convs.h - what the checks of convolutions share: hostile numbers, and where a window's taps lie.
 */
#ifndef OC_TESTS_CONVS_H
#define OC_TESTS_CONVS_H

#include "kernels/common/window.h"
#include "suite.h"

#include <math.h>

/* Magnitudes far apart: another order of the sum gives other bits. Hostile ones among others. */
static inline double number(suite_random *r, bool hostile)
{
    static const double scale[] = {1, 1e-3, 1e4, 1e7};
    static const double bad[] = {0.0, -0.0, 1e-45, 1e-40, -3e38, INFINITY, -INFINITY, NAN};
    if (hostile && suite_below(r, 32) == 0)
        return bad[suite_below(r, 8)];
    return ((double)suite_below(r, 2001) - 1000) / 7 * scale[suite_below(r, 4)];
}

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

/* Where element (image, channel, pixel) lies in lanes. */
static inline int64_t in_lanes(int64_t image, int64_t channel, int64_t pixel, int64_t channels,
                               int64_t pixels)
{
    const int64_t block = image * ((channels + 15) / 16) + channel / 16;
    return (block * pixels + pixel) * 16 + channel % 16;
}

#endif
