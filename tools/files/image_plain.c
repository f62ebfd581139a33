/* SPDX-License-Identifier: Apache-2.0
 * image_plain.c - reads uncompressed pictures: BMP, and PBM, PGM, PPM (PNM), and writes PGM and
 * PPM. */
#include "files/image.h"

#include "common/data.h"
#include "common/limits.h"
#include "common/signals.h"

/* ---- BMP */

static uint32_t little(const uint8_t *p, int n)
{
    uint32_t value = 0;
    for (int i = n - 1; i >= 0; i--)
        value = value << 8 | p[i];
    return value;
}

/* The fields of the header that matter, and where pixels and palette are. */
typedef struct bmp {
    const uint8_t *pixels, *palette;
    int bits, colours;
    bool from_top;
    size_t stride; /* bytes of a row */
} bmp;

static bool read_bmp_header(const uint8_t *p, size_t size, image *m, bmp *b)
{
    if (size < 54 || little(p + 14, 4) < 40 || little(p + 14, 4) > size - 14)
        return false;
    const uint32_t at = little(p + 10, 4), header = little(p + 14, 4), form = little(p + 30, 4);
    const int32_t width = (int32_t)little(p + 18, 4), height = (int32_t)little(p + 22, 4);
    b->bits = (int)little(p + 28, 2);
    b->from_top = height < 0;
    if (width < 1 || width > LIMIT_SIDE || height == 0 || height < -LIMIT_SIDE ||
        height > LIMIT_SIDE)
        return false;
    if ((b->bits != 8 && b->bits != 24 && b->bits != 32) ||
        (form != 0 && !(form == 3 && b->bits == 32)))
        return false;
    *m = (image){
        .width = width, .height = b->from_top ? -height : height, .channels = 3, .white = 255};
    b->stride = ((size_t)width * (size_t)b->bits + 31) / 32 * 4;
    b->colours = b->bits != 8 ? 0 : little(p + 46, 4) ? (int)(little(p + 46, 4) & 0x1ff) : 256;
    b->palette = p + 14 + header;
    b->pixels = p + at;
    return at <= size && (size - at) / b->stride >= (size_t)m->height && b->colours <= 256 &&
           (size_t)b->colours * 4 <= size - 14 - header;
}

void image_read_bmp(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                    oc_error *e)
{
    bmp b;
    if (!read_bmp_header(bytes, size, m, &b)) {
        tool_fail(e, OC_FORMAT, "%s: a damaged BMP, or one of another form than 8, 24 or 32 bits",
                  where);
        return;
    }
    image_alloc(m, cap, where, e);
    if (e->code != OC_OK)
        return;
    uint16_t *out = m->sample;
    for (int y = 0; y < m->height && !signals_cancelled(NULL); y++) {
        const uint8_t *row = b.pixels + b.stride * (size_t)(b.from_top ? y : m->height - 1 - y);
        for (int x = 0; x < m->width; x++, out += 3) {
            static const uint8_t black[4] = {0};
            const uint8_t *pixel = b.bits != 8          ? row + x * (b.bits / 8)
                                   : row[x] < b.colours ? b.palette + 4 * row[x]
                                                        : black;
            for (int c = 0; c < 3; c++)
                out[c] = pixel[2 - c];
        }
    }
    if (signals_cancelled(NULL))
        tool_fail(e, OC_CANCELLED, "%s: cancelled", where);
}

/* ---- PNM */

typedef struct reader {
    const uint8_t *at, *end;
    bool is_cut_off; /* true: more was asked for than there is */
} reader;

static bool ends_before(reader *r, int n)
{
    r->is_cut_off = r->end - r->at < n;
    return r->is_cut_off;
}

static void report_pnm(const reader *r, const char *where, oc_error *e)
{
    tool_fail(e, OC_FORMAT, "%s: damaged PNM%s", where, r->is_cut_off ? ": it is cut off" : "");
}

static void skip_space(reader *r)
{
    while (r->at < r->end && (strchr(" \t\n\v\f\r", *r->at) || *r->at == '#') && *r->at)
        if (*r->at++ == '#')
            while (r->at < r->end && *r->at != '\n')
                r->at++;
}

/* Reads the next number, at most `most`. Returns -1 when there is none. */
static int read_number(reader *r, int most)
{
    int value = 0;
    skip_space(r);
    if (ends_before(r, 1) || *r->at < '0' || *r->at > '9')
        return -1;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
        value = value * 10 + (*r->at - '0');
        if (value > most)
            return -1;
    }
    return value;
}

/* Returns the next sample as a number of 0 to white; -1 when there is none. bit counts the bits
 * of a row. */
