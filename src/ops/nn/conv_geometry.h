/* SPDX-License-Identifier: Apache-2.0
 * conv_geometry.h - what the convolutions share: do the dims of X [N,C,...], W [M,C/group,...] and
 * B [M] fit together, and what is the size of Y? */
#pragma once

#include "kernels/conv/conv_types.h"
#include "ops/nn/window_attrs.h"

/* Sets the kernel from the dims of W; the window's axes are set. The attribute kernel_shape must
 * agree. */
oc_status oc_conv_kernel(oc_call *c, const oc_dims *w, oc_window *window);
/* Do rank, channels and the attribute group fit together? Dims that are not known are -1. */
oc_status oc_conv_channels(oc_call *c, int x, int w);
/* That function for Conv and others whose inputs 0 and 1 are X and W. */
oc_op_fn oc_conv_channels_first;
/* Sets images, groups, channels and output channels, and axes, in and kernel of the window. x, w
 * and b are numbers of inputs; the attributes group and kernel_shape are read. */
oc_status oc_conv_operands(oc_call *c, int x, int w, int b, oc_conv *g);
/* Sets everything but type, cpu, data and work: the attributes that say how the window slides are
 * read too. */
oc_status oc_conv_geometry(oc_call *c, int x, int w, int b, oc_conv *g);
/* Sets type and dims of output 0. */
oc_status oc_conv_set_out(oc_call *c, oc_type type, const oc_conv *g);
