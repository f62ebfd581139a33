/* SPDX-License-Identifier: Apache-2.0
 * utf8.h - where does a character of UTF-8 end, and may it be shown as it is? */
#pragma once

#include <stddef.h>

/* Returns the size in bytes of the UTF-8 character at p; 0 when the bytes are not a valid
 * character. `left` bytes, at least 1, may be read. */
size_t oc_utf8_size(const unsigned char *p, size_t left);
/* As oc_utf8_size, but returns 0 for a control character too, which a terminal may take as a
 * command. */
size_t oc_utf8_shown(const unsigned char *p, size_t left);
