/* SPDX-License-Identifier: Apache-2.0
 * depthwise_nchw16c.c - chooses the function that makes a row of positions. */
#include "kernels/conv/depthwise_nchw16c.h"

OC_VARIANTS(oc_depthwise_nchw16c_variant, oc_depthwise_nchw16c_variants)

bool oc_depthwise_nchw16c_suits(const oc_window_side *column)
{
    const int64_t kernel = column->kernel, strides = kernel == 7 ? 1 : OC_DEPTHWISE_STRIDES;
    return (kernel == 3 || kernel == 5 || kernel == 7) && column->stride <= strides &&
           column->dilation == 1;
}

static const oc_depthwise_nchw16c_variant *pick(unsigned cpu)
{
    const oc_depthwise_nchw16c_variant *v;
    OC_VARIANT_PICK(v, oc_depthwise_nchw16c_variants, row[0][0], cpu);
    return v;
}

oc_depthwise_row_fn *oc_depthwise_nchw16c_pick(unsigned cpu, const oc_window_side *column)
{
    return pick(cpu)->row[column->kernel / 2 - 1][column->stride - 1];
}

oc_depthwise_row_fn *oc_depthwise_nchw16c_pick_f16(unsigned cpu, const oc_window_side *column)
{
    return pick(cpu)->f16[column->kernel / 2 - 1][column->stride - 1];
}
