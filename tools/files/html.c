/* SPDX-License-Identifier: Apache-2.0
 * html.c - builds a text of HTML in memory, piece by piece. */
#include "files/html.h"

#include "common/data.h"
#include "common/utf8.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void add(io_bytes *to, const void *bytes, size_t size)
{
    if (size > to->room - to->size) {
        to->room = 2 * (to->size + size) + 1024;
        to->data = tool_require(data_resize(to->data, to->room));
    }
    if (size)
        memcpy(to->data + to->size, bytes, size);
    to->size += size;
}

void html_put(io_bytes *to, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    const int size = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (size >= 0 && (size_t)size < sizeof text) {
        add(to, text, (size_t)size);
    } else if (size >= 0) {
        char *longer = tool_alloc((size_t)size + 1, 1);
        va_start(args, format);
        vsnprintf(longer, (size_t)size + 1, format, args);
        va_end(args);
        add(to, longer, (size_t)size);
        free(longer);
    }
}

static const char *escape(unsigned char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return c < 0x20 || c == 0x7f ? " " : NULL;
    }
}

void html_text(io_bytes *to, const char *text)
{
    const size_t size = strlen(text);
    for (size_t i = 0; i < size;) {
        const unsigned char *s = (const unsigned char *)text + i;
        const size_t n = utf8_length(s, size - i);
        const char *other = n ? escape(*s) : "\xef\xbf\xbd";
        if (other)
            add(to, other, strlen(other));
        else
            add(to, s, n);
        i += n ? n : 1;
    }
}

void html_join(io_bytes *to, const io_bytes *from)
{
    add(to, from->data, from->size);
}
