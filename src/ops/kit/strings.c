/* SPDX-License-Identifier: Apache-2.0
 * strings.c - compares and hashes strings, piece by piece. */
#include "ops/kit/strings.h"

#include "base/int.h"

/* Compares the first bytes of both. */
static int order_bytes(const oc_work *w, const char *a, const char *b, size_t size)
{
    OC_PIECES (w, p, (int64_t)size, 1 << 16) {
        const int order = memcmp(a + p.first, b + p.first, (size_t)(p.end - p.first));
        if (order)
            return order;
    }
    return 0;
}

bool oc_same_string(const oc_work *w, oc_string a, oc_string b)
{
    return a.size == b.size && order_bytes(w, a.data, b.data, a.size) == 0;
}

int oc_order_strings(const oc_work *w, oc_string a, oc_string b)
{
    const int order = order_bytes(w, a.data, b.data, oc_min(a.size, b.size));
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

uint64_t oc_hash_string(const oc_work *w, const oc_sip_key *key, oc_string s)
{
    enum { PART = 1 << 18 };
    oc_sip_key k = *key; /* the hash of each part depends on the hash of those before */
    OC_LOOP (w, i, (int64_t)(oc_div_up(s.size, PART)), 1) {
        const size_t at = (size_t)i * PART, left = s.size - at;
        k.part[0] ^= oc_siphash(&k, s.data + at, oc_min(left, PART));
    }
    return oc_siphash(&k, &s.size, sizeof s.size);
}
