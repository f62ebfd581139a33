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

/* Where tiles of a band find the pixels of its first position, and how those lie. */
typedef struct oc_conv_source {
    const float *x;
    const oc_tile_tap *tap;
    int64_t block, pitch;    /* elements to the next block of channels, and to the next row */
    int64_t first, channels; /* of those that the band's part spans */
} oc_conv_source;

/* The pixel under the first tap of the band's first position, in the image; for tiles that leave
 * out taps in the padding the first pixel of the plane, for all rows. */
oc_conv_source oc_conv_image_source(const oc_conv_nchw16c *g, const oc_conv_bands *t,
                                    const oc_conv_band *b, const oc_tile_tap *in_image);
/* A patch of the channels from number `first` on. */
oc_conv_source oc_conv_patch_source(const oc_conv_bands *t, const oc_conv_band *b,
                                    const float *patch, int64_t first, const oc_tile_tap *in_patch);

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
