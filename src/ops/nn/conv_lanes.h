/* SPDX-License-Identifier: Apache-2.0
 * conv_lanes.h - what the convolutions in lanes share: memory for what is packed, the bias, and a
 * result that is wanted in planes. */
#ifndef OC_OPS_NN_CONV_LANES_H
#define OC_OPS_NN_CONV_LANES_H

#include "kernels/product/conv.h"
#include "ops/kit/lanes.h"

/* Memory of n floats, of any content: the plan's in prepare (keep), else of this call. */
oc_status oc_conv_memory(oc_call *c, bool keep, int64_t n, float **memory);
/* Fails where the elements of the weights, input 1, were packed and freed for other dims of input 0
 * than it has now: an operator of the host told those when the plan was made. */
oc_status oc_conv_need_weights(oc_call *c);
/* Packs input 2, one number for each of `maps` in all, with 0 for lanes without a map; NULL where
 * the input is missing. */
oc_status oc_conv_pack_bias(oc_call *c, bool keep, int64_t maps, const float **packed);

/* Computes the convolution into y, which has room for output 0 in lanes. */
typedef oc_status oc_conv_lanes_fn(oc_call *c, const oc_conv *g, float *y);
/* Makes output 0 in planes by way of lanes. */
oc_status oc_conv_to_planes(oc_call *c, const oc_conv *g, oc_conv_lanes_fn *run);

#endif
