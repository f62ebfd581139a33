/* SPDX-License-Identifier: Apache-2.0
 * conv_bands.h - which bands is the output of a convolution in NCHW16c cut into?
 *
 * The two innermost axes are rows and columns; an image of one axis has columns alone. A band
 * has one index on each axis outside them; its patch has a slice for each tap along those axes.
 *
 * Several groups may share a block of 16 channels, of the image or of the result. Here each
 * group has 20 output channels:
 *
 *     | 16 of group 0 | 4 of 0, 12 of 1 | 8 of 1, 8 of 2 | 12 of 2, ..
 *
 * Groups are computed in their order. A group writes its own channels of a block and all
 * channels behind them; the last group of the block completes it. So no sum has pixels of
 * another group with weights of 0, which would make it NaN where such a pixel is infinite. */
#pragma once

#include "kernels/conv/conv_cut.h"
#include "kernels/conv/conv_types.h"
#include "kernels/conv/depthwise_nchw16c.h"

/* What all bands of a convolution share. */
typedef struct oc_conv_bands {
    oc_window_side row, column;
    int outer;                     /* number of axes outside rows and columns */
    int64_t outer_taps, outer_out; /* taps, and positions, along those axes together */
    int64_t pixels, positions,
        /* Pixels of a channel, positions of an output channel, and taps of one channel's window. */
        taps;
    bool small;                     /* true: blocks of 16 output channels hold whole groups */
    int64_t parts;                  /* parts of an image: groups, or blocks when groups are small */
    int64_t together;               /* parts that one thread computes one after the other */
    int64_t channels, out_channels; /* channels and output channels of a part */
    int64_t spanned, blocks; /* channels and blocks of output channels that a part spans at most */
    int64_t block;           /* channels that lie side by side in what tiles read */
    const oc_half_variant *half; /* converts x and y; NULL: they are floats */
    bool half_weights;
    oc_conv_cut cut;
    int64_t depth; /* channels that a patch holds at once: all spanned, or a multiple of 16 */
    oc_window_part whole; /* positions of a row whose taps all lie in the image */
    /* true: taps of small groups read the image itself, because there are too few for a patch */
    bool bare;
    /* Makes rows of OC_CONV_DEPTHWISE when weights are finite; NULL otherwise. With it `bare` is
     * true, except for halves when it reads floats. */
    oc_depthwise_row_fn *depthwise;
    bool sparse; /* true: so much of the taps lies in the padding that leaving these out pays */
} oc_conv_bands;

/* Returns the address of element number i of x. */
static inline const void *oc_conv_element(const oc_conv_bands *t, const void *x, int64_t i)
{
    return (const char *)x + i * (int64_t)(t->half ? sizeof(uint16_t) : sizeof(float));
}

/* One band of one part of one image. */
typedef struct oc_conv_band {
    int64_t image, part;
    int64_t outer[OC_WINDOW_AXES], outer_index; /* index on each outer axis; and as one number */
    int64_t row, column, rows, columns; /* the first position, and the size in rows and columns */
    /* The channels of the part among the blocks of channels that it spans: `channel` is the
     * first channel of the blocks; from there on `skip` channels belong to earlier parts, and
     * `channels` is where the part's own end. */
    int64_t channel, skip, channels;
    /* The blocks of output channels that the part spans: the number of the first, its channels
     * of earlier parts, how many blocks there are, and how many are complete after this part. */
    int64_t block, keep, blocks, complete;
} oc_conv_band;

/* Sets all but cut and depth. false: the convolution has no bands of a bearable size. */
bool oc_conv_bands_of(const oc_conv_nchw16c *g, oc_conv_bands *t);
/* All of it for the threads of g's work, of a convolution with bands of a bearable size. A unit
 * makes one band for one piece of the output channels of its part; where parts share blocks of
 * output channels, one band of each, one after the other. */
oc_conv_bands oc_conv_bands_for(const oc_conv_nchw16c *g);
/* Band number i of all images; unit i / cut.pieces makes `together` bands. */
oc_conv_band oc_conv_band_at(const oc_conv_bands *t, const oc_window *w, int64_t i);

/* Returns the number of floats in a patch. */
int64_t oc_conv_patch_size(const oc_conv_bands *t);
