/* SPDX-License-Identifier: Apache-2.0
 * batch.h - several values as one, side by side along the first axis, and one of such a value. */
#ifndef TOOLS_MAP_BATCH_H
#define TOOLS_MAP_BATCH_H

#include "common/tool.h"

/* Can the two lie side by side: tensors, not of strings, of one type and equal dims, of which the
 * first is 1? */
bool batch_fits(const oc_value *a, const oc_value *b);
/* A new tensor of n values that fit. Free with oc_value_free. */
oc_value *batch_join(oc_value *const *value, int n, oc_error *e);
/* Number i of the n that output name, a tensor, has along its first axis, with 1 there; an output
 * that has not n there is OC_ARGUMENT. Free with oc_value_free. */
oc_value *batch_part(const oc_value *joined, int i, int n, const char *name, oc_error *e);

#endif
