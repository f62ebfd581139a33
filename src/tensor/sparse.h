/* SPDX-License-Identifier: Apache-2.0
 * sparse.h - checks sparse tensors and makes them dense. */
#pragma once

#include "tensor/attr.h"

/* Returns an error unless values and indices have the types and shapes of a sparse tensor and
 * the indices are in range and ascending. */
oc_status oc_sparse_check(const oc_sparse *s, oc_error *e);

/* Copies value k to its place among the `count` dense elements. oc_sparse_check must have
 * accepted s. */
void oc_sparse_put(const oc_sparse *s, int64_t k, void *dense, int64_t count);

/* Checks s with oc_sparse_check and makes the dense tensor with the same elements, in memory of
 * arena. */
oc_status oc_sparse_densify(oc_arena *arena, const oc_sparse *s, oc_value *v, oc_error *e);
