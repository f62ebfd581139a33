/* SPDX-License-Identifier: Apache-2.0
 * test_bits.c - packed elements of 2 and 4 bits. */
#include "suite.h"
#include "tensor/bits.h"
#include "tensor/convert.h"

#include <string.h>

START_TEST(low_bits_come_first)
{
    const uint8_t packed[] = {0x8f, 0x07};
    uint8_t out[8];
    oc_unpack_bits(out, OC_U4, packed, 3);
    ck_assert(out[0] == 15 && out[1] == 8 && out[2] == 7);
    oc_unpack_bits(out, OC_I4, packed, 3);
    ck_assert((int8_t)out[0] == -1 && (int8_t)out[1] == -8 && (int8_t)out[2] == 7);
    oc_unpack_bits(out, OC_I2, packed, 5);
    ck_assert((int8_t)out[0] == -1 && (int8_t)out[2] == 0 && (int8_t)out[3] == -2);
    ck_assert((int8_t)out[4] == -1);
}
END_TEST

START_TEST(packing_undoes_unpacking)
{
    for (oc_type type = OC_UNDEFINED + 1; type < OC_N_TYPES; type++)
        for (int64_t n = 0; n < 9 && oc_type_bits(type) < 8; n++) {
            const uint8_t packed[] = {0xe4, 0x1b, 0x93, 0x6c, 0xff};
            const int bits = oc_type_bits(type);
            const int64_t bytes = (n * bits + 7) / 8;
            uint8_t out[16], back[8];
            memset(back, 0xaa, sizeof back);
            oc_unpack_bits(out, type, packed, n);
            oc_pack_bits(back, type, out, n);
            for (int64_t i = 0; i < bytes; i++) {
                const int64_t left = n * bits - 8 * i;
                const unsigned mask = left >= 8 ? 0xff : (1u << left) - 1; /* padding is zero */
                ck_assert_uint_eq(back[i], packed[i] & mask);
            }
            ck_assert_uint_eq(back[bytes], 0xaa);
        }
}
END_TEST

SUITE("bits", low_bits_come_first, packing_undoes_unpacking)
