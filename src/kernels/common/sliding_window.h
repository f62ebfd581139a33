/* SPDX-License-Identifier: Apache-2.0
 * sliding_window.h - a window that slides over the spatial axes of an image.
 *
 * The window at position p has its tap k on pixel p * stride + k * dilation - pad of each axis.
 * A tap outside [0, in) is in the padding. */
#pragma once

#include "base/int.h"

#include <ocellus.h>
#include <stdbool.h>

enum { OC_WINDOW_AXES = OC_MAX_RANK - 2 };

typedef struct oc_window {
    int axes; /* number of spatial axes */
    /* sizes of the image, the window and the result */
    int64_t in[OC_WINDOW_AXES], kernel[OC_WINDOW_AXES], out[OC_WINDOW_AXES];
    int64_t stride[OC_WINDOW_AXES], dilation[OC_WINDOW_AXES]; /* >= 1 */
    /* pixels of padding in front of the first pixel; negative ones crop */
    int64_t pad[OC_WINDOW_AXES];
    int64_t pad_end[OC_WINDOW_AXES]; /* pixels of padding behind the last pixel */
} oc_window;

/* Returns the number of taps of all positions of a plane together. */
static inline double oc_window_taps(const oc_window *w)
{
    double n = 1;
    for (int a = 0; a < w->axes; a++)
        n *= (double)w->out[a] * (double)w->kernel[a];
    return n;
}

/* One axis of a window. */
typedef struct oc_window_side {
    int64_t in, out, kernel, stride, dilation, pad;
} oc_window_side;

/* Returns one axis of a window. For axis < 0 it has one position, on one pixel. */
static inline oc_window_side oc_window_side_of(const oc_window *w, int axis)
{
    if (axis < 0)
        return (oc_window_side){1, 1, 1, 1, 1, 0};
    return (oc_window_side){w->in[axis],     w->out[axis],      w->kernel[axis],
                            w->stride[axis], w->dilation[axis], w->pad[axis]};
}

/* Finds the indices of position number i along each of the first `outer` axes. */
static inline void oc_window_outer_position(const oc_window *w, int outer, int64_t i,
                                            int64_t position[])
{
    for (int a = outer - 1; a >= 0; a--) {
        position[a] = i % w->out[a];
        i /= w->out[a];
    }
}

/* Returns the number of the pixel that lies under tap number k of the first `outer` axes at a
 * position of them; -1 when the tap is in the padding. */
static inline int64_t oc_window_outer_pixel(const oc_window *w, int outer, const int64_t position[],
                                            int64_t k)
{
    int64_t at = 0, step = 1;
    for (int a = outer - 1; a >= 0; a--) {
        const int64_t i =
            position[a] * w->stride[a] + k % w->kernel[a] * w->dilation[a] - w->pad[a];
        k /= w->kernel[a];
        if (i < 0 || i >= w->in[a])
            return -1;
        at += i * step;
        step *= w->in[a];
    }
    return at;
}

/* A range of taps of an axis, first to end-1. */
typedef struct oc_window_part {
    int64_t first, end;
} oc_window_part;

/* Returns a / b rounded up, for a >= 0. Most strides and dilations are 1, and division is slow. */
static inline int64_t oc_window_quotient_up(int64_t a, int64_t b)
{
    return b == 1 ? a : oc_div_up(a, b);
}

/* Returns the taps that lie in [low, high). There are `kernel` taps; the first is at `from`, and
 * each next one `step` further. */
static inline oc_window_part oc_window_taps_between(int64_t kernel, int64_t step, int64_t from,
                                                    int64_t low, int64_t high)
{
    const int64_t first = from < low ? oc_window_quotient_up(low - from, step) : 0;
    const int64_t end = from < high ? oc_window_quotient_up(high - from, step) : 0;
    return (oc_window_part){first, end < kernel ? end : kernel};
}

/* Returns the taps of an axis that lie in [low, high) when tap 0 lies at `from`. */
static inline oc_window_part oc_window_taps_in(const oc_window *w, int axis, int64_t from,
                                               int64_t low, int64_t high)
{
    return oc_window_taps_between(w->kernel[axis], w->dilation[axis], from, low, high);
}

/* Returns the taps that lie in the image at any of n positions from number `first` on. */
static inline oc_window_part oc_window_side_taps(const oc_window_side *s, int64_t first, int64_t n)
{
    return oc_window_taps_between(s->kernel, s->dilation, first * s->stride - s->pad,
                                  (1 - n) * s->stride, s->in);
}

/* Returns the number of pixels from the first to the last that n positions cover. */
static inline int64_t oc_window_side_reach(const oc_window_side *s, int64_t n)
{
    return (n - 1) * s->stride + (s->kernel - 1) * s->dilation + 1;
}

/* Do all taps of n positions from number `first` on lie in the image? */
static inline bool oc_window_side_inside(const oc_window_side *s, int64_t first, int64_t n)
{
    const int64_t from = first * s->stride - s->pad;
    return from >= 0 && from + oc_window_side_reach(s, n) <= s->in;
}

/* The positions whose taps all lie in the image. */
static inline oc_window_part oc_window_side_whole(const oc_window_side *s)
{
    const int64_t last =
        /* one past the last pixel that tap 0 may be on */
        s->in + s->pad - (s->kernel - 1) * s->dilation - 1;
    const int64_t end = last < 0 ? 0 : last / s->stride + 1;
    const int64_t first = s->pad > 0 ? oc_window_quotient_up(s->pad, s->stride) : 0;
    return (oc_window_part){first, end < s->out ? end : s->out};
}

/* Returns how many taps of an axis an average counts at a position: those in the image, with
 * count_pad also those in the padding; 1 if there are none, because their sum is 0. */
static inline int64_t oc_window_count(const oc_window *w, int axis, int64_t position,
                                      bool count_pad)
{
    const int64_t from = position * w->stride[axis] - w->pad[axis];
    const int64_t low = count_pad ? -w->pad[axis] : 0;
    const oc_window_part t =
        oc_window_taps_in(w, axis, from, low, w->in[axis] + (count_pad ? w->pad_end[axis] : 0));
    return t.end > t.first ? t.end - t.first : 1;
}
