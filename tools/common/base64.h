/* SPDX-License-Identifier: Apache-2.0
 * base64.h - base64 (RFC 4648, the alphabet with + and /, padded) written piece by piece, and read.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Begins as zeros but for `out`. */
typedef struct base64 {
    FILE *out;
    unsigned char left[3]; /* bytes that wait for others */
    int n;                 /* their number */
} base64;

void base64_put(base64 *b, const void *bytes, size_t size);
void base64_end(base64 *b);

/* Returns how many bytes the text stands for, which its end tells; SIZE_MAX when its length is no
 * multiple of 4. */
size_t base64_size(const char *text, size_t size);
/* Reads a text of `size` characters into bytes, which has room for base64_size. Returns how many of
 * its characters could be read: `size`, or the place of the first that is wrong. */
size_t base64_read(const char *text, size_t size, unsigned char *bytes);
