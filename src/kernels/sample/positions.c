/* SPDX-License-Identifier: Apache-2.0
 * positions.c - reads positions from memory. */
#include "kernels/sample/positions.h"

#include "base/smallfloat.h"
#include "kernels/common/half.h"

#include <string.h>

static float element(const oc_position_array *a, size_t i)
{
    if (a->type == OC_F32)
        return ((const float *)a->data)[i];
    const uint16_t code = ((const uint16_t *)a->data)[i];
    return a->type == OC_F16 ? oc_f16_to_f32(code) : oc_bf16_to_f32(code);
}

void oc_positions_from_array(const void *source, int64_t image, int64_t first, int n, bool f64,
                             void *xy)
{
    const oc_position_array *a = source;
    const size_t start = (size_t)((image * a->points + first) * a->rank);
    const size_t count = (size_t)n * (size_t)a->rank, size = oc_type_size(a->type);
    for (size_t at = 0; at < count * size;
         at += OC_CACHE_LINE) /* prefetches the positions of the next tile */
        OC_PREFETCH((const char *)a->data + (start + count) * size + at);
    if (a->type == OC_F64) /* f64 is set for double positions */
        memcpy(xy, (const double *)a->data + start, count * sizeof(double));
    else if (a->type == OC_F32 && !f64)
        memcpy(xy, (const float *)a->data + start, count * sizeof(float));
    else if (!f64)
        oc_half_pick(a->type, a->cpu)->widen(xy, (const uint16_t *)a->data + start, (int64_t)count);
    else
        for (size_t i = 0; i < count; i++)
            ((double *)xy)[i] = (double)element(a, start + i);
}
