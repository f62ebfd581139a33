/* SPDX-License-Identifier: Apache-2.0
 * unicode.c - UTF-8, and tables of the two cases. */
#include "ops/text/unicode.h"

int32_t oc_char_read(const char **text, const char *end)
{
    static const int32_t least[] = {0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)*text;
    const int more = *p < 0x80   ? 0
                     : *p < 0xc0 ? -1
                     : *p < 0xe0 ? 1
                     : *p < 0xf0 ? 2
                     : *p < 0xf8 ? 3
                                 : -1;
    ++*text;
    if (more == 0)
        return *p;
    if (more < 0 || end - *text < more)
        return OC_CHAR_MOST + 1 + *p;
    int32_t c = *p & (0x3f >> more);
    for (int i = 1; i <= more; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return OC_CHAR_MOST + 1 + *p;
        c = c << 6 | (p[i] & 0x3f);
    }
    if (c < least[more] || c > OC_CHAR_MOST || (c >= 0xd800 && c < 0xe000))
        return OC_CHAR_MOST + 1 + *p;
    *text += more;
    return c;
}

int oc_char_write(int32_t c, char bytes[OC_CHAR_BYTES])
{
    if (c < 0x80 || c > OC_CHAR_MOST) {
        bytes[0] = (char)(c < 0x80 ? c : c - OC_CHAR_MOST - 1);
        return 1;
    }
    const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    for (int i = more; i > 0; i--, c >>= 6)
        bytes[i] = (char)(0x80 | (c & 0x3f));
    bytes[0] = (char)((0xf0 << (3 - more) | c) & 0xff);
    return more + 1;
}

typedef struct case_range {
    int32_t first, last;
    int32_t step, added;
} case_range;

#include "ops/text/case_ranges.inc"

static int32_t convert(int32_t c, const case_range *ranges, int n)
{
    int low = 0, high = n; /* the range is in low .. high - 1, if any */
    while (low < high) {
        const int middle = (low + high) / 2;
        const case_range *r = &ranges[middle];
        if (c > r->last)
            low = middle + 1;
        else if (c < r->first)
            high = middle;
        else
            return (c - r->first) % r->step == 0 ? c + r->added : c;
    }
    return c;
}

int32_t oc_char_lower(int32_t c)
{
    if (c < 0x80)
        return c >= 'A' && c <= 'Z' ? c + 32 : c;
    return convert(c, to_lower, (int)(sizeof to_lower / sizeof *to_lower));
}

int32_t oc_char_upper(int32_t c)
{
    if (c < 0x80)
        return c >= 'a' && c <= 'z' ? c - 32 : c;
    return convert(c, to_upper, (int)(sizeof to_upper / sizeof *to_upper));
}
