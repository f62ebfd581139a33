/* SPDX-License-Identifier: Apache-2.0
 * sliding_window.h - where does a window lie that slides over the spatial axes of an image?
 *
 * The window at position p has its tap k on pixel p * stride + k * dilation - pad of each axis. A
 * tap outside [0, in) is in the padding. */
#ifndef OC_KERNELS_COMMON_SLIDING_WINDOW_H
#define OC_KERNELS_COMMON_SLIDING_WINDOW_H

#include "base/int.h"

#include <ocellus.h>
#include <stdbool.h>

enum { OC_WINDOW_AXES = OC_MAX_RANK - 2 };

typedef struct oc_window {
    int axes;                                                                /* spatial ones */
    int64_t in[OC_WINDOW_AXES], kernel[OC_WINDOW_AXES], out[OC_WINDOW_AXES]; /* sizes */
    int64_t stride[OC_WINDOW_AXES], dilation[OC_WINDOW_AXES];                /* >= 1 */
    int64_t pad[OC_WINDOW_AXES];     /* in front of the first pixel; negative ones crop */
    int64_t pad_end[OC_WINDOW_AXES]; /* behind the last pixel */
} oc_window;

/* Taps of all positions of a plane together. */
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

/* axis < 0: one position, on one pixel. */
static inline oc_window_side oc_window_side_of(const oc_window *w, int axis)
{
    if (axis < 0)
        return (oc_window_side){1, 1, 1, 1, 1, 0};
    return (oc_window_side){w->in[axis],     w->out[axis],      w->kernel[axis],
                            w->stride[axis], w->dilation[axis], w->pad[axis]};
}

/* Position number i of the first `outer` axes: its index on each of them. */
static inline void oc_window_outer_position(const oc_window *w, int outer, int64_t i,
                                            int64_t position[])
{
    for (int a = outer - 1; a >= 0; a--) {
        position[a] = i % w->out[a];
        i /= w->out[a];
    }
}

/* The pixel of the first `outer` axes that lies under tap number k of those axes at a position of
 * them: its number, or -1 in the padding. */
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

/* Some taps of an axis, first .. end-1. */
typedef struct oc_window_part {
    int64_t first, end;
} oc_window_part;

/* a / b, a >= 0, rounded up; most strides and dilations are 1, and division is slow. */
static inline int64_t oc_window_quotient_up(int64_t a, int64_t b)
{
    return b == 1 ? a : oc_div_up(a, b);
}

/* Of `kernel` taps, each `step` behind the one before and the first at `from`, those that lie in
 * [low, high). */
static inline oc_window_part oc_window_taps_between(int64_t kernel, int64_t step, int64_t from,
                                                    int64_t low, int64_t high)
{
    const int64_t first = from < low ? oc_window_quotient_up(low - from, step) : 0;
    const int64_t end = from < high ? oc_window_quotient_up(high - from, step) : 0;
    return (oc_window_part){first, end < kernel ? end : kernel};
}

/* Taps that lie in [low, high) of an axis; tap 0 lies at `from`. */
static inline oc_window_part oc_window_taps_in(const oc_window *w, int axis, int64_t from,
                                               int64_t low, int64_t high)
{
    return oc_window_taps_between(w->kernel[axis], w->dilation[axis], from, low, high);
}

/* Taps that lie in the image at any of n positions from number `first` on. */
static inline oc_window_part oc_window_side_taps(const oc_window_side *s, int64_t first, int64_t n)
{
    return oc_window_taps_between(s->kernel, s->dilation, first * s->stride - s->pad,
                                  (1 - n) * s->stride, s->in);
}

/* Pixels from the first to the last under n positions. */
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
        s->in + s->pad - (s->kernel - 1) * s->dilation - 1; /* where tap 0 may be */
    const int64_t end = last < 0 ? 0 : last / s->stride + 1;
    const int64_t first = s->pad > 0 ? oc_window_quotient_up(s->pad, s->stride) : 0;
    return (oc_window_part){first, end < s->out ? end : s->out};
}

/* How many taps of an axis an average counts at a position: those in the image, with count_pad also
 * those in the padding; 1 if there are none, as their sum is 0. */
static inline int64_t oc_window_count(const oc_window *w, int axis, int64_t position,
                                      bool count_pad)
{
    const int64_t from = position * w->stride[axis] - w->pad[axis];
    const int64_t low = count_pad ? -w->pad[axis] : 0;
    const oc_window_part t =
        oc_window_taps_in(w, axis, from, low, w->in[axis] + (count_pad ? w->pad_end[axis] : 0));
    return t.end > t.first ? t.end - t.first : 1;
}

#endif
