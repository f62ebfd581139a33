/* SPDX-License-Identifier: Apache-2.0
 * window.h - kernels that are moved over one to three spatial axes: their attributes, and where
 * each tap lies. */
#pragma once

#include "net.h"

/* Always three axes; the first ones may be missing, and their lengths are 1 then. */
typedef struct window {
    int axes; /* that the operator has */
    int64_t in[3], out[3], kernel[3], stride[3], dilation[3], before[3], after[3];
    int64_t output_padding[3]; /* of ConvTranspose */
    const char *auto_pad;      /* NULL: pads are written */
    bool ceil_mode;            /* of pools */
    int64_t taps;              /* of the kernel */
} window;

/* Draws all but in, with `axes` axes set at its end, and computes out. false: nothing fits. */
typedef struct window_wish {
    bool transposed, pool, dilations;
} window_wish;
bool window_draw(net *n, window *w, window_wish wish);
/* The attributes that differ from their defaults, and some that do not; each begins with ", ". */
void window_write(net *n, const window *w, window_wish wish);

/* The element of X that tap k of output o reads, all of them three indices. false: it is outside.
 */
bool window_tap(const window *w, const int64_t o[3], const int64_t k[3], int64_t at[3]);
