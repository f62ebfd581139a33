/* SPDX-License-Identifier: Apache-2.0
 * normalize.h - what the normalising operators share. The elements that one statistic covers are
 * read as a row, wherever they are. */
#pragma once

#include "ops/kit/op.h"

typedef enum oc_norm_kind {
    OC_NORM_VARIANCE, /* (x - mean) / (sqrt(variance + epsilon) + extra) */
    OC_NORM_RMS,      /* x / sqrt(mean of squares + epsilon) */
    OC_NORM_L1,       /* x / sum of magnitudes; 0 where that is 0 */
    OC_NORM_L2        /* x / sqrt(sum of squares); 0 where that is 0 */
} oc_norm_kind;

typedef struct oc_norm {
    oc_norm_kind kind;
    bool axes[OC_MAX_RANK]; /* axes of x along which the elements of a row lie */
    double epsilon, extra;
    oc_type real; /* OC_F32 or OC_F64: the type of the formula above */
    oc_type last; /* OC_F32 or OC_F64: the type of the second stage. The result is rounded once */
    /* The second stage, if scale is not NULL: y = y * scale + bias, in type last. Each run of
     * `piece` consecutive elements has one factor; the next run, over all rows, has the next
     * factor, and after the last factor the first one is used again. With piece 1 there are as
     * many factors as elements of one row, or of several rows. */
    const void *scale, *bias;
    int64_t piece, scales, biases;
    oc_value *mean, *inverse; /* outputs with an element for each row; NULL: nobody reads them */
} oc_norm;

/* Sets norm->real to the type that computes numbers of type stage, and norm->last to that for x's
 * type. */
void oc_norm_types(const oc_call *c, oc_type stage, oc_norm *norm);

/* Computes output 0 from x, which is input 0, perhaps with other dims. */
oc_status oc_norm_run(oc_call *c, const oc_value *x, const oc_norm *norm);

/* *data becomes the elements of v in type norm->last, repeated to dims if dims is not NULL. */
oc_status oc_norm_widen(oc_call *c, const oc_norm *norm, const oc_value *v, const oc_dims *dims,
                        const void **data);
