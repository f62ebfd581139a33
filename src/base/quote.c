/* SPDX-License-Identifier: Apache-2.0
 * quote.c - how are bytes written as the quoted strings and identifiers that lex.c reads? */
#include "base/lex.h"

#include <stdio.h>

bool oc_is_identifier(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const char c = bytes[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && (i == 0 || c < '0' || c > '9'))
            return false;
    }
    return size > 0;
}

size_t oc_utf8_size(const unsigned char *p, size_t left)
{
    const unsigned c = p[0];
    const size_t n = c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
    if (n == 0 || n > left)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    /* Unicode table 3-7 */
    const bool overlong = (c == 0xe0 && p[1] < 0xa0) || (c == 0xf0 && p[1] < 0x90);
    const bool too_large = (c == 0xed && p[1] > 0x9f) || (c == 0xf4 && p[1] > 0x8f);
    const bool control = c == 0xc2 && p[1] < 0xa0;
    return overlong || too_large || control ? 0 : n;
}

/* Number of bytes at p that a quoted string holds without an escape; 0 when the first byte needs
 * one. */
static size_t plain_size(const unsigned char *p, size_t left)
{
    if (*p == '"' || *p == '\\' || *p == 0x7f || (*p < ' ' && *p != '\n' && *p != '\t'))
        return 0;
    return oc_utf8_size(p, left);
}

static bool put(const oc_writer *out, const void *bytes, size_t size)
{
    return size == 0 || out->write(out->ctx, bytes, size);
}

static bool put_escape(const oc_writer *out, unsigned char c)
{
    char text[8];
    const int n = c == '"' || c == '\\' ? snprintf(text, sizeof text, "\\%c", c)
                  : c == '\r'           ? snprintf(text, sizeof text, "\\r")
                                        : snprintf(text, sizeof text, "\\x%02x", c);
    return put(out, text, (size_t)n);
}

bool oc_quote(const oc_writer *out, const char *bytes, size_t size)
{
    const unsigned char *p = (const unsigned char *)bytes;
    bool ok = put(out, "\"", 1);
    for (size_t i = 0; ok && i < size;) {
        const size_t first = i;
        for (size_t n; i < size && (n = plain_size(p + i, size - i)) > 0;)
            i += n;
        ok = put(out, p + first, i - first);
        if (ok && i < size)
            ok = put_escape(out, p[i++]);
    }
    return ok && put(out, "\"", 1);
}
