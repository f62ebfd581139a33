/* SPDX-License-Identifier: Apache-2.0
 * sparse.h - which dense tensor does a sparse one stand for? */
#ifndef OC_TENSOR_SPARSE_H
#define OC_TENSOR_SPARSE_H

#include "base/arena.h"
#include "tensor/attr.h"

/* Returns an error unless values and indices have the types and shapes of a sparse tensor and the
 * indices are in range and ascending. */
oc_status oc_sparse_check(const oc_sparse *s, oc_error *e);

/* Copies value k of a tensor that oc_sparse_check allows to its place among the dense elements, of
 * which there are count. */
void oc_sparse_put(const oc_sparse *s, int64_t k, void *dense, int64_t count);

/* Checks s with oc_sparse_check and makes the dense tensor with the same elements, in memory of
 * arena. */
oc_status oc_sparse_densify(oc_arena *arena, const oc_sparse *s, oc_value *v, oc_error *e);

#endif
