/* SPDX-License-Identifier: Apache-2.0
 * dims.h - shapes: rank and dimensions, with the arithmetic operators need.
 *
 * In a value that exists every dimension is >= 0 and the product, times the element size, fits in
 * size_t: oc_dims_count and byte sizes of such values cannot wrap. */
#ifndef OC_TENSOR_DIMS_H
#define OC_TENSOR_DIMS_H

#include <ocellus.h>

typedef struct oc_dims {
    int rank;
    int64_t n[OC_MAX_RANK];
} oc_dims;

static inline oc_dims oc_dims_1d(int64_t n)
{
    return (oc_dims){1, {n}};
}

/* Product of n[first .. last-1]; 1 when empty. Of a value that exists (see above). */
int64_t oc_dims_product(const oc_dims *d, int first, int last);
/* Product of all dimensions. */
int64_t oc_dims_count(const oc_dims *d);

/* The checked product: false on a negative dimension or when count * elem_size does not fit. Zero
 * dimensions do not hide an overflow of the others' product. */
bool oc_dims_bytes(const oc_dims *d, size_t elem_size, int64_t *count, size_t *bytes);

bool oc_dims_equal(const oc_dims *a, const oc_dims *b);
/* Equal except along axis (which both must have). */
bool oc_dims_same_but(const oc_dims *a, const oc_dims *b, int axis);

/* axis in [-rank, rank) to [0, rank); false when outside. */
bool oc_dims_axis(int64_t axis, int rank, int *normal);

/* Numpy-style (multidirectional) broadcast of b into *a; false when a pair differs and neither is
 * 1, or the rank passes OC_MAX_RANK. */
bool oc_dims_broadcast(oc_dims *a, const oc_dims *b);

/* Dense row-major strides, in elements. */
void oc_dims_strides(const oc_dims *d, int64_t strides[OC_MAX_RANK]);

enum { OC_DIMS_TEXT = 24 * OC_MAX_RANK };
/* "[2,3,4]", for messages; negative entries print as "?". Returns text. */
const char *oc_dims_text(const oc_dims *d, char text[OC_DIMS_TEXT]);

#endif
