/* SPDX-License-Identifier: Apache-2.0
 * window.h - where does a window lie that slides over the spatial axes of an image?
 *
 * The window at position p has its tap k on pixel p * stride + k * dilation - pad of each axis. A
 * tap outside [0, in) is in the padding. */
#ifndef OC_KERNELS_COMMON_WINDOW_H
#define OC_KERNELS_COMMON_WINDOW_H

#include <ocellus.h>

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

#endif
