/* SPDX-License-Identifier: Apache-2.0
 * normalize.h - what the normalising operators share: every set of elements that a statistic is
 * taken of is read as a row, wherever its elements lie. */
#ifndef OC_OPS_NN_NORMALIZE_H
#define OC_OPS_NN_NORMALIZE_H

#include "ops/kit/op.h"

typedef enum oc_norm_kind {
    OC_NORM_VARIANCE, /* (x - mean) / (sqrt(variance + epsilon) + extra) */
    OC_NORM_RMS,      /* x / sqrt(mean of squares + epsilon) */
    OC_NORM_L1,       /* x / sum of magnitudes; 0 where that is 0 */
    OC_NORM_L2        /* x / sqrt(sum of squares); 0 where that is 0 */
} oc_norm_kind;

typedef struct oc_norm {
    oc_norm_kind kind;
    bool axes[OC_MAX_RANK]; /* of x: the elements of a row differ in these */
    double epsilon, extra;
    oc_type real; /* OC_F32 or OC_F64: what this is computed in */
    oc_type last; /* likewise, for what follows. The result is rounded once */
    /* Then y = y * scale + bias, if scale is set, in type last. `piece` elements share a factor;
     * rows take them one after the other, again from the first when all scales (biases) are used.
     * With piece 1 they are multiples of a row. */
    const void *scale, *bias;
    int64_t piece, scales, biases;
    oc_value *mean, *inverse; /* one element for each row, in order; NULL: not wanted */
} oc_norm;

/* Sets real to what holds numbers of type stage, last to what holds those of x. */
void oc_norm_types(const oc_call *c, oc_type stage, oc_norm *norm);

/* Writes output 0 from x, which is input 0 under any dims. */
oc_status oc_norm_run(oc_call *c, const oc_value *x, const oc_norm *norm);

/* The elements of v as norm->last, repeated to dims if those are given. */
oc_status oc_norm_widen(oc_call *c, const oc_norm *norm, const oc_value *v, const oc_dims *dims,
                        const void **data);

#endif
