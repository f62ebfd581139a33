/* SPDX-License-Identifier: Apache-2.0
 * image_png.c - reads and writes PNG files with libpng. */
#include "files/image.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

/* The state of libpng's callbacks. A function that calls setjmp keeps the pointers it must free in
 * here, because after a jump its local variables may have old values. */
typedef struct state {
    const unsigned char *at, *end;
    io_file *out;
    image *m;
    png_bytep *row;
    png_bytep pixels;
    const char *where;
    oc_error *e;
} state;

static void on_error(png_structp png, png_const_charp message)
{
    state *s = png_get_error_ptr(png);
    tool_fail(s->e, OC_FORMAT, "%s: damaged PNG: %s", s->where, message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/* ---- reading ---- */

static void on_read(png_structp png, png_bytep buffer, size_t size)
{
    state *s = png_get_io_ptr(png);
    if (size > (size_t)(s->end - s->at))
        png_error(png, "it is cut off");
    memcpy(buffer, s->at, size);
    s->at += size;
}

/* Makes libpng convert to samples of 8 or 16 bits, without a palette. */
static void ask_for_samples(png_structp png, png_infop info)
{
    if (png_get_color_type(png, info) == PNG_COLOR_TYPE_PALETTE)
        png_set_palette_to_rgb(png);
    if (png_get_color_type(png, info) == PNG_COLOR_TYPE_GRAY && png_get_bit_depth(png, info) < 8)
        png_set_expand_gray_1_2_4_to_8(png);
    if (png_get_valid(png, info, PNG_INFO_tRNS))
        png_set_tRNS_to_alpha(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
}

static void to_samples(const state *s, bool wide)
{
    const size_t n = (size_t)s->m->width * (size_t)s->m->height * (size_t)s->m->channels;
    const png_bytep b = s->pixels;
    for (size_t i = 0; i < n; i++)
        s->m->sample[i] = (uint16_t)(wide ? b[2 * i] << 8 | b[2 * i + 1] : b[i]);
}

static void read_pixels(png_structp png, png_infop info, state *s, size_t cap)
{
    image *m = s->m;
    png_read_info(png, info);
    const png_uint_32 width = png_get_image_width(png, info);
    const png_uint_32 height = png_get_image_height(png, info);
    if ((size_t)width * height > cap / 2) {
        tool_fail(s->e, OC_LIMIT, "%s: %u x %u pixels take more than %zu bytes", s->where,
                  (unsigned)width, (unsigned)height, cap);
        return;
    }
    ask_for_samples(png, info);
    const bool wide = png_get_bit_depth(png, info) == 16;
    *m = (image){.width = (int)width,
                 .height = (int)height,
                 .channels = png_get_channels(png, info),
                 .white = wide ? 65535 : 255};
    image_alloc(m, cap, s->where, s->e);
    const size_t row_size = png_get_rowbytes(png, info);
    s->pixels = tool_data_alloc(row_size * height, s->where, s->e);
    s->row = tool_data_alloc(height * sizeof *s->row, s->where, s->e);
    if (s->e->code != OC_OK)
        return;
    for (size_t y = 0; y < height; y++)
        s->row[y] = s->pixels + y * row_size;
    png_read_image(png, s->row);
    png_read_end(png, NULL);
    to_samples(s, wide);
}

void image_read_png(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                    oc_error *e)
{
    state s = {
        .at = bytes, .end = (const unsigned char *)bytes + size, .m = m, .where = where, .e = e};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &s, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info) {
        tool_fail(e, OC_NOMEM, "%s: no memory for the PNG reader", where);
    } else if (setjmp(png_jmpbuf(png)) == 0) {
        png_set_user_limits(png, 1 << 24, 1 << 24);
        png_set_chunk_malloc_max(png, 1 << 24);
        png_set_chunk_cache_max(png, 64);
        png_set_read_fn(png, &s, on_read);
        read_pixels(png, info, &s, cap);
    }
    free(s.row);
    free(s.pixels);
    png_destroy_read_struct(&png, &info, NULL);
}

/* ---- writing ---- */

static void on_write(png_structp png, png_bytep bytes, size_t size)
{
    state *s = png_get_io_ptr(png);
    io_put(s->out, bytes, size);
    if (s->out->failure)
        png_error(png, "it cannot be written");
}

static void on_flush(png_structp png)
{
    (void)png;
}

static void write_pixels(png_structp png, png_infop info, const state *s, const image *m)
{
    static const int colours[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                                  PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
    const size_t n = (size_t)m->width * (size_t)m->channels;
    const bool wide = m->white != 255;
    png_set_IHDR(png, info, (png_uint_32)m->width, (png_uint_32)m->height, wide ? 16 : 8,
                 colours[m->channels], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int y = 0; y < m->height; y++) {
        const uint16_t *sample = m->sample + (size_t)y * n;
        for (size_t i = 0; i < n; i++) {
            s->pixels[wide ? 2 * i : i] = (png_byte)(wide ? sample[i] >> 8 : sample[i]);
            if (wide)
                s->pixels[2 * i + 1] = (png_byte)sample[i];
        }
        png_write_row(png, s->pixels);
    }
    png_write_end(png, info);
}

void image_write_png(const image *m, io_file *out, oc_error *e)
{
    state s = {.out = out, .where = out->path ? out->path : "PNG", .e = e};
    if (e->code != OC_OK)
        return;
    s.pixels = tool_data_alloc(2 * (size_t)m->width * (size_t)m->channels, s.where, e);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &s, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info) {
        tool_fail(e, OC_NOMEM, "%s: no memory for the PNG writer", s.where);
    } else if (s.pixels && setjmp(png_jmpbuf(png)) == 0) {
        png_set_write_fn(png, &s, on_write, on_flush);
        write_pixels(png, info, &s, m);
    }
    free(s.pixels);
    png_destroy_write_struct(&png, &info);
}
