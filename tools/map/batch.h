/* SPDX-License-Identifier: Apache-2.0
 * batch.h - joins several values along the first axis, and takes such a value apart. */
#pragma once

#include "common/tool.h"

/* Can the two be joined? Both must be tensors, not of strings, of one type and of equal dims,
 * the first of them 1. */
bool batch_fits(const oc_value *a, const oc_value *b);
/* Returns a new tensor of `total` values that fit: the n values, and the last one for those that
 * are missing. Free with oc_value_free. */
oc_value *batch_join(oc_value *const *value, int n, int total, oc_error *e);
/* Returns part i of the n parts that output name, a tensor, has along its first axis; the part
 * has 1 there. OC_ARGUMENT when the output's first axis is not n. Free with oc_value_free. */
oc_value *batch_part(const oc_value *joined, int i, int n, const char *name, oc_error *e);
