/* SPDX-License-Identifier: Apache-2.0
 * depthwise_simd.c - the sums of depthwise.h, up to eight registers at a time. */
#include "kernels/conv/depthwise.h"

#include "kernels/common/element.h"
#include "kernels/simd/chains.h"

#ifdef OC_SIMD_CHAINS
static void sums_f32(const oc_depthwise *d)
{
    f32_chains c;
    for (int64_t j = 0; j < d->n; j += OC_CHAIN_COLUMNS) {
        const int columns = (int)oc_min(d->n - j, OC_CHAIN_COLUMNS);
        float *y = (float *)d->y + j;
        chains_begin(&c, 1, columns, 0, OC_CHAIN_PART);
        if (d->more)
            chains_load(&c, 0, 0, y, columns);
        for (int64_t k = 0; k < d->taps; k++)
            chains_add(&c, (const float *)d->w + k, (const float *)d->x[k] + j);
        chains_flush(&c);
        chains_store(&c, 0, 0, y, columns);
    }
}
#define ELEMENT f64
#include "kernels/conv/depthwise_blocks.inc"
#else
#define TEMPLATE "kernels/conv/depthwise_blocks.inc"
#include "kernels/common/floats.inc"
#endif

OC_ISA_VARIANT(oc_depthwise_variant, oc_depthwise_variants, sums_f32, sums_f64)
