/* SPDX-License-Identifier: Apache-2.0
 * base64.c - base64 (RFC 4648, the alphabet with + and /, padded) written piece by piece, and read.
 */
#include "common/base64.h"

#include "base/int.h"

#include <stdint.h>
#include <string.h>

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Writes n bytes, 1 to 3, as four characters. */
static void encode(const unsigned char *bytes, int n, char text[4])
{
    const uint32_t all = (uint32_t)bytes[0] << 16 | (n > 1 ? (uint32_t)bytes[1] << 8 : 0) |
                         (n > 2 ? (uint32_t)bytes[2] : 0);
    for (int i = 0; i < 4; i++)
        text[i] = i <= n ? letters[all >> (18 - 6 * i) & 63] : '=';
}

static void put_left(base64 *b)
{
    char text[4];
    encode(b->left, b->n, text);
    fwrite(text, 1, sizeof text, b->out);
    b->n = 0;
}

void base64_put(base64 *b, const void *bytes, size_t size)
{
    enum { PIECE = 3 * 1024 };
    char text[4 * PIECE / 3];
    const unsigned char *at = bytes;
    for (; size && b->n; size--) {
        b->left[b->n++] = *at++;
        if (b->n == 3)
            put_left(b);
    }
    while (size >= 3) {
        const size_t n = oc_min(size - size % 3, PIECE);
        for (size_t i = 0; i < n; i += 3)
            encode(at + i, 3, text + 4 * i / 3);
        fwrite(text, 1, 4 * n / 3, b->out);
        at += n;
        size -= n;
    }
    for (; size; size--)
        b->left[b->n++] = *at++;
}

void base64_end(base64 *b)
{
    if (b->n)
        put_left(b);
}

size_t base64_size(const char *text, size_t size)
{
    if (size % 4)
        return SIZE_MAX;
    const size_t padded = size && text[size - 1] == '=' ? 1 + (text[size - 2] == '=') : 0;
    return size / 4 * 3 - padded;
}

/* Writes the number of each character; 64 for one that is none. */
static void fill_numbers(unsigned char number[256])
{
    memset(number, 64, 256);
    for (unsigned char i = 0; i < 64; i++)
        number[(unsigned char)letters[i]] = i;
}

size_t base64_read(const char *text, size_t size, unsigned char *bytes)
{
    unsigned char number[256];
    const size_t whole = base64_size(text, size);
    size_t to = 0;
    fill_numbers(number);
    for (size_t at = 0; at < size; at += 4) {
        uint32_t all = 0;
        for (size_t i = 0; i < 4; i++) {
            /* a character that pads stands for bits that are 0 */
            const bool pads = text[at + i] == '=' && at + 4 == size && at / 4 * 3 + i > whole;
            const uint32_t n = pads ? 0 : number[(unsigned char)text[at + i]];
            if (n == 64)
                return at + i;
            all = all << 6 | n;
        }
        const size_t n = oc_min(whole - to, (size_t)3);
        if (all & ((UINT32_C(1) << (24 - 8 * n)) - 1))
            return at + n; /* bits that stand for nothing are not 0 */
        for (size_t i = 0; i < n; i++)
            bytes[to++] = (unsigned char)(all >> (16 - 8 * i));
    }
    return size;
}
