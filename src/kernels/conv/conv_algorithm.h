/* SPDX-License-Identifier: Apache-2.0
 * conv_algorithm.h - which algorithm computes a convolution, and in which form does it read
 * weights?
 *
 * Geometry and types decide; how pixels lie, what weights are, threads and the processor do not.
 * So an answer that was given when weights were packed holds in each run. Whoever packs weights,
 * lays out values or runs a kernel reads the answer, and nobody finds it a second time. */
#ifndef OC_KERNELS_CONV_CONV_ALGORITHM_H
#define OC_KERNELS_CONV_CONV_ALGORITHM_H

#include "kernels/conv/conv_types.h"

/* Of x and y of the type. Sets type, half and algorithm of g, which makes y in NCHW; gives what
 * makes it in NCHW16c, OC_CONV_NONE: nothing does. exact: no algorithm whose bits differ from those
 * of conv.h. Where each output depends on one pixel the image becomes one row, but for OC_CONV_FEW.
 */
oc_conv_algorithm oc_conv_choose(oc_conv *g, oc_type type, bool exact);
/* Chooses for a transposed convolution g of x and y of the type. Sets type, half and algorithm of
 * g, OC_CONV_FEW or OC_CONV_IM2COL, which makes y in NCHW; returns the algorithm that makes each of
 * its parts in NCHW16c, OC_CONV_NONE where nothing does. */
oc_conv_algorithm oc_conv_transpose_choose(oc_conv *g, oc_type type);
/* What makes y in NCHW16c: asks for type, images, groups, channels, output channels and window. */
oc_conv_algorithm oc_conv_choose_nchw16c(const oc_conv_nchw16c *g, bool exact);

/* The convolution g of x and y of the type, in NCHW16c, without its data. */
oc_conv_nchw16c oc_conv_to_nchw16c(const oc_conv *g, oc_type type, oc_conv_algorithm algorithm);

/* ---- weights ---- */

typedef enum oc_conv_form {
    OC_CONV_DENSE,       /* as they are */
    OC_CONV_TILED,       /* conv_weights.h */
    OC_CONV_TRANSFORMED, /* winograd.h */
    OC_CONV_FORMS        /* how many there are */
} oc_conv_form;

/* The form of weights that an algorithm reads. */
oc_conv_form oc_conv_form_of(oc_conv_algorithm algorithm);
/* May weights be read in this form, where nothing is known of the image? Asks for groups, channels,
 * output channels, and axes and kernel of the window. */
bool oc_conv_may_read(const oc_conv *g, oc_conv_form form, bool exact);
/* The type that n weights of a type are read in where they are OC_CONV_TILED. */
oc_type oc_conv_tiled_type(const oc_conv *g, oc_type type, int64_t n);

#endif
