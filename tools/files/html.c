/* SPDX-License-Identifier: Apache-2.0
 * html.c - builds an HTML text in memory, piece by piece. */
#include "files/html.h"

#include "base/utf8.h"
#include "common/data.h"
#include "files/text_build.h"

#include <zlib.h>

/* clang-format off */
static const char colours[] =
    ":root{color-scheme:light dark;--page:#faf9f6;--text:#22201c;--soft:#6d675d;--line:#ddd8cd;"
    "--card:#fff;--same:#eeebe3;--good:#2f7d4f;--near:#9cc7a8;--known:#c98a1b;--bad:#b3261e;"
    "--l0:#fbe6bb;--l1:#f9cf85;--l2:#f4ac59;--l3:#e98543;--l4:#d65b3a;--l5:#b5363c;--l6:#8a2144;"
    "--l7:#561340;--lx:#0b6bcb;--ring0:#fff;--ring1:#000}\n"
    "@media(prefers-color-scheme:dark){:root{--page:#14161b;--text:#e7e4dd;--soft:#9d988d;"
    "--line:#31353d;--card:#1b1e25;--same:#262a32;--good:#5fb57f;--near:#35664a;--known:#e0a73f;"
    "--bad:#ff7b6e;--l0:#47234d;--l1:#68285a;--l2:#8d2f5b;--l3:#b23b55;--l4:#d35149;--l5:#ea7440;"
    "--l6:#f6a44d;--l7:#fde192;--lx:#4fa8ff;--ring0:#000;--ring1:#fff}}\n"
    "*{box-sizing:border-box}\n";
/* clang-format on */

void html_bytes(io_bytes *to, const void *bytes, size_t size)
{
    text_build t = {*to, false};
    text_bytes(&t, bytes, size);
    tool_require(t.failed ? NULL : &t);
    *to = t.bytes;
}

void html_unpacked(io_bytes *to, const void *packed, size_t size, size_t n)
{
    uLongf room = n;
    unsigned char *bytes = tool_require(data_resize(NULL, n));
    uncompress(bytes, &room, packed, size);
    html_bytes(to, bytes, n);
    data_free(bytes);
}

void html_put(io_bytes *to, const char *format, ...)
{
    text_build t = {*to, false};
    va_list args;
    va_start(args, format);
    text_put_args(&t, format, args);
    va_end(args);
    tool_require(t.failed ? NULL : &t);
    *to = t.bytes;
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
        const size_t n = oc_utf8_size(s, size - i);
        const char *other = n ? escape(*s) : "\xef\xbf\xbd";
        if (other)
            html_bytes(to, other, strlen(other));
        else
            html_bytes(to, s, n);
        i += n ? n : 1;
    }
}

void html_script_text(io_bytes *to, const char *text)
{
    const size_t size = strlen(text);
    html_bytes(to, "\"", 1);
    for (size_t i = 0; i < size;) {
        const unsigned char *s = (const unsigned char *)text + i;
        const size_t n = oc_utf8_size(s, size - i);
        if (n == 0)
            html_bytes(to, "\xef\xbf\xbd", 3);
        else if (*s < 0x20 || strchr("\"\\<>&\x7f", *s))
            html_put(to, "\\u%04x", *s);
        else
            html_bytes(to, s, n);
        i += n ? n : 1;
    }
    html_bytes(to, "\"", 1);
}

void html_head(io_bytes *to, const char *title)
{
    html_put(to, "<!DOCTYPE html>\n"
                 "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
                 "<meta charset=\"utf-8\" />\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
                 "<title>");
    html_text(to, title);
    html_put(to, "</title>\n<style>\n");
    html_bytes(to, colours, sizeof colours - 1);
}

void html_join(io_bytes *to, const io_bytes *from)
{
    html_bytes(to, from->data, from->size);
}
