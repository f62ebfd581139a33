/* SPDX-License-Identifier: Apache-2.0
 * siphash.h - a hash of bytes under a secret key: nobody without the key can find bytes that
 * collide.
 *
 * It is SipHash-2-4 (Aumasson and Bernstein, 2012). */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct oc_sip_key {
    uint64_t part[2];
} oc_sip_key;

/* Returns a new key from the system's random numbers. Where the system has none, the key is made
 * of addresses, among them place. No result may depend on a key. */
oc_sip_key oc_sip_key_new(const void *place);

uint64_t oc_siphash(const oc_sip_key *key, const void *bytes, size_t size);
