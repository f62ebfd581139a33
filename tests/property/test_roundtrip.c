/* SPDX-License-Identifier: Apache-2.0
 * test_roundtrip.c - every model.onnx below the folders given survives text and binary form.
 *
 *   test_roundtrip FOLDER...     exit 77 when there is no model in any of them
 *
 * A model is printed, parsed and compared; printed again and compared to the byte; saved as binary,
 * loaded and compared. */
#define _POSIX_C_SOURCE 200809L
#include "byte_buffer.h"
#include "graph/build.h"
#include "model_equal.h"
#include "graph/print.h"
#include "loader/loader.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 8, LONGEST_PATH = 4096, SKIPPED = 77 };

typedef oc_status save_fn(const oc_model *m, const oc_writer *out, oc_error *e);
typedef oc_status load_fn(oc_model *m, const void *data, size_t size, oc_error *e);

static oc_status load_text(oc_model *m, const void *data, size_t size, oc_error *e)
{
    return oc_load_text(m, data, size, e);
}

/* Writes m, reads it back, compares; *written is what was written, to be freed. */
static oc_status there_and_back(const oc_model *m, save_fn *save, load_fn *load,
                                byte_buffer *written, oc_error *e)
{
    char why[512];
    oc_model *back = NULL;
    *written = (byte_buffer){NULL, 0, 0};
    const oc_writer out = {byte_buffer_append, written};
    if (save(m, &out, e) != OC_OK || oc_model_new(NULL, &back, e) != OC_OK)
        return e->code;
    if (load(back, written->bytes, written->size, e) == OC_OK &&
        !model_equal(m, back, why, sizeof why))
        oc_error_set(e, OC_MODEL, "%s", why);
    byte_buffer again = {NULL, 0, 0};
    const oc_writer second = {byte_buffer_append, &again};
    if (e->code == OC_OK && save(back, &second, e) == OC_OK &&
        (again.size != written->size || memcmp(again.bytes, written->bytes, again.size) != 0))
        oc_error_set(e, OC_MODEL, "written twice, it is not the same");
    free(again.bytes);
    oc_model_free(back);
    return e->code;
}

static bool survives(const char *path)
{
    oc_error e = {0};
    oc_model *m = NULL;
    byte_buffer text = {NULL, 0, 0}, binary = {NULL, 0, 0};
    const char *stage = "load";
    if (oc_model_new(NULL, &m, &e) == OC_OK && oc_load_file(m, path, &e) == OC_OK) {
        stage = "text";
        if (there_and_back(m, oc_print_model, load_text, &text, &e) == OC_OK) {
            stage = "binary";
            there_and_back(m, oc_save_onnx, oc_load_onnx, &binary, &e);
        }
    }
    free(text.bytes);
    free(binary.bytes);
    oc_model_free(m);
    if (e.code != OC_OK)
        printf("%s: %s: %s\n", path, stage, e.text);
    return e.code == OC_OK;
}

typedef struct tally {
    int models, failed;
} tally;

static void walk(const char *folder, int depth, tally *t)
{
    DIR *d = opendir(folder);
    if (!d)
        return;
    for (const struct dirent *entry; (entry = readdir(d)) != NULL;) {
        char path[LONGEST_PATH];
        const int n = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || n < 0 || (size_t)n >= sizeof path)
            continue;
        if (strcmp(entry->d_name, "model.onnx") == 0) {
            t->models++;
            t->failed += !survives(path);
        } else if (depth < DEEPEST)
            walk(path, depth + 1, t);
    }
    closedir(d);
}

int main(int argc, char **argv)
{
    tally t = {0, 0};
    for (int i = 1; i < argc; i++)
        walk(argv[i], 0, &t);
    if (t.models == 0) {
        printf("skipped: no model.onnx below the folders given\n");
        return SKIPPED;
    }
    printf("%d models, %d failed\n", t.models, t.failed);
    return t.failed != 0;
}
