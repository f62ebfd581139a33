/* SPDX-License-Identifier: Apache-2.0
 * siphash.c - SipHash-2-4, and keys for it. */
#define _DEFAULT_SOURCE /* declares getentropy */
#define _CRT_RAND_S     /* declares rand_s on Windows */

#include "base/siphash.h"

#include "base/counter_random.h"

#include <stdbool.h>
#include <string.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif
#ifndef _WIN32
#include <unistd.h>
#endif

enum { WORD = 8, ROUNDS_OF_WORD = 2, ROUNDS_AT_END = 4 };

/* Fills the key with numbers that nobody can guess. Returns false when the system has none. */
static bool ask_system(oc_sip_key *key)
{
#ifdef _WIN32
    unsigned int word[sizeof *key / sizeof(unsigned int)];
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (rand_s(&word[i]) != 0)
            return false;
    memcpy(key, word, sizeof word);
    return true;
#else
    return getentropy(key, sizeof *key) == 0;
#endif
}

oc_sip_key oc_sip_key_new(const void *place)
{
    oc_sip_key key;
    if (ask_system(&key))
        return key;
    key.part[0] = oc_random_mix((uint64_t)(uintptr_t)place);
    key.part[1] = oc_random_mix((uint64_t)(uintptr_t)&key ^ (uint64_t)(uintptr_t)&oc_siphash);
    return key;
}

static inline uint64_t rotate(uint64_t x, int left)
{
    return x << left | x >> (64 - left);
}

static inline void mix(uint64_t v[4], int rounds)
{
    while (rounds-- > 0) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = rotate(v[1], 13) ^ v[0];
        v[3] = rotate(v[3], 16) ^ v[2];
        v[0] = rotate(v[0], 32) + v[3];
        v[2] += v[1];
        v[1] = rotate(v[1], 17) ^ v[2];
        v[3] = rotate(v[3], 21) ^ v[0];
        v[2] = rotate(v[2], 32);
    }
}

static inline void add_word(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    mix(v, ROUNDS_OF_WORD);
    v[0] ^= word;
}

uint64_t oc_siphash(const oc_sip_key *key, const void *bytes, size_t size)
{
    uint64_t v[4] = {
        key->part[0] ^ UINT64_C(0x736f6d6570736575), key->part[1] ^ UINT64_C(0x646f72616e646f6d),
        key->part[0] ^ UINT64_C(0x6c7967656e657261), key->part[1] ^ UINT64_C(0x7465646279746573)};
    const unsigned char *at = bytes;
    uint64_t word;
    for (size_t left = size; left >= WORD; left -= WORD, at += WORD) {
        memcpy(&word, at, WORD);
        add_word(v, word);
    }
    word = (uint64_t)size << 56; /* the last word ends with the low byte of the size */
    for (size_t i = 0; i < size % WORD; i++)
        word |= (uint64_t)at[i] << 8 * i;
    add_word(v, word);
    v[2] ^= 0xff;
    mix(v, ROUNDS_AT_END);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
