/* SPDX-License-Identifier: Apache-2.0
 * half.c - the scalar conversion of float16 and bfloat16, and the tables of variants. */
#include "kernels/common/half.h"

#include "base/smallfloat.h"
#include "kernels/common/precondition.h"

#define HALF(name)                                                                                 \
    static void widen_##name(float *to, const uint16_t *from, int64_t n)                           \
    {                                                                                              \
        assert(n >= 0 && oc_apart(to, n * 4, from, n * 2));                                        \
        for (int64_t i = 0; i < n; i++)                                                            \
            to[i] = oc_##name##_to_f32(from[i]);                                                   \
    }                                                                                              \
                                                                                                   \
    static void narrow_##name(uint16_t *to, const float *from, int64_t n)                          \
    {                                                                                              \
        assert(n >= 0 && oc_apart(to, n * 2, from, n * 4));                                        \
        for (int64_t i = 0; i < n; i++)                                                            \
            to[i] = oc_##name##_from_f32(from[i]);                                                 \
    }
HALF(f16)
HALF(bf16)

#define OC_VARIANT(isa) extern const oc_half_variant oc_f16_##isa, oc_bf16_##isa;
#include "kernels/common/half.def"
#undef OC_VARIANT

const oc_half_variant oc_f16_scalar = {"scalar", OC_CPU_SCALAR, widen_f16, narrow_f16};
const oc_half_variant oc_bf16_scalar = {"scalar", OC_CPU_SCALAR, widen_bf16, narrow_bf16};

const oc_half_variant *const oc_f16_variants[] = {
#define OC_VARIANT(isa) &oc_f16_##isa,
#include "kernels/common/half.def"
#undef OC_VARIANT
};

const oc_half_variant *const oc_bf16_variants[] = {
#define OC_VARIANT(isa) &oc_bf16_##isa,
#include "kernels/common/half.def"
#undef OC_VARIANT
};

const oc_half_variant *oc_half_pick(oc_type type, unsigned cpu)
{
    const oc_half_variant *const *variants = type == OC_F16 ? oc_f16_variants : oc_bf16_variants;
    const oc_half_variant *v;
    OC_VARIANT_PICK(v, variants, widen, cpu);
    return v;
}