static int read_sample(reader *r, int form, int white, int *bit)
{
    if (form == 1) { /* digits need no blanks between them */
        skip_space(r);
        return !ends_before(r, 1) && (*r->at == '0' || *r->at == '1') ? *r->at++ == '0' : -1;
    }
    if (form < 4)
        return read_number(r, white);
    const int n = white > 255 ? 2 : 1;
    if (ends_before(r, n))
        return -1;
    if (form == 4) {
        const int value = *r->at >> (7 - *bit) & 1;
        *bit = (*bit + 1) & 7;
        r->at += *bit == 0;
        return !value;
    }
    const int value = n == 2 ? r->at[0] << 8 | r->at[1] : r->at[0];
    r->at += n;
    return value <= white ? value : -1;
}

static bool read_samples(reader *r, image *m, int form, int white)
{
    uint16_t *out = m->sample;
    for (int y = 0; y < m->height && !signals_cancelled(NULL); y++) {
        int bit = 0;
        for (int x = 0; x < m->width * m->channels; x++) {
            const int value = read_sample(r, form, white, &bit);
            if (value < 0)
                return false;
            *out++ = (uint16_t)((value * (int64_t)m->white + white / 2) / white);
        }
        r->at += bit != 0;
    }
    return true;
}

/* As read_samples, for bytes that are samples. */
static bool read_bytes(reader *r, image *m)
{
    const size_t n = (size_t)m->width * (size_t)m->height * (size_t)m->channels;
    r->is_cut_off = (size_t)(r->end - r->at) < n;
    for (size_t i = 0; i < n && !r->is_cut_off; i++)
        m->sample[i] = r->at[i];
    r->at += r->is_cut_off ? 0 : n;
    return !r->is_cut_off;
}

/* Does another picture follow, as in a stream of pictures? */
static bool has_next(reader *r)
{
    while (r->at < r->end && strchr(" \t\n\v\f\r", *r->at) && *r->at)
        r->at++;
    return r->end - r->at > 2 && r->at[0] == 'P' && r->at[1] >= '1' && r->at[1] <= '7';
}

/* Reads what is before the samples, but for the blank that ends it where bytes follow. */
static bool read_pnm_header(reader *r, image *m, int *form, int *white)
{
    *form = r->at[1] - '0';
    r->at += 2;
    const int width = read_number(r, LIMIT_SIDE);
    const int height = width < 1 ? -1 : read_number(r, LIMIT_SIDE);
    *white = height < 1 ? -1 : *form == 1 || *form == 4 ? 1 : read_number(r, 65535);
    *m = (image){.width = width,
                 .height = height,
                 .channels = *form % 3 == 0 ? 3 : 1,
                 .white = *white > 255 ? 65535 : 255};
    return *white >= 1;
}

uint64_t image_pnm_size(const void *bytes, size_t size, const char *where, oc_error *e)
{
    reader r = {.at = bytes, .end = (const uint8_t *)bytes + size};
    image m;
    int form, white;
    const bool whole = read_pnm_header(&r, &m, &form, &white);
    if (r.is_cut_off || r.at == r.end) /* the last number may go on */
        return 0;
    if (!whole) {
        report_pnm(&r, where, e);
        return 0;
    }
    const uint64_t samples = (uint64_t)m.width * (uint64_t)m.channels;
    const uint64_t row = form == 4 ? (samples + 7) / 8 : white > 255 ? 2 * samples : samples;
    return (uint64_t)(r.at + 1 - (const uint8_t *)bytes) + row * (uint64_t)m.height;
}

void image_read_pnm(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                    oc_error *e)
{
    reader r = {.at = bytes, .end = (const uint8_t *)bytes + size};
    int form, white;
    if (!read_pnm_header(&r, m, &form, &white)) {
        report_pnm(&r, where, e);
        return;
    }
    r.at += form > 3 && r.at < r.end; /* one blank ends the header */
    image_alloc(m, cap, where, e);
    if (e->code == OC_OK &&
        !(form > 4 && white == 255 ? read_bytes(&r, m) : read_samples(&r, m, form, white)))
        report_pnm(&r, where, e);
    if (e->code == OC_OK && has_next(&r))
        tool_fail(e, OC_FORMAT, "%s: another picture follows the first, expected one in a file",
                  where);
    if (signals_cancelled(NULL))
        tool_fail(e, OC_CANCELLED, "%s: cancelled", where);
}

void image_write_pnm(const image *m, io_file *out, oc_error *e)
{
    const size_t channels = m->channels < 3 ? 1 : 3, n = (size_t)m->width * channels;
    if (e->code != OC_OK)
        return;
    char *head = tool_format("P%d\n%d %d\n255\n", channels == 1 ? 5 : 6, m->width, m->height);
    uint8_t *row = data_alloc(n, out->path ? out->path : "PNM", e);
    if (row)
        io_put(out, head, strlen(head));
    const uint16_t *pixel = m->sample;
    for (int y = 0; y < m->height && row; y++) {
        for (size_t i = 0; i < n; i += channels, pixel += m->channels)
            for (size_t c = 0; c < channels; c++)
                row[i + c] = (uint8_t)(m->white == 255 ? pixel[c] : (pixel[c] + 128) / 257);
        io_put(out, row, n);
    }
    data_free(row);
    free(head);
}
