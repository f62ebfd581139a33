/* SPDX-License-Identifier: Apache-2.0
 * heads.h - what the attention operators of com.microsoft share: heads of rows and the run
 * of the kernel. */
#pragma once

#include "kernels/attention/attention.h"
#include "ops/kit/op.h"

/* Part of an input as [batch, heads, rows, size]: element 0 is number `at` of the input's; `step`
 * elements lie between neighbours on each axis, the last step is 1. */
typedef struct oc_heads {
    int input;
    int64_t at;
    oc_dims dims;
    int64_t step[OC_MAX_RANK];
} oc_heads;

/* Takes rows [batch, rows, n * size] as n heads. */
oc_heads oc_heads_of_rows(int input, const oc_dims *rows, int64_t n);

/* *data becomes the part, dense, in the input's type. bias: input with a number for each element of
 * a row, the first of which is number `first`; -1 or missing: none. The sum has the input's type.
 */
oc_status oc_heads_take(oc_call *c, const oc_heads *h, int bias, int64_t first, void **data);

/* Fails unless the product of these sizes, with 0 counted as 1, fits: then no part of it
 * overflows. */
oc_status oc_heads_check(oc_call *c, int64_t batch, int64_t heads, int64_t rows, int64_t columns);

/* Runs the kernel: sets what the call knows (cpu, work, scratch). */
oc_status oc_heads_attend(oc_call *c, oc_attention *g);

/* Reads attribute `scale`, in which 0 stands for the default, 1 / sqrt(size). */
double oc_heads_scale(oc_call *c, int64_t size);

/* ---- the masks of these operators: which keys does a query see? (key_mask.c) ---- */

/* An int32 input is a mask in one of the forms that key_mask.c lists. A key that is not seen keeps
 * its score, plus `filter`. */
typedef struct oc_key_mask {
    int input;
    int64_t batch, queries, past, keys; /* number of all keys, with the past ones */
    float filter;
} oc_key_mask;

/* Fails if the input has none of the forms. A missing input passes. */
oc_status oc_key_mask_check(oc_call *c, const oc_key_mask *m);
/* Has the mask a row for each query, and not only one for each batch? */
bool oc_key_mask_by_query(const oc_call *c, const oc_key_mask *m);
/* Fills to, [batch][queries or 1][keys], with 0 and filter. */
void oc_key_mask_fill(oc_call *c, const oc_key_mask *m, float *to);
