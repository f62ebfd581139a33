/* SPDX-License-Identifier: Apache-2.0
 * fusion.c - the list of fusions that are built in. */
#include "ops/kit/fusion.h"

#define OC_FUSION(file) extern const oc_fusion oc_fusion_##file;
#include "ops/fusions.def"
#undef OC_FUSION

static const oc_fusion *const fusions[] = {
#define OC_FUSION(file) &oc_fusion_##file,
#include "ops/fusions.def"
#undef OC_FUSION
    NULL};

static bool has_row(const oc_op *table, const oc_op *row)
{
    while (table->signature && table != row)
        table++;
    return table->signature != NULL;
}

const oc_fusion *oc_fusion_find(const oc_op *producer, const oc_op *consumer, int input)
{
    for (int i = 0; fusions[i]; i++)
        if (fusions[i]->input == input && has_row(fusions[i]->producer, producer) &&
            has_row(fusions[i]->consumer, consumer))
            return fusions[i];
    return NULL;
}
