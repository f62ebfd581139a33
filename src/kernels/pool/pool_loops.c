/* SPDX-License-Identifier: Apache-2.0
 * pool_loops.c - the scalar loops, and the table of variants. */
#include "kernels/pool/pool.h"

#include "kernels/pool/pool_loops.inc"

#define OC_VARIANT(isa) extern const oc_pool_loops oc_pool_##isa;
#include "kernels/pool/pool_loops.def"
#undef OC_VARIANT

const oc_pool_loops oc_pool_scalar = LOOPS("scalar", OC_CPU_SCALAR);

const oc_pool_loops *const oc_pool_variants[] = {
#define OC_VARIANT(isa) &oc_pool_##isa,
#include "kernels/pool/pool_loops.def"
#undef OC_VARIANT
};

const oc_pool_loops *oc_pool_pick(unsigned cpu)
{
    const oc_pool_loops *v;
    OC_VARIANT_PICK(v, oc_pool_variants, divide_f32, cpu);
    return v;
}
