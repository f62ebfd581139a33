/* SPDX-License-Identifier: Apache-2.0
 * conv_nchw16c.h - what the convolutions in NCHW16c share: memory for what is packed, and the bias.
 */
#pragma once

#include "kernels/conv/conv_types.h"
#include "ops/kit/layout.h"

/* Gives memory for n floats, of any content: the plan's if `keep` is set (in prepare), else the
 * call's. */
oc_status oc_conv_memory(oc_call *c, bool keep, int64_t n, float **memory);
/* Fails where the elements of the weights, input w, were packed and freed for other dims of input 0
 * than it has now: an operator of the host told those when the plan was made. */
oc_status oc_conv_need_weights(oc_call *c, int w);
/* Packs input 2, one number for each of `output channels` in all, with 0 for NCHW16c without an
 * output channel; NULL where the input is missing. */
oc_status oc_conv_pack_bias(oc_call *c, bool keep, int64_t out_channels, const float **packed);
