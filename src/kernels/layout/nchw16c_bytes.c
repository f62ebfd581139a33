/* SPDX-License-Identifier: Apache-2.0
 * nchw16c_bytes.c - the scalar variant: byte by byte. */
#include "kernels/layout/nchw16c_bytes.h"

#include "kernels/common/precondition.h"
#include "kernels/simd/simd.h"

static void in(void *block, const void *planes, int64_t stride, int channels, int64_t n)
{
    const uint8_t *from = planes;
    uint8_t *to = block;
    assert(channels >= 1 && channels <= OC_BLOCK_CHANNELS && n >= 0);
    for (int64_t i = 0; i < n; i++)
        for (int c = 0; c < OC_BLOCK_CHANNELS; c++)
            to[i * OC_BLOCK_CHANNELS + c] = c < channels ? from[c * stride + i] : 0;
}

static void out(void *planes, int64_t stride, const void *block, int channels, int64_t n)
{
    const uint8_t *from = block;
    uint8_t *to = planes;
    assert(channels >= 1 && channels <= OC_BLOCK_CHANNELS && n >= 0);
    for (int c = 0; c < channels; c++)
        for (int64_t i = 0; i < n; i++)
            to[c * stride + i] = from[i * OC_BLOCK_CHANNELS + c];
}

OC_ISA_VARIANT(oc_nchw16c_bytes_variant, oc_nchw16c_bytes_variants, in, out)
OC_VARIANTS(oc_nchw16c_bytes_variant, oc_nchw16c_bytes_variants)

const oc_nchw16c_bytes_variant *oc_nchw16c_bytes_pick(unsigned cpu)
{
    const oc_nchw16c_bytes_variant *v;
    OC_VARIANT_PICK(v, oc_nchw16c_bytes_variants, in, cpu);
    return v;
}
