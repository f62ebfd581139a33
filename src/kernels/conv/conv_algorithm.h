/* SPDX-License-Identifier: Apache-2.0
 * conv_algorithm.h - which algorithm computes a convolution, and in which form does it read
 * weights?
 *
 * The answer depends on geometry and types only, not on how pixels lie, on the values of
 * weights, on threads or on the processor. So the answer that was given when weights were packed
 * holds in each run. Whoever packs weights, lays out values or runs a kernel reads it, and
 * nobody computes it a second time. */
#pragma once

#include "kernels/conv/conv_types.h"

/* Chooses for a convolution g of x and y of the type. Sets type, half and algorithm of g; that
 * algorithm makes y in NCHW. Returns the algorithm that makes y in NCHW16c; OC_CONV_NONE when
 * there is none. exact: no algorithm is chosen whose bits differ from those of conv.h. When each
 * output depends on one pixel, the image becomes one row, except for OC_CONV_FEW. */
oc_conv_algorithm oc_conv_choose(oc_conv *g, oc_type type, bool exact);
/* Chooses for a transposed convolution g of x and y of the type. Sets type, half and algorithm
 * of g: OC_CONV_FEW or OC_CONV_IM2COL, which makes y in NCHW. Returns the algorithm that makes
 * each of its parts in NCHW16c; OC_CONV_NONE when there is none. */
oc_conv_algorithm oc_conv_transpose_choose(oc_conv *g, oc_type type);
/* Returns the algorithm that makes y in NCHW16c. It reads type, images, groups, channels, output
 * channels and window. */
oc_conv_algorithm oc_conv_choose_nchw16c(const oc_conv_nchw16c *g, bool exact);

/* Returns the convolution g of x and y of the type, in NCHW16c, without its data. */
oc_conv_nchw16c oc_conv_to_nchw16c(const oc_conv *g, oc_type type, oc_conv_algorithm algorithm);

/* ---- weights ---- */

typedef enum oc_conv_form {
    OC_CONV_DENSE,       /* dense, as the model has them */
    OC_CONV_TILED,       /* as conv_weights.h packs them */
    OC_CONV_TRANSFORMED, /* as winograd.h transforms them */
    OC_CONV_FORMS        /* number of forms */
} oc_conv_form;

/* Returns the form of weights that an algorithm reads. */
oc_conv_form oc_conv_form_of(oc_conv_algorithm algorithm);
/* May weights be read in this form by some convolution when nothing is known about the image? It
 * reads groups, channels, output channels, and axes and kernel of the window. */
bool oc_conv_may_read(const oc_conv *g, oc_conv_form form, bool exact);
/* Returns the type in which n weights of a type are read in the form OC_CONV_TILED. */
oc_type oc_conv_tiled_type(const oc_conv *g, oc_type type, int64_t n);
