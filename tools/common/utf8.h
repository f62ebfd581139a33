/* SPDX-License-Identifier: Apache-2.0
 * utf8.h - where a character of UTF-8 ends. */
#ifndef TOOLS_COMMON_UTF8_H
#define TOOLS_COMMON_UTF8_H

#include <stddef.h>

/* Bytes of the sequence at s, where size bytes are left; 0 when it is none. */
size_t utf8_length(const unsigned char *s, size_t size);

#endif
