/* SPDX-License-Identifier: Apache-2.0
 * reduce_fold.c - the table of variants. */
#include "kernels/reduce/reduce_fold.h"

#include "kernels/common/precondition.h"

OC_VARIANTS(oc_fold_variant, oc_fold_variants)

const oc_folds *oc_folds_pick(oc_type type, unsigned cpu)
{
    const oc_fold_variant *v;
    OC_VARIANT_PICK(v, oc_fold_variants, of[type], cpu);
    assert(v->of[type]);
    return v->of[type];
}
