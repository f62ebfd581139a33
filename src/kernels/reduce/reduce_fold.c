/* SPDX-License-Identifier: Apache-2.0
 * reduce_fold.c - the scalar folds, and the table of variants. */
#include "kernels/reduce/reduce.h"

#include "kernels/common/precondition.h"

#include <string.h>

#include "kernels/reduce/reduce_fold_types.inc"

#define OC_VARIANT(isa) extern const oc_fold_variant oc_fold_##isa;
#include "kernels/reduce/reduce_fold.def"
#undef OC_VARIANT

const oc_fold_variant oc_fold_scalar = FOLDS("scalar", OC_CPU_SCALAR);

const oc_fold_variant *const oc_fold_variants[] = {
#define OC_VARIANT(isa) &oc_fold_##isa,
#include "kernels/reduce/reduce_fold.def"
#undef OC_VARIANT
};

const oc_folds *oc_folds_pick(oc_type type, unsigned cpu)
{
    const oc_fold_variant *v;
    OC_VARIANT_PICK(v, oc_fold_variants, of[type], cpu);
    assert(v->of[type]);
    return v->of[type];
}
