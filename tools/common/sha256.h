/* SPDX-License-Identifier: Apache-2.0
 * sha256.h - SHA-256 (FIPS 180-4) of bytes that come piece by piece. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_BLOCK = 64, SHA256_TEXT = 2 * SHA256_BYTES + 1 };

typedef struct sha256 {
    uint32_t state[8];
    uint64_t size;                     /* bytes so far */
    unsigned char block[SHA256_BLOCK]; /* the last size % SHA256_BLOCK of them */
} sha256;

sha256 sha256_begin(void);
void sha256_add(sha256 *s, const void *bytes, size_t size);
/* Writes the digest of all bytes as 64 lower-case hexadecimal digits, and returns text. Nothing may
 * be added afterwards. */
const char *sha256_end(sha256 *s, char text[SHA256_TEXT]);
