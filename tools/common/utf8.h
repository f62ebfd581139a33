/* SPDX-License-Identifier: Apache-2.0
 * utf8.h - where does a character of UTF-8 end, and which may be shown as it is? */
#ifndef TOOLS_COMMON_UTF8_H
#define TOOLS_COMMON_UTF8_H

#include <stddef.h>

/* The length in bytes of the UTF-8 character at s, where size bytes, at least 1, are left; 0 when
 * the bytes at s are not a valid character. */
size_t utf8_length(const unsigned char *s, size_t size);
/* The same, and 0 for a control character too: one that a terminal may take as a command. */
size_t utf8_shown_length(const unsigned char *s, size_t size);

#endif
