/* SPDX-License-Identifier: Apache-2.0
 * sha256.c - SHA-256 (FIPS 180-4) of bytes that come piece by piece. */
#include "common/sha256.h"

#include "base/int.h"

#include <string.h>

enum { ROUNDS = 64 };

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turn(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

/* The words of a block, and those that follow from them. */
static void schedule(const unsigned char *block, uint32_t w[ROUNDS])
{
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < ROUNDS; i++) {
        const uint32_t near = w[i - 2], far = w[i - 15];
        w[i] = w[i - 16] + (turn(far, 7) ^ turn(far, 18) ^ far >> 3) + w[i - 7] +
               (turn(near, 17) ^ turn(near, 19) ^ near >> 10);
    }
}

/* One round on eight words. Their names are those of the standard; each round's are those of the
 * round before, moved on by one place. */
static inline void take_round(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e,
                              uint32_t f, uint32_t g, uint32_t *h, uint32_t word)
{
    const uint32_t choice = g ^ (e & (f ^ g)), majority = (a & b) | (c & (a | b));
    const uint32_t first = *h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + word;
    *d += first;
    *h = first + (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority;
}

static void add_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[ROUNDS];
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    schedule(block, w);
    for (int i = 0; i < ROUNDS; i += 8) {
        const uint32_t *k = constants + i, *x = w + i;
        take_round(a, b, c, &d, e, f, g, &h, k[0] + x[0]);
        take_round(h, a, b, &c, d, e, f, &g, k[1] + x[1]);
        take_round(g, h, a, &b, c, d, e, &f, k[2] + x[2]);
        take_round(f, g, h, &a, b, c, d, &e, k[3] + x[3]);
        take_round(e, f, g, &h, a, b, c, &d, k[4] + x[4]);
        take_round(d, e, f, &g, h, a, b, &c, k[5] + x[5]);
        take_round(c, d, e, &f, g, h, a, &b, k[6] + x[6]);
        take_round(b, c, d, &e, f, g, h, &a, k[7] + x[7]);
    }
    const uint32_t last[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++)
        state[i] += last[i];
}

sha256 sha256_begin(void)
{
    /* The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
    return (sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                              0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void sha256_add(sha256 *s, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    size_t used = (size_t)(s->size % SHA256_BLOCK);
    s->size += size;
    while (size) {
        const size_t n = oc_min(size, SHA256_BLOCK - used);
        if (n == SHA256_BLOCK) {
            add_block(s->state, at);
        } else {
            memcpy(s->block + used, at, n);
            if (used + n == SHA256_BLOCK)
                add_block(s->state, s->block);
        }
        used = (used + n) % SHA256_BLOCK;
        at += n;
        size -= n;
    }
}

const char *sha256_end(sha256 *s, char text[SHA256_TEXT])
{
    static const unsigned char padding[SHA256_BLOCK] = {0x80};
    static const char digits[] = "0123456789abcdef";
    const uint64_t bits = 8 * s->size;
    const size_t used = (size_t)(s->size % SHA256_BLOCK);
    unsigned char last[8];
    for (int i = 0; i < 8; i++)
        last[i] = (unsigned char)(bits >> (56 - 8 * i));
    /* the last block ends with the number of bits */
    const size_t end = SHA256_BLOCK - sizeof last;
    sha256_add(s, padding, (used < end ? end : end + SHA256_BLOCK) - used);
    sha256_add(s, last, sizeof last);
    for (int i = 0; i < 2 * SHA256_BYTES; i++)
        text[i] = digits[s->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
    text[2 * SHA256_BYTES] = 0;
    return text;
}
