/* SPDX-License-Identifier: Apache-2.0
 * cast.h - how are many numbers of one type converted to another at the speed of memory?
 *
 * The bits are those of tensor/convert.h (any NaN for a NaN). Pairs with float16 or bfloat16 go
 * through floats that the first cache keeps, rounded to odd where rounding to nearest twice would
 * show. Types of 8 bits and fewer that are floats or packed have no kernels. */
#ifndef OC_KERNELS_ELEMENTWISE_CAST_H
#define OC_KERNELS_ELEMENTWISE_CAST_H

#include <ocellus.h>

#include "kernels/common/variant.h"

#include <stdbool.h>

/* The types that have loops, in the order of the tables; bool is a result only, read as uint8. */
enum { OC_CAST_FROM = 10, OC_CAST_TO };

typedef void oc_cast_fn(void *to, const void *from, int64_t n);

/* One per instruction set; NULL: the next one's is as fast. odd: to float, rounded to odd: toward
 * zero, then the last bit set if that was not exact. */
typedef struct oc_cast_variant {
    const char *isa;
    unsigned need;
    oc_cast_fn *cast[OC_CAST_FROM][OC_CAST_TO];
    oc_cast_fn *odd[OC_CAST_FROM]; /* NULL: floats and integers of 16 bits and fewer are exact */
} oc_cast_variant;

extern const oc_cast_variant *const oc_cast_variants[]; /* best first, the last is scalar */

/* A type's index in the tables; -1: it has none. */
int oc_cast_index(oc_type type);

/* Converts n numbers; false: there is no kernel for the pair of types. to and from are apart. */
bool oc_cast(unsigned cpu, void *to, oc_type to_type, const void *from, oc_type from_type,
             int64_t n);

#endif
