/* SPDX-License-Identifier: Apache-2.0
 * utf8.c - the table of well-formed byte sequences, which is Unicode's table 3-7. */
#include "base/utf8.h"

#include <stdbool.h>

size_t oc_utf8_size(const unsigned char *p, size_t left)
{
    const unsigned c = p[0];
    const size_t n = c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
    if (n == 0 || n > left)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    const bool overlong = (c == 0xe0 && p[1] < 0xa0) || (c == 0xf0 && p[1] < 0x90);
    const bool beyond = (c == 0xed && p[1] > 0x9f) || (c == 0xf4 && p[1] > 0x8f);
    return overlong || beyond ? 0 : n;
}

size_t oc_utf8_shown(const unsigned char *p, size_t left)
{
    const bool control = p[0] < 0x20 || p[0] == 0x7f || (p[0] == 0xc2 && left > 1 && p[1] < 0xa0);
    return control ? 0 : oc_utf8_size(p, left);
}
