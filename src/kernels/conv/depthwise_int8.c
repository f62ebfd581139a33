/* SPDX-License-Identifier: Apache-2.0
 * depthwise_int8.c - the table of variants, and weights as they read them. */
#include "kernels/conv/depthwise_int8.h"

#include <string.h>

#include "base/int.h"
#include "kernels/layout/nchw16c.h"

OC_VARIANTS(oc_depthwise_int8_variant, oc_depthwise_int8_variants)

const oc_depthwise_int8_variant *oc_depthwise_int8_pick(unsigned cpu)
{
    const oc_depthwise_int8_variant *v;
    OC_VARIANT_PICK(v, oc_depthwise_int8_variants, run, cpu);
    return v;
}

oc_depthwise_form oc_depthwise_form_of(int64_t taps, int64_t stride)
{
    const int64_t fours = oc_div_up(taps, OC_DEPTHWISE_PIXELS);
    const int64_t shared = (fours * OC_DEPTHWISE_PIXELS - taps) / stride + 1;
    return (oc_depthwise_form){fours, oc_min(shared, OC_DEPTHWISE_SHARED)};
}

int64_t oc_depthwise_int8_packed(const oc_depthwise_form *f, int64_t rows)
{
    return f->shared * rows * f->fours * OC_BLOCK_CHANNELS * OC_DEPTHWISE_PIXELS;
}

void oc_depthwise_int8_pack(int8_t *packed, const int8_t *w, int channels, int64_t rows,
                            int64_t taps, int64_t stride)
{
    const oc_depthwise_form f = oc_depthwise_form_of(taps, stride);
    memset(packed, 0, (size_t)oc_depthwise_int8_packed(&f, rows));
    for (int64_t s = 0; s < f.shared; s++)
        for (int64_t i = 0; i < rows * taps; i++) {
            const int64_t pixel = s * stride + i % taps;
            const int64_t four = (s * rows + i / taps) * f.fours + pixel / OC_DEPTHWISE_PIXELS;
            int8_t *line = packed + four * OC_BLOCK_CHANNELS * OC_DEPTHWISE_PIXELS;
            for (int c = 0; c < channels; c++)
                line[c * OC_DEPTHWISE_PIXELS + pixel % OC_DEPTHWISE_PIXELS] =
                    w[c * rows * taps + i];
        }
}
