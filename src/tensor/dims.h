/* SPDX-License-Identifier: Apache-2.0
 * dims.h - shapes: rank and dimensions, and the arithmetic on them that operators need.
 *
 * Every dimension of an existing value is >= 0, and the product of its dimensions times the element
 * size fits in size_t. So oc_dims_count and byte sizes of existing values cannot overflow. */
#pragma once

#include <ocellus.h>

typedef struct oc_dims {
    int rank;
    int64_t n[OC_MAX_RANK];
} oc_dims;

static inline oc_dims oc_dims_1d(int64_t n)
{
    return (oc_dims){1, {n}};
}

/* Returns the product of n[first] to n[last-1] for the dims of an existing value; 1 when first
 * == last. */
int64_t oc_dims_product(const oc_dims *d, int first, int last);
/* Returns the product of all dims. */
int64_t oc_dims_count(const oc_dims *d);

/* Are the rank and the size of each axis known? Unknown ones are negative. */
bool oc_dims_known(const oc_dims *d);
/* Computes the number of elements and their size in bytes. Returns false when a dimension is
 * negative or a product does not fit. A dimension of zero does not hide an overflow of the
 * product of the others. */
bool oc_dims_bytes(const oc_dims *d, size_t elem_size, int64_t *count, size_t *bytes);
/* Do the products fit in 64 bits, as oc_dims_bytes asks for those of memory? Where addresses have
 * 32 bits, more dims fit in 64 bits than in memory. */
bool oc_dims_fit(const oc_dims *d, size_t elem_size);

bool oc_dims_equal(const oc_dims *a, const oc_dims *b);
/* Are a and b equal except along axis? Both must have that axis. */
bool oc_dims_same_but(const oc_dims *a, const oc_dims *b, int axis);

/* Converts an axis in [-rank, rank) to *normal in [0, rank); returns false when it is outside. */
bool oc_dims_axis(int64_t axis, int rank, int *normal);

/* Replaces *a by its NumPy-style (multidirectional) broadcast with b. Returns false when two
 * dimensions differ and neither is 1, or when the rank exceeds OC_MAX_RANK. */
bool oc_dims_broadcast(oc_dims *a, const oc_dims *b);

/* Computes dense row-major strides, in elements. */
void oc_dims_strides(const oc_dims *d, int64_t strides[OC_MAX_RANK]);

enum { OC_DIMS_TEXT = 24 * OC_MAX_RANK };
/* Writes "[2,3,4]" for messages; negative entries are written as "?". Returns text. */
const char *oc_dims_text(const oc_dims *d, char text[OC_DIMS_TEXT]);
