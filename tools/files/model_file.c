/* SPDX-License-Identifier: Apache-2.0
 * model_file.c - writes a model in the format that the file's ending tells. */
#include "files/model_file.h"

#include "base/int.h"
#include "files/io.h"
#include "common/json.h"

#include <zlib.h>

typedef struct gzip {
    io_file *file;
    z_stream z;
    unsigned char buffer[1 << 15];
} gzip;

static bool deflate_some(gzip *g, const void *bytes, size_t size, int flush)
{
    int status;
    g->z.next_in = (Bytef *)(uintptr_t)bytes;
    g->z.avail_in = (uInt)size;
    do {
        g->z.next_out = g->buffer;
        g->z.avail_out = sizeof g->buffer;
        status = deflate(&g->z, flush);
        io_put(g->file, g->buffer, sizeof g->buffer - g->z.avail_out);
    } while (g->z.avail_out == 0 || (flush == Z_FINISH && status == Z_OK));
    return (status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR) &&
           g->file->failure == 0;
}

static bool gzip_put(void *ctx, const void *bytes, size_t size)
{
    enum { STEP = 1 << 20 }; /* bytes packed between two looks for a failure or SIGINT */
    const unsigned char *at = bytes;
    bool good = true;
    for (size_t n; size && good; at += n, size -= n) {
        n = oc_min(size, STEP);
        good = deflate_some(ctx, at, n, Z_NO_FLUSH);
    }
    return good;
}

static void write_gzip(const oc_model *m, io_file *f, oc_error *e)
{
    gzip *g = tool_alloc(1, sizeof *g);
    g->file = f;
    const int gzip_header = 16;
    if (deflateInit2(&g->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + gzip_header, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        tool_fail(e, OC_NOMEM, "%s: no memory for gzip", f->path);
    } else {
        const oc_writer out = {gzip_put, g};
        oc_model_save(m, OC_FORMAT_ONNX, &out, e);
        if (e->code == OC_OK && !deflate_some(g, NULL, 0, Z_FINISH))
            tool_fail(e, OC_IO, "%s: it cannot be written", f->path);
        deflateEnd(&g->z);
    }
    free(g);
}

void model_check_path(const char *path, oc_error *e)
{
    if (strcmp(path, "-") != 0 && !io_ends_with(path, ".onnx") && !io_ends_with(path, ".onnxtxt") &&
        !io_ends_with(path, ".onnx.gz"))
        tool_fail(e, OC_ARGUMENT, "%s: unknown ending, expected .onnx, .onnx.gz or .onnxtxt", path);
}

void model_write(const oc_model *m, const char *path, oc_error *e)
{
    io_file f;
    model_check_path(path, e);
    io_create(&f, path, e);
    const oc_writer out = io_writer(&f);
    if (e->code == OC_OK && io_ends_with(path, ".gz"))
        write_gzip(m, &f, e);
    else
        oc_model_save(m, io_ends_with(path, ".onnx") ? OC_FORMAT_ONNX : OC_FORMAT_TEXT, &out, e);
    io_commit(&f, e);
}

/* Reports the remarks of the model, and of the model that it was made of: into j, or as lines
 * that name the path when j is NULL. */
static void say_remarks(const oc_model *from, const oc_model *m, json_writer *j, const char *path)
{
    const oc_model_info d = oc_model_describe(m);
    if (from && from != m)
        say_remarks(NULL, from, j, path);
    for (int i = 0; i < d.n_remarks; i++)
        if (j)
            json_text(j, NULL, d.remarks[i]);
        else
            tool_say("%s: %s", path, d.remarks[i]);
}

int model_written(const oc_model *from, const oc_model *m, const char *in, const char *out,
                  bool json, const oc_error *e)
{
    if (e->code != OC_OK)
        return tool_report(e, json);
    const oc_model_info d = oc_model_describe(m);
    const bool in_json = json && strcmp(out, "-") != 0;
    if (!in_json)
        say_remarks(from, m, NULL, in);
    if (in_json) {
        json_writer j = json_begin(stdout);
        json_object(&j, NULL);
        json_text(&j, "model", in);
        json_text(&j, "output", out);
        json_int(&j, "nodes", d.n_nodes);
        json_int(&j, "functions", d.n_functions);
        json_array(&j, "remarks");
        say_remarks(from, m, &j, in);
        json_close(&j);
        json_close(&j);
        json_end(&j);
    }
    return TOOL_OK;
}
