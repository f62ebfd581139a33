/* SPDX-License-Identifier: Apache-2.0
 * einsum_pair.h - products and sums of operands whose axes have labels, for Einsum. */
#pragma once

#include "ops/math/einsum_equation.h"

/* Elements by labels, each at most once. Sizes are at least 2: axes of size 1 have no label. */
typedef struct oc_einsum_view {
    const void *data;
    oc_einsum_term axes;
    int64_t n[OC_MAX_RANK], step[OC_MAX_RANK]; /* step is in elements */
    uint64_t set;                              /* a bit for each label that the view has */
} oc_einsum_view;

/* Elements are of `type`: OC_F32, OC_F64 or OC_I64. */

/* Appends an axis. */
void oc_einsum_push(oc_einsum_view *v, int label, int64_t n, int64_t step);
/* *v becomes the sum over the labels of the set. */
oc_status oc_einsum_sum(oc_call *c, oc_type type, oc_einsum_view *v, uint64_t set);
/* *data becomes the elements in order of the labels of axes: dense, in v's memory or in scratch. */
oc_status oc_einsum_arrange(oc_call *c, oc_type type, const oc_einsum_view *v,
                            const oc_einsum_term *axes, const void **data);
/* *x becomes x times y, summed over all labels that are not in keep. */
oc_status oc_einsum_pair(oc_call *c, oc_type type, const oc_einsum *g, oc_einsum_view *x,
                         oc_einsum_view *y, uint64_t keep);
