/* SPDX-License-Identifier: Apache-2.0
 * test_file.c - where models come from, and what their bytes are taken for. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#define _POSIX_C_SOURCE 200809L
#include "wire.h"

#include "base/limits.h"
#include "graph/build.h"
#include "loader/loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char text_model[] = "<ir_version: 8, opset_import: [\"\" : 13]> g () => () {}";

static oc_model *new_model(size_t cap)
{
    oc_error e = {0};
    oc_model *m = NULL;
    ck_assert_int_eq(oc_model_new(&(oc_model_options){.limits.memory_cap = cap}, &m, &e), OC_OK);
    return m;
}

/* ---- what bytes are ---- */

static void loads(const void *bytes, size_t size, const char *name)
{
    oc_error e = {0};
    oc_model *m = new_model(0);
    oc_load_bytes(m, bytes, size, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_str_eq(m->graph.name, name);
    oc_model_free(m);
}

static void fails(const void *bytes, size_t size, const char *part)
{
    oc_error e = {0};
    oc_model *m = new_model(0);
    oc_load_bytes(m, bytes, size, &e);
    ck_assert_msg(e.code == OC_FORMAT && strstr(e.text, part), "'%s', expected '%s'", e.text, part);
    oc_model_free(m);
}

START_TEST(text_is_told_from_binary)
{
    char text[300];
    static const char *const fronts[] = {"", "\xef\xbb\xbf", "# a\n", "\n", " ", "\t", "\r\n"};
    for (size_t i = 0; i < sizeof fronts / sizeof *fronts; i++) {
        const int size = snprintf(text, sizeof text, "%s%s", fronts[i], text_model);
        loads(text, (size_t)size, "g");
    }
    static const char *const names[] = {"Bread", "re", "\"main\"", "r", "\"", "B\n\n"};
    for (size_t i = 0; i < 3; i++) { /* printable bytes that are field keys too */
        const int size =
            snprintf(text, sizeof text, "%s\n(float[1] a) => (a) { } # %0150d", names[i], 0);
        oc_error e = {0};
        oc_model *m = new_model(0);
        oc_load_bytes(m, text, (size_t)size, &e);
        ck_assert_msg(e.code == OC_OK, "%s", e.text);
        oc_model_free(m);
    }
    for (size_t i = 3; i < sizeof names / sizeof *names; i++)
        fails(names[i], strlen(names[i]), "line ");
    fails("", 0, "the model is empty");
    fails("Hello, world", 12, "line 1, column 6");
    fails("\x08\x08", 2, "no graph");
    fails("\x7f"
          "EEF\2\1\1\0",
          8, "byte");
}
END_TEST

/* Any field may come first, with a length that is a printable character too. */
START_TEST(binary_models_may_begin_with_any_field)
{
    static const unsigned texts[] = {2, 3, 4, 6};
    char long_text[101];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        wire g = {0}, w = {0};
        wire_text(&g, 2, "binary");
        wire_text(&w, texts[i], long_text);
        wire_message(&w, 7, &g);
        loads(w.bytes, w.size, "binary");
        wire_free(&w);
    }
    static const unsigned messages[] = {7, 8, 14};
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        wire g = {0}, w = {0}, first = {0};
        wire_text(&first, messages[i] == 7 ? 10 : 1, long_text);
        if (messages[i] == 7)
            wire_text(&first, 2, "binary");
        wire_message(&w, messages[i], &first);
        wire_text(&g, 2, "binary");
        if (messages[i] != 7)
            wire_message(&w, 7, &g);
        loads(w.bytes, w.size, "binary");
        wire_free(&w);
        wire_free(&g);
    }
    wire g = {0}, w = {0};
    wire_int(&w, 5, 'x'); /* model_version */
    wire_text(&g, 2, "binary");
    wire_message(&w, 7, &g);
    loads(w.bytes, w.size, "binary");
    wire_free(&w);
}
END_TEST

