/* SPDX-License-Identifier: Apache-2.0
 * npy_text.c - converts NumPy's strings of fixed width to strings in UTF-8 and back. */
#include "files/npy.h"

#include "base/int.h"
#include "common/data.h"
#include "common/signals.h"

static size_t put_point(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    const int n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (int i = n - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(lead[n] | c);
    return (size_t)n;
}

static uint32_t point_at(const unsigned char *s, bool swapped)
{
    uint32_t c;
    memcpy(&c, s, sizeof c);
    return swapped ? c >> 24 | (c >> 8 & 0xff00) | (c << 8 & 0xff0000) | c << 24 : c;
}

static bool all_zero(const unsigned char *s, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (s[i])
            return false;
    return true;
}

void npy_set_string(oc_value *v, int64_t i, const unsigned char *src, size_t size, bool wide,
                    bool swapped, oc_error *e)
{
    const size_t unit = wide ? 4 : 1;
    while (size && all_zero(src + size - unit, unit))
        size -= unit;
    if (!wide || size == 0) {
        oc_tensor_set_string(v, i, (const char *)src, size, e);
        return;
    }
    char *text = data_alloc(size, "string", e), *end = text;
    for (size_t k = 0; text && k < size; k += 4) {
        const uint32_t c = point_at(src + k, swapped);
        if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) {
            tool_fail(e, OC_FORMAT, "string element %lld: %#x is not a code point", (long long)i,
                      (unsigned)c);
            break;
        }
        end += put_point(end, c);
    }
    if (text)
        oc_tensor_set_string(v, i, text, (size_t)(end - text), e);
    data_free(text);
}

/* Returns the code point at s, and its length in bytes in *n. A byte that is not UTF-8 is
 * returned unchanged. */
static uint32_t next_point(const unsigned char *s, size_t size, size_t *n)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t want = s[0] < 0x80 ? 1 : s[0] < 0xc0 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    *n = 1;
    if (want < 2 || want > size)
        return s[0];
    uint32_t c = s[0] & (0xffu >> (want + 1));
    for (size_t i = 1; i < want; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return s[0];
        c = c << 6 | (s[i] & 0x3f);
    }
    if (c < least[want] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return s[0];
    *n = want;
    return c;
}

size_t npy_text_width(const oc_value *v)
{
    const oc_string *s = oc_value_data(v);
    size_t width = 1;
    for (int64_t i = 0; i < oc_value_count(v) && !signals_cancelled(NULL); i++) {
        size_t points = 0, n;
        for (size_t k = 0; k < s[i].size && !signals_end_at((int64_t)points); k += n, points++)
            next_point((const unsigned char *)s[i].data + k, s[i].size - k, &n);
        width = oc_max(points, width);
    }
    return width;
}

bool npy_put_text(const oc_value *v, size_t width, const oc_writer *out)
{
    const oc_string *s = oc_value_data(v);
    static const uint32_t zero[64];
    for (int64_t i = 0; i < oc_value_count(v); i++) {
        size_t points = 0, n;
        for (size_t k = 0; k < s[i].size; k += n, points++) {
            const uint32_t c = next_point((const unsigned char *)s[i].data + k, s[i].size - k, &n);
            const unsigned char little[4] = {(unsigned char)c, (unsigned char)(c >> 8),
                                             (unsigned char)(c >> 16), 0};
            if (!out->write(out->ctx, little, sizeof little))
                return false;
        }
        for (size_t rest = width - points; rest; rest -= n) {
            n = oc_min(rest, 64);
            if (!out->write(out->ctx, zero, n * sizeof *zero))
                return false;
        }
    }
    return true;
}
