/* SPDX-License-Identifier: Apache-2.0
 * strings.c - compares and hashes strings, piece by piece. */
#include "ops/kit/strings.h"

#include "base/threads.h"

#include <string.h>

enum {
    PIECE = 1 << 20,  /* bytes between two looks at the pace */
    COMPARE_WORK = 4, /* products that take as long as to compare a byte */
    HASH_WORK = 64    /* and to hash one */
};

/* The bytes of the piece that begins at byte `at`; 0: there is none, or the pace ended it. */
static size_t next_piece(oc_pace *pace, size_t at, size_t size, int work)
{
    const size_t left = size - at, piece = left < PIECE ? left : PIECE;
    return oc_pace_on(pace, OC_ELEMENT + (int64_t)piece * work) ? piece : 0;
}

/* Compares the first bytes of both. */
static int order_bytes(oc_pace *pace, const char *a, const char *b, size_t size)
{
    for (size_t at = 0, n; (n = next_piece(pace, at, size, COMPARE_WORK)) > 0; at += n) {
        const int order = memcmp(a + at, b + at, n);
        if (order)
            return order;
    }
    return 0;
}

bool oc_same_string(oc_pace *pace, oc_string a, oc_string b)
{
    return a.size == b.size && order_bytes(pace, a.data, b.data, a.size) == 0;
}

int oc_order_strings(oc_pace *pace, oc_string a, oc_string b)
{
    const int order = order_bytes(pace, a.data, b.data, a.size < b.size ? a.size : b.size);
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

uint64_t oc_hash_string(oc_pace *pace, const oc_sip_key *key, oc_string s)
{
    oc_sip_key k = *key; /* of each piece: changed by the hash of those before */
    for (size_t at = 0, n; (n = next_piece(pace, at, s.size, HASH_WORK)) > 0; at += n)
        k.part[0] ^= oc_siphash(&k, s.data + at, n);
    return oc_siphash(&k, &s.size, sizeof s.size);
}
