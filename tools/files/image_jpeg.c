/* SPDX-License-Identifier: Apache-2.0
 * image_jpeg.c - reads and writes JPEG files with libjpeg, if the build has it. */
#include "files/image.h"

#ifdef TOOLS_JPEG

#include "common/data.h"
#include "common/limits.h"
#include "common/signals.h"

#include <limits.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>

enum { BUFFER = 1 << 14 };

/* The state of the callbacks. The library's own struct is the first member, so that a pointer to it
 * can be cast to a pointer to the whole. */
typedef struct errors {
    struct jpeg_error_mgr base;
    jmp_buf back;
    const char *where;
    oc_error *e;
} errors;

typedef struct target {
    struct jpeg_destination_mgr base;
    io_file *out;
    JOCTET buffer[BUFFER];
} target;

static void on_exit(j_common_ptr jpeg)
{
    errors *s = (errors *)jpeg->err;
    char message[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, message);
    const bool memory =
        jpeg->err->msg_code == JERR_NO_BACKING_STORE || jpeg->err->msg_code == JERR_OUT_OF_MEMORY;
    tool_fail(s->e, memory ? OC_LIMIT : OC_FORMAT, "%s: %s: %s", s->where,
              memory ? "the JPEG takes too much memory" : "damaged JPEG", message);
    longjmp(s->back, 1);
}

/* Treats a warning as damage, except for three defects that many cameras write. */
static void on_message(j_common_ptr jpeg, int level)
{
    if (level < 0 && jpeg->err->msg_code != JWRN_EXTRANEOUS_DATA &&
        jpeg->err->msg_code != JWRN_ADOBE_XFORM && jpeg->err->msg_code != JWRN_JFIF_MAJOR)
        on_exit(jpeg);
}

/* Stops pictures with very many scans: a small file could make decoding seem endless. */
static void on_progress(j_common_ptr jpeg)
{
    errors *s = (errors *)jpeg->err;
    if (signals_cancelled(NULL))
        tool_fail(s->e, OC_CANCELLED, "%s: cancelled", s->where);
    else if (((j_decompress_ptr)jpeg)->input_scan_number > LIMIT_SCANS)
        tool_fail(s->e, OC_LIMIT, "%s: more than %d scans", s->where, LIMIT_SCANS);
    else
        return;
    longjmp(s->back, 1);
}

static void set_errors(errors *s, const char *where, oc_error *e)
{
    jpeg_std_error(&s->base);
    s->base.error_exit = on_exit;
    s->base.emit_message = on_message;
    s->where = where;
    s->e = e;
}

/* ---- reading ---- */

/* What is printed for a pixel is stored as the paper that is left, as Adobe's programs write it and
 * all others after them: 255 is none of an ink. Each colour is what its own ink and black leave, as
 * OpenCV computes it. */
static void put_print(const JSAMPLE *inks, int width, uint16_t *out)
{
    for (int x = 0; x < width; x++, inks += 4)
        for (int c = 0; c < 3; c++)
            *out++ = (uint16_t)(inks[3] - ((255 - inks[c]) * inks[3] >> 8));
}

static void read_pixels(j_decompress_ptr jpeg, image *m, size_t cap, JSAMPLE **row)
{
    const errors *s = (const errors *)jpeg->err;
    jpeg_read_header(jpeg, TRUE);
    const bool is_print = jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK;
    jpeg->out_color_space = is_print                    ? JCS_CMYK
                            : jpeg->num_components == 1 ? JCS_GRAYSCALE
                                                        : JCS_RGB;
    jpeg->dct_method = JDCT_ISLOW;
    *m = (image){.width = (int)jpeg->image_width,
                 .height = (int)jpeg->image_height,
                 .channels = jpeg->num_components == 1 ? 1 : 3,
                 .white = 255};
    image_alloc(m, cap, s->where, s->e);
    const size_t n = (size_t)m->width * (size_t)m->channels;
    *row = data_alloc(is_print ? 4 * (size_t)m->width : n, s->where, s->e);
    if (s->e->code != OC_OK)
        return;
    /* limits what the library keeps for pictures in several scans */
    const size_t left = data_left();
    jpeg->mem->max_memory_to_use = left > LONG_MAX ? LONG_MAX : left ? (long)left : 1;
    jpeg_start_decompress(jpeg);
    for (uint16_t *out = m->sample; jpeg->output_scanline < jpeg->output_height; out += n) {
        jpeg_read_scanlines(jpeg, row, 1);
        if (is_print)
            put_print(*row, m->width, out);
        else
            image_widen_row(out, *row, n);
    }
    jpeg_finish_decompress(jpeg);
}

