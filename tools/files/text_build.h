/* SPDX-License-Identifier: Apache-2.0
 * text_build.h - builds a text in memory, piece by piece. */
#pragma once

#include "files/io.h"

#include <stdarg.h>

/* Starts as all zero. Pieces that find no memory set failed and are left out, and all later ones
 * too. Free with text_free. */
typedef struct text_build {
    io_bytes bytes;
    bool failed;
} text_build;

/* Appends the formatted text. */
void text_put(text_build *t, const char *format, ...) TOOL_PRINTF(2, 3);
void text_put_args(text_build *t, const char *format, va_list args);
void text_bytes(text_build *t, const void *bytes, size_t size);
/* Appends any bytes as a JSON string, quotes included; bytes that are not UTF-8 become U+FFFD. */
void text_json(text_build *t, const char *text);
/* Appends the fewest digits that read back as x; "nan", "inf" or "-inf" where it has none. */
void text_float(text_build *t, float x);
/* Returns the text ended by NUL, which lasts until t changes; "" when memory failed at once. */
const char *text_string(text_build *t);
void text_free(text_build *t);
