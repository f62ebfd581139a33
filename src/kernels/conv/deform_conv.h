/* SPDX-License-Identifier: Apache-2.0
 * deform_conv.h - a convolution whose taps lie at positions of their own.
 *
 * Tap k of the window at position p lies on each axis at
 *
 *     p * stride + k * dilation - pad + offset[n][offset group][k][axis][p],
 *
 * where the whole numbers are added exactly, rounded to the type, then added to the offset. The
 * tap's value is linearly interpolated from the pixels around it; pixels outside the image are
 * skipped (taps.h: linear, zeros, pixels). The value is multiplied by mask[n][offset
 * group][k][p], if there is a mask, and then takes part as the pixel of conv.h does. Consecutive
 * channels share an offset group.
 *
 *     offset group    taps of a tile of positions, once      (oc_taps)
 *       channel       interpolated values: rows of a patch   (oc_gather_fn)
 *     group           all output channels times the patch               (oc_product_fn)
 *
 * Threads share tiles of positions. */
#pragma once

#include "kernels/conv/conv_types.h"

typedef struct oc_deform_conv {
    oc_conv conv;       /* type OC_F32 or OC_F64 */
    const void *offset; /* [images][offset_groups][area of the kernel][axes][out...] */
    /* [images][offset_groups][area of the kernel][out...]; NULL: there is no mask */
    const void *mask;
    int64_t offset_groups; /* divides the number of channels of all groups */
    void *scratch;         /* oc_deform_conv_scratch bytes, aligned to 64 */
} oc_deform_conv;

/* Can positions with that many axes be interpolated? */
bool oc_deform_conv_has(int axes);
/* Returns the bytes of scratch for this number of tasks. */
uint64_t oc_deform_conv_scratch(const oc_deform_conv *g, int tasks);
/* The planes of x must have 1 to OC_PLANE_MAX pixels. */
void oc_deform_conv_run(const oc_deform_conv *g);
