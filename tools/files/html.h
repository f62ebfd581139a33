/* SPDX-License-Identifier: Apache-2.0
 * html.h - builds an HTML text in memory, piece by piece. */
#pragma once

#include "files/io.h"

/* Each function appends to *to, which starts as all zero. When memory runs out the process ends,
 * as in tool_alloc. Free with io_bytes_free. */

/* Appends the formatted text without escaping it. */
void html_put(io_bytes *to, const char *format, ...) TOOL_PRINTF(2, 3);
/* Appends any bytes as text: &, <, > and " are escaped, bytes that are not UTF-8 become U+FFFD,
 * control characters become blanks. */
void html_text(io_bytes *to, const char *text);
/* Appends any bytes as a JSON string, quotes included, that a script element may hold: no tag or
 * comment can begin in it. */
void html_script_text(io_bytes *to, const char *text);
void html_bytes(io_bytes *to, const void *bytes, size_t size);
/* Appends n bytes, which zlib packed into the size bytes at packed. */
void html_unpacked(io_bytes *to, const void *packed, size_t size, size_t n);
void html_join(io_bytes *to, const io_bytes *from);
/* Appends the head of a page, from the doctype into <style>, where the colours of all pages are
 * set for light and dark screens. */
void html_head(io_bytes *to, const char *title);