/* ---- streams ---- */

typedef struct source {
    const char *bytes;
    size_t size, step;
    int calls;
    bool broken;
} source;

static size_t read_source(void *ctx, void *buffer, size_t size)
{
    source *s = ctx;
    if (s->broken && ++s->calls > 2)
        return (size_t)-1;
    size_t n = s->step < size ? s->step : size;
    if (n > s->size)
        n = s->size;
    memcpy(buffer, s->bytes, n);
    s->bytes += n;
    s->size -= n;
    return n;
}

START_TEST(streams_are_read_to_their_end)
{
    const size_t size = 200000;
    char *text = malloc(size);
    memset(text, ' ', size);
    memcpy(text + size - sizeof text_model + 1, text_model, sizeof text_model - 1);
    static const size_t steps[] = {1, 7, 65536, 1 << 20};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        oc_error e = {0};
        source s = {.bytes = text, .size = size, .step = steps[i]};
        oc_model *m = new_model(0);
        oc_load_stream(m, &(oc_reader){read_source, &s}, &e);
        ck_assert_msg(e.code == OC_OK, "%s", e.text);
        ck_assert_str_eq(m->graph.name, "g");
        oc_model_free(m);
    }
    oc_error e = {0};
    source s = {.bytes = text, .size = size, .step = 10, .broken = true};
    oc_model *m = new_model(0);
    ck_assert_int_eq(oc_load_stream(m, &(oc_reader){read_source, &s}, &e), OC_IO);
    oc_model_free(m);
    e = (oc_error){0};
    s = (source){.bytes = text, .size = size, .step = size};
    m = new_model(150000);
    ck_assert_int_eq(oc_load_stream(m, &(oc_reader){read_source, &s}, &e), OC_LIMIT);
    oc_model_free(m);
    free(text);
}
END_TEST

/* Large blocks are address space alone; only their first bytes move along. */
static void *resize_unwritten(void *ctx, void *block, size_t old_size, size_t new_size)
{
    enum { LARGE = 1 << 20 };
    void *p = NULL;
    (void)ctx;
    if (old_size < LARGE && new_size < LARGE)
        return new_size ? realloc(block, new_size) : (free(block), NULL);
    if (new_size >= LARGE) {
        p = mmap(NULL, new_size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED)
            return NULL;
    } else if (new_size) {
        p = malloc(new_size);
    }
    if (p && block)
        memcpy(p, block, old_size < 16 ? old_size : 16);
    if (block && old_size < LARGE)
        free(block);
    else if (block)
        munmap(block, old_size);
    return p;
}

/* As many bytes as are asked for, without an end. */
static size_t read_endless(void *ctx, void *buffer, size_t size)
{
    *(uint64_t *)ctx += size;
    *(char *)buffer = '#';
    return size;
}

START_TEST(streams_without_an_end_have_a_bound)
{
    oc_error e = {0};
    oc_model *m = NULL;
    uint64_t read = 0;
    const oc_model_options options = {.alloc = {resize_unwritten, NULL},
                                      .limits.memory_cap = SIZE_MAX};
    ck_assert_int_eq(oc_model_new(&options, &m, &e), OC_OK);
    const oc_status status = oc_load_stream(m, &(oc_reader){read_endless, &read}, &e);
    if (SUITE_NARROW && status == OC_NOMEM) { /* no such range of addresses was free */
        ck_assert_uint_lt(read, (uint64_t)OC_MAX_STREAM_GIB << 30);
    } else {
        ck_assert_int_eq(status, OC_LIMIT);
        ck_assert_msg(strstr(e.text, "more than 2 GiB"), "%s", e.text);
        ck_assert(read == ((uint64_t)OC_MAX_STREAM_GIB << 30) + 1 - 2 * SUITE_NARROW);
    }
    oc_model_free(m);
}
END_TEST

/* ---- files ---- */

