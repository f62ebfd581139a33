/* SPDX-License-Identifier: Apache-2.0
 * conv_nchw16c.c - memory, bias and results of the convolutions in NCHW16c. */
#include "ops/nn/conv_nchw16c.h"

#include "kernels/layout/nchw16c.h"

#include <string.h>

oc_status oc_conv_memory(oc_call *c, bool keep, int64_t n, float **memory)
{
    *memory = keep ? oc_keep_room(c, (size_t)n * sizeof(float))
                   : oc_scratch_memory(c, (size_t)n, sizeof(float));
    return *memory ? OC_OK : oc_call_error(c)->code;
}

oc_status oc_conv_need_weights(oc_call *c)
{
    const oc_value *w = oc_in(c, 1);
    if (w->data || oc_value_n(w) == 0)
        return OC_OK;
    return oc_fail_dims(c, 0, "expected those that its shape rule gave when the plan was made");
}

oc_status oc_conv_pack_bias(oc_call *c, bool keep, int64_t out_channels, const float **packed)
{
    const oc_value *b = oc_in_or_null(c, 2);
    const int64_t all = oc_channel_blocks(out_channels) * OC_BLOCK_CHANNELS;
    float *memory;
    *packed = NULL;
    if (!b)
        return OC_OK;
    OC_TRY(oc_conv_memory(c, keep, all, &memory));
    oc_call_copy(c, memory, b->data, (size_t)out_channels * sizeof *memory);
    memset(memory + out_channels, 0, (size_t)(all - out_channels) * sizeof *memory);
    *packed = memory;
    return OC_OK;
}

oc_status oc_conv_to_nchw(oc_call *c, const oc_conv *g, oc_conv_nchw16c_fn *run)
{
    oc_value *y = oc_out(c, 0), nchw16c = *y;
    const oc_dims in_memory = oc_value_block_dims(&y->dims);
    OC_TRY(OC_SCRATCH_OF(c, nchw16c.data, oc_dims_count(&in_memory), sizeof(float)));
    nchw16c.nchw16c = true;
    OC_TRY(run(c, g, nchw16c.data));
    oc_call_copy_layout(c, y, &nchw16c);
    return OC_OK;
}
