/* SPDX-License-Identifier: Apache-2.0
 * bits.c - packs and unpacks elements of 2 and 4 bits, which files pack and memory does not. */
#include "tensor/bits.h"

#include "base/int.h"

#include <string.h>

void oc_unpack_bits(uint8_t *dst, oc_type type, const uint8_t *src, int64_t n)
{
    const int bits = oc_type_bits(type), per_byte = 8 / bits;
    const unsigned mask = (1u << bits) - 1, sign = oc_type_is_signed(type) ? mask / 2 + 1 : 0;
    for (int64_t i = 0; i < n; i++) {
        const unsigned code = (unsigned)src[i / per_byte] >> (i % per_byte * bits) & mask;
        dst[i] = (uint8_t)((code ^ sign) - sign);
    }
}

void oc_pack_bits(uint8_t *dst, oc_type type, const uint8_t *src, int64_t n)
{
    const int bits = oc_type_bits(type), per_byte = 8 / bits;
    const unsigned mask = (1u << bits) - 1;
    memset(dst, 0, (size_t)oc_div_up(n, per_byte));
    for (int64_t i = 0; i < n; i++)
        dst[i / per_byte] |= (uint8_t)((src[i] & mask) << (i % per_byte * bits));
}