static oc_status load_path(const char *path, oc_error *e)
{
    oc_model *m = new_model(0);
    *e = (oc_error){0};
    oc_load_file(m, path, e);
    if (e->code == OC_OK)
        ck_assert_str_eq(m->graph.name, "g");
    oc_model_free(m);
    return e->code;
}

START_TEST(files_are_mapped_or_read)
{
    oc_error e;
    const char *tmp = getenv("TMPDIR");
    char folder[256], path[300];
    snprintf(folder, sizeof folder, "%s/ocellus-file-XXXXXX", tmp ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/m.onnxtxt", folder);
    ck_assert_int_eq(load_path(path, &e), OC_IO);
    ck_assert_str_eq(e.text, "it cannot be opened: No such file or directory");
    ck_assert_int_eq(load_path(folder, &e), OC_IO);
    ck_assert(strstr(e.text, "is a folder"));
    FILE *f = fopen(path, "wb");
    fclose(f);
    ck_assert_int_eq(load_path(path, &e), OC_FORMAT);
    ck_assert(strstr(e.text, "the model is empty"));
    f = fopen(path, "wb");
    ck_assert_uint_eq(fwrite(text_model, 1, sizeof text_model - 1, f), sizeof text_model - 1);
    fclose(f);
    ck_assert_msg(load_path(path, &e) == OC_OK, "%s", e.text);
    unlink(path);
    rmdir(folder);
}
END_TEST

/* The first bytes alone would be a model, as many as the size has in 32 bits. */
START_TEST(files_of_more_than_4_gib)
{
    oc_error e;
    const char *tmp = getenv("TMPDIR");
    char path[256];
    wire g = {0}, w = {0};
    wire_text(&g, 2, "g");
    wire_message(&w, 7, &g);
    snprintf(path, sizeof path, "%s/ocellus-file-XXXXXX", tmp ? tmp : "/tmp");
    const int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, w.bytes, w.size), (ssize_t)w.size);
    ck_assert_msg(load_path(path, &e) == OC_OK, "%s", e.text);
    ck_assert_int_eq(ftruncate(file, (off_t)((INT64_C(1) << 32) + (int64_t)w.size)), 0);
    ck_assert_int_eq(load_path(path, &e), SUITE_NARROW ? OC_LIMIT : OC_FORMAT);
    ck_assert_msg(strstr(e.text, SUITE_NARROW ? "has 4294967301 bytes, this processor addresses"
                                              : "a field key is malformed"),
                  "%s", e.text);
    close(file);
    unlink(path);
    wire_free(&w);
}
END_TEST

START_TEST(pipes_are_read)
{
    oc_error e;
    int ends[2];
    char path[64];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], text_model, sizeof text_model - 1), sizeof text_model - 1);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    ck_assert_msg(load_path(path, &e) == OC_OK, "%s", e.text);
    close(ends[0]);
}
END_TEST

/* ---- what is no model ---- */

