/* SPDX-License-Identifier: Apache-2.0
 * image_png.c - reads and writes PNG files with libpng, if the build has it. */
#include "files/image.h"

#ifdef TOOLS_PNG

#include "common/data.h"
#include "common/limits.h"
#include "common/signals.h"

#include <png.h>
#include <string.h>

/* The state of libpng's callbacks. A function that calls setjmp keeps the pointers it must free in
 * here, because after a jump its local variables may have old values. */
typedef struct state {
    const unsigned char *at, *end;
    io_file *out;
    image *m;
    png_bytep *row;   /* when reading: the rows of the picture */
    png_bytep pixels; /* when writing: one row */
    size_t refused;   /* bytes that libpng asked for and did not get */
    const char *where;
    oc_error *e;
} state;

static void on_error(png_structp png, png_const_charp message)
{
    state *s = png_get_error_ptr(png);
    if (s->refused)
        data_fail(s->refused, s->where, s->e);
    tool_fail(s->e, OC_FORMAT, "%s: damaged PNG: %s", s->where, message);
    png_longjmp(png, 1);
}

static void on_warning(OC_UNUSED png_structp png, OC_UNUSED png_const_charp message) {}

/* ---- reading ---- */

static png_voidp on_alloc(png_structp png, png_alloc_size_t size)
{
    state *s = png_get_mem_ptr(png);
    void *block = data_resize(NULL, size);
    s->refused = block ? 0 : size;
    return block;
}

static void on_free(OC_UNUSED png_structp png, png_voidp block)
{
    data_free(block);
}

static void on_read(png_structp png, png_bytep buffer, size_t size)
{
    state *s = png_get_io_ptr(png);
    if (size > (size_t)(s->end - s->at))
        png_error(png, "it is cut off");
    memcpy(buffer, s->at, size);
    s->at += size;
}

static void on_row(png_structp png, png_uint_32 row, int pass)
{
    state *s = png_get_error_ptr(png);
    (void)row, (void)pass;
    if (!signals_cancelled(NULL))
        return;
    tool_fail(s->e, OC_CANCELLED, "%s: cancelled", s->where);
    png_longjmp(png, 1);
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

static void read_pixels(png_structp png, png_infop info, state *s, size_t cap)
{
    image *m = s->m;
    png_read_info(png, info);
    ask_for_samples(png, info);
    const bool wide = png_get_bit_depth(png, info) == 16;
    *m = (image){.width = (int)png_get_image_width(png, info),
                 .height = (int)png_get_image_height(png, info),
                 .channels = png_get_channels(png, info),
                 .white = wide ? 65535 : 255};
    image_alloc(m, cap, s->where, s->e);
    const size_t height = (size_t)m->height;
    s->row = data_alloc(height * sizeof *s->row, s->where, s->e);
    if (s->e->code != OC_OK)
        return;
    unsigned char *bytes = image_bytes(m, wide);
    const size_t row_size = png_get_rowbytes(png, info);
    for (size_t y = 0; y < height; y++)
        s->row[y] = bytes + y * row_size;
    png_read_image(png, s->row);
    png_read_end(png, NULL);
    image_widen(m, wide);
}

void image_read_png(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                    oc_error *e)
{
    state s = {
        .at = bytes, .end = (const unsigned char *)bytes + size, .m = m, .where = where, .e = e};
    png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &s, on_error, on_warning, &s,
                                               on_alloc, on_free);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info) {
        data_fail(s.refused, where, e);
    } else if (setjmp(png_jmpbuf(png)) == 0) {
        png_set_user_limits(png, LIMIT_SIDE, LIMIT_SIDE);
        png_set_chunk_malloc_max(png, 1 << 24);
        png_set_chunk_cache_max(png, 64);
        png_set_read_fn(png, &s, on_read);
        png_set_read_status_fn(png, on_row);
        read_pixels(png, info, &s, cap);
    }
    data_free(s.row);
    png_destroy_read_struct(&png, &info, NULL);
}

/* ---- writing ---- */

static void on_write(png_structp png, png_bytep bytes, size_t size)
{
    state *s = png_get_io_ptr(png);
    io_put(s->out, bytes, size);
    if (s->out->failure) {
        tool_fail(s->e, OC_IO, "%s: it cannot be written", s->where);
        png_longjmp(png, 1);
    }
}

static void on_flush(OC_UNUSED png_structp png) {}

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
    s.pixels = data_alloc(2 * (size_t)m->width * (size_t)m->channels, s.where, e);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &s, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info) {
        tool_fail(e, OC_NOMEM, "%s: no memory for the PNG writer", s.where);
    } else if (s.pixels && setjmp(png_jmpbuf(png)) == 0) {
        png_set_write_fn(png, &s, on_write, on_flush);
        write_pixels(png, info, &s, m);
    }
    data_free(s.pixels);
    png_destroy_write_struct(&png, &info);
}

#else

void image_read_png(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                    oc_error *e)
{
    (void)m, (void)bytes, (void)size, (void)cap;
    tool_fail(e, OC_UNSUPPORTED, "%s: this build reads no PNG pictures", where);
}

void image_write_png(OC_UNUSED const image *m, io_file *out, oc_error *e)
{
    tool_fail(e, OC_UNSUPPORTED, "%s: this build writes no PNG pictures",
              out->path ? out->path : "PNG");
}

#endif
