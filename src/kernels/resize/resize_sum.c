/* SPDX-License-Identifier: Apache-2.0
 * resize_sum.c - the scalar variant of Resize's sums, the one that picks, and the table of
 * variants.
 *
 * Variants for instruction sets do not pick: their gathers are slower than a load for each element.
 */
#include "kernels/resize/resize_sum.inc"

#include <string.h>

typedef struct two_words {
    uint64_t a, b;
} two_words;

#define PICK(name, T)                                                                              \
    static void name(void *y_, const void *x_, const int64_t *index, int64_t n)                    \
    {                                                                                              \
        char *restrict y = y_;                                                                     \
        const char *x = x_;                                                                        \
        for (int64_t i = 0; i < n; i++)                                                            \
            memcpy(y + (size_t)i * sizeof(T), x + (size_t)index[i] * sizeof(T), sizeof(T));        \
    }
PICK(pick_1, uint8_t)
PICK(pick_2, uint16_t)
PICK(pick_4, uint32_t)
PICK(pick_8, uint64_t)
PICK(pick_16, two_words)
#undef PICK

#define OC_VARIANT(isa) extern const oc_resize_variant oc_resize_##isa;
#include "kernels/resize/resize_sum.def"
#undef OC_VARIANT

const oc_resize_variant oc_resize_scalar = {
    RESIZE("scalar", OC_CPU_SCALAR),
    .pick = {pick_1, pick_2, pick_4, pick_8, pick_16},
};

const oc_resize_variant *const oc_resize_variants[] = {
#define OC_VARIANT(isa) &oc_resize_##isa,
#include "kernels/resize/resize_sum.def"
#undef OC_VARIANT
};
