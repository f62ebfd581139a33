/* SPDX-License-Identifier: Apache-2.0
 * key_mask.h - the masks of com.microsoft's attention operators: which keys does a query see? */
#pragma once

#include "ops/kit/op.h"

/* An int32 input is a mask in one of the forms that key_mask.c lists. A key that is not seen keeps
 * its score, plus `filter`. */
typedef struct oc_key_mask {
    int input;
    int64_t batch, queries, past, keys; /* keys: all, with the past ones */
    float filter;
} oc_key_mask;

/* An error where the input has none of the forms. A missing input passes. */
oc_status oc_key_mask_check(oc_call *c, const oc_key_mask *m);
/* Has the mask a row for each query? Else for each batch. */
bool oc_key_mask_by_query(const oc_call *c, const oc_key_mask *m);
/* Fills to, [batch][queries or 1][keys], with 0 and filter. */
void oc_key_mask_fill(oc_call *c, const oc_key_mask *m, float *to);
