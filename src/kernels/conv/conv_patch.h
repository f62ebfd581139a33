/* SPDX-License-Identifier: Apache-2.0
 * conv_patch.h - which pixels lie under a band, and which taps reach them: in the image, or in a
 * copy with zeros around it? */
#pragma once

#include "kernels/conv/conv_bands.h"

/* Does each tap under the band lie in the image, and are pixels floats, as tiles read them? */
bool oc_conv_band_inside(const oc_conv_nchw16c *g, const oc_conv_bands *t, const oc_conv_band *b);
/* Fills the patch with the pixels, as floats, of n channels from number `first` on of those that
 * the band's part spans. */
void oc_conv_patch_fill(const oc_conv_nchw16c *g, const oc_conv_bands *t, const oc_conv_band *b,
                        int64_t first, int64_t n, float *patch);

/* Where tiles of a band find the pixels of its first position, and how these lie. */
typedef struct oc_conv_source {
    const float *x;
    const oc_tile_tap *tap;
    int64_t block, pitch; /* elements to the next block of channels, and to the next row */
    /* channels from number `first` on of those that the band's part spans */
    int64_t first, channels;
} oc_conv_source;

/* Returns the source in the image: the pixel under the first tap of the band's first position.
 * For tiles that leave out taps in the padding it is the first pixel of the plane, for all rows. */
oc_conv_source oc_conv_image_source(const oc_conv_nchw16c *g, const oc_conv_bands *t,
                                    const oc_conv_band *b, const oc_tile_tap *in_image);
/* Returns the source in a patch of the channels from number `first` on. */
oc_conv_source oc_conv_patch_source(const oc_conv_bands *t, const oc_conv_band *b,
                                    const float *patch, int64_t first, const oc_tile_tap *in_patch);

/* Lists the taps of a window as they lie in the image and in a patch. */
void oc_conv_taps_list(const oc_conv_bands *t, const oc_window *w, oc_tile_tap *in_image,
                       oc_tile_tap *in_patch);
/* Returns the number of the pixel in its plane that lies under the first tap of a position; it
 * may be outside. */
int64_t oc_conv_first_pixel(const oc_conv_bands *t, int64_t row, int64_t column);
/* Lists those of all taps that lie, on rows and columns, in the image for any of n positions of
 * a row, each `from` elements further on. Returns how many there are. */
int64_t oc_conv_taps_inside(const oc_conv_bands *t, int64_t row, int64_t column, int64_t n,
                            int64_t from, const oc_tile_tap *all, oc_tile_tap *some);
