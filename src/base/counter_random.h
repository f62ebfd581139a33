/* SPDX-License-Identifier: Apache-2.0
 * counter_random.h - random numbers by index: number i of a key does not depend on any other number
 * of the key.
 *
 * Threads may therefore draw numbers in any order, and the same key gives the same bits on every
 * machine.
 *
 * The generator is SplitMix64 (Steele, Lea and Flood, 2014): it applies a bijection of 64 bits to
 * key + (i + 1) * the golden ratio. Keys are mixed themselves; oc_call_key makes the key of an
 * operator call. */
#pragma once

#include <stdint.h>

static inline uint64_t oc_random_mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Returns number i of the key, i >= 0, as 64 random bits. */
static inline uint64_t oc_random_bits(uint64_t key, uint64_t i)
{
    return oc_random_mix(key + (i + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* Returns number i of the key as a multiple of 2^-bits in [0, 1); 1 <= bits <= 53. */
static inline double oc_random_unit(uint64_t key, uint64_t i, int bits)
{
    return (double)(oc_random_bits(key, i) >> (64 - bits)) / (double)(UINT64_C(1) << bits);
}
