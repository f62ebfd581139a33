/* SPDX-License-Identifier: Apache-2.0
 * image_turn.c - finds in a file's Exif data which way up its picture is, and turns it. */
#include "files/image.h"

#include "common/data.h"
#include "common/signals.h"

typedef struct span {
    const unsigned char *at;
    size_t size;
} span;

/* ---- the orientation in Exif data ---- */

static uint32_t number(const unsigned char *at, int size, bool big)
{
    uint32_t n = 0;
    for (int i = 0; i < size; i++)
        n = n << 8 | at[big ? i : size - 1 - i];
    return n;
}

/* Returns the orientation; 0 when the data do not tell it. Exif data are a TIFF file: the order
 * of bytes, the place of the first folder, and there entries of 12 bytes, each a tag, a type, a
 * count, and a value. */
static int orientation(span s)
{
    enum { TAG = 0x0112, SHORT = 3, HEAD = 8, ENTRY = 12 };
    if (s.size >= 6 && memcmp(s.at, "Exif\0\0", 6) == 0)
        s = (span){s.at + 6, s.size - 6};
    if (s.size < HEAD || (memcmp(s.at, "II*\0", 4) != 0 && memcmp(s.at, "MM\0*", 4) != 0))
        return 0;
    const bool big = s.at[0] == 'M';
    const size_t folder = number(s.at + 4, 4, big);
    if (folder > s.size - 2)
        return 0;
    const size_t left = (s.size - folder - 2) / ENTRY, wanted = number(s.at + folder, 2, big);
    const unsigned char *entry = s.at + folder + 2;
    for (size_t i = 0; i < wanted && i < left; i++, entry += ENTRY) {
        if (number(entry, 2, big) != TAG)
            continue;
        const uint32_t value = number(entry + 8, 2, big);
        return number(entry + 2, 2, big) == SHORT && value >= 1 && value <= 8 ? (int)value : 0;
    }
    return 0;
}

/* ---- where a file keeps its Exif data; a span of size 0 when it has none ---- */

/* Segments come before the picture: 0xff, a kind, then two bytes of size, which include these
 * two. */
static span find_in_jpeg(span f)
{
    enum { APP1 = 0xe1, SCAN = 0xda };
    size_t at = 2;
    while (f.size - at >= 4 && f.at[at] == 0xff && f.at[at + 1] != SCAN) {
        if (f.at[at + 1] == 0xff) { /* skips a byte of padding */
            at++;
            continue;
        }
        const size_t size = number(f.at + at + 2, 2, true), left = f.size - at - 2;
        if (size < 2 || size > left)
            break;
        const span segment = {f.at + at + 4, size - 2};
        if (f.at[at + 1] == APP1 && segment.size >= 6 && memcmp(segment.at, "Exif\0\0", 6) == 0)
            return segment;
        at += 2 + size;
    }
    return (span){NULL, 0};
}

/* The chunks of a PNG (big) have a size, a name, bytes and a checksum. Those of a WebP have a
 * name, a size, and bytes padded to an even number. */
static span find_in_chunks(span f, bool big)
{
    size_t at = big ? 8 : 12;
    while (f.size >= at && f.size - at >= 8) {
        const unsigned char *head = f.at + at;
        const size_t size = number(head + (big ? 0 : 4), 4, big), left = f.size - at - 8;
        if (size > left)
            break;
        if (memcmp(head + (big ? 4 : 0), big ? "eXIf" : "EXIF", 4) == 0)
            return (span){head + 8, size};
        const size_t rest = left - size, after = big ? 4 : size % 2;
        if (after > rest)
            break;
        at += 8 + size + after;
    }
    return (span){NULL, 0};
}

int image_find_turn(const void *bytes, size_t size)
{
    const span f = {bytes, size};
    if (size >= 8 && memcmp(bytes, "\x89PNG", 4) == 0)
        return orientation(find_in_chunks(f, true));
    if (size >= 12 && memcmp(bytes, "RIFF", 4) == 0)
        return orientation(find_in_chunks(f, false));
    if (size >= 4 && f.at[0] == 0xff && f.at[1] == 0xd8)
        return orientation(find_in_jpeg(f));
    return 0;
}

/* ---- turning ---- */

void image_turn(image *m, size_t cap, const char *where, oc_error *e)
{
    static const char *const names[] = {
        "mirrored",
        "turned by 180 degrees",
        "mirrored top down",
        "mirrored and turned by 270 degrees",
        "turned by 90 degrees",
        "mirrored and turned by 90 degrees",
        "turned by 270 degrees",
    };
    const int turn = m->turn;
    if (e->code != OC_OK || turn < 2)
        return;
    const bool lies = turn >= 5, mirror_x = strchr("\2\3\7\x8", turn),
               mirror_y = strchr("\3\4\6\7", turn);
    image to = *m;
    to.width = lies ? m->height : m->width;
    to.height = lies ? m->width : m->height;
    to.turn = 1;
    to.sample = NULL;
    image_note(&to, m, ", %s", names[turn - 2]);
    image_alloc(&to, cap, where, e);
    if (e->code != OC_OK)
        return;
    const size_t channels = (size_t)m->channels;
    uint16_t *out = to.sample;
    for (int y = 0; y < to.height && !signals_cancelled(NULL); y++)
        for (int x = 0; x < to.width; x++, out += channels) {
            const int u = lies ? y : x, v = lies ? x : y;
            const size_t column = (size_t)(mirror_x ? m->width - 1 - u : u);
            const size_t row = (size_t)(mirror_y ? m->height - 1 - v : v);
            const uint16_t *pixel = m->sample + (row * (size_t)m->width + column) * channels;
            memcpy(out, pixel, channels * sizeof *out);
        }
    if (signals_cancelled(NULL))
        tool_fail(e, OC_CANCELLED, "%s: cancelled", where);
    data_free(m->sample);
    *m = to;
}