#define BYTES(text) text, sizeof text - 1
static const struct {
    const char *bytes;
    size_t size;
    const char *name; /* NULL: nothing that is known */
} strangers[] = {
    {BYTES("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), "PNG"},
    {BYTES("\xff\xd8\xff\xe0"), "JPEG"},
    {BYTES("GIF89a\1\0\1\0"), "GIF"},
    {BYTES("RIFF\x24\0\0\0WEBPVP8 "), "WebP"},
    {BYTES("%PDF-1.7\n"), "PDF"},
    {BYTES("\x93NUMPY\1\0"), "NumPy .npy"},
    {BYTES("PK\3\4\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\5\0\0\0x.npy"), "NumPy .npz"},
    {BYTES("PK\3\4\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x10\0\0\0archive/data.pkl"),
     "PyTorch"},
    {BYTES("PK\3\4\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\5\0\0\0x.txt"), "ZIP"},
    {BYTES("PK\3\4"), "ZIP"},
    {BYTES("\x80\2\x8a\nl\xfc\x9c\x46\xf9 j\xa8P\x19."), "a Python pickle, as PyTorch writes"},
    {BYTES("\x89HDF\r\n\x1a\n"), "HDF5, as Keras writes"},
    {BYTES("\x1c\0\0\0TFL3\x14\0"), "TensorFlow Lite"},
    {BYTES("\x30\0\0\0ORTM\0\0"), "the format of ONNX Runtime"},
    {BYTES("\x40\0\0\0\0\0\0\0{\"x\":{\"dtype\":\"F32\"}}"), "safetensors"},
    {BYTES("GGUF\3\0\0\0"), "GGUF"},
    {BYTES("\x7f"
           "ELF\2\1\1"),
     "a program"},
    {BYTES("\x28\xb5\x2f\xfd\4"), "Zstandard"},
    {BYTES("\xfd"
           "7zXZ\0"),
     "XZ"},
    {BYTES("7z\xbc\xaf\x27\x1c"), "7-Zip"},
    {BYTES("\n <!DOCTYPE html>\n<html>"), "HTML"},
    {BYTES("<HTML>"), "HTML"},
    {BYTES("<?xml version=\"1.0\"?>"), "XML"},
    {BYTES("version https://git-lfs.github.com/spec/v1\n"),
     "a Git LFS pointer; 'git lfs pull' gets the file"},
    {BYTES("nothing that is known"), NULL},
    {BYTES("\x08\x08\x12"), NULL},
};

START_TEST(strangers_are_named)
{
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        oc_error e = {0};
        oc_model *m = new_model(0);
        ck_assert_int_eq(oc_load_bytes(m, strangers[i].bytes, strangers[i].size, &e), OC_FORMAT);
        char text[200];
        snprintf(text, sizeof text, "not an ONNX model (looks like %s)", strangers[i].name);
        if (strangers[i].name)
            ck_assert_str_eq(e.text, text);
        else
            ck_assert_msg(!strstr(e.text, "looks like"), "%s", e.text);
        oc_model_drop(m);
    }
}
END_TEST

START_TEST(what_is_neither_is_said_so)
{
    static const struct {
        const void *bytes;
        size_t size;
        bool neither;
    } rows[] = {
        {BYTES("\xee\x13\x88\x91\xf0\x07\x6d\x21"), true},
        {BYTES("ok so far\x01\x02"), true},
        {BYTES("\x08\x08\x12\x7f"
               "ab"),
         false}, /* a model that is cut off */
        {BYTES("nothing that is known"), false},
        {BYTES("\xef\xbb\xbf"
               "caf\xc3\xa9 ("),
         false},
    };
    static const char text[] = "neither an ONNX model nor ONNX text: ";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        oc_error e = {0};
        oc_model *m = new_model(0);
        ck_assert_int_eq(oc_load_bytes(m, rows[i].bytes, rows[i].size, &e), OC_FORMAT);
        ck_assert_msg((strncmp(e.text, text, strlen(text)) == 0) == rows[i].neither, "%zu: %s", i,
                      e.text);
        oc_model_drop(m);
    }
}
END_TEST

/* A copy that ends where the bytes end lets a sanitizer see a read past them. */
START_TEST(strangers_may_be_cut_off)
{
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++)
        for (size_t n = 0; n <= strangers[i].size; n++) {
            char *copy = malloc(n ? n : 1);
            ck_assert_ptr_nonnull(copy);
            memcpy(copy, strangers[i].bytes, n);
            const char *name = oc_foreign_format(copy, n);
            ck_assert(n < strangers[i].size || !name == !strangers[i].name);
            free(copy);
        }
}
END_TEST

SUITE("file", strangers_are_named, what_is_neither_is_said_so, strangers_may_be_cut_off,
      text_is_told_from_binary, binary_models_may_begin_with_any_field,
      streams_are_read_to_their_end, streams_without_an_end_have_a_bound, files_are_mapped_or_read,
      files_of_more_than_4_gib, pipes_are_read)