void image_read_jpeg(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                     oc_error *e)
{
    errors s;
    struct jpeg_decompress_struct jpeg = {0};
    struct jpeg_progress_mgr progress = {.progress_monitor = on_progress};
    JSAMPLE **row = tool_alloc(1, sizeof *row); /* on the heap: longjmp may lose a local variable */
    set_errors(&s, where, e);
    jpeg.err = &s.base;
    if (setjmp(s.back) == 0) {
        jpeg_create_decompress(&jpeg);
        jpeg.progress = &progress;
        jpeg_mem_src(&jpeg, bytes, (unsigned long)size);
        read_pixels(&jpeg, m, cap, row);
    }
    jpeg_destroy_decompress(&jpeg);
    data_free(*row);
    free(row);
}

/* ---- writing ---- */

static void on_begin(j_compress_ptr jpeg)
{
    target *t = (target *)jpeg->dest;
    t->base.next_output_byte = t->buffer;
    t->base.free_in_buffer = BUFFER;
}

static boolean on_full(j_compress_ptr jpeg)
{
    target *t = (target *)jpeg->dest;
    io_put(t->out, t->buffer, BUFFER);
    on_begin(jpeg);
    return TRUE;
}

static void on_end(j_compress_ptr jpeg)
{
    target *t = (target *)jpeg->dest;
    io_put(t->out, t->buffer, BUFFER - t->base.free_in_buffer);
}

static void write_pixels(j_compress_ptr jpeg, const image *m, int quality, JSAMPLE *row)
{
    const int channels = m->channels < 3 ? 1 : 3; /* JPEG has no alpha */
    jpeg->image_width = (JDIMENSION)m->width;
    jpeg->image_height = (JDIMENSION)m->height;
    jpeg->input_components = channels;
    jpeg->in_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(jpeg);
    jpeg_set_quality(jpeg, quality, TRUE);
    jpeg_start_compress(jpeg, TRUE);
    const uint16_t *pixel = m->sample;
    for (int y = 0; y < m->height; y++) {
        if (signals_cancelled(NULL)) {
            const errors *s = (const errors *)jpeg->err;
            tool_fail(s->e, OC_CANCELLED, "%s: cancelled", s->where);
            return;
        }
        for (int x = 0; x < m->width; x++, pixel += m->channels)
            for (int c = 0; c < channels; c++)
                row[x * channels + c] =
                    (JSAMPLE)(m->white == 255 ? pixel[c] : (pixel[c] + 128) / 257);
        jpeg_write_scanlines(jpeg, &row, 1);
    }
    jpeg_finish_compress(jpeg);
}

void image_write_jpeg(const image *m, int quality, io_file *out, oc_error *e)
{
    errors s;
    struct jpeg_compress_struct jpeg = {0};
    if (e->code != OC_OK)
        return;
    const char *where = out->path ? out->path : "JPEG";
    JSAMPLE *const row = data_alloc(3 * (size_t)m->width, where, e);
    target *const t = data_alloc(sizeof *t, where, e);
    if (t) {
        *t = (target){.base = {.init_destination = on_begin,
                               .empty_output_buffer = on_full,
                               .term_destination = on_end},
                      .out = out};
        set_errors(&s, where, e);
        jpeg.err = &s.base;
        if (setjmp(s.back) == 0) {
            jpeg_create_compress(&jpeg);
            jpeg.dest = &t->base;
            write_pixels(&jpeg, m, quality, row);
        }
        jpeg_destroy_compress(&jpeg);
    }
    data_free(t);
    data_free(row);
}

#else

void image_read_jpeg(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                     oc_error *e)
{
    (void)m, (void)bytes, (void)size, (void)cap;
    tool_fail(e, OC_UNSUPPORTED, "%s: this build reads no JPEG pictures", where);
}

void image_write_jpeg(const image *m, int quality, io_file *out, oc_error *e)
{
    (void)m, (void)quality;
    tool_fail(e, OC_UNSUPPORTED, "%s: this build writes no JPEG pictures",
              out->path ? out->path : "JPEG");
}

#endif
