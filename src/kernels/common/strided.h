/* SPDX-License-Identifier: Apache-2.0
 * strided.h - copies elements that are apart in memory side by side. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define OC_EACH_STRIDED(T)                                                                         \
    for (int64_t i = 0; i < n; i++)                                                                \
        ((T *)to)[i] = ((const T *)from)[i * step];                                                \
    break

/* Copies n elements of size bytes (1, 2, 4 or 8) that are `step` elements apart. */
static inline void oc_copy_strided(void *to, const void *from, int64_t step, int64_t n, size_t size)
{
    switch (size) {
    case 1:
        OC_EACH_STRIDED(uint8_t);
    case 2:
        OC_EACH_STRIDED(uint16_t);
    case 4:
        OC_EACH_STRIDED(uint32_t);
    default:
        OC_EACH_STRIDED(uint64_t);
    }
}
#undef OC_EACH_STRIDED
