/* SPDX-License-Identifier: Apache-2.0
 * conv_nchw16c.c - memory and bias of the convolutions in NCHW16c. */
#include "ops/nn/conv_nchw16c.h"

oc_status oc_conv_memory(oc_call *c, bool keep, int64_t n, float **memory)
{
    *memory = keep ? oc_keep_room(c, (uint64_t)n * sizeof(float))
                   : oc_scratch_memory(c, (uint64_t)n, sizeof(float));
    return *memory ? OC_OK : oc_call_error(c)->code;
}

oc_status oc_conv_need_weights(oc_call *c, int w)
{
    const oc_value *v = oc_in(c, w);
    if (v->data || oc_value_n(v) == 0)
        return OC_OK;
    return oc_fail_dims(c, 0, "expected those that its shape rule gave when the plan was made");
}

oc_status oc_conv_pack_bias(oc_call *c, bool keep, int64_t out_channels, const float **packed)
{
    const int64_t all = oc_channel_blocks(out_channels) * OC_BLOCK_CHANNELS;
    const void *b;
    float *memory;
    *packed = NULL;
    OC_TRY(oc_in_as(c, 2, OC_F32, &b));
    if (!b)
        return OC_OK;
    OC_TRY(oc_conv_memory(c, keep, all, &memory));
    oc_call_copy(c, memory, b, (size_t)out_channels * sizeof *memory);
    memset(memory + out_channels, 0, (size_t)(all - out_channels) * sizeof *memory);
    *packed = memory;
    return OC_OK;
}
