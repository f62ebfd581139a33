/* SPDX-License-Identifier: Apache-2.0
 * conv_patch.h - which pixels lie under a band, and which taps reach them: in the image, or in a
 * copy with zeros around it? */
#ifndef OC_KERNELS_CONV_CONV_PATCH_H
#define OC_KERNELS_CONV_CONV_PATCH_H

#include "kernels/conv/conv_bands.h"

/* Does each tap under the band lie in the image, in the form that tiles read? That is float. */
bool oc_conv_band_inside(const oc_conv_nchw16c *g, const oc_conv_bands *t, const oc_conv_band *b);
/* Fills the patch with the pixels of channels first .. first+n-1 of those that the band's part
 * spans, as floats. */
void oc_conv_patch_fill(const oc_conv_nchw16c *g, const oc_conv_bands *t, const oc_conv_band *b,
                        int64_t first, int64_t n, float *patch);

/* Lists the taps of a window as they lie in the image and in a patch. */
void oc_conv_taps_list(const oc_conv_bands *t, const oc_window *w, oc_tile_tap *in_image,
                       oc_tile_tap *in_patch);
/* The pixel of a plane that lies under the first tap of a position; none if that is outside. */
int64_t oc_conv_first_pixel(const oc_conv_bands *t, int64_t row, int64_t column);
/* Lists those of all taps that lie in the image on rows and columns under any of n positions of a
 * row, each `from` elements further on; returns how many. */
int64_t oc_conv_taps_inside(const oc_conv_bands *t, int64_t row, int64_t column, int64_t n,
                            int64_t from, const oc_tile_tap *all, oc_tile_tap *some);

#endif
