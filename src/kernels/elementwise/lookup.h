/* SPDX-License-Identifier: Apache-2.0
 * lookup.h - a function of bytes as a table: y = table[x]. */
#pragma once

#include "kernels/common/variant.h"

#include <stdint.h>

enum { OC_LOOKUP_ENTRIES = 256 };

/* The loop for one instruction set. y may be x. */
typedef struct oc_lookup_variant {
    const char *isa;
    unsigned need;
    void (*row)(uint8_t *y, const uint8_t *x, const uint8_t table[OC_LOOKUP_ENTRIES], int64_t n);
} oc_lookup_variant;

extern const oc_lookup_variant *const oc_lookup_variants[]; /* best first, the last is scalar */

const oc_lookup_variant *oc_lookup_pick(unsigned cpu);
