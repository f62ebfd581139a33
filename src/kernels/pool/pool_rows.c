/* SPDX-License-Identifier: Apache-2.0
 * pool_rows.c - the scalar folds of pool_rows.h, and the table of variants. */
#include "kernels/pool/pool_rows.h"

#include "kernels/pool/pool_rows.inc"

#define OC_VARIANT(isa) extern const oc_pool_rows_variant oc_pool_rows_##isa;
#include "kernels/pool/pool_rows.def"
#undef OC_VARIANT

VARIANT(scalar, OC_CPU_SCALAR)

const oc_pool_rows_variant *const oc_pool_rows_variants[] = {
#define OC_VARIANT(isa) &oc_pool_rows_##isa,
#include "kernels/pool/pool_rows.def"
#undef OC_VARIANT
};

const oc_pool_rows_variant *oc_pool_rows_pick(unsigned cpu)
{
    const oc_pool_rows_variant *v;
    OC_VARIANT_PICK(v, oc_pool_rows_variants, max, cpu);
    return v;
}
