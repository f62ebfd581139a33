/* SPDX-License-Identifier: Apache-2.0
 * utf8.c - where does a character of UTF-8 end, and which may be shown as it is? */
#include "common/utf8.h"

#include <stdbool.h>

size_t utf8_length(const unsigned char *s, size_t size)
{
    const size_t n = s[0] < 0x80                    ? 1
                     : s[0] >= 0xc2 && s[0] <= 0xdf ? 2
                     : s[0] >= 0xe0 && s[0] <= 0xef ? 3
                     : s[0] >= 0xf0 && s[0] <= 0xf4 ? 4
                                                    : 0;
    if (n == 0 || n > size)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    const bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    const bool beyond = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
    return overlong || beyond ? 0 : n;
}

size_t utf8_shown_length(const unsigned char *s, size_t size)
{
    const bool control = s[0] < 0x20 || s[0] == 0x7f || (s[0] == 0xc2 && size > 1 && s[1] < 0xa0);
    return control ? 0 : utf8_length(s, size);
}
