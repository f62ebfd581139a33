/* SPDX-License-Identifier: Apache-2.0
 * depthwise_int8.c - the scalar sums of depthwise_int8.h, the table of variants, and the packing
 * of weights. */
#include "kernels/conv/depthwise_int8.h"

#include <string.h>

#include "kernels/layout/nchw16c.h"
#include "kernels/simd/simd.h"

/* Returns the sum of one channel at a position. It uses the weights of the first position that
 * pixels serve, where zeros follow the taps. */
static int32_t sum_of(const oc_depthwise_int8 *t, int64_t position, int c)
{
    uint32_t sum = (uint32_t)t->b[c];
    for (int64_t r = 0; r < t->rows; r++)
        for (int64_t k = 0; k < t->form.fours * OC_DEPTHWISE_PIXELS; k++) {
            const uint8_t x = t->x[position * t->step + r * t->row + k * OC_BLOCK_CHANNELS + c];
            const int64_t four = r * t->form.fours + k / OC_DEPTHWISE_PIXELS;
            sum += (uint32_t)(x * t->w[(four * OC_BLOCK_CHANNELS + c) * OC_DEPTHWISE_PIXELS +
                                       k % OC_DEPTHWISE_PIXELS]);
        }
    return (int32_t)sum;
}

static void run_row(const oc_depthwise_int8 *t)
{
    for (int64_t i = 0; i < t->positions * OC_BLOCK_CHANNELS; i++) {
        const int c = (int)(i % OC_BLOCK_CHANNELS);
        const int32_t sum = sum_of(t, i / OC_BLOCK_CHANNELS, c);
        if (t->rescale)
            ((uint8_t *)t->y)[i] = oc_rescale_sum(t->rescale, sum, c);
        else
            ((int32_t *)t->y)[i] = sum;
    }
}

static void run(const oc_depthwise_int8 *t)
{
    oc_depthwise_int8 row = *t;
    for (int64_t i = 0; i < t->height; i++, oc_depthwise_int8_down(&row))
        run_row(&row);
}

OC_ISA_VARIANT(oc_depthwise_int8_variant, oc_depthwise_int8_variants, run)
OC_VARIANTS(oc_depthwise_int8_variant, oc_depthwise_int8_variants)
OC_PICKER(oc_depthwise_int8_variant, oc_depthwise_int8_pick, oc_depthwise_int8_variants, run)

oc_depthwise_form oc_depthwise_form_of(int64_t taps, int64_t stride)
{
    const int64_t fours = oc_div_up(taps, OC_DEPTHWISE_PIXELS);
    const int64_t shared = (fours * OC_DEPTHWISE_PIXELS - taps) / stride + 1;
    return (oc_depthwise_form){taps, stride, fours, oc_min(shared, OC_DEPTHWISE_SHARED)};
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
