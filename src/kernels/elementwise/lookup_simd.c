/* SPDX-License-Identifier: Apache-2.0
 * lookup_simd.c - the loop of lookup.h, with the table in registers. */
#include "kernels/elementwise/lookup.h"

#include <string.h>

#include "kernels/simd/simd.h"

static void lookup_row(uint8_t *y, const uint8_t *x, const uint8_t table[OC_LOOKUP_ENTRIES],
                       int64_t n)
{
    const u8_table in = u8_table_load(table);
    uint8_t last[u8v_N];
    int64_t i = 0;
    for (; i + u8v_N <= n; i += u8v_N)
        u8v_store(y + i, u8v_lookup(&in, u8v_load(x + i)));
    if (i >= n)
        return;
    memset(last, 0, sizeof last);
    memcpy(last, x + i, (size_t)(n - i));
    u8v_store(last, u8v_lookup(&in, u8v_load(last)));
    memcpy(y + i, last, (size_t)(n - i));
}

OC_ISA_VARIANT(oc_lookup_variant, oc_lookup_variants, lookup_row)
