/* SPDX-License-Identifier: Apache-2.0
 * unicode.h - the characters of strings: UTF-8, and the other case of a character. */
#pragma once

#include <stdint.h>

enum { OC_CHAR_MOST = 0x10ffff, OC_CHAR_BYTES = 4 };

/* Reads the character at text, which ends at end, and moves past it. A byte that begins no valid
 * character is read by itself, as OC_CHAR_MOST + 1 + the byte. */
int32_t oc_char_read(const char **text, const char *end);
/* Writes what oc_char_read gave, and returns how many bytes that is. */
int oc_char_write(int32_t c, char bytes[OC_CHAR_BYTES]);

/* The character in lower or upper case, by Unicode's simple mappings, which depend on no locale. */
int32_t oc_char_lower(int32_t c);
int32_t oc_char_upper(int32_t c);
