/* SPDX-License-Identifier: Apache-2.0
 * quote.c - writes bytes as the quoted strings and identifiers that lex.c reads. */
#include "base/quote.h"

#include "base/utf8.h"

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

/* Returns how many bytes at p a quoted string holds without an escape; 0 when the first byte
 * needs one. */
static size_t plain_size(const unsigned char *p, size_t left)
{
    if (*p == '\n' || *p == '\t')
        return 1;
    return *p == '"' || *p == '\\' ? 0 : oc_utf8_shown(p, left);
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
