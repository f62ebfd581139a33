/* SPDX-License-Identifier: Apache-2.0
 * utf8.h - where does a character of UTF-8 end, and which may be shown as it is? */
#ifndef OC_BASE_UTF8_H
#define OC_BASE_UTF8_H

#include <stddef.h>

/* The size in bytes of the UTF-8 character at p, where `left` bytes, at least 1, are left; 0 when
 * the bytes at p are not a valid character. */
size_t oc_utf8_size(const unsigned char *p, size_t left);
/* The same, and 0 for a control character too: one that a terminal may take as a command. */
size_t oc_utf8_shown(const unsigned char *p, size_t left);

#endif
