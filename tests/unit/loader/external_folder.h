/* SPDX-License-Identifier: Apache-2.0
 * external_folder.h - a folder with files beside a model, and a model with one weight there. */
#pragma once

#include "wire.h"

#include "graph/build.h"
#include "loader/loader.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a folder with a file outside of it ---- */

static char top[256], folder[300];

static inline const char *at(const char *dir, const char *name)
{
    static char path[2][400];
    static int turn;
    turn ^= 1;
    snprintf(path[turn], sizeof path[turn], "%s/%s", dir, name);
    return path[turn];
}

static inline void put_file(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(bytes, 1, size, f), size);
    fclose(f);
}

static inline void make_folder(void)
{
    const char *tmp = getenv("TMPDIR");
    const float weights[4] = {1, 2, 3, 4};
    snprintf(top, sizeof top, "%s/ocellus-external-XXXXXX", tmp ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(top));
    snprintf(folder, sizeof folder, "%s/model", top);
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    ck_assert_int_eq(mkdir(at(folder, "sub"), 0700), 0);
    put_file(at(top, "outside.bin"), weights, sizeof weights);
    put_file(at(folder, "w.bin"), weights, sizeof weights);
    put_file(at(folder, "empty.bin"), "", 0);
    put_file(at(folder, "sub/w.bin"), weights, sizeof weights);
    put_file(at(top, "linked.bin"), weights, sizeof weights);
    ck_assert_int_eq(link(at(top, "linked.bin"), at(folder, "hard.bin")), 0);
    ck_assert_int_eq(symlink("../outside.bin", at(folder, "soft.bin")), 0);
    ck_assert_int_eq(symlink("w.bin", at(folder, "inner.bin")), 0);
    ck_assert_int_eq(symlink("..", at(folder, "up")), 0);
    ck_assert_int_eq(symlink("sub", at(folder, "alias")), 0);
    ck_assert_int_eq(symlink("round", at(folder, "round")), 0);
    ck_assert_int_eq(symlink("nothing", at(folder, "lost.bin")), 0);
    ck_assert_int_eq(mkfifo(at(folder, "pipe"), 0600), 0);
}

static inline void remove_folder(void)
{
    static const char *const inner[] = {"w.bin",    "empty.bin", "sub/w.bin", "hard.bin",
                                        "soft.bin", "inner.bin", "up",        "alias",
                                        "round",    "lost.bin",  "pipe",      "m.onnx"};
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++)
        unlink(at(folder, inner[i]));
    rmdir(at(folder, "sub"));
    unlink(at(top, "outside.bin"));
    unlink(at(top, "linked.bin"));
    rmdir(folder);
    ck_assert_int_eq(rmdir(top), 0);
}

/* ---- a model with one weight ---- */

static inline void put_entry(wire *t, const char *key, const char *value)
{
    wire entry = {0};
    if (!value)
        return;
    wire_text(&entry, 1, key);
    wire_text(&entry, 2, value);
    wire_message(t, 13, &entry);
}

/* A float[2] called w; a NULL value leaves its key out. */
static inline wire make_weight(const char *location, const char *offset, const char *length)
{
    wire t = {0};
    wire_int(&t, 1, 2);
    wire_int(&t, 2, OC_F32);
    wire_text(&t, 8, "w");
    put_entry(&t, "location", location);
    put_entry(&t, "offset", offset);
    put_entry(&t, "length", length);
    put_entry(&t, "checksum", "beef");
    wire_int(&t, 14, 1);
    return t;
}

static inline wire make_model(const char *location, const char *offset, const char *length)
{
    wire t = make_weight(location, offset, length), g = {0};
    wire_message(&g, 5, &t);
    return wire_model(&g);
}

static inline oc_model *new_model(const oc_model_options *options)
{
    oc_error e = {0};
    oc_model *m = NULL;
    ck_assert_int_eq(oc_model_new(options, &m, &e), OC_OK);
    return m;
}

/* The bytes w, which are freed, saved in the folder and loaded from there. */
static inline oc_model *load_saved(wire *w, oc_error *e)
{
    oc_model *m = new_model(NULL);
    put_file(at(folder, "m.onnx"), w->bytes, w->size);
    wire_free(w);
    oc_load_file(m, at(folder, "m.onnx"), e);
    return m;
}
