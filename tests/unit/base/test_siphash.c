/* SPDX-License-Identifier: Apache-2.0
 * test_siphash.c - SipHash-2-4 against the answers of its paper and of another implementation. */
#include "suite.h"

#include "base/siphash.h"

/* Key 00 01 .. 0f, message 00 01 .. of this number of bytes. The answer for 15 bytes is that of
 * appendix A of the paper; the others are openssl's (mac siphash, size 8). */
START_TEST(known_answers)
{
    static const struct {
        size_t size;
        uint64_t hash;
    } known[] = {
        {0, UINT64_C(0x726fdb47dd0e0e31)},  {1, UINT64_C(0x74f839c593dc67fd)},
        {7, UINT64_C(0xab0200f58b01d137)},  {8, UINT64_C(0x93f5f5799a932462)},
        {15, UINT64_C(0xa129ca6149be45e5)}, {16, UINT64_C(0x3f2acc7f57c29bdb)},
        {63, UINT64_C(0x958a324ceb064572)},
    };
    oc_sip_key key = {{0, 0}};
    unsigned char message[64];
    for (int i = 0; i < 8; i++) {
        key.part[0] |= (uint64_t)i << 8 * i;
        key.part[1] |= (uint64_t)(8 + i) << 8 * i;
    }
    for (unsigned i = 0; i < sizeof message; i++)
        message[i] = (unsigned char)i;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        ck_assert_uint_eq(oc_siphash(&key, message, known[i].size), known[i].hash);
}
END_TEST

START_TEST(keys_differ)
{
    static const char place;
    const oc_sip_key a = oc_sip_key_new(&place), b = oc_sip_key_new(&place);
    ck_assert(a.part[0] != b.part[0] && a.part[1] != b.part[1] && a.part[0] != a.part[1]);
    ck_assert_uint_ne(oc_siphash(&a, "", 0), oc_siphash(&b, "", 0));
}
END_TEST

SUITE("siphash", known_answers, keys_differ)
