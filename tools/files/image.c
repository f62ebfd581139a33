/* SPDX-License-Identifier: Apache-2.0
 * image.c - pictures in memory, and who reads which format. */
#include "files/image.h"

#include "common/data.h"
#include "common/limits.h"
#include "files/kind.h"

#include <stdarg.h>

void image_alloc(image *m, size_t cap, const char *where, oc_error *e)
{
    const int64_t pixels = (int64_t)m->width * m->height;
    if (m->width > LIMIT_SIDE || m->height > LIMIT_SIDE || pixels > LIMIT_PIXELS) {
        tool_fail(e, OC_LIMIT, "%s: %d x %d pixels, expected at most %d", where, m->width,
                  m->height, LIMIT_PIXELS);
        return;
    }
    const size_t size = (size_t)pixels * (size_t)m->channels * sizeof *m->sample;
    if (size > cap)
        tool_fail(e, OC_LIMIT, "%s: %d x %d pixels take more than %zu bytes", where, m->width,
                  m->height, cap);
    m->sample = data_alloc(size, where, e);
}

static size_t count_samples(const image *m)
{
    return (size_t)m->width * (size_t)m->height * (size_t)m->channels;
}

unsigned char *image_bytes(const image *m, bool wide)
{
    return (unsigned char *)m->sample + (wide ? 0 : count_samples(m));
}

void image_widen(image *m, bool wide)
{
    const size_t n = count_samples(m);
    /* sample i is written only after byte i has been read */
    const unsigned char *b = image_bytes(m, wide);
    for (size_t i = 0; i < n; i++)
        m->sample[i] = (uint16_t)(wide ? b[2 * i] << 8 | b[2 * i + 1] : b[i]);
}

void image_widen_row(uint16_t *restrict sample, const unsigned char *restrict bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sample[i] = bytes[i];
}

void image_free(image *m)
{
    data_free(m->sample);
    *m = (image){0};
}

void image_make_bytes(image *m)
{
    if (m->white == 255)
        return;
    for (size_t i = 0; i < count_samples(m); i++)
        m->sample[i] >>= 8;
    m->white = 255;
    image_note(m, m, ", samples >> 8");
}

void image_copy(const image *from, image *to, size_t cap, const char *where, oc_error *e)
{
    *to = *from;
    to->sample = NULL;
    image_alloc(to, cap, where, e);
    if (e->code == OC_OK)
        memcpy(to->sample, from->sample, count_samples(from) * sizeof *from->sample);
}

/* NULL: no picture. */
typedef void reader(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                    oc_error *e);
static reader *const readers[] = {
    [KIND_PNG] = image_read_png, [KIND_JPEG] = image_read_jpeg, [KIND_WEBP] = image_read_webp,
    [KIND_GIF] = image_read_gif, [KIND_BMP] = image_read_bmp,   [KIND_PNM] = image_read_pnm,
    [KIND_ZIP] = NULL,
};

void image_read(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                oc_error *e)
{
    *m = (image){0};
    if (e->code != OC_OK)
        return;
    reader *const read = readers[kind_of(bytes, size)];
    if (read)
        read(m, bytes, size, cap, where, e);
    else
        tool_fail(e, OC_FORMAT,
                  "%s: it is %s, expected a picture: PNG, JPEG, WebP, GIF, BMP or PNM", where,
                  kind_told(bytes, size));
    if (e->code == OC_OK)
        m->turn = image_find_turn(bytes, size);
    else
        image_free(m);
}

bool image_can_write(const char *path)
{
    return io_ends_with(path, ".png") || io_ends_with(path, ".jpg") || io_ends_with(path, ".jpeg");
}

void image_write(const image *m, io_file *out, oc_error *e)
{
    if (io_ends_with(out->path, ".png"))
        image_write_png(m, out, e);
    else
        image_write_jpeg(m, IMAGE_QUALITY, out, e);
}

void image_write_file(const image *m, const char *path, oc_error *e)
{
    io_file out;
    if (e->code != OC_OK)
        return;
    io_create(&out, path, e);
    image_write(m, &out, e);
    io_commit(&out, e);
}

void image_note(image *to, const image *from, const char *format, ...)
{
    char text[IMAGE_NOTE];
    int n = from->note[0] ? snprintf(text, sizeof text, "%s", from->note)
                          : snprintf(text, sizeof text, "%d x %d", from->width, from->height);
    va_list args;
    va_start(args, format);
    if (n < IMAGE_NOTE)
        vsnprintf(text + n, sizeof text - (size_t)n, format, args);
    va_end(args);
    memcpy(to->note, text, sizeof text);
}
