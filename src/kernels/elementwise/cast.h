/* SPDX-License-Identifier: Apache-2.0
 * cast.h - converts many numbers of one type to another at the speed of memory.
 *
 * The bits are those of tensor/convert.h (any NaN for a NaN). Pairs with float16 or bfloat16 go
 * through floats that the first cache keeps; these are rounded to odd where rounding to nearest
 * twice would give other bits. Floats of 8 bits, and all types of fewer than 8 bits, have no
 * kernels. */
#pragma once

#include <ocellus.h>

#include "kernels/common/variant.h"

#include <stdbool.h>

/* The types that have loops, in the order of the tables. bool is only a result; as a source it
 * is read as uint8. */
enum { OC_CAST_FROM = 10, OC_CAST_TO };

/* Converts n numbers, a multiple of those that fill a register of the variant: numbers of the
 * smaller type. */
typedef void oc_cast_fn(void *to, const void *from, int64_t n);

/* The loops for one instruction set; NULL where the next set's loop is as fast. odd converts to
 * float, rounded to odd: toward zero, then with the last bit set if the number was not exact. */
typedef struct oc_cast_variant {
    const char *isa;
    unsigned need;
    int bytes; /* of a register; 0 for scalars: any n */
    oc_cast_fn *cast[OC_CAST_FROM][OC_CAST_TO];
    /* NULL for floats and for integers of 16 bits and fewer, which are exact */
    oc_cast_fn *odd[OC_CAST_FROM];
} oc_cast_variant;

extern const oc_cast_variant *const oc_cast_variants[]; /* best first, the last is scalar */

/* Returns a type's index in the tables; -1 when it has none. */
int oc_cast_index(oc_type type);

/* Converts n numbers. Returns false when there is no kernel for the pair of types. to and from
 * do not overlap. */
bool oc_cast(unsigned cpu, void *to, oc_type to_type, const void *from, oc_type from_type,
             int64_t n);
